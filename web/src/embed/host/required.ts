/** What an instructor requires, as the link says it, and how much of it a student has done. */
import type { Work } from '../../exercises/kept-work.ts';
import { exercisesIn, questionsIn, standingOf } from '../../lab/page/step-progress.ts';
import type { LabRecord } from '../../lab/questions/answer-records.ts';
import type { Step } from '../../lab/types';
import type { ExerciseRun } from './host.ts';

export interface Required {
  readonly steps: readonly string[];
  readonly exercises: readonly string[];
}

export interface Done {
  /** The share of what is required; null while nothing of it was tried. */
  readonly score: number | null;
  readonly complete: boolean;
}

const namesIn = (search: URLSearchParams, key: string): string[] | undefined =>
  search
    .get(key)
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * `steps=count,memory&exercises=elu-plus-one` requires these, and nothing else. A link that names neither requires every
 * step that asks something and every exercise, but for the steps that it hides. What the lab does not have is not
 * required: the page may be newer than the link.
 */
export function requiredBy(search: string, steps: readonly Step[]): Required {
  const names = new URLSearchParams(search);
  const hidden = new Set(namesIn(names, 'hide'));
  const shown = steps.filter(({ id }) => !hidden.has(id));
  const [asked, exercises] = [namesIn(names, 'steps'), namesIn(names, 'exercises')];
  const offered = [...new Set(shown.flatMap(({ blocks }) => exercisesIn(blocks)))];
  if (asked || exercises) {
    return {
      steps: shown.filter(({ id }) => asked?.includes(id)).map(({ id }) => id),
      exercises: offered.filter((id) => exercises?.includes(id)),
    };
  }
  return {
    steps: shown.filter(({ blocks }) => [...questionsIn(blocks)].length > 0).map(({ id }) => id),
    exercises: offered,
  };
}

/** The share of the required steps and exercises, each counted alike. */
export function doneOf(
  { steps: required, exercises }: Required,
  steps: readonly Step[],
  record: LabRecord | undefined,
  works: readonly Work[],
): Done {
  const all = required.length + exercises.length;
  if (all === 0) return { score: null, complete: false };
  const asked = steps.filter(({ id }) => required.includes(id));
  const stepsDone = asked.filter((step) => record && standingOf(step, record) === 'done').length;
  const passed = exercises.filter((id) =>
    works.some(({ exercise, firstPassed }) => exercise === id && firstPassed !== undefined),
  ).length;
  const tried =
    stepsDone > 0 ||
    works.some(({ exercise, runs }) => runs > 0 && exercises.includes(exercise)) ||
    passed > 0;
  const done = stepsDone + passed;
  return { score: tried ? done / all : null, complete: done === all };
}

/** What came of the last Run of each exercise; of a work that came back from elsewhere only its code did. */
export function runsOf(exercises: Iterable<string>, works: readonly Work[]): ExerciseRun[] {
  return [...exercises].map((id) => {
    const graded = works.flatMap(({ exercise, language, runs, grade }) =>
      exercise === id && grade ? [{ language, runs, grade }] : [],
    );
    const [newest] = graded.sort((a, b) => (a.grade.time < b.grade.time ? 1 : -1));
    if (!newest) return { id };
    const { language, runs, grade } = newest;
    const { time, passed, cases } = grade;
    const rightCases = cases.filter((one) => one.passed).length;
    return { id, last: { ...{ time, language, runs, passed }, rightCases, cases: cases.length } };
  });
}
