/** Computes the rank of softmax attention, which the figure shows and a prediction asks for. */
import type { CallOptions, Client, Kept, Matrix } from '#client';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';

/** Singular values below this share are rounding errors of float32. */
export const float32Tolerance = (n: number): number => n * 2 ** -23;

/** The weights stay in the core until they are released or forgotten. */
export async function softmaxRank(
  client: Client,
  { n, dK, seed }: { readonly n: number; readonly dK: number; readonly seed: number },
  options: CallOptions,
): Promise<{ readonly weights: Kept<Matrix>; readonly rank: number }> {
  const qkv = await keptGaussian(client, { n, dK, dV: 1, seed }, options);
  const { weights } = await client.attention(qkv, { ...options, keep: true });
  const tolerance = float32Tolerance(n);
  return { weights, rank: await client.numericalRank({ x: weights, tolerance }, options) };
}
