/**
 * Heads side by side. Further letters: h heads, hk key-value heads; head i of a packed matrix is its
 * columns i·d … (i+1)·d − 1. Query head i uses key-value head ⌊i/(h/hk)⌋.
 */
import type {
  CallOptions,
  LinearAttentionOptions,
  LinearState,
  MaskChoice,
  Matrix,
  Qkv,
} from '../../types';
import type { Dropout } from '../types';

/**
 * How far query i of n sees among m keys: i + m − n − left ≤ j ≤ i + m − n + right, aligned at the
 * bottom right as in flash-attention. Left out: unlimited. `right` 0 is causal.
 */
export interface KeyWindow {
  readonly left?: number;
  readonly right?: number;
}

export interface HeadsOptions {
  /** Mask and window both hold: a key must be in each. */
  readonly mask?: MaskChoice;
  readonly window?: KeyWindow;
  /** m entries, false for padding that no query sees. */
  readonly keepKeys?: readonly boolean[];
  /** h entries, false for a pruned head: no work, zero weights, zero output. */
  readonly keepHeads?: readonly boolean[];
  /** 1/√d of one head unless given. */
  readonly scale?: number;
  /** n×m, added to the scores of every head. */
  readonly bias?: Matrix;
  /** Head i draws from stream `stream + i`. A given `keep` is h·n×m, the heads one below the other. */
  readonly dropout?: Dropout;
}

export interface HeadsResult {
  /** n×h·d_v, the heads side by side */
  readonly output: Matrix;
  /** h of n×m, before dropout */
  readonly weights: readonly Matrix[];
  /** h×n; −∞ where a query sees no key, and for pruned heads. */
  readonly logSumExp: Matrix;
}

interface LayerWeights {
  readonly heads: number;
  /** `heads` unless given; 1 is multi-query attention. */
  readonly kvHeads?: number;
  /** outputs × h·d_v */
  readonly wo: Matrix;
  readonly bo?: Matrix;
}

/**
 * A multi-head layer as torch writes it: y = xWᵀ + b, so every W is outputs×inputs. A bias is one
 * row or one column, as long as its matrix has rows; none where left out.
 */
export type MultiHeadWeights =
  | (LayerWeights & {
      /** h·d × d_model */
      readonly wq: Matrix;
      /** hk·d × the width of the keys' source, hk·d_v × that of the values' */
      readonly wk: Matrix;
      readonly wv: Matrix;
      readonly bq?: Matrix;
      readonly bk?: Matrix;
      readonly bv?: Matrix;
    })
  | (LayerWeights & {
      /** [Wq; Wk; Wv] in one, (h + 2·hk)·d × d_model: torch's `in_proj_weight`. */
      readonly wIn: Matrix;
      readonly bIn?: Matrix;
    });

export interface MultiHeadInput {
  /** n×d_model: what the queries are made of. */
  readonly x: Matrix;
  /** m rows: what the keys are made of. `x` unless given. */
  readonly yk?: Matrix;
  /** m rows: what the values are made of. `yk` unless given. */
  readonly yv?: Matrix;
  readonly weights: MultiHeadWeights;
}

export interface MultiHeadResult {
  /** n×outputs: heads.output·Woᵀ + bo */
  readonly output: Matrix;
  readonly heads: HeadsResult;
}

export interface MultiHeadLinearResult {
  /** n×outputs */
  readonly output: Matrix;
  /** n×h·d_v, before Wo */
  readonly heads: Matrix;
  /** hk of them: the state after the last valid key of each key-value head. */
  readonly states: readonly LinearState[];
}

/** Gradients of sum(output ∘ dO). */
export interface HeadsGradients {
  /** Shaped as Q, K and V; K and V collect from every query head that reads them. */
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
  /** n×m, summed over the heads; left out where there is no bias. */
  readonly dBias?: Matrix;
}

/** Gradients of sum(output ∘ dOutput). */
export interface MultiHeadGradients {
  /**
   * Shaped as the sources of queries, keys and values: where `yk` or `yv` was left out, what stands
   * in for it has the sum as its own. In self attention `dX` is that sum and the others are left out.
   */
  readonly dX: Matrix;
  readonly dYk?: Matrix;
  readonly dYv?: Matrix;
  /**
   * Shaped as the weights, never packed: those of `wIn` are wq, wk and wv one below the other. Left
   * out for a bias that is not there.
   */
  readonly dWeights: {
    readonly wq: Matrix;
    readonly wk: Matrix;
    readonly wv: Matrix;
    readonly wo: Matrix;
    /** One column each. */
    readonly bq?: Matrix;
    readonly bk?: Matrix;
    readonly bv?: Matrix;
    readonly bo?: Matrix;
  };
  /** n×m, summed over the heads; left out where there is no bias. */
  readonly dBias?: Matrix;
}

/** Numbers in a layer, matrices and biases together. */
export interface MultiHeadParameters {
  readonly query: number;
  readonly key: number;
  readonly value: number;
  readonly output: number;
  readonly total: number;
}

/** `q` n×h·d, `k` m×hk·d, `v` m×hk·d_v. */
export interface GroupedQueryInput extends Qkv, HeadsOptions {
  readonly heads: number;
  /** `heads` unless given. */
  readonly kvHeads?: number;
}

export interface MultiHeadCalls {
  /** Softmax attention of every head. */
  groupedQueryAttention(input: GroupedQueryInput, options?: CallOptions): Promise<HeadsResult>;
  /** `dO` n×h·d_v. */
  groupedQueryAttentionBackward(
    input: GroupedQueryInput & { readonly dO: Matrix },
    options?: CallOptions,
  ): Promise<HeadsGradients>;
  /** Self attention, or cross attention where `yk` is given. */
  multiHeadAttention(
    input: MultiHeadInput & HeadsOptions,
    options?: CallOptions,
  ): Promise<MultiHeadResult>;
  /** `dOutput` n×outputs. */
  multiHeadAttentionBackward(
    input: MultiHeadInput & HeadsOptions & { readonly dOutput: Matrix },
    options?: CallOptions,
  ): Promise<MultiHeadGradients>;
  /**
   * The same layer with linear attention in its heads; the feature map works on the width of one
   * head.
   */
  multiHeadLinearAttention(
    input: MultiHeadInput & Omit<LinearAttentionOptions, keyof Qkv | 'state'>,
    options?: CallOptions,
  ): Promise<MultiHeadLinearResult>;
  /**
   * What the kept heads need: their rows of Wq, the rows of Wk and Wv that at least one of them
   * reads, their columns of Wo.
   */
  countParameters(
    input: { readonly weights: MultiHeadWeights; readonly keepHeads?: readonly boolean[] },
    options?: CallOptions,
  ): Promise<MultiHeadParameters>;
}
