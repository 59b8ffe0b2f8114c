/** Inputs and knobs that many specifications want. */
import type { Draw, Input } from './types';

/** An array that is given or made, of one shape. */
export type Made = Extract<Input, { readonly make: 'values' | 'uniform' }>;

/** A matrix given entry by entry, as a list of rows. */
export const rows = (entries: readonly (readonly number[])[]): Made => ({
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

/** rows×cols multiples of 1/8 from −1 to 1: their products and sums are exact in float32. */
export const eighths = (rows: number, cols: number, draw: Draw): number[][] =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => draw.integer(-8, 8) / 8));

/**
 * Q (n×4) and K (m×4) whose scores lie near 1600 or −1600 (with the factor 1/√4, near ±800), all of a query's within 3
 * of each other: exp overflows or gives zeros only, also in float64, and clipped scores lose what tells them apart.
 * The first column makes the size and cancels in the softmax; all scores are exact in float32.
 */
export function largeScores(n: number, m: number, draw: Draw): [Made, Made] {
  const first = draw.pick([-40, 40]);
  // The first two queries point opposite ways: one shift for both leaves nothing of one of them.
  const queries = eighths(n, 3, draw).map((entries, at) => [
    at === 0 ? first : at === 1 ? -first : draw.pick([-40, 40]),
    ...entries,
  ]);
  const keys = eighths(m, 3, draw).map((entries) => [40, ...entries]);
  return [rows(queries), rows(keys)];
}

/**
 * As `largeScores`, but a query's first scores lie near 1600 and its last two near −1600: their weights are 0, also in
 * float64, and a running maximum must not fall back. It takes at least three keys. With `sign` −1 they rise: under a
 * causal mask, the first queries see none of the large ones.
 */
export function fallingScores(n: number, m: number, draw: Draw, sign = 1): [Made, Made] {
  const high = draw.integer(1, m - 2);
  const queries = eighths(n, 3, draw).map((entries) => [40 * sign, ...entries]);
  const keys = eighths(m, 3, draw).map((entries, at) => [at < high ? 40 : -40, ...entries]);
  return [rows(queries), rows(keys)];
}

/**
 * Q and K (4 columns) whose scores are near 1600 or −1600 and equal within a group of keys, so that weights are exact:
 * a gradient multiplies an error of a weight by the entries of Q and K, which have to be large here.
 */
export function tiedScores(n: number, m: number, draw: Draw): [Made, Made] {
  const high = draw.integer(2, m);
  const queries = Array.from({ length: n }, () => [draw.pick([-40, 40]), 0, 0, 0]);
  const keys = eighths(m, 3, draw).map((entries, at) => [at < high ? 40 : -40, ...entries]);
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
export const positiveValues = (rows: number, cols: number, draw: Draw): Made => ({
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

/** Rows that sum to 1: softmax of seeded logits, `near` times lower a step from the diagonal. */
export function weightRows(
  n: number,
  seed: number,
  { sharpness = 2, near = 0.2, causal = false } = {},
): number[][] {
  return Array.from({ length: n }, (_, i) => {
    const row = Array.from({ length: n }, (_, j) => {
      const random = Math.sin(12.9898 * (i + 1) + 78.233 * (j + 1) + 37.719 * seed);
      return causal && j > i ? 0 : Math.exp(sharpness * random - near * Math.abs(i - j));
    });
    const total = row.reduce((sum, weight) => sum + weight, 0);
    return row.map((weight) => weight / total);
  });
}

/** Pictures of weights as `weightRows` makes them, one below the other: h heads, h×n×n. */
export const weightStack = (
  heads: number,
  n: number,
  seed: number,
  options: (head: number) => Parameters<typeof weightRows>[2] = () => ({}),
): Input => ({
  make: 'values',
  shape: [heads, n, n],
  data: Array.from({ length: heads }, (_, head) =>
    weightRows(n, seed + 31 * head, options(head)),
  ).flat(2),
});

/** A vector given entry by entry. */
export const vector = (data: readonly number[]): Input => ({
  make: 'values',
  shape: [data.length],
  data,
});

const sentence =
  'the cat sat on a mat and saw the dog that ran by an old red barn in late warm June rain'.split(
    ' ',
  );

/** The first n words of a sentence, from the word `from` on. */
export const words = (n: number, from = 0): string[] =>
  Array.from({ length: n }, (_, at) => sentence[(from + at) % sentence.length] ?? '');
