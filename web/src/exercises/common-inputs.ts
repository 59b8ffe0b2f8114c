/** Inputs and knobs that many specifications share. */
import type { Input } from './types';

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

/** The knobs of the figures that show one matrix. */
export const sizeKnobs = {
  n: { label: 'tokens n', min: 1, max: 64, value: 16 },
  d: { label: 'columns d', min: 1, max: 32, value: 8 },
  seed: { label: 'seed', min: 0, max: 99, value: 1 },
} as const;
