/** Columns of numbers for the core. */
import type { Matrix } from '#client';

export const column = (values: Iterable<number>): Matrix => {
  const data = Float32Array.from(values);
  return { rows: data.length, cols: 1, data };
};

/** `count` places from `low` to `high`, a row each. */
export const lineGrid = (low: number, high: number, count: number): Matrix =>
  column(Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1)));
