/** The messages between the page, the frame without an origin, and the worker in that frame. */

import type { CaseOutcome, RunError, RunJob, Value } from '../types';

/** Messages from the page to the frame, sent over the channel that comes with the first message. */
export type ToFrame =
  | { readonly type: 'start'; readonly id: number; readonly source: string; readonly boot: Boot }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'ping'; readonly count: number };

/** Messages from the frame to the page. */
export type FromFrame =
  | { readonly type: 'pong'; readonly count: number }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    }
  /** The browser, or a policy, would not start a worker. */
  | { readonly type: 'refused'; readonly id: number; readonly message: string };

/** The first message to a worker. The port that comes with it leads to the page. */
export interface Boot {
  readonly arrays: ArrayBuffer;
  readonly interpreter?: ArrayBuffer;
  readonly memoryBytes: number;
  /** For JavaScript: where the student's lines are in the source, and whether accesses to `data` are counted. */
  readonly before?: number;
  readonly lines?: number;
  readonly countEntries?: boolean;
}

/** Messages from the page to the worker. */
export type ToWorker =
  | {
      readonly type: 'load';
      readonly job: Pick<
        RunJob,
        'code' | 'entry' | 'parameters' | 'countEntries' | 'countLists' | 'draws' | 'modules'
      >;
    }
  | { readonly type: 'call'; readonly id: number; readonly args: readonly Value[] };

/** Messages from the worker to the page. */
export type FromWorker =
  /** The field `spin` is the time that a fixed piece of work took, in milliseconds. */
  | { readonly type: 'ready'; readonly spin: number }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'print'; readonly text: string }
  /** The code prints without end. */
  | { readonly type: 'flood' }
  | {
      readonly type: 'loaded';
      readonly loadError?: RunError;
      readonly prints: string;
      readonly drawings?: Value;
      readonly taken?: readonly string[];
    }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly outcome: CaseOutcome;
      /** The code, here or at its top level, may have left something running. */
      readonly lingers: boolean;
    };

/** The number of characters that one run may print. Longer output is not meant to be read, so the run is stopped. */
export const maxPrinted = 2_000_000;
