/** The measured times and what follows from them. The functions are pure; the worker read the clock. */
import type { CallOverhead, Cost, Trial, TrialMechanism } from '#client';

export interface Subject {
  readonly id: TrialMechanism;
  readonly kind: 'softmax' | 'linear';
  readonly trial: Omit<Trial, 'n'>;
}

/** Widths of one head, as in the benchmark against other libraries. */
const softmax = (mechanism: TrialMechanism): Subject => ({
  id: mechanism,
  kind: 'softmax',
  trial: { mechanism, dK: 64, dV: 64 },
});
const linear = (mechanism: TrialMechanism, more: Partial<Trial> = {}): Subject => ({
  id: mechanism,
  kind: 'linear',
  trial: { mechanism, dK: 64, dV: 64, ...more },
});

export const subjects: readonly Subject[] = [
  softmax('fused'),
  softmax('fused_weights'),
  softmax('fused_causal'),
  linear('fused_linear'),
  linear('fused_linear_causal'),
  linear('taylor_compact', { dK: 16 }),
  linear('performer', { D: 128 }),
];

export const subject = (id: TrialMechanism): Subject =>
  subjects.find((one) => one.id === id) as Subject;

/** The pairs whose crossing is computed. The first pair is the question of the page. */
export const duels: readonly (readonly [softmax: TrialMechanism, linear: TrialMechanism])[] = [
  ['fused', 'fused_linear'],
  ['fused_causal', 'fused_linear_causal'],
  ['fused', 'taylor_compact'],
  ['fused', 'performer'],
];

/** Two lengths to each doubling, so that a crossing is met closely. */
export function lengths(largest: number): number[] {
  const all: number[] = [];
  for (let n = 32; n <= largest; n *= 2) {
    all.push(n);
    if (1.5 * n <= largest) all.push(1.5 * n);
  }
  return all;
}

/** Variants that test whether a mechanism stays fast; they are timed in every round like everything else. */
export type StayId = 'ordinary' | 'sharp' | 'even' | 'odd';
export const stays: Readonly<Record<StayId, Trial>> = {
  ordinary: { mechanism: 'fused', n: 512, dK: 64, dV: 64 },
  sharp: { mechanism: 'fused', n: 512, dK: 64, dV: 64, factor: 30 },
  even: { mechanism: 'fused', n: 512, dK: 64, dV: 16 },
  odd: { mechanism: 'fused', n: 513, dK: 63, dV: 17 },
};
export const stayIds = Object.keys(stays) as StayId[];

/** The machine it was measured on. */
export interface Place {
  readonly build: string;
  readonly kernels: string;
  readonly lanes: number;
  readonly fused: boolean;
  readonly browser: string;
  readonly cores: number;
}

/** The operation counts of one mechanism at one length. */
export type Counted = Pick<Cost, 'multiplyAdds' | 'exps' | 'bytesRead' | 'bytesWritten'>;

export interface Measurement {
  readonly version: 1;
  /** ISO, when it began. */
  readonly date: string;
  readonly place: Place;
  readonly rounds: number;
  readonly lengths: readonly number[];
  /** Milliseconds of one call: `samples[mechanism][length][round]`. */
  readonly samples: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>>;
  readonly stay: Readonly<Partial<Record<StayId, readonly number[]>>>;
  /** Multiply-adds for each second of the peak loop, one entry for each sample. */
  readonly peak: readonly number[];
  readonly counted: Readonly<Record<string, Readonly<Record<number, Counted>>>>;
  readonly overhead?: CallOverhead;
  readonly clockStep?: number;
  /** The visitor's guess; absent if they made none. */
  readonly guess?: number;
  readonly finished: boolean;
}

/** Rounds in which everything was timed. */
export const completeRounds = ({ samples, lengths: all }: Measurement): number =>
  Math.min(...subjects.flatMap(({ id }) => all.map((n) => samples[id]?.[n]?.length ?? 0)));

/** The measurement without the round that was interrupted: in it only the short lengths were timed. */
export function wholeRounds(made: Measurement): Measurement {
  const rounds = completeRounds(made);
  const cut = (list: readonly number[]): readonly number[] => list.slice(0, rounds);
  const each = <T>(lists: Readonly<Record<string, T>>, change: (one: T) => T) =>
    Object.fromEntries(Object.entries(lists).map(([key, one]) => [key, change(one)]));
  return {
    ...made,
    samples: each(made.samples, (lists) => each(lists, cut)),
    stay: each(made.stay as Record<string, readonly number[]>, cut),
    peak: made.peak.slice(0, rounds * made.lengths.length),
  };
}

/**
 * What is kept of a run: the whole run, or its complete rounds if it was stopped and there is no better
 * run; undefined if nothing is kept.
 */
export function keptOf(
  made: Measurement,
  before: Measurement | undefined,
): Measurement | undefined {
  if (made.finished) return made;
  return before?.finished || completeRounds(made) === 0 ? undefined : wholeRounds(made);
}

/** Seconds until a run is through; undefined while that cannot be told. */
export function secondsLeft(elapsed: number, fraction: number): number | undefined {
  if (elapsed < 1000 || fraction < 0.02) return undefined;
  const left = (elapsed * (1 - fraction)) / fraction / 1000;
  // The estimate is rounded to the precision with which it is known.
  return left < 10 ? Math.ceil(left) : 5 * Math.ceil(left / 5);
}

export interface Quartiles {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly min: number;
}

/** A quantile by linear interpolation between order statistics. */
export function quantile(values: readonly number[], p: number): number {
  const order = [...values].sort((a, b) => a - b);
  const at = p * (order.length - 1);
  const [low, high] = [order[Math.floor(at)] ?? Number.NaN, order[Math.ceil(at)] ?? Number.NaN];
  return low + (at - Math.floor(at)) * (high - low);
}

export const quartiles = (values: readonly number[]): Quartiles => ({
  median: quantile(values, 0.5),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
  min: Math.min(...values),
});

/** The ratios a / b of the rounds in which both were timed. */
export function pairedRatio(a: readonly number[], b: readonly number[]): Quartiles | undefined {
  const ratios: number[] = [];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    ratios.push((a[i] as number) / (b[i] as number));
  }
  return ratios.length > 0 ? quartiles(ratios) : undefined;
}

/** One line of the table of results. */
export interface Row extends Quartiles {
  readonly id: TrialMechanism;
  readonly n: number;
  readonly counted: Counted | undefined;
  /** Floating-point operations a second of the fastest sample, in 10⁹; two to a multiply-add. */
  readonly gigaflops: number | undefined;
  /** The share of the peak: the fastest sample compared with the fastest sample of the peak. */
  readonly share: number | undefined;
}

/** The best that the peak did, in multiply-adds a second. */
export const bestPeak = ({ peak }: Pick<Measurement, 'peak'>): number | undefined =>
  peak.length > 0 ? Math.max(...peak) : undefined;

export function rowsOf(measurement: Measurement): Row[] {
  const best = bestPeak(measurement);
  return subjects.flatMap(({ id }) =>
    measurement.lengths.flatMap((n): Row[] => {
      const samples = measurement.samples[id]?.[n] ?? [];
      if (samples.length === 0) return [];
      const counted = measurement.counted[id]?.[n];
      const seen = quartiles(samples);
      const rate = counted && counted.multiplyAdds / (seen.min / 1000);
      return [
        {
          id,
          n,
          ...seen,
          counted,
          gigaflops: rate && (2 * rate) / 1e9,
          share: rate && best && rate / best,
        },
      ];
    }),
  );
}

/** The length from which one mechanism stays faster than the other. */
export type Crossing =
  /** Between two lengths, and where the straight lines between their points (log-log) meet. */
  | { readonly kind: 'between'; readonly low: number; readonly high: number; readonly n: number }
  /** From the first length on, or at none. */
  | { readonly kind: 'below'; readonly n: number }
  | { readonly kind: 'never'; readonly n: number };

/** Times are compared in pairs, so that a delay that slowed both in a round has no effect. */
export const ratiosOf = (
  { samples, lengths: all }: Pick<Measurement, 'samples' | 'lengths'>,
  a: TrialMechanism,
  b: TrialMechanism,
): { readonly n: number; readonly ratio: number }[] =>
  all.flatMap((n) => {
    const found = pairedRatio(samples[a]?.[n] ?? [], samples[b]?.[n] ?? []);
    return found ? [{ n, ratio: found.median }] : [];
  });

/** From how many times longer `a` takes than `b`, by length. */
export function crossingOf(
  ratios: readonly { readonly n: number; readonly ratio: number }[],
): Crossing | undefined {
  const both = ratios.map(({ n, ratio }) => ({ n, lead: Math.log(ratio) }));
  const last = both.at(-1);
  const first = both[0];
  if (!last || !first) return undefined;
  if (last.lead <= 0) return { kind: 'never', n: last.n };
  let i = both.length - 1;
  while (i > 0 && (both[i - 1]?.lead ?? 0) > 0) i--;
  const before = both[i - 1];
  const after = both[i];
  if (!before || !after) return { kind: 'below', n: first.n };
  const part = -before.lead / (after.lead - before.lead);
  return {
    kind: 'between',
    low: before.n,
    high: after.n,
    n: before.n * (after.n / before.n) ** part,
  };
}

/** The least n in 1 … limit with `faster(n)`, if from there on it always is. */
export async function leastLength(
  limit: number,
  faster: (n: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (!(await faster(limit))) return undefined;
  let [slow, fast] = [0, limit];
  while (fast - slow > 1) {
    const middle = Math.floor((slow + fast) / 2);
    if (await faster(middle)) fast = middle;
    else slow = middle;
  }
  return fast;
}

/** The lengths a slope is fitted to: where fixed costs no longer count, if those are enough. */
export function fittedLengths(measured: readonly number[]): number[] {
  const long = measured.filter((n) => n >= 256);
  return long.length >= 5 ? long : measured.slice(-5);
}

/** Every sample as CSV, one a line. */
export function measurementToCsv(measurement: Measurement, comment: string): string {
  const rows = ['mechanism,n,round,milliseconds,multiply_adds,exps,bytes_read,bytes_written'];
  for (const { id } of subjects) {
    for (const n of measurement.lengths) {
      const c = measurement.counted[id]?.[n];
      (measurement.samples[id]?.[n] ?? []).forEach((ms, round) => {
        const counts = c ? [c.multiplyAdds, c.exps, c.bytesRead, c.bytesWritten] : ['', '', '', ''];
        rows.push([id, n, round + 1, ms, ...counts].join(','));
      });
    }
  }
  for (const id of stayIds) {
    (measurement.stay[id] ?? []).forEach((ms, round) => {
      rows.push([`fused (${id})`, stays[id].n, round + 1, ms, '', '', '', ''].join(','));
    });
  }
  measurement.peak.forEach((rate, i) => {
    rows.push(['multiply_adds_per_second', '', i + 1, '', rate, '', '', ''].join(','));
  });
  return `# ${comment}\n${rows.join('\n')}\n`;
}

/** The run that an earlier visit kept, if it is complete and of this version. */
export function readMeasurement(value: unknown): Measurement | undefined {
  const given = value as Partial<Measurement> | null | undefined;
  const whole =
    typeof given === 'object' &&
    given !== null &&
    given.version === 1 &&
    Array.isArray(given.lengths) &&
    Array.isArray(given.peak) &&
    typeof given.samples === 'object' &&
    typeof given.counted === 'object' &&
    typeof given.place === 'object' &&
    typeof given.stay === 'object';
  return whole ? (given as Measurement) : undefined;
}
