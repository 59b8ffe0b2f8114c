/** Attention in tiles, without the n×m matrix. */
import type { CallOptions, MaskChoice, Matrix, Qkv } from '../../types';
import type { Dropout } from './training';

export interface FlashOptions extends Qkv {
  readonly mask?: MaskChoice;
  readonly scale?: number;
  /** n×m, added to the scaled scores. */
  readonly bias?: Matrix;
  /** The same cells as `attentionWithDropout`. */
  readonly dropout?: Dropout;
  /** Queries and keys worked on together, at least 1. Default 64. */
  readonly queryTile?: number;
  readonly keyTile?: number;
}

/** What the online softmax knew after each tile of keys: tiles of keys × n. */
export interface FlashTrace {
  /** The largest score so far; −∞ while the query has seen no key. */
  readonly runningMax: Matrix;
  /** Σ exp(score − runningMax) so far. */
  readonly runningSum: Matrix;
}

export interface FlashResult {
  /** n×d_v */
  readonly output: Matrix;
  /** n×1; −∞ where the query sees no key. All that the backward pass needs of the weights. */
  readonly logSumExp: Matrix;
  /** Only when asked for. */
  readonly trace?: FlashTrace;
  /** Tiles computed, of queryTiles × keyTiles. */
  readonly visitedTiles: number;
  readonly queryTiles: number;
  readonly keyTiles: number;
}

/** Gradients of sum(output ∘ dO). */
export interface FlashGradients {
  /** n×d_k, m×d_k, m×d_v */
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
  /** n×1: Σ_k dO_ik·output_ik. */
  readonly rowDots: Matrix;
  /** n×m: at the scores after scaling. Only when asked for. */
  readonly dBias?: Matrix;
  readonly visitedTiles: number;
}

export interface FlashCalls {
  /** `attention` without weights. Tile sizes change only the order of the sums. */
  flashAttention(
    input: FlashOptions & {
      /** Whether the result holds the trace. Default false. */
      readonly trace?: boolean;
    },
    options?: CallOptions,
  ): Promise<FlashResult>;
  /** `forward` is what `flashAttention` gave for the same input; tiles may differ. */
  flashAttentionBackward(
    input: FlashOptions & {
      /** n×d_v */
      readonly dO: Matrix;
      readonly forward: Pick<FlashResult, 'output' | 'logSumExp'>;
      /** Whether the result holds the gradient of the bias. Default false. */
      readonly dBias?: boolean;
    },
    options?: CallOptions,
  ): Promise<FlashGradients>;
}
