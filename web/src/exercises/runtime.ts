/** The interface of a language's runtime, the same inside the sandbox's worker and in Node. */

import type { CaseOutcome, RunError, RunJob, Value } from './types';

export interface RuntimeHooks {
  /**
   * Receives each piece of text as soon as it is printed, by the top level and by calls. The runtime itself keeps at
   * most `maxPrint` characters for each outcome.
   */
  readonly onPrint?: (text: string) => void;
}

/** A student's file, loaded once; a fresh runtime for every run. */
export interface Runtime {
  /** Runs the top level of the file. Never throws: an error is returned as `loadError`. */
  load(job: Pick<RunJob, 'code' | 'entry' | 'parameters' | 'draws' | 'modules'>): {
    readonly loadError?: RunError;
    readonly prints: string;
    /** What the top level of a script drew. */
    readonly drawings?: Value;
    readonly taken?: readonly string[];
  };
  /** Calls `entry` once. Never throws. Arrays of the call are freed before the next. */
  call(args: readonly Value[]): CaseOutcome;
}

/** The number of printed characters that are kept for each outcome. */
export const maxPrint = 10_000;
