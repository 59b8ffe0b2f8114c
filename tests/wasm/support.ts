import { expect } from 'vitest';
import type { Client, Matrix } from '../../wasm/client';
import { CoreError } from '../../wasm/client/errors';
import { close } from '../../web/src/exercises/judge/close';

export const matrix = (rows: number, cols: number, data: Iterable<number>): Matrix => ({
  rows,
  cols,
  data: Float32Array.from(data),
});

/** Seeded N(0, 1) entries. */
export const gaussian = async (client: Client, rows: number, cols: number, seed: number) =>
  (await client.gaussianQkv({ n: rows, dK: cols, dV: 1, seed })).q;

export const rowsOf = (x: Matrix, from: number, to: number): Matrix =>
  matrix(to - from, x.cols, x.data.subarray(from * x.cols, to * x.cols));

export const columnsOf = (x: Matrix, from: number, to: number): Matrix => {
  const cells = Array.from({ length: x.rows }, (_, i) => [
    ...x.data.subarray(i * x.cols + from, i * x.cols + to),
  ]);
  return matrix(x.rows, to - from, cells.flat());
};

export const entry = (x: Matrix, i: number, j: number): number => x.data[i * x.cols + j] as number;

/**
 * Checks that entries differ by at most `tolerance`, absolutely or relative to the entry, whichever allows more. Both
 * matrices were computed, so NaN in both is a mistake in both.
 */
export function expectClose(got: Matrix, want: Matrix, tolerance = 2e-5): void {
  expect([got.rows, got.cols]).toEqual([want.rows, want.cols]);
  got.data.forEach((value, i) => {
    const wanted = want.data[i] as number;
    const isClose = close(value, wanted, tolerance, 0) || close(value, wanted, 0, tolerance);
    if (isClose && !Number.isNaN(wanted)) return;
    expect.fail(`entry ${i}: ${value} instead of ${wanted}, within ${tolerance}`);
  });
}

export const failure = async (call: Promise<unknown>): Promise<CoreError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CoreError);
  return error as CoreError;
};
