/** How far a reader is in a lab, told from the lab's data and what is kept. */
import type { LabRecord } from '../questions/answer-records.ts';
import type { Block, Check, Prediction, Step } from '../types';

export type Standing = 'new' | 'seen' | 'done';

/** Everything that is asked, also in what a prediction reveals. */
export function* questionsIn(blocks: readonly Block[]): Generator<Prediction | Check> {
  for (const block of blocks) {
    if (block.kind === 'check') yield block;
    if (block.kind === 'prediction') {
      yield block;
      yield* questionsIn(block.reveal ?? []);
    }
  }
}

export function exercisesIn(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'exercises') return block.ids;
    return block.kind === 'prediction' ? exercisesIn(block.reveal ?? []) : [];
  });
}

/**
 * A step that asks is done when every prediction was made and every check answered right: that shows more than having
 * been at its end. A step that asks nothing is done when the reader stayed at its end. Exercises are counted separately.
 */
export function standingOf({ id, blocks }: Step, record: LabRecord): Standing {
  const seen = record.seen[id] !== undefined;
  const asked = [...questionsIn(blocks)];
  const answered = asked.filter((one) =>
    one.kind === 'prediction'
      ? record.predictions[one.id] !== undefined
      : record.checks[one.id]?.rightAt !== undefined,
  ).length;
  if (asked.length > 0 ? answered === asked.length : seen) return 'done';
  return seen || answered > 0 ? 'seen' : 'new';
}

export const stepsDone = (steps: readonly Step[], record: LabRecord): number =>
  steps.filter((step) => standingOf(step, record) === 'done').length;
