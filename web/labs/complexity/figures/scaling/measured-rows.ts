/** Rows of a measurement, and what follows from them. Pure: the clock was read in the worker. */
import {
  type Crossing,
  crossingOf,
  pairedRatio,
  type Quartiles,
  quartiles,
} from '../../../../pages/speed/measurement.ts';

/** The operation counts of one contender at one length. */
export interface CountRow {
  readonly kind: 'count';
  readonly id: string;
  readonly n: number;
  readonly multiplyAdds: number;
  readonly exps: number;
  /** The largest number of bytes held at once, inputs excluded. */
  readonly peakBytes: number;
}
export interface TimeRow {
  readonly kind: 'time';
  readonly id: string;
  readonly n: number;
  readonly round: number;
  readonly milliseconds: number;
}
/** The length from which no times were measured, and the reason. */
export interface EndRow {
  readonly kind: 'end';
  readonly id: string;
  readonly n: number;
  readonly why: string;
}
export type Row = CountRow | TimeRow | EndRow;

export function isRow(row: unknown): row is Row {
  const { kind, id, n } = (row ?? {}) as Partial<Row>;
  return (
    (kind === 'count' || kind === 'time' || kind === 'end') &&
    typeof id === 'string' &&
    typeof n === 'number'
  );
}

export interface Timed extends Quartiles {
  readonly n: number;
  readonly samples: readonly number[];
}

/** Medians and quartiles by length. */
export function timesOf(rows: readonly Row[], id: string): Timed[] {
  const byLength = new Map<number, number[]>();
  for (const row of rows) {
    if (row.kind !== 'time' || row.id !== id) continue;
    byLength.set(row.n, [...(byLength.get(row.n) ?? []), row.milliseconds]);
  }
  return [...byLength]
    .sort(([a], [b]) => a - b)
    .map(([n, samples]) => ({ n, samples, ...quartiles(samples) }));
}

export const countsOf = (rows: readonly Row[], id: string): CountRow[] =>
  rows.filter((row): row is CountRow => row.kind === 'count' && row.id === id);

export const endsOf = (rows: readonly Row[]): EndRow[] =>
  rows.filter((row): row is EndRow => row.kind === 'end');

/** The length from which `b` is faster than `a`. Times are compared in pairs, so that a delay that slowed both has no effect. */
export function crossingIn(rows: readonly Row[], a: string, b: string): Crossing | undefined {
  const others = new Map(timesOf(rows, b).map(({ n, samples }) => [n, samples]));
  const ratios = timesOf(rows, a).flatMap(({ n, samples }) => {
    const found = pairedRatio(samples, others.get(n) ?? []);
    return found ? [{ n, ratio: found.median }] : [];
  });
  return crossingOf(ratios);
}
