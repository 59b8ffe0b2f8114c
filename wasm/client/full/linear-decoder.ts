/** Decoding with linear attention: a state of one size, however many the tokens, in the worker. */
import type {
  CallOptions,
  FullCalls,
  LinearDecoderInfo,
  LinearDecoderOptions,
  LinearDecoderSnapshot,
  Matrix,
  Qkv,
} from '../types';
import { nextHandle } from './handles';

/** The calls behind `LinearDecoder`. */
export type LinearDecoderCalls = Pick<
  FullCalls,
  Extract<keyof FullCalls, `linearDecoder${string}`>
>;

/**
 * Causal linear attention token by token: row for row what `linearAttention` gives for the whole
 * sequence, with memory and time a token that do not grow. Made by `LinearDecoder.create`, used call
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

  /** Makes one in the worker of `calls`, a client. At most 256 of a kind are alive at a time. */
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
