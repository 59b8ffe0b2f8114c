/** Decoding with linear attention: a state of one size, however many the tokens, in the worker. */
import type {
  CallOptions,
  DenominatorRule,
  FeatureMapChoice,
  LinearState,
  Matrix,
  Qkv,
} from '../types';
import { type Handle, nextHandle } from './handles';

/** A decoder at one moment: enough to go back to it, or to begin another one there. */
export interface LinearDecoderSnapshot {
  /** S = Σ φ(k)vᵀ (D×d_v) and z = Σ φ(k) (1×D) over the tokens seen. */
  readonly state: LinearState;
  /** Tokens seen: the position of the next one. */
  readonly position: number;
}

export interface LinearDecoderOptions {
  /** One whose rows do not depend on one another: no stabiliser; cosFormer needs `length`. */
  readonly featureMap: FeatureMapChoice;
  readonly dK: number;
  readonly dV: number;
  /** These three as in `LinearAttentionOptions`. */
  readonly normalize?: boolean;
  readonly epsilon?: number;
  readonly denominator?: DenominatorRule;
  /** The most tokens there will be. Maps that use positions must know it. */
  readonly length?: number;
  /** An empty state at position 0 unless given. */
  readonly initial?: LinearDecoderSnapshot;
}

export interface LinearDecoderInfo {
  /** Tokens seen. */
  readonly position: number;
  /** D */
  readonly featureDimension: number;
  /** Of the state, 4·D·(d_v + 1), from the first token to the last. */
  readonly bytes: number;
}

/**
 * Causal linear attention token by token: row for row what `linearAttention` gives for the whole
 * sequence, with memory and time a token that do not grow. Made by `createLinearDecoder`, used call
 * by call in the order of the calls, given back by `dispose`. A call that rejects leaves it what it
 * was.
 *
 * It is lost when the core has to be restarted, as a `KvCache` is; a snapshot on the page is not.
 */
export class LinearDecoder {
  readonly #calls: LinearDecoderCalls;
  readonly #handle = { handle: nextHandle() };

  private constructor(calls: LinearDecoderCalls) {
    this.#calls = calls;
  }

  /** What `FullClient.createLinearDecoder` does. */
  static async create(
    calls: LinearDecoderCalls,
    input: LinearDecoderOptions,
    options?: CallOptions,
  ): Promise<LinearDecoder> {
    const decoder = new LinearDecoder(calls);
    await calls.linearDecoderMake({ ...input, ...decoder.#handle }, options);
    return decoder;
  }

  /**
   * One token a row, `q` and `k` r×d_k, `v` r×d_v: takes in each token, then answers its query.
   * r×d_v.
   */
  decode(input: Qkv, options?: CallOptions): Promise<Matrix> {
    return this.#calls.linearDecoderDecode({ ...input, ...this.#handle }, options);
  }

  /** Takes in tokens that nobody asks about, such as a prompt. */
  append(input: Omit<Qkv, 'q'>, options?: CallOptions): Promise<LinearDecoderInfo> {
    return this.#calls.linearDecoderAppend({ ...input, ...this.#handle }, options);
  }

  /** A copy of the state, to be looked at or gone back to. */
  snapshot(options?: CallOptions): Promise<LinearDecoderSnapshot> {
    return this.#calls.linearDecoderSnapshot(this.#handle, options);
  }

  restore(snapshot: LinearDecoderSnapshot, options?: CallOptions): Promise<LinearDecoderInfo> {
    return this.#calls.linearDecoderRestore({ snapshot, ...this.#handle }, options);
  }

  /** Back to the empty state at position 0. */
  reset(options?: CallOptions): Promise<LinearDecoderInfo> {
    return this.#calls.linearDecoderReset(this.#handle, options);
  }

  info(options?: CallOptions): Promise<LinearDecoderInfo> {
    return this.#calls.linearDecoderInfo(this.#handle, options);
  }

  /** Gives its memory back, after the calls made before. Never rejects: without a core it is gone. */
  async dispose(): Promise<void> {
    await this.#calls.linearDecoderDelete(this.#handle).catch(() => undefined);
  }
}

/** The calls behind `LinearDecoder`. */
export interface LinearDecoderCalls {
  linearDecoderMake(
    input: LinearDecoderOptions & Handle,
    options?: CallOptions,
  ): Promise<LinearDecoderInfo>;
  linearDecoderDecode(input: Qkv & Handle, options?: CallOptions): Promise<Matrix>;
  linearDecoderAppend(
    input: Omit<Qkv, 'q'> & Handle,
    options?: CallOptions,
  ): Promise<LinearDecoderInfo>;
  linearDecoderSnapshot(input: Handle, options?: CallOptions): Promise<LinearDecoderSnapshot>;
  linearDecoderRestore(
    input: Handle & { readonly snapshot: LinearDecoderSnapshot },
    options?: CallOptions,
  ): Promise<LinearDecoderInfo>;
  linearDecoderReset(input: Handle, options?: CallOptions): Promise<LinearDecoderInfo>;
  linearDecoderInfo(input: Handle, options?: CallOptions): Promise<LinearDecoderInfo>;
  linearDecoderDelete(input: Handle, options?: CallOptions): Promise<void>;
}
