/** The rank of softmax attention: the figure shows it and a prediction asks for it. */
import type { CallOptions, Matrix } from '#client';
import type { FullClient } from '#client/full';

/** Entries are float32: what lies below is their rounding. */
export const float32Tolerance = (n: number): number => n * 2 ** -23;

export async function softmaxRank(
  full: FullClient,
  { n, dK, seed }: { readonly n: number; readonly dK: number; readonly seed: number },
  options: CallOptions,
): Promise<{ readonly weights: Matrix; readonly rank: number }> {
  const qkv = await full.gaussianQkv({ n, dK, dV: 1, seed }, options);
  const { weights } = await full.attention(qkv, options);
  const tolerance = float32Tolerance(n);
  return { weights, rank: await full.numericalRank({ x: weights, tolerance }, options) };
}
