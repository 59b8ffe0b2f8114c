/** Incremental decoding: a cache of keys and values that lives in the worker. */
import type {
  CallOptions,
  FullCalls,
  KvAttention,
  KvCacheAttendInput,
  KvCacheDecodeInput,
  KvCacheInfo,
  KvCacheOptions,
  Matrix,
  Qkv,
} from '../types';
import { nextHandle, type WithoutHandle } from './handles';

/** The calls behind `KvCache`. */
export type KvCacheCalls = Pick<
  FullCalls,
  Exclude<Extract<keyof FullCalls, `kvCache${string}`>, 'kvCacheBytes'>
>;

/**
 * Keys and values of the tokens so far: made by `KvCache.create`, used call by call in the order of
 * the calls (none need be awaited before the next), given back by `dispose`. Positions must be
 * encoded into the keys before they are appended.
 *
 * It is lost when the core has to be restarted. Calls then reject as they do after `dispose`: code
 * `value`, argument `handle`.
 */
export class KvCache {
  readonly #calls: KvCacheCalls;
  readonly #handle = { handle: nextHandle() };

  private constructor(calls: KvCacheCalls) {
    this.#calls = calls;
  }

  /** Makes one in the worker of `calls`, a client. At most 256 of a kind are alive at a time. */
  static async create(
    calls: KvCacheCalls,
    input: KvCacheOptions,
    options?: CallOptions,
  ): Promise<KvCache> {
    const cache = new KvCache(calls);
    await calls.kvCacheMake({ ...input, ...cache.#handle }, options);
    return cache;
  }

  /**
   * One token a row: `k` r×hk·d_k, `v` r×hk·d_v. Where they do not fit (code `capacity`, both
   * lengths in the message) the cache stays what it was.
   */
  append(input: Omit<Qkv, 'q'>, options?: CallOptions): Promise<KvCacheInfo> {
    return this.#calls.kvCacheAppend({ ...input, ...this.#handle }, options);
  }

  /**
   * The last query sees every token kept (of a ring: the last `window`), the one before it all but
   * the newest, and so on: row for row what causal attention over the whole sequence gives. Rejects
   * with `capacity` when a ring has overwritten what the first query should see.
   */
  attend(input: WithoutHandle<KvCacheAttendInput>, options?: CallOptions): Promise<KvAttention> {
    return this.#calls.kvCacheAttend({ ...input, ...this.#handle }, options);
  }

  /** `append`, then `attend`; on any error the cache is what it was. */
  decode(input: WithoutHandle<KvCacheDecodeInput>, options?: CallOptions): Promise<KvAttention> {
    return this.#calls.kvCacheDecode({ ...input, ...this.#handle }, options);
  }

  /** Forgets every token. */
  reset(options?: CallOptions): Promise<KvCacheInfo> {
    return this.#calls.kvCacheReset(this.#handle, options);
  }

  info(options?: CallOptions): Promise<KvCacheInfo> {
    return this.#calls.kvCacheInfo(this.#handle, options);
  }

  /** Keys of one key-value head as attention sees them, oldest first: size×d_k. */
  keys(kvHead: number, options?: CallOptions): Promise<Matrix> {
    return this.#calls.kvCacheKeys({ kvHead, ...this.#handle }, options);
  }

  /** The values likewise: size×d_v. */
  values(kvHead: number, options?: CallOptions): Promise<Matrix> {
    return this.#calls.kvCacheValues({ kvHead, ...this.#handle }, options);
  }

  /** Gives its memory back, after the calls made before. Never rejects: without a core it is gone. */
  async dispose(): Promise<void> {
    await this.#calls.kvCacheDelete(this.#handle).catch(() => undefined);
  }
}
