/** Patterns (who sees whom as lists of keys) and the attention that costs what they keep. */
import type { CallOptions, FeatureMapParameter, MaskChoice, Matrix, Qkv } from '../../types';
import type { Dropout, Vector } from './training';

/** One numeric parameter of a pattern. */
export type PatternParameter = FeatureMapParameter;

/** One entry of the core's registry of patterns. */
export interface PatternInfo {
  /** What a URL and an option name it by, for example `sliding_window`. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** How many cells it keeps, TeX. */
  readonly cellsTex: string;
  /** Only for n = m. */
  readonly square: boolean;
  /** Drawn from the seed. */
  readonly random: boolean;
  /** Made from `cells`. */
  readonly fromCells: boolean;
  readonly parameters: readonly PatternParameter[];
  /** Missing where there is none to name. */
  readonly paper?: { readonly title: string; readonly url: string; readonly where: string };
}

/** A pattern of the registry: its id, its parameters (defaults where left out), its random seed. */
export interface RegisteredPattern {
  readonly id: string;
  readonly parameters?: Readonly<Record<string, number>>;
  /** Default 0. */
  readonly seed?: number;
  /** n×m, for `matrix` what to keep, for `top_k` the scores to rank. */
  readonly cells?: Matrix;
}

/**
 * Which keys each query sees: what a control of the page stands for. The call makes the pattern for
 * its own n and m; one of another size is an error of shape.
 */
export type PatternChoice =
  | RegisteredPattern
  /**
   * The k keys nearest to each query among those the mask keeps: largest q·k, or smallest ‖q − k‖.
   * Only for calls that have q and k.
   */
  | {
      readonly kind: 'nearestKeys';
      readonly k: number;
      readonly nearness?: 'dot' | 'euclidean';
      readonly mask?: MaskChoice;
    }
  /** BigBird whose inner block rows have these block columns. */
  | {
      readonly kind: 'bigBird';
      readonly block: number;
      readonly randomBlocks: readonly (readonly number[])[];
    }
  /** Nobody sees key j where `keep[j]` is 0; m entries. */
  | { readonly kind: 'padding'; readonly keep: Vector }
  | { readonly kind: 'mask'; readonly mask: MaskChoice }
  /** What `makePattern` gave, or lists made by hand. */
  | { readonly kind: 'lists'; readonly rowStart: Int32Array; readonly columns: Int32Array }
  /** What any of them, or all of them, keep. At most 8 within one another. */
  | { readonly kind: 'union' | 'intersection'; readonly of: readonly PatternChoice[] };

/** How large a pattern is, or the queries and keys that it is for. */
export type PatternSite = { readonly n: number; readonly m: number } | Pick<Qkv, 'q' | 'k'>;

/** A pattern in compressed rows. */
export interface Pattern {
  readonly n: number;
  readonly m: number;
  /** Kept cells. */
  readonly nnz: number;
  /** nnz/(n·m) */
  readonly density: number;
  /** Keys of the fullest row. */
  readonly longestRow: number;
  /** No query i sees a key j > i; none sees a key j > i + m − n. */
  readonly causal: boolean;
  readonly causalBottomRight: boolean;
  /** Bytes of the core's lists. */
  readonly bytes: number;
  /** n + 1 entries: query i sees the keys `columns[rowStart[i]]` … `columns[rowStart[i + 1] − 1]`. */
  readonly rowStart: Int32Array;
  /** nnz keys, ascending in each row. */
  readonly columns: Int32Array;
}

/** Counted during the run, not computed from a formula. */
export interface OperationCount {
  /** One is 2 FLOPs. */
  readonly multiplyAdds: number;
  readonly exps: number;
  /** Every pass of a kernel counts each matrix it reads or writes once. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Bytes allocated beside inputs, pattern, output and gradients. */
  readonly workspaceBytes: number;
}

export interface SparseAttentionOptions extends Qkv {
  readonly pattern: PatternChoice;
  readonly scale?: number;
  /** n×m, added to the scaled scores; only kept cells are read. */
  readonly bias?: Matrix;
  /** The same as one number a kept cell, in the pattern's order. Where both are given, both count. */
  readonly cellBias?: Vector;
  /** The same cells as `attentionWithDropout`. */
  readonly dropout?: Dropout;
}

export interface SparseAttentionResult {
  /** n×d_v */
  readonly output: Matrix;
  /**
   * nnz×1: the weight of each kept cell before dropout, in the pattern's order. `patternMatrix`
   * spreads them out.
   */
  readonly weights: Matrix;
  /** n×1; −∞ where the query sees no key. */
  readonly logSumExp: Matrix;
  /** The pattern that was made of the choice. */
  readonly pattern: Pattern;
  readonly operations: OperationCount;
}

/** Gradients of sum(output ∘ dO). The pattern is a constant. */
export interface SparseAttentionGradients {
  /** n×d_k, m×d_k, m×d_v */
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
  /** nnz×1: at the score of each kept cell. Missing when there is no bias. */
  readonly dBias?: Matrix;
  readonly operations: OperationCount;
}

export interface HierarchicalOptions extends Pick<Qkv, 'q' | 'k'> {
  /** Keys of a block, at least 1. Default 8. */
  readonly pool?: number;
  /** Keys at most this far away are near, and with them their blocks. Default 8. */
  readonly window?: number;
  /** Default false. */
  readonly causal?: boolean;
  readonly scale?: number;
}

interface HierarchicalCounts {
  /** Keys that queries met one by one, and block summaries they met instead of keys. */
  readonly nearCells: number;
  readonly summaryCells: number;
  readonly operations: OperationCount;
}

export interface HierarchicalResult extends HierarchicalCounts {
  /** n×d_v */
  readonly output: Matrix;
  /** n×1: ln of the denominator; −∞ where the query sees nothing. */
  readonly logSumExp: Matrix;
}

/** Gradients of sum(output ∘ dO). */
export interface HierarchicalGradients extends HierarchicalCounts {
  /** n×d_k, m×d_k, m×d_v */
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
}

export interface PatternCalls {
  patterns(input?: undefined, options?: CallOptions): Promise<readonly PatternInfo[]>;
  /** Unknown ids and parameters are errors of value, too many cells (2²⁶) one of capacity. */
  makePattern(
    input: PatternSite & { readonly pattern: PatternChoice },
    options?: CallOptions,
  ): Promise<Pattern>;
  /** n×m: 1 in kept cells, or `values` (one a kept cell, in the pattern's order); 0 elsewhere. */
  patternMatrix(
    input: PatternSite & { readonly pattern: PatternChoice; readonly values?: Vector },
    options?: CallOptions,
  ): Promise<Matrix>;
  /** `attention` under the pattern as a mask, at the cost of what it keeps. */
  sparseAttention(
    input: SparseAttentionOptions,
    options?: CallOptions,
  ): Promise<SparseAttentionResult>;
  sparseAttentionBackward(
    input: SparseAttentionOptions & {
      /** n×d_v */
      readonly dO: Matrix;
    },
    options?: CallOptions,
  ): Promise<SparseAttentionGradients>;
  /** Near keys one by one, far blocks of keys by their mean. Exact for pool 1. */
  hierarchicalAttention(
    input: HierarchicalOptions & Pick<Qkv, 'v'>,
    options?: CallOptions,
  ): Promise<HierarchicalResult>;
  hierarchicalAttentionBackward(
    input: HierarchicalOptions &
      Pick<Qkv, 'v'> & {
        /** n×d_v */
        readonly dO: Matrix;
      },
    options?: CallOptions,
  ): Promise<HierarchicalGradients>;
  /** The n×m weights that `hierarchicalAttention` never forms, at the cost of forming them. */
  hierarchicalWeightsReference(input: HierarchicalOptions, options?: CallOptions): Promise<Matrix>;
}
