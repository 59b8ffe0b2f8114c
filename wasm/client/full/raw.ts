import type { InputOf, RawCore } from '../raw';
import type { KvCacheCalls } from './kv-cache';
import type { LinearDecoderCalls } from './linear-decoder';
import type {
  AttentionGradients,
  DecodingCalls,
  FullClient,
  MultiHeadCalls,
  RandomCalls,
} from './types';

type Input<Name extends keyof FullClient> = InputOf<FullClient, Name>;

/** Calls of a client as the module has them: synchronous, without call options. */
type Synchronous<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (
    input: infer Input,
    ...rest: never[]
  ) => Promise<infer Result>
    ? (input: Input) => Result
    : never;
};

/** The full module as its glue exports it: everything of the core, and the rest. */
export interface RawFull
  extends RawCore,
    Synchronous<MultiHeadCalls & KvCacheCalls & LinearDecoderCalls & DecodingCalls & RandomCalls> {
  attentionBackward(input: Input<'attentionBackward'>): AttentionGradients;
}
