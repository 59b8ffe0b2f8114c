import type { RawCore } from '../raw';
import type { FlashCalls, PatternCalls, PrecisionCalls, TrainingCalls } from './types';

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
    Synchronous<TrainingCalls & FlashCalls & PatternCalls & PrecisionCalls> {}
