/** Inputs and knobs that many specifications want. */
import type { Input } from './types';

/** A matrix written out, row by row. */
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
  /** n unless given. */
  readonly m?: number;
  readonly d: number;
  /** d unless given. */
  readonly dV?: number;
  readonly seed: number;
  readonly scale?: number;
}

/** Q (n×d), K (m×d) and V (m×d_v): V keeps its entries from N(0, 1) whatever the scale. */
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

/** The knobs of figures that paint one matrix. */
export const sizeKnobs = {
  n: { label: 'tokens n', min: 1, max: 64, value: 16 },
  d: { label: 'columns d', min: 1, max: 32, value: 8 },
  seed: { label: 'seed', min: 0, max: 99, value: 1 },
} as const;
