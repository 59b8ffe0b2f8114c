/** Gram matrices of similarities: a figure shows them and a prediction asks about one. */
import type { CallOptions, Matrix } from '#client';
import type { FullClient } from '#client/full';

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
  full: FullClient,
  input: {
    readonly kernel: Similarity;
    readonly n: number;
    readonly d: number;
    readonly seed: number;
  },
  options: CallOptions,
): Promise<Gram> {
  const { kernel, n, d, seed } = input;
  const { q: x, v } = await full.gaussianQkv({ n, dK: d, dV: 1, seed }, options);
  const { weights } = await full.standardAttentionOrder({ q: x, k: x, v }, options);
  const matrix =
    kernel === 'dot'
      ? weights
      : await full.applyFeatureMap({ x: weights, featureMap: { id: MAPS[kernel] } }, options);
  const eigenvalues = [...(await full.symmetricEigenvalues({ x: matrix }, options))];
  const floor = -n * 2 ** -23 * Math.abs(eigenvalues[0] ?? 0);
  return { matrix, eigenvalues, negative: eigenvalues.filter((value) => value < floor).length };
}
