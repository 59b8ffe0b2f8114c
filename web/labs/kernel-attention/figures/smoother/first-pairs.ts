/** The pairs that the figure opens with. The figure shows them, and a prediction asks about them. */
import type { Client, Matrix } from '#client';
import { column } from '../../../../src/figures/kernel/line-grid.ts';
import type { Point } from '../../../../src/figures/kernel/plot.ts';

export type Smoothing = 'rbf' | 'exponential';

export const START: readonly Point[] = [
  { x: -2.7, y: -0.6 },
  { x: -2.1, y: -1.4 },
  { x: -1.4, y: -0.9 },
  { x: -0.9, y: 0.3 },
  { x: -0.2, y: 1.1 },
  { x: 0.5, y: 1.6 },
  { x: 1.1, y: 0.6 },
  { x: 1.6, y: -0.2 },
  { x: 2.2, y: 0.4 },
  { x: 2.7, y: 1.2 },
];
export const FIRST_GAMMA = 3;
export const MOST_PAIRS = 16;

/** Rows for the core. */
export const rowsOf = (rows: readonly (readonly number[])[]): Matrix => ({
  rows: rows.length,
  cols: rows[0]?.length ?? 0,
  data: Float32Array.from(rows.flat()),
});

export const parametersOf = (input: { readonly kernel: Smoothing; readonly gamma: number }) =>
  input.kernel === 'rbf' ? { gamma: input.gamma } : { scale: input.gamma };

/** How far softmax attention is from the smoother at these pairs. */
export async function differenceAtFirst(
  client: Client,
  kernel: Smoothing,
  { signal }: { readonly signal: AbortSignal },
): Promise<number> {
  const k = column(START.map(({ x }) => x));
  const v = column(START.map(({ y }) => y));
  const parameters = parametersOf({ kernel, gamma: FIRST_GAMMA });
  const input = { kernel, parameters, q: k, k, v };
  return (await client.compareSmootherWithAttention(input, { signal })).difference;
}
