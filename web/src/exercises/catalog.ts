/** All exercises. Each is loaded when a page first needs it. */

import type { LanguageId } from '../strings/language.ts';
import type { Exercise, Language } from './types';
import type { ExerciseWords, JudgeWords } from './words';

const specifications = import.meta.glob<{ exercise: Exercise }>('../../exercises/*/exercise.ts');
type Translations = Readonly<Record<string, () => Promise<{ words: ExerciseWords }>>>;
/** By language and file; the specification itself is in English. */
const translations: Readonly<Record<LanguageId, Translations>> = {
  en: {},
  de: import.meta.glob<{ words: ExerciseWords }>('../../exercises/*/de.ts'),
};
const judges = { en: async () => undefined, de: () => import('./judge-words-de.ts') };
const solutions = import.meta.glob<string>('../../exercises/*/solution.{py,js,hpp}', {
  query: '?raw',
  import: 'default',
});

const folder = (id: string): string => `../../exercises/${id}`;
const extensions: Readonly<Record<Language, string>> = {
  python: 'py',
  javascript: 'js',
  cpp: 'hpp',
};

export const exerciseIds: readonly string[] = Object.keys(specifications)
  .map((path) => path.split('/').at(-2) as string)
  .sort();

export async function loadExercise(id: string): Promise<Exercise> {
  const load = specifications[`${folder(id)}/exercise.ts`];
  if (!load) throw new Error(`there is no exercise ${id}`);
  return (await load()).exercise;
}

/** The words of an exercise in a language; undefined for English, because the specification itself is in English. */
export async function loadWords(
  id: string,
  language: LanguageId,
): Promise<ExerciseWords | undefined> {
  return (await translations[language][`${folder(id)}/${language}.ts`]?.())?.words;
}

/** The words of the judge in a language; undefined for English. */
export async function loadJudgeWords(language: LanguageId): Promise<JudgeWords | undefined> {
  return (await judges[language]())?.judge;
}

/** All exercises, ordered by lab and by their place within it. */
export async function loadExercises(): Promise<Exercise[]> {
  const all = await Promise.all(exerciseIds.map(loadExercise));
  return all.sort((a, b) => a.lab.localeCompare(b.lab) || a.order - b.order);
}

/** The text of a solution; undefined where no solution is written in that language. */
export async function loadSolution(id: string, language: Language): Promise<string | undefined> {
  return solutions[`${folder(id)}/solution.${extensions[language]}`]?.();
}
