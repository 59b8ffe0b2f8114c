/** Inputs and knobs that many specifications want. */
import type { Draw, Input } from './types';

/** A matrix given entry by entry, as a list of rows. */
export const rows = (entries: readonly (readonly number[])[]): Input => ({
  make: 'values',
  shape: [entries.length, entries[0]?.length ?? 0],
  data: entries.flat(),
});

/** rows×cols independent entries from N(0, scale²). */
export const normal = (rows: number, cols: number, seed: number, scale = 1): Input => ({
  make: 'normal',
  shape: [rows, cols],
  seed,
  scale,
});

interface Sizes {
  readonly n: number;
  /** The number of keys; n when it is left out. */
  readonly m?: number;
  readonly d: number;
  /** The width of the values; d when it is left out. */
  readonly dV?: number;
  readonly seed: number;
  readonly scale?: number;
}

/** Q (n×d), K (m×d) and V (m×d_v). `scale` multiplies Q and K only: the entries of V are always from N(0, 1). */
export const qkv = ({
  n,
  m = n,
  d,
  dV = d,
  seed,
  scale,
}: Sizes): readonly [Input, Input, Input] => [
  normal(n, d, 3 * seed, scale),
  normal(m, d, 3 * seed + 1, scale),
  normal(m, dV, 3 * seed + 2),
];

/** rows×cols whole numbers from −9 to 9: their products and sums are exact in float32. */
export const wholeNumbers = (rows: number, cols: number, draw: Draw): Input => ({
  make: 'values',
  shape: [rows, cols],
  data: Array.from({ length: rows * cols }, () => draw.integer(-9, 9)),
});

/**
 * Q (n×4) and K (m×4) whose scores lie between 60 and 400, above 0 or below, all of a query's close together:
 * exp overflows, and clipped scores lose what tells them apart. Whole numbers, so that they are exact in
 * float32, also when they are halved by √4.
 */
export function largeScores(n: number, m: number, draw: Draw): [Input, Input] {
  const base = Array.from({ length: 4 }, () => draw.integer(30, 60));
  const queries = Array.from({ length: n }, () => {
    const sign = draw.pick([-1, 1]);
    return base.map(() => sign * draw.integer(1, 3));
  });
  const keys = Array.from({ length: m }, () => base.map((entry) => entry + draw.integer(0, 1)));
  return [rows(queries), rows(keys)];
}

/** Q, K and V of n tokens for a run whose cost is counted: narrow, and of widths that this run draws. */
export const narrowQkv = (n: number, draw: Draw): readonly [Input, Input, Input] => {
  const d = draw.integer(3, 5);
  return [
    normal(n, d, draw.seed()),
    normal(n, d, draw.seed()),
    normal(n, draw.integer(3, 5), draw.seed()),
  ];
};

/** Values without a sign: no weighted sum of them cancels, so that small errors of weights stay small. */
export const positiveValues = (rows: number, cols: number, draw: Draw): Input => ({
  make: 'uniform',
  shape: [rows, cols],
  seed: draw.seed(),
  low: 0.5,
  high: 2,
});

/** The knobs of figures that paint one matrix. */
export const sizeKnobs = {
  n: { label: 'tokens n', min: 1, max: 64, value: 16 },
  d: { label: 'columns d', min: 1, max: 32, value: 8 },
  seed: { label: 'seed', min: 0, max: 99, value: 1 },
} as const;
