/** Incremental decoding: a cache of keys and values that lives in the worker. */
import type { CallOptions, Matrix, Qkv } from '../types';
import { type Handle, nextHandle } from './handles';

/**
 * How a cache keeps its numbers: `exact` as they come (4 bytes), `float16` and `bfloat16` 2 bytes,
 * `int8` 1 byte and a scale of 4 bytes for each key and each value.
 */
export type KvStorage = 'exact' | 'float16' | 'bfloat16' | 'int8';

export interface KvCacheOptions {
  /** Tokens it has room for. All memory is taken at once, at most 512 MiB. */
  readonly capacity: number;
  readonly kvHeads: number;
  readonly dK: number;
  readonly dV: number;
  /**
   * Makes it a ring: new tokens overwrite the oldest, and each query sees the last `window` tokens up
   * to and including its own. 1 … capacity.
   */
  readonly window?: number;
  /** Default `exact`. */
  readonly storage?: KvStorage;
}

export interface KvCacheInfo {
  readonly capacity: number;
  readonly kvHeads: number;
  readonly ring: boolean;
  /** Tokens kept. */
  readonly size: number;
  /** Tokens appended since it was made or reset: the position of the next one. */
  readonly appended: number;
  /** Bytes of the tokens kept, and of the memory taken. */
  readonly bytes: number;
  readonly capacityBytes: number;
}

/** Queries of the newest r tokens, r×h·d_k, oldest first. h is a multiple of `kvHeads`. */
export interface KvQueries {
  readonly q: Matrix;
  readonly heads: number;
  /** 1/√d_k unless given. */
  readonly scale?: number;
}

export interface KvAttention {
  /** r×h·d_v */
  readonly output: Matrix;
  /** h of r×k: the k newest tokens, oldest first, that at least one of the queries sees. */
  readonly weights: readonly Matrix[];
  /** Place in the whole sequence of the token of column 0. */
  readonly firstPosition: number;
}

/**
 * Keys and values of the tokens so far: made by `createKvCache`, used call by call in the order of
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

  /** What `FullClient.createKvCache` does. */
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
  attend(input: KvQueries, options?: CallOptions): Promise<KvAttention> {
    return this.#calls.kvCacheAttend({ ...input, ...this.#handle }, options);
  }

  /** `append`, then `attend`; on any error the cache is what it was. */
  decode(input: Qkv & KvQueries, options?: CallOptions): Promise<KvAttention> {
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

/** The calls behind `KvCache`. */
export interface KvCacheCalls {
  kvCacheMake(input: KvCacheOptions & Handle, options?: CallOptions): Promise<KvCacheInfo>;
  kvCacheAppend(input: Omit<Qkv, 'q'> & Handle, options?: CallOptions): Promise<KvCacheInfo>;
  kvCacheAttend(input: KvQueries & Handle, options?: CallOptions): Promise<KvAttention>;
  kvCacheDecode(input: Qkv & KvQueries & Handle, options?: CallOptions): Promise<KvAttention>;
  kvCacheReset(input: Handle, options?: CallOptions): Promise<KvCacheInfo>;
  kvCacheInfo(input: Handle, options?: CallOptions): Promise<KvCacheInfo>;
  kvCacheKeys(input: Handle & { readonly kvHead: number }, options?: CallOptions): Promise<Matrix>;
  kvCacheValues(
    input: Handle & { readonly kvHead: number },
    options?: CallOptions,
  ): Promise<Matrix>;
  kvCacheDelete(input: Handle, options?: CallOptions): Promise<void>;
}
