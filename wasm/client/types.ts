/** The types of the client: of calls as wasm/tools/client.mjs writes them, and of what it cannot know. */
import type * as written from '../../build/wasm/client/calls';
import type { TimingCalls } from './full/timing';

export type * from '../../build/wasm/client/calls';
export type * from './full/timing';
export type * from './primitives';

/** Every call of the core, and of the worker around it. */
export interface FullCalls extends written.FullCalls, TimingCalls {}

type Result<Name extends keyof written.FullCalls> = Awaited<ReturnType<written.FullCalls[Name]>>;

export type Comparison = Result<'compareToSoftmax'>;
export type KernelCurve = Result<'kernelCurve'>;
export type AssociativityPrecision = Result<'associativityPrecision'>;
export type SlopeFit = written.SlopeLine;
export type CompareOptions = written.CompareToSoftmaxInput;
export type GroupedQueryInput = written.GroupedQueryAttentionInput;
export type MultiHeadInput = written.MultiHeadSources & { readonly weights: MultiHeadWeights };
export type MultiHeadWeights = written.MultiHeadLayer;
export type KvCacheOptions = Omit<written.KvCacheMakeInput, 'handle'>;
export type LinearDecoderOptions = Omit<written.LinearDecoderMakeInput, 'handle'>;
