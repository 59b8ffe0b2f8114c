/** One row of softmax, dropout, gradients, batches of heads, and the usual mistakes. */
import type {
  AttentionOptions,
  AttentionResult,
  CallOptions,
  MaskChoice,
  Matrix,
  Qkv,
} from '../../types';

/** A matrix of one row or one column. */
export type Vector = Matrix;

export interface SoftmaxResult {
  /** n×1: sums to 1, or is 0 where every logit is −∞. */
  readonly weights: Matrix;
  /** ln Σ exp(x_i); −∞ where every logit is. */
  readonly logSumExp: number;
}

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

export interface AttentionBackwardOptions extends AttentionOptions {
  /** n×d_v */
  readonly dO: Matrix;
  readonly dropout?: Dropout;
  /** What the forward pass gave for the same input; computed again unless given. */
  readonly forward?: Pick<AttentionResult, 'output' | 'weights'>;
}

/**
 * A matrix of the same shape for every batch entry and head: (b, h, i, j) is
 * `data[((b * heads + h) * rows + i) * cols + j]`.
 */
export interface Stack {
  readonly batch: number;
  readonly heads: number;
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

export interface BatchedAttentionOptions {
  /** batch×heads×n×d_k, batch×heads×m×d_k, batch×heads×m×d_v */
  readonly q: Stack;
  readonly k: Stack;
  readonly v: Stack;
  /** The same for every head, as `scale` and `bias`. */
  readonly mask?: MaskChoice;
  /** One for each batch entry, in place of `mask`. */
  readonly batchMasks?: readonly MaskChoice[];
  readonly scale?: number;
  /** n×m */
  readonly bias?: Matrix;
  /** Every head draws cells of its own; a given `keep` is (batch·heads·n)×m. */
  readonly dropout?: Dropout;
}

export interface BatchedAttentionResult {
  /** batch×heads×n×d_v */
  readonly output: Stack;
  /** batch×heads×n×m; missing when not asked for. */
  readonly weights?: Stack;
  /** batch×heads×n×1 */
  readonly logSumExp: Stack;
}

export interface BatchedAttentionGradients {
  /** Shaped as q, k and v. */
  readonly dQ: Stack;
  readonly dK: Stack;
  readonly dV: Stack;
  /** n×m: summed over batch entries and heads, which share the bias. Missing when there is none. */
  readonly dBias?: Matrix;
}

/** Attention as it is often written, and wrong. */
export interface AttentionVariantInfo {
  /** For example `naive_exp`. */
  readonly id: string;
  readonly label: string;
  /** What goes wrong, in one sentence. */
  readonly breaks: string;
  /** Where the course texts have it. */
  readonly foundIn: string;
}

/** One masking: the attention, and where its weight lies. */
export interface MaskingScenario extends AttentionResult {
  /** Mean over queries of the weight before the query's own position, on it, and after it. */
  readonly past: number;
  readonly self: number;
  readonly future: number;
  /** Mean over queries, in nats. */
  readonly entropy: number;
}

export interface TrainingCalls {
  /** n×n: 0 where a key is seen, −∞ elsewhere; to be given as `bias`. */
  createCausalMask(input: { readonly n: number }, options?: CallOptions): Promise<Matrix>;
  /** The same for keys j ≥ i: every token sees itself and the future. */
  createReverseMask(input: { readonly n: number }, options?: CallOptions): Promise<Matrix>;
  /** The same Q, K, V (n rows each) under the causal mask, under none, and under the reverse mask. */
  compareMasking(
    input: Qkv,
    options?: CallOptions,
  ): Promise<{
    readonly causal: MaskingScenario;
    readonly none: MaskingScenario;
    readonly reverse: MaskingScenario;
  }>;
  /** Of one vector. −∞ blocks an entry; NaN and +∞ are errors of value, no entry one of shape. */
  softmax(input: { readonly x: Vector }, options?: CallOptions): Promise<SoftmaxResult>;
  /**
   * diag(p) − ppᵀ, n×n, of a row of weights: entries ≥ 0 that sum to 1, or all 0. Anything else is
   * an error of value, here and in the two calls below.
   */
  softmaxJacobian(input: { readonly p: Vector }, options?: CallOptions): Promise<Matrix>;
  /** ‖diag(p) − ppᵀ‖_F, between 0 (saturated) and ½. */
  softmaxJacobianNorm(input: { readonly p: Vector }, options?: CallOptions): Promise<number>;
  /** −Σ p_i ln p_i in nats, between 0 and ln n. */
  entropy(input: { readonly p: Vector }, options?: CallOptions): Promise<number>;

  /** n×m of 1 (kept) and 0 (dropped); all 1 without dropout. */
  dropoutKeep(
    input: { readonly n: number; readonly m: number; readonly dropout?: Dropout },
    options?: CallOptions,
  ): Promise<Matrix>;
  /** `attention` with dropout. `weights` are those before it; `dropoutKeep` tells which counted. */
  attentionWithDropout(
    input: AttentionOptions & { readonly dropout?: Dropout },
    options?: CallOptions,
  ): Promise<AttentionResult>;
  attentionBackward(
    input: AttentionBackwardOptions,
    options?: CallOptions,
  ): Promise<AttentionGradients>;

  /** `attention` of every head of every batch entry on its own. */
  batchedAttention(
    input: BatchedAttentionOptions & {
      /** Whether the result holds the weights. Default true. */
      readonly weights?: boolean;
    },
    options?: CallOptions,
  ): Promise<BatchedAttentionResult>;
  batchedAttentionBackward(
    input: BatchedAttentionOptions & {
      /** batch×heads×n×d_v */
      readonly dO: Stack;
    },
    options?: CallOptions,
  ): Promise<BatchedAttentionGradients>;

  attentionVariants(
    input?: undefined,
    options?: CallOptions,
  ): Promise<readonly AttentionVariantInfo[]>;
  /**
   * `attention` with the mistake that `variant`, an id, names. The result may hold NaN and its rows
   * need not sum to 1: that is the point.
   */
  attentionVariant(
    input: AttentionOptions & { readonly variant: string },
    options?: CallOptions,
  ): Promise<AttentionResult>;
  /**
   * Gradients of `additive_mask_nan_to_zero` as automatic differentiation computes them: NaN as soon
   * as one query sees no key.
   */
  additiveMaskBackward(
    input: AttentionOptions & { readonly dO: Matrix },
    options?: CallOptions,
  ): Promise<AttentionGradients>;
}
