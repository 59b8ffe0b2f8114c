/**
 * Types of the client that are written by hand; all others come from the declarations of the calls.
 *
 * Shape letters, the same as in the C++ headers: n queries, m keys, d_k (`dK`) the width of queries
 * and keys, d_v (`dV`) the width of values, D the feature dimension.
 */

/** A row-major float32 matrix: entry (i, j) is `data[i * cols + j]`. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

/** A matrix of one row or one column. */
export type Vector = Matrix;

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

/** A row-major matrix of int8 codes, −127 … 127. */
export interface Codes {
  readonly rows: number;
  readonly cols: number;
  readonly data: Int8Array;
}

/** Numbers on their way in. */
export type NumberList = readonly number[] | Float64Array | Float32Array | Int32Array;

/** Which keys a query may see. `matrix` takes an n×m matrix: zero blocks, all else keeps. */
export type MaskChoice = (
  | { readonly kind: 'full' }
  /** Query i sees keys j ≤ i. */
  | { readonly kind: 'causal' }
  /** Query i sees keys j ≤ i + m − n: the last query sees all keys. */
  | { readonly kind: 'causalBottomRight' }
  | { readonly kind: 'matrix'; readonly keep: Matrix }
) & {
  /** Keys from here on are padding that no query sees. None unless given. */
  readonly validKeys?: number;
};

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

/** What calls in steps add to their result. */
export interface Timed {
  /** Milliseconds the core worked on it. */
  readonly milliseconds: number;
}

/** Options of one call. */
export interface CallOptions {
  /**
   * A newer call with the same key makes this one end with `SupersededError`, if it still waits or
   * if it has run for long and is not half done.
   */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /**
   * Hand the input's arrays to the worker instead of copying them. They are empty afterwards, as is
   * whatever else lies in their buffers.
   */
  readonly transfer?: boolean;
  /** Called with 0…1 while a long call works (not for calls that end within about 50 ms). */
  readonly onProgress?: (fraction: number) => void;
}
