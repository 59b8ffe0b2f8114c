/** The Gram matrices of several similarities. A figure shows them, and a prediction asks about one. */
import type { CallOptions, Client, Matrix } from '#client';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';

export type Similarity = 'dot' | 'square' | 'exp' | 'elu' | 'relu';

/** The map that makes the similarity from s, entry by entry. */
const MAPS: Readonly<Record<Exclude<Similarity, 'dot'>, string>> = {
  square: 'square',
  exp: 'exp',
  elu: 'elu_plus_one',
  relu: 'relu',
};

export interface Gram {
  readonly matrix: Matrix;
  readonly eigenvalues: readonly number[];
  /** Eigenvalues that float32's rounding of the entries cannot explain. */
  readonly negative: number;
}

export async function gramOf(
  client: Client,
  input: {
    readonly kernel: Similarity;
    readonly n: number;
    readonly d: number;
    readonly seed: number;
  },
  options: CallOptions,
): Promise<Gram> {
  const { kernel, n, d, seed } = input;
  const { q: x, v } = await keptGaussian(client, { n, dK: d, dV: 1, seed }, options);
  const keep = { ...options, keep: true } as const;
  const made = await client.standardAttentionOrder({ q: x, k: x, v }, keep);
  const kept =
    kernel === 'dot'
      ? made.weights
      : await client.applyFeatureMap({ x: made.weights, featureMap: { id: MAPS[kernel] } }, keep);
  const [matrix, found] = await Promise.all([
    client.read<Matrix>(kept, options),
    client.symmetricEigenvalues({ x: kept }, options),
  ]);
  client.release([made, kept]);
  const eigenvalues = [...found];
  const floor = -n * 2 ** -23 * Math.abs(eigenvalues[0] ?? 0);
  return { matrix, eigenvalues, negative: eigenvalues.filter((value) => value < floor).length };
}
