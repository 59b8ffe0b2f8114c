/** The recorded run of `npm run bench:peers`, read with care: a case, a peer or all may be missing. */

export interface RecordedRatio {
  readonly peer: string;
  readonly variant: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface RecordedRow {
  readonly id: string;
  readonly title: string;
  readonly n: number;
  readonly build: string;
  /** Median milliseconds of ours. */
  readonly ours: number;
  readonly ratios: readonly RecordedRatio[];
  /** Of the peak by its name, min to min. */
  readonly shares: readonly (readonly [name: string, share: number])[];
  readonly maxError: number | undefined;
  readonly rmsError: number | undefined;
  readonly goals: readonly { readonly text: string; readonly met: boolean }[];
}

export interface Recorded {
  readonly about: readonly (readonly [name: string, value: string])[];
  readonly peaks: readonly (readonly [name: string, gigaflops: number])[];
  readonly rows: readonly RecordedRow[];
  readonly peers: readonly string[];
  readonly lengths: readonly number[];
  readonly builds: readonly string[];
}

type Json = { readonly [key: string]: unknown };

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function ratioOf(name: string, value: unknown): RecordedRatio[] {
  const { variant, median, q1, q3 } = record(value);
  const middle = number(median);
  if (middle === undefined || !(middle > 0)) return [];
  return [
    {
      peer: name,
      variant: text(variant),
      median: middle,
      low: number(q1) ?? middle,
      high: number(q3) ?? middle,
    },
  ];
}

function rowOf(value: unknown, titles: ReadonlyMap<string, string>): RecordedRow[] {
  const given = record(value);
  const ours = record(given.ours);
  const [n, median] = [number(given.n), number(ours.median)];
  const id = text(given.case);
  if (id === '' || n === undefined || median === undefined) return [];
  return [
    {
      id,
      title: titles.get(id) ?? id,
      n,
      build: text(given.build) || text(ours.peer).replace(/^ours /, ''),
      ours: median,
      ratios: Object.entries(record(given.against)).flatMap(([name, one]) => ratioOf(name, one)),
      shares: Object.entries(record(given.shares)).flatMap(([name, share]) => {
        const known = number(share);
        return known === undefined ? [] : [[name, known] as const];
      }),
      maxError: number(ours.maxError),
      rmsError: number(ours.rmsError),
      goals: list(given.goals).map((goal) => {
        const { met, text: said } = record(goal);
        // The table says "met" or "short" in words of its own.
        return { met: met === true, text: text(said).replace(/ (?:met|SHORT)$/, '') };
      }),
    },
  ];
}

/** Nothing for what is no such run. */
export function readRecorded(value: unknown): Recorded | undefined {
  const { about, roof, rows, results } = record(value);
  const titles = new Map(
    list(results).map((one) => {
      const { name, title } = record(one);
      return [text(name), text(title) || text(name)] as const;
    }),
  );
  const read = list(rows).flatMap((row) => rowOf(row, titles));
  if (read.length === 0) return undefined;
  const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
  return {
    about: Object.entries(record(about)).flatMap(([name, said]) =>
      text(said) === '' ? [] : [[name, text(said)] as const],
    ),
    peaks: Object.entries(record(roof)).flatMap(([name, rate]) => {
      const known = number(rate);
      return known === undefined ? [] : [[name, (2 * known) / 1e9] as const];
    }),
    rows: read,
    peers: unique(read.flatMap(({ ratios }) => ratios.map(({ peer }) => peer))).filter(
      (peer) => !peer.startsWith('ours'),
    ),
    lengths: unique(read.map(({ n }) => n)).sort((a, b) => a - b),
    builds: unique(read.map(({ build }) => build)),
  };
}

/** The multiple that a goal asks for, if it asks for one of all peers alike. */
export function goalOf({ goals }: Pick<RecordedRow, 'goals'>): number | undefined {
  for (const { text: said } of goals) {
    const found = /^≥ ([\d.]+)×$/.exec(said);
    if (found) return Number(found[1]);
  }
  return undefined;
}
