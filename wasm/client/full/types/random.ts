/** Seeded projections, and feature maps as chosen. */
import type { CallOptions, FeatureMapChoice, Matrix, Positivity } from '../../types';

export interface RandomProjectionInput {
  /** Features, one a row, and the width of what they are features of. */
  readonly m: number;
  readonly d: number;
  /** Rows orthogonal within each block of d; else independent. Default false. */
  readonly orthogonal?: boolean;
  /**
   * How long the rows are: `gaussian`, the default, as Gaussian rows, χ(d); `fixed` √d, with which
   * estimates of e^{x·y} come out too small on average.
   */
  readonly norms?: 'gaussian' | 'fixed';
  readonly seed: number;
}

/** What a feature map is with its parameters; the registry tells what it is with the defaults. */
export interface FeatureMapDescription {
  /** D */
  readonly dimension: number;
  readonly positivity: Positivity;
  /** φ of a row does not depend on the others, so that a state can be carried on. */
  readonly streamable: boolean;
}

export interface RandomCalls {
  /** m×d for random features, the same bits on every machine. */
  randomProjection(input: RandomProjectionInput, options?: CallOptions): Promise<Matrix>;
  /**
   * Seed of the projection for training step `step`: `seed` itself for the first `interval` steps
   * (1000 unless given), another for each following `interval`; 0 never draws anew.
   */
  redrawSeed(
    input: { readonly seed: number; readonly step: number; readonly interval?: number },
    options?: CallOptions,
  ): Promise<number>;
  /** Gradient of sum(φ(x) ∘ dPhi) with respect to x: rows(x)×d_k. At a kink (ReLU at 0) it is 0. */
  featureMapBackward(
    input: {
      readonly x: Matrix;
      /** rows(x)×D */
      readonly dPhi: Matrix;
      readonly featureMap: FeatureMapChoice;
      /** Default `query`. */
      readonly role?: 'query' | 'key';
      /** Position of row 0 and the length M of the whole sequence (cosFormer). */
      readonly offset?: number;
      readonly length?: number;
    },
    options?: CallOptions,
  ): Promise<Matrix>;
  /** `length`: of the whole sequence, where it is known beforehand (cosFormer). */
  describeFeatureMap(
    input: {
      readonly featureMap: FeatureMapChoice;
      readonly dK: number;
      readonly length?: number;
    },
    options?: CallOptions,
  ): Promise<FeatureMapDescription>;
}
