/** What travels between the page, the frame without an origin, and the worker in it. */

import type { CaseOutcome, RunError, RunJob, Value } from '../types';

/** Page → frame, over the channel that the first message brings. */
export type ToFrame =
  | { readonly type: 'start'; readonly id: number; readonly source: string; readonly boot: Boot }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'ping'; readonly count: number };

/** Frame → page. */
export type FromFrame =
  | { readonly type: 'pong'; readonly count: number }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    }
  /** The browser or a policy would not start a worker. */
  | { readonly type: 'refused'; readonly id: number; readonly message: string };

/** The first message of a worker; its port leads to the page. */
export interface Boot {
  readonly arrays: ArrayBuffer;
  readonly interpreter?: ArrayBuffer;
  readonly memoryBytes: number;
  /** It is not in the frame: its ways out are to be taken away. */
  readonly ownOrigin?: boolean;
  /** JavaScript: where in the source the student's lines are, and whether `data` counts. */
  readonly before?: number;
  readonly lines?: number;
  readonly countEntries?: boolean;
}

/** Page → worker. */
export type ToWorker =
  | {
      readonly type: 'load';
      readonly job: Pick<RunJob, 'code' | 'entry' | 'parameters'>;
    }
  | { readonly type: 'call'; readonly id: number; readonly args: readonly Value[] };

/** Worker → page. */
export type FromWorker =
  /** `spin`: how long a fixed piece of work took, in milliseconds. */
  | { readonly type: 'ready'; readonly spin: number }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'print'; readonly text: string }
  /** It prints without end. */
  | { readonly type: 'flood' }
  | { readonly type: 'loaded'; readonly loadError?: RunError; readonly prints: string }
  | { readonly type: 'answer'; readonly id: number; readonly outcome: CaseOutcome };

/** Printed by one run; more is no longer for a reader. */
export const maxPrinted = 2_000_000;
