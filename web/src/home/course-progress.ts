/** Computes from the kept answers how far a reader is in the course, and where to go on. */

import { standingOf } from '../lab/page/step-progress.ts';
import type { LabRecord } from '../lab/questions/answer-records.ts';
import type { Step } from '../lab/types';
import type { EnglishFirst } from '../strings/language.ts';

/** A lab as `virtual:labs` has it. */
export interface MapLab {
  readonly id: string;
  readonly requires: readonly string[];
  /** As in `Lab`. */
  readonly takesText?: string;
  readonly exercises: readonly string[];
  /** The steps, with only those blocks that ask something. */
  readonly steps: readonly (Step & { readonly title: EnglishFirst<string> })[];
}

export interface LabStanding {
  readonly lab: string;
  readonly steps: readonly ('new' | 'seen' | 'done')[];
  readonly done: number;
  readonly passed: number;
  readonly begun: boolean;
}

/** @param passed ids of the exercises that were passed, in any language */
export function labStanding(
  lab: MapLab,
  record: LabRecord,
  passed: ReadonlySet<string>,
): LabStanding {
  const steps = lab.steps.map((step) => standingOf(step, record));
  const passedHere = lab.exercises.filter((id) => passed.has(id)).length;
  return {
    ...{ lab: lab.id, steps, passed: passedHere },
    done: steps.filter((step) => step === 'done').length,
    begun: passedHere > 0 || steps.some((step) => step !== 'new'),
  };
}

/** The lab to go on with: the first that is not done and has all it builds on, else the first not done. */
export function nextLab(
  labs: readonly MapLab[],
  standings: readonly LabStanding[],
): MapLab | undefined {
  const isDone = (id: string): boolean => {
    const standing = standings.find(({ lab }) => lab === id);
    return !standing || standing.done === standing.steps.length;
  };
  const open = labs.filter(({ id }) => !isDone(id));
  return open.find(({ requires }) => requires.every(isDone)) ?? open[0];
}
