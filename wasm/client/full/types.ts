/** Types of the calls that only the full module has. Conventions are those of `../types.ts`. */
import type { AttentionOptions, CallOptions, CoreClient, Matrix } from '../types';
import type { KvCache, KvCacheCalls, KvCacheOptions } from './kv-cache';
import type { LinearDecoder, LinearDecoderCalls, LinearDecoderOptions } from './linear-decoder';
import type { MultiHeadCalls } from './types/multi-head';
import type { RandomCalls } from './types/random';

export type * from './kv-cache';
export type * from './linear-decoder';
export type * from './types/multi-head';
export type * from './types/random';

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

export interface DecodingCalls {
  /** Bytes of the keys and values of `tokens` tokens in a cache, scales of `int8` included. */
  kvCacheBytes(
    input: Omit<KvCacheOptions, 'capacity' | 'window'> & { readonly tokens: number },
    options?: CallOptions,
  ): Promise<number>;
}

/** Objects that live in the worker until they are disposed of; at most 256 of a kind. */
export interface Creators {
  createKvCache(input: KvCacheOptions, options?: CallOptions): Promise<KvCache>;
  createLinearDecoder(input: LinearDecoderOptions, options?: CallOptions): Promise<LinearDecoder>;
}

/** Every call of the core. All results are fresh arrays that belong to the caller. */
export interface FullClient
  extends CoreClient,
    MultiHeadCalls,
    DecodingCalls,
    RandomCalls,
    Creators {
  attentionBackward(
    input: AttentionOptions & { readonly dO: Matrix; readonly dropout?: Dropout },
    options?: CallOptions,
  ): Promise<AttentionGradients>;
}

/** What crosses to the worker: objects are calls with a handle there. */
export type FullCalls = Omit<FullClient, keyof Creators> & KvCacheCalls & LinearDecoderCalls;
