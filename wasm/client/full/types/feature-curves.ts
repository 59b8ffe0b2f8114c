/** Feature maps as curves, the kernels they make, and how far random features err. */
import type { CallOptions, FeatureMapChoice, MaskChoice, Matrix } from '../../types';

/** φ along a line x = t·u. */
export interface FeatureMapCurve {
  readonly featureDimension: number;
  /** t, one a point. */
  readonly t: Float64Array;
  /** points×D: φ(t·u), and its derivative by t. */
  readonly phi: Matrix;
  readonly slope: Matrix;
}

/** φ(q)·φ(k) of queries and keys of one length, by the angle between them. One entry a point. */
export interface KernelCurve {
  readonly featureDimension: number;
  /** s = q·k/√d, evenly from −norm²/√d to norm²/√d. */
  readonly s: Float64Array;
  /** e^s */
  readonly exact: Float64Array;
  /** Over the draws: mean, and the quantiles 0.1, 0.5 and 0.9. */
  readonly mean: Float64Array;
  readonly low: Float64Array;
  readonly median: Float64Array;
  readonly high: Float64Array;
  readonly draws: number;
  readonly milliseconds: number;
}

/** Over the draws: the quantiles 0.1, 0.5 and 0.9. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Random features with m rows of projection. */
export interface RandomFeatureError {
  /** Rows of the projection, and features made of them (trigonometric, hyperbolic: 2m). */
  readonly m: number;
  readonly featureDimension: number;
  /** √mean((estimate − exact)²/exact²) of e^{q·k/√d}, over all pairs of all draws; and by draw. */
  readonly relativeRms: number;
  readonly relativeRmsByDraw: Spread;
  /**
   * What the variances of lemma 2 say that it should be, for the same pairs and independent rows.
   * Few pairs with a large ‖q + k‖ make up nearly all of it when inputs are large.
   */
  readonly predictedRms: number;
  /** Median over all pairs of |estimate − exact|/exact, by draw. */
  readonly medianError: Spread;
  /** Share of pairs whose estimate is negative: trigonometric only. */
  readonly negativeShare: number;
  /** Implicit attention against softmax; equal weights for comparison. */
  readonly mse: Spread;
  readonly correlation: Spread;
  readonly outputError: Spread;
  readonly uniformMse: Spread;
  /** Draws whose weights were all finite: mse, correlation and output error are of those. */
  readonly finiteDraws: number;
}

/** float32 or float64: (QKᵀ)V against Q(KᵀV) over all draws. a standard, b linear. */
export interface AssociativityErrors {
  /** Largest |a − b|, and largest |a − b|/|b| where b ≠ 0. */
  readonly maxDifference: number;
  readonly maxRelativeDifference: number;
  /** Entries with |a − b| > atol + rtol·|b|, as a share, and draws that have one. */
  readonly failedShare: number;
  readonly failedDraws: number;
  /** |a − b| and |a − b|/|b| at `probabilities`. */
  readonly differences: Float64Array;
  readonly relativeDifferences: Float64Array;
  /** The entry with the largest relative difference. */
  readonly worst: {
    readonly seed: number;
    readonly row: number;
    readonly col: number;
    readonly standard: number;
    readonly linear: number;
    /** Σ|q·k·v| over its terms, and that against the entry itself: what cancelled. */
    readonly terms: number;
    readonly condition: number;
  };
}

export interface AssociativityPrecision {
  readonly float32: AssociativityErrors;
  readonly float64: AssociativityErrors;
  /** 0, 0.25, 0.5, 0.75, 0.9, 0.99, 1 */
  readonly probabilities: Float64Array;
  readonly draws: number;
  /** n·d_v of one draw. */
  readonly entries: number;
  /** Of the first draw, n×d_v: |entry|, float32's |a − b| and |a − b|/|b|, and Σ|terms|/|entry|. */
  readonly first: {
    readonly size: Matrix;
    readonly difference: Matrix;
    readonly relativeDifference: Matrix;
    readonly condition: Matrix;
  };
  readonly milliseconds: number;
}

export interface FeatureCurveCalls {
  /** x = t·u for t from `from` to `to`. 2 … 4096 points; points·D² at most 2²⁸. */
  featureMapCurve(
    input: {
      readonly featureMap: FeatureMapChoice;
      readonly d: number;
      /** u, 1×d. The first axis unless given. */
      readonly direction?: Matrix;
      readonly from: number;
      readonly to: number;
      readonly points: number;
      /** Where all points stand, for maps that use positions. Defaults 0 and 1. */
      readonly offset?: number;
      readonly length?: number;
      /** Default `query`. */
      readonly role?: 'query' | 'key';
    },
    options?: CallOptions,
  ): Promise<FeatureMapCurve>;
  /**
   * Every draw takes a plane at random and, for random maps, a new projection. d ≥ 2, 3 … 1024
   * points. In steps: reports progress and can be stopped.
   */
  kernelCurve(
    input: {
      readonly featureMap: FeatureMapChoice;
      readonly d: number;
      /** ‖q‖ = ‖k‖; of N(0, 1) entries it is about √d. */
      readonly norm: number;
      readonly points: number;
      /** Default 1. */
      readonly draws?: number;
      /** Default 0. */
      readonly seed?: number;
    },
    options?: CallOptions,
  ): Promise<KernelCurve>;
  /**
   * Random features for e^{q·k/√d} on q, k ~ N(0, inputScale²), by the number of rows m. Draw i has
   * the inputs and the projection of seed + i. Not stabilised. In steps.
   */
  randomFeatureErrors(
    input: {
      readonly kind: 'positive' | 'trigonometric' | 'hyperbolic';
      /** Rows orthogonal within blocks of d. Default false. */
      readonly orthogonal?: boolean;
      readonly m: readonly number[];
      readonly d: number;
      readonly n: number;
      /** Default 1. */
      readonly inputScale?: number;
      /** Default 10. */
      readonly draws?: number;
      /** Default 0. */
      readonly seed?: number;
    },
    options?: CallOptions,
  ): Promise<{ readonly rows: readonly RandomFeatureError[]; readonly milliseconds: number }>;
  /**
   * (QKᵀ)V against Q(KᵀV) in float32 and, the same numbers, in float64. Draw i is `gaussianQkv` of
   * seed + i. In steps.
   */
  associativityPrecision(
    input: {
      readonly n: number;
      readonly dK: number;
      readonly dV: number;
      /** Default 0. */
      readonly seed?: number;
      /** Default 1e-5, and 0. */
      readonly rtol?: number;
      readonly atol?: number;
      /** Default 1. */
      readonly draws?: number;
    },
    options?: CallOptions,
  ): Promise<AssociativityPrecision>;
  /** n×1: φ(q)·Σφ(k) over the keys the mask keeps, before ε. */
  denominators(
    input: {
      readonly q: Matrix;
      readonly k: Matrix;
      readonly featureMap: FeatureMapChoice;
      readonly mask?: MaskChoice;
    },
    options?: CallOptions,
  ): Promise<Matrix>;
  /** Largest first, in float64. `x` n×n, symmetric to 1e-6 of its largest entry, n ≤ 512. */
  symmetricEigenvalues(input: { readonly x: Matrix }, options?: CallOptions): Promise<Float64Array>;
}
