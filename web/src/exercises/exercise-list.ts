/** The list of all exercises, in the page's language; `web/plugins/exercises.ts` makes it from their folders. */
import { lazyWords } from '../strings/lazy-words.ts';

export interface ListedExercise {
  readonly id: string;
  /** The folder of its lab, or an id of `web/exercises/groups.ts`. */
  readonly lab: string;
  readonly order: number;
  readonly title: string;
  readonly summary: string;
  /** Of title and summary, where they are not in the page's language yet. */
  readonly lang?: 'en';
}

/** A lab, or a part of the course that has exercises and no lab yet. */
export interface ListedGroup {
  readonly id: string;
  readonly title: string;
  /** Of the title, where it is not in the page's language yet. */
  readonly lang?: 'en';
}

export interface ExerciseList {
  /** In the order of the course. */
  readonly groups: readonly ListedGroup[];
  /** In the order of their groups, and in their own order there. */
  readonly list: readonly ListedExercise[];
}

export const exerciseList = lazyWords<ExerciseList>({
  en: async () => ({ words: await import('virtual:exercises/en') }),
  de: async () => ({ words: await import('virtual:exercises/de') }),
});
