/** What weights, feature maps and gradients are like. */
import type { CallOptions, CompareOptions, MaskChoice, Matrix, Qkv } from '../../types';

/** Conventions of this library for naming a head; see `analyzeAttentionPatterns`. */
export interface HeadThresholds {
  /** Of the scores for one key (previous, next, itself, first, one key). Default 0.5. */
  readonly target?: number;
  /** Of the uniformity score. Defaults 0.95 and 0.75. */
  readonly uniform?: number;
  readonly broad?: number;
  /** Of the local mass, and by how much it must exceed that of equal weights. Defaults 0.8, 1.5. */
  readonly local?: number;
  readonly localGain?: number;
}

export interface AttentionPatternOptions {
  /** n×m, ≥ 0; rows are divided by their sum first. */
  readonly weights: Matrix;
  /** Which keys each query could have looked at. `full` unless given. */
  readonly mask?: MaskChoice;
  /** Where queries stand among the keys when n ≠ m: `topLeft` for `causal`, else `bottomRight`. */
  readonly alignment?: 'topLeft' | 'bottomRight';
  /** Keys up to this far from the query's own position are local. Default 2. */
  readonly window?: number;
  /** A weight below this counts as nothing. Default 0.01. */
  readonly sparsityThreshold?: number;
  /** Also rank and singular values, where min(n, m) ≤ 512. Default true. */
  readonly rank?: boolean;
  /** Share of the largest singular value. max(n, m)·ε unless given. */
  readonly rankTolerance?: number;
  readonly thresholds?: HeadThresholds;
}

/** Statistics of one picture of attention weights. Means are over queries that see a key. */
export interface AttentionPatterns {
  /** Queries that see no key: counted in nothing else. */
  readonly emptyRows: number;
  /** Queries that see two keys or more, so that they choose at all. */
  readonly freeRows: number;
  /** Largest weight of all, and the mean of the rows' largest. */
  readonly maxAttention: number;
  readonly meanMax: number;
  /** Nats, and e^entropy. */
  readonly meanEntropy: number;
  readonly meanEffectiveKeys: number;
  /** Share of all weight on the diagonal, within the window, outside it, and within : outside. */
  readonly diagonalMass: number;
  readonly localMass: number;
  readonly globalMass: number;
  readonly localVsGlobal: number;
  /** Mean |position − key|. */
  readonly meanDistance: number;
  /** The same for equal weights over the keys each query sees. */
  readonly diagonalMassIfEqual: number;
  readonly localMassIfEqual: number;
  readonly meanDistanceIfEqual: number;
  /** Share of visible cells below the threshold. */
  readonly sparsity: number;
  /** Mean weight on the key before, after and at the query's position, and on key 0. */
  readonly previousTokenScore: number;
  readonly nextTokenScore: number;
  readonly selfScore: number;
  readonly firstTokenScore: number;
  /** Mean of entropy / ln(visible keys). */
  readonly uniformityScore: number;
  /** The key given most (−1 where there is none), and the share of weight it gets. */
  readonly topKey: number;
  readonly topKeyShare: number;
  /** Missing where not asked for or too large. */
  readonly rank?: number;
  readonly singularValues?: Float64Array;
  /** One entry a query; NaN where it sees no key. */
  readonly rows: {
    readonly max: Float64Array;
    /** −1 where there is none. */
    readonly topKey: Float64Array;
    readonly entropy: Float64Array;
    readonly effectiveKeys: Float64Array;
    readonly uniformity: Float64Array;
    readonly diagonal: Float64Array;
    readonly local: Float64Array;
    readonly distance: Float64Array;
    readonly visibleKeys: Float64Array;
  };
  /** One entry a key. A key that many queries look at is a vertical line. */
  readonly columns: {
    readonly received: Float64Array;
    /** If every query shared its weight equally among the keys it sees. */
    readonly receivedIfEqual: Float64Array;
    readonly seenBy: Float64Array;
  };
  /** A name for the head, and the score that decided. */
  readonly head: { readonly id: string; readonly label: string; readonly score: number };
}

export interface FeatureMapQualityOptions extends CompareOptions {
  /** A denominator is near zero when |Σ s| < nearZero·Σ|s|, s = φ(q)·φ(k). Default 0.01. */
  readonly nearZero?: number;
  /** Also condition and ranks of φ(K), where m·D·min(m, D) ≤ 2²⁷. Default true. */
  readonly spectrum?: boolean;
}

/** What a map gets right of softmax attention, and whether its numbers can be trusted. */
export interface FeatureMapQuality {
  readonly featureDimension: number;
  /** Of AV with PV, all entries as one vector; and ‖AV − PV‖_F / ‖PV‖_F. */
  readonly outputCosine: number;
  readonly outputError: number;
  /** Pearson, over the cells the mask keeps. */
  readonly correlation: number;
  readonly mse: number;
  readonly uniformMse: number;
  readonly mseBound: number;
  /** Mean over rows of KL(softmax‖map) in nats; rows where it is undefined, as a share. */
  readonly kl: number;
  readonly klUndefined: number;
  /** KL(softmax‖equal weights): what a map must beat. */
  readonly uniformKl: number;
  /** Shares of the (n + m)·D features. `underflow` is NaN for maps that may be 0. */
  readonly nonFiniteFeatures: number;
  readonly zeroFeatures: number;
  readonly subnormalFeatures: number;
  readonly underflow: number;
  /** Smallest and largest finite feature, and smallest finite weight among the kept cells. */
  readonly minFeature: number;
  readonly maxFeature: number;
  readonly minWeight: number;
  /** Shares of queries, keys and features that are all 0. */
  readonly deadQueries: number;
  readonly deadKeys: number;
  readonly deadFeatures: number;
  /** Shares of the rows' denominators, before ε. */
  readonly negativeDenominators: number;
  readonly zeroDenominators: number;
  readonly nonFiniteDenominators: number;
  readonly cancelledDenominators: number;
  /** Share where ε itself visibly matters. */
  readonly epsilonDenominators: number;
  /** Share of cells. */
  readonly negativeWeights: number;
  /** σ_max/σ_min of φ(K), and its ranks; missing where not asked for or too large. */
  readonly condition?: number;
  readonly featureRank?: number;
  readonly effectiveRank?: number;
  /** Milliseconds the core worked on it. */
  readonly milliseconds: number;
}

export interface GradientQuantiles {
  readonly probabilities: Float64Array;
  /** At these probabilities: ‖row‖₂, and |entry|. */
  readonly rowNorms: Float64Array;
  readonly entries: Float64Array;
  readonly meanRowNorm: number;
  readonly meanEntry: number;
  /** Share of entries with |entry| < small. */
  readonly smallShare: number;
  /** Left out of everything above. */
  readonly nonFiniteEntries: number;
  readonly nonFiniteRows: number;
}

/** A mean over draws with its standard error; NaN for one draw. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number;
}

/** One n, one d_k, with or without the factor 1/√d_k. */
export interface ScalingCell {
  readonly n: number;
  readonly dK: number;
  readonly scaled: boolean;
  readonly draws: number;
  /** Largest weight: of a row, and of a whole n×n picture. */
  readonly rowMax: Estimate;
  readonly pictureMax: Estimate;
  /** Nats. */
  readonly entropy: Estimate;
  /** ‖diag(p) − ppᵀ‖_F of a row p. */
  readonly jacobianNorm: Estimate;
  readonly medianJacobianNorm: number;
  /** ‖row of dQ‖. Without `gradients` this and all below are NaN. */
  readonly dqNorm: Estimate;
  readonly medianDqNorm: number;
  readonly tenthDqNorm: number;
  /** Share of scores with |dS| < smallGradient. */
  readonly smallShare: Estimate;
}

export interface AnalysisCalls {
  /** The min(n, m) singular values of `x`, largest first, in float64. */
  singularValues(input: { readonly x: Matrix }, options?: CallOptions): Promise<Float64Array>;
  /** How many singular values exceed tolerance·(the largest); max(n, m)·ε unless given. */
  numericalRank(
    input: { readonly x: Matrix; readonly tolerance?: number },
    options?: CallOptions,
  ): Promise<number>;
  /** As numpy.quantile has them by default: linear between neighbours. */
  quantiles(
    input: {
      readonly values: readonly number[] | Float64Array;
      readonly probabilities: readonly number[] | Float64Array;
    },
    options?: CallOptions,
  ): Promise<Float64Array>;
  /** Draw `index` (from 0) of the scaling experiment of that seed, rounded to float32. */
  scalingDraw(
    input: {
      readonly n: number;
      readonly dK: number;
      readonly dV: number;
      readonly seed: number;
      readonly index: number;
    },
    options?: CallOptions,
  ): Promise<Qkv & { readonly dO: Matrix }>;
  /** Statistics of attention weights, and a name for the head. */
  analyzeAttentionPatterns(
    input: AttentionPatternOptions,
    options?: CallOptions,
  ): Promise<AttentionPatterns>;
  /** In steps: reports progress and can be stopped. */
  analyzeFeatureMapQuality(
    input: FeatureMapQualityOptions,
    options?: CallOptions,
  ): Promise<FeatureMapQuality>;
  gradientQuantiles(
    input: {
      readonly gradient: Matrix;
      /** Default 0.1, 0.25, 0.5, 0.75, 0.9. */
      readonly probabilities?: readonly number[] | Float64Array;
      /** What counts as nothing. Default 1e-6. */
      readonly small?: number;
    },
    options?: CallOptions,
  ): Promise<GradientQuantiles>;
  /**
   * Self-attention of N(0, 1) queries and keys with the factor 1/√d_k and without, for every n and
   * d_k. Computed in float64. In steps: reports progress and can be stopped.
   */
  scalingExperiment(
    input: {
      /** Default 16, 64, 256, 1024. */
      readonly dK?: readonly number[];
      /** Default 32. */
      readonly n?: readonly number[];
      /** Default 20. */
      readonly draws?: number;
      /** Default 0. */
      readonly seed?: number;
      /** Also the backward pass. Default true. */
      readonly gradients?: boolean;
      /** Width of the values. Default 16. */
      readonly dV?: number;
      /** Default 1e-6. */
      readonly smallGradient?: number;
    },
    options?: CallOptions,
  ): Promise<{ readonly cells: readonly ScalingCell[]; readonly milliseconds: number }>;
}
