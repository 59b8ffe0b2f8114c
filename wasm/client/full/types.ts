/** Types of the calls that only the full module has. Conventions are those of `../types.ts`. */
import type { AttentionOptions, CallOptions, CoreClient, Matrix } from '../types';

/** Dropout of attention weights: cells kept are divided by 1 − probability. */
export interface Dropout {
  /** Share of weights dropped, 0 ≤ probability < 1. */
  readonly probability: number;
  readonly seed?: number;
  readonly stream?: number;
  /** n×m; a cell is kept where it is not 0. Drawn from the seed unless given. */
  readonly keep?: Matrix;
}

/** Gradients of sum(output ∘ dO). */
export interface AttentionGradients {
  /** n×d_k, m×d_k, m×d_v */
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
  /** n×m: at the scores after scaling, so also at the bias. */
  readonly dBias: Matrix;
  /** n×1: Σ_k dO_ik·output_ik. */
  readonly rowDots: Matrix;
}

/** Every call of the core. All results are fresh arrays that belong to the caller. */
export interface FullClient extends CoreClient {
  attentionBackward(
    input: AttentionOptions & { readonly dO: Matrix; readonly dropout?: Dropout },
    options?: CallOptions,
  ): Promise<AttentionGradients>;
}
