/** What a language offers inside the sandbox's worker, and the same in Node. */

import type { CaseOutcome, RunError, RunJob, Value } from './types';

export interface RuntimeHooks {
  /**
   * Called with each piece of text at once while it is printed, top level and calls alike. The runtime
   * itself keeps no more than `maxPrint` characters for each outcome.
   */
  readonly onPrint?: (text: string) => void;
}

/** A student's file, loaded once; a fresh runtime for every run. */
export interface Runtime {
  /** Runs the file's top level. Never throws: what goes wrong is in `loadError`. */
  load(job: Pick<RunJob, 'code' | 'entry' | 'parameters'>): {
    readonly loadError?: RunError;
    readonly prints: string;
  };
  /** Calls `entry` once. Never throws. Arrays of the call are freed before the next. */
  call(args: readonly Value[]): CaseOutcome;
}

/** Characters of an outcome's prints that are kept. */
export const maxPrint = 10_000;
