/** The loop around a training: slice after slice, with the page in between. */
import type { TrainingSlice } from '../../build/wasm/client/calls';
import type { LanguageModel } from '../../build/wasm/client/objects';
import type { JobTools } from './pool';

export interface TrainingLoop {
  /** After each slice. */
  readonly onSlice?: (slice: TrainingSlice) => void;
  /** How long a slice is. Default 20 ms: Stop is felt at once. */
  readonly milliseconds?: number;
  /** To end after so many steps in all; at the end of the training unless given. */
  readonly until?: number;
}

/**
 * Trains a model that `start` was called of until it is done or, without an error, until `tools.signal` stops it: then
 * it can be read, exported and trained on. The last slice.
 */
export async function train(
  model: LanguageModel,
  tools: Pick<JobTools, 'signal'> & Partial<JobTools>,
  { onSlice, milliseconds = 20, until }: TrainingLoop = {},
): Promise<TrainingSlice | undefined> {
  let last: TrainingSlice | undefined;
  while (!tools.signal.aborted) {
    last = await model.advance({ milliseconds, ...(until !== undefined && { until }) });
    onSlice?.(last);
    tools.progress?.(last.progress);
    if (last.done || (until !== undefined && last.finished >= until)) break;
    await tools.turn?.().catch(() => undefined);
  }
  return last;
}
