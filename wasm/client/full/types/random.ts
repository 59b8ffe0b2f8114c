/** Seeded draws. */
import type { CallOptions, Matrix } from '../../types';

export interface RandomCalls {
  /**
   * m×d for random features. `orthogonal`: rows orthogonal within each block of d, each with the
   * norm of an independent Gaussian row; else all entries independent N(0, 1). The same bits on every
   * machine.
   */
  randomProjection(
    input: {
      readonly m: number;
      readonly d: number;
      /** Default false. */
      readonly orthogonal?: boolean;
      readonly seed: number;
    },
    options?: CallOptions,
  ): Promise<Matrix>;
}
