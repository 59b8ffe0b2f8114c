/** Types of the calls that only the full module has. Conventions are those of `../types.ts`. */
import type { TrickClient } from '../trick/types';
import type { CallOptions, CoreClient } from '../types';
import type { KvCache, KvCacheCalls, KvCacheOptions } from './kv-cache';
import type { LinearDecoder, LinearDecoderCalls, LinearDecoderOptions } from './linear-decoder';
import type { CallOverhead, CopyCalls, TimingCalls } from './timing';
import type { AnalysisCalls } from './types/analysis';
import type { CostCalls } from './types/cost';
import type { FeatureCurveCalls } from './types/feature-curves';
import type { FlashCalls } from './types/flash';
import type { LinearCalls } from './types/linear';
import type { MultiHeadCalls } from './types/multi-head';
import type { PatternCalls } from './types/pattern';
import type { PrecisionCalls } from './types/precision';
import type { RandomCalls } from './types/random';
import type { TrainingCalls } from './types/training';

export type * from '../trick/types';
export type * from './kv-cache';
export type * from './linear-decoder';
export type {
  CallOverhead,
  KernelInfo,
  TimedRound,
  TimingCalls,
  Trial,
  TrialMechanism,
  TrialSample,
  WorkerDownload,
} from './timing';
export type * from './types/analysis';
export type * from './types/cost';
export type * from './types/feature-curves';
export type * from './types/flash';
export type * from './types/linear';
export type * from './types/multi-head';
export type * from './types/pattern';
export type * from './types/precision';
export type * from './types/random';
export type * from './types/training';

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

/** What is measured from the caller's side. */
export interface Measures {
  /** What a call costs beside its work; about 0.3 s, while which nothing else should run. */
  callOverhead(options?: CallOptions): Promise<CallOverhead>;
}

/** Every call of the core. All results are fresh arrays that belong to the caller. */
export interface FullClient
  extends CoreClient,
    TrickClient,
    TrainingCalls,
    FlashCalls,
    PatternCalls,
    PrecisionCalls,
    AnalysisCalls,
    CostCalls,
    FeatureCurveCalls,
    LinearCalls,
    MultiHeadCalls,
    DecodingCalls,
    RandomCalls,
    TimingCalls,
    Measures,
    Creators {}

/** What crosses to the worker: objects are calls with a handle there. */
export type FullCalls = Omit<FullClient, keyof Creators | keyof Measures> &
  KvCacheCalls &
  LinearDecoderCalls &
  CopyCalls;
