/** What a run of the random-features experiment consists of, and what follows from its rows. */
import type { RandomFeatureError } from '#client';

export const kinds = ['positive', 'trigonometric', 'hyperbolic'] as const;
export type Kind = (typeof kinds)[number];

export interface Row extends RandomFeatureError {
  readonly kind: Kind;
  readonly orthogonal: boolean;
  readonly inputScale: number;
}

export const isRow = (row: unknown): row is Row => {
  if (typeof row !== 'object' || row === null) return false;
  const { kind, m, inputScale, mse, uniformMse } = row as Partial<Row>;
  return (
    kinds.some((known) => known === kind) &&
    [m, inputScale, mse?.median, uniformMse?.median].every((value) => typeof value === 'number')
  );
};

export interface Variant {
  readonly kind: Kind;
  readonly orthogonal: boolean;
}

export interface Point extends Variant {
  readonly m: number;
  readonly inputScale: number;
}

/** The values of a sweep: numbers of rows that double, and input scales in steps of √2. */
export const numbersOfRows = (most: number): number[] =>
  Array.from({ length: Math.floor(Math.log2(most)) - 3 }, (_, i) => 2 ** (i + 4));
export const inputScales: readonly number[] = Array.from({ length: 9 }, (_, i) =>
  Number((0.125 * 2 ** (i / 2)).toPrecision(4)),
);

/** All points of a sweep; the lines of all variants grow together. */
export function pointsOf({
  over,
  variants,
  m,
  mostM,
  inputScale,
}: {
  readonly over: 'm' | 'scale';
  readonly variants: readonly Variant[];
  readonly m: number;
  readonly mostM: number;
  readonly inputScale: number;
}): Point[] {
  return over === 'm'
    ? numbersOfRows(mostM).flatMap((rows) => variants.map((v) => ({ ...v, m: rows, inputScale })))
    : inputScales.flatMap((scale) => variants.map((v) => ({ ...v, m, inputScale: scale })));
}

/** The estimated work of a point: proportional to the features, plus a fixed part. */
export const effort = ({ kind, m }: Point): number => 64 + (kind === 'positive' ? m : 2 * m);

/** A part of the axis. An end that is missing lies beyond what was measured. */
export interface Stretch {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Where the error is below the baseline's: `ratio` is error/baseline, x ascending. A ratio that is
 * no number does not count as better.
 */
export function beatsBaseline(
  points: readonly { readonly x: number; readonly ratio: number }[],
): readonly Stretch[] {
  const better = ({ ratio }: { readonly ratio: number }): boolean => ratio < 1;
  const stretches: Stretch[] = [];
  for (const [i, b] of points.entries()) {
    const a = points[i - 1];
    if (!a) {
      if (better(b)) stretches.push({});
      continue;
    }
    if (better(a) === better(b)) continue;
    const share = Math.log(a.ratio) / (Math.log(a.ratio) - Math.log(b.ratio));
    // An infinite error has no place on the line between.
    const x = Number.isFinite(share) ? a.x * (b.x / a.x) ** share : better(a) ? a.x : b.x;
    stretches.push(better(b) ? { from: x } : { ...stretches.pop(), to: x });
  }
  return stretches;
}

/** The c for which c/√m fits the points best on a logarithmic axis. */
export function rootUnit(
  points: readonly { readonly m: number; readonly y: number }[],
): number | undefined {
  const logs = points
    .map(({ m, y }) => Math.log(y) + Math.log(m) / 2)
    .filter((value) => Number.isFinite(value));
  if (logs.length === 0) return undefined;
  return Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length);
}
