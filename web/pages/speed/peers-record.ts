/** The recorded run of `npm run bench:peers` as rows; a case, a size or a peer may be missing. */
import type { About, CaseRecord, Crossover, PeersRecord } from '../../src/speed/recorded/record';

export interface RecordedRatio {
  readonly peer: string;
  /** `chunked`, where a peer was also timed in another form of the same attention. */
  readonly form: string;
  /** What the peer computed, such as `MatMul and Softmax, Kᵀ given`. */
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
  /** The median time of our implementation, in milliseconds. */
  readonly ours: number;
  readonly ratios: readonly RecordedRatio[];
  /** Shares of the peaks by their names, fastest sample to fastest sample. */
  readonly shares: readonly (readonly [name: string, share: number])[];
  /** Errors over all sizes of the case, and those of plain float32 loops. */
  readonly error: { readonly max: number; readonly rms: number } | undefined;
  readonly loop: { readonly max: number; readonly rms: number } | undefined;
}

export interface Recorded {
  readonly about: About;
  readonly peaks: PeersRecord['peaks'];
  readonly rows: readonly RecordedRow[];
  /** The other libraries, in the order of the file. */
  readonly peers: readonly string[];
  readonly lengths: readonly number[];
  readonly builds: readonly string[];
  readonly crossovers: readonly Crossover[];
}

const known = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** `onnxruntime-web, chunked` is a form of onnxruntime-web. */
const split = (name: string): readonly [peer: string, form: string] => {
  const [peer = name, form = ''] = name.split(', ');
  return [peer, form];
};

function rowsOfCase(one: CaseRecord): RecordedRow[] {
  const rows: RecordedRow[] = [];
  for (const mine of one.contenders) {
    const build = /^ours (simd|relaxed)$/.exec(mine.peer)?.[1];
    if (!build) continue;
    one.sizes.forEach((n, at) => {
      const ours = mine.median[at];
      if (!known(ours)) return;
      const ratios = one.ratios.flatMap((ratio): RecordedRatio[] => {
        const median = ratio.median[at];
        if (ratio.build !== build || ratio.peer.startsWith('ours') || !known(median)) return [];
        const [low, high] = [ratio.q1[at], ratio.q3[at]];
        const other = one.contenders.find(({ peer }) => peer === ratio.peer);
        const [peer, form] = split(ratio.peer);
        return [
          {
            peer,
            form,
            variant: other?.variants[other.variant[at] ?? -1] ?? '',
            median,
            low: known(low) ? low : median,
            high: known(high) ? high : median,
          },
        ];
      });
      rows.push({
        id: one.name,
        title: one.title,
        n,
        build,
        ours,
        ratios,
        shares: Object.entries(mine.share ?? {}).flatMap(([name, column]) => {
          const share = column?.[at];
          return known(share) ? [[name, share] as const] : [];
        }),
        error: mine.error ?? undefined,
        loop: one.float32Loop ?? undefined,
      });
    });
  }
  return rows;
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Undefined if the file is not such a run or holds nothing. */
export function readRecorded(value: unknown): Recorded | undefined {
  const given = value as Partial<PeersRecord> | null | undefined;
  if (!given?.about || !Array.isArray(given.cases)) return undefined;
  const cases = given.cases as readonly CaseRecord[];
  const rows = cases.flatMap(rowsOfCase);
  if (rows.length === 0) return undefined;
  return {
    about: given.about,
    peaks: given.peaks ?? [],
    rows,
    peers: unique(
      cases.flatMap(({ contenders }) => contenders.map(({ peer }) => split(peer)[0])),
    ).filter((peer) => !peer.startsWith('ours')),
    lengths: unique(rows.map(({ n }) => n)).sort((a, b) => a - b),
    builds: unique(rows.map(({ build }) => build)).sort((a, b) => b.localeCompare(a)),
    crossovers: given.crossovers ?? [],
  };
}

/** Every ratio as CSV, one a line; the rest of a row stands beside each. */
export function recordedToCsv({ rows, peaks }: Recorded, comment: string): string {
  const field = (value: string | number | undefined): string => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const shares = peaks.map(({ name }) => name);
  const lines: (readonly (string | number | undefined)[])[] = [
    [
      ...['case', 'n', 'build', 'ours_median_milliseconds', 'peer', 'form', 'what_it_did'],
      ...['ratio_median', 'ratio_q1', 'ratio_q3', 'error_max', 'error_rms'],
      ...shares.map((name) => `best_share_of_${name}`),
    ],
  ];
  for (const row of rows) {
    const of = new Map(row.shares);
    const after = [row.error?.max, row.error?.rms, ...shares.map((name) => of.get(name))];
    for (const ratio of row.ratios.length > 0 ? row.ratios : [undefined]) {
      lines.push([
        ...[row.title, row.n, row.build, row.ours, ratio?.peer, ratio?.form, ratio?.variant],
        ...[ratio?.median, ratio?.low, ratio?.high, ...after],
      ]);
    }
  }
  return `# ${comment}\n${lines.map((line) => line.map(field).join(',')).join('\n')}\n`;
}
