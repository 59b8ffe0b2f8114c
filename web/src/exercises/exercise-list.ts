/** The list of all exercises, in the page's language; `web/plugins/exercises.ts` makes it from their folders. */
import type { LanguageId } from '../strings/language.ts';
import { lazyWords } from '../strings/lazy-words.ts';
import type { Exercise } from './types.ts';

export interface ListedExercise {
  readonly id: string;
  /** The folder of the exercise's lab, or an id of `web/exercises/groups.ts`. */
  readonly lab: string;
  readonly order: number;
  readonly difficulty: Exercise['difficulty'];
  readonly minutes: number;
  readonly buildsOn: readonly string[];
  readonly title: string;
  readonly summary: string;
  /** The lab and the step in which it stands: `surgeon/stages`. */
  readonly place?: string;
  /** Set when title and summary are still in English on a page of another language. */
  readonly lang?: 'en';
  /** On an English page: the languages that lack it. */
  readonly lacks?: readonly LanguageId[];
}

/** A lab, or a part of the course that has exercises and no lab yet. */
export interface ListedGroup {
  readonly id: string;
  readonly title: string;
  /** Set when the title is still in English on a page of another language. */
  readonly lang?: 'en';
}

export interface ExerciseList {
  /** The groups, in the order of the course. */
  readonly groups: readonly ListedGroup[];
  /** The exercises, in the order of their groups and of their places there. */
  readonly list: readonly ListedExercise[];
}

export const exerciseList = lazyWords<ExerciseList>({
  en: async () => ({ words: await import('virtual:exercises/en') }),
  de: async () => ({ words: await import('virtual:exercises/de') }),
});
