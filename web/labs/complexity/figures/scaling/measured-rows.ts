/** Rows of a measurement, and what follows from them. Pure: the clock was read in the worker. */
import type { Client, MeasuredCrossing } from '#client';
import { type Quartiles, quartiles } from '../../../../pages/speed/measurement.ts';

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

/** The samples of two contenders in pairs of one length and round. */
export function pairsOf(rows: readonly Row[], a: string, b: string) {
  const times = rows.filter((row): row is TimeRow => row.kind === 'time');
  const others = new Map(
    times.filter(({ id }) => id === b).map((row) => [`${row.n} ${row.round}`, row.milliseconds]),
  );
  return times.flatMap(({ id, n, round, milliseconds }) => {
    const other = others.get(`${n} ${round}`);
    return id === a && other !== undefined ? [{ n, round, a: milliseconds, b: other }] : [];
  });
}

/** The length from which `b` is faster than `a`, by the core; undefined where nothing was measured of both. */
export async function crossingIn(
  client: Pick<Client, 'measuredCrossing'>,
  rows: readonly Row[],
  a: string,
  b: string,
): Promise<MeasuredCrossing | undefined> {
  const pairs = pairsOf(rows, a, b);
  if (pairs.length === 0) return undefined;
  return client.measuredCrossing({
    x: pairs.map(({ n }) => n),
    round: pairs.map(({ round }) => round),
    a: pairs.map((pair) => pair.a),
    b: pairs.map((pair) => pair.b),
  });
}
