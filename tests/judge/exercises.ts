/**
 * Provides what catalog.ts gives the page, but loaded at once, because Vite's runner loads nothing after its import.
 */
import type { Exercise, Language } from '../../web/src/exercises/types';

const specifications = import.meta.glob<{ exercise: Exercise }>(
  '../../web/exercises/*/exercise.ts',
  { eager: true },
);
const solutions = import.meta.glob<string>('../../web/exercises/*/solution.{py,js,hpp}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const extensions = { python: 'py', javascript: 'js', cpp: 'hpp' } as const;
const folder = (id: string): string => `../../web/exercises/${id}`;

export const exerciseIds: readonly string[] = Object.keys(specifications)
  .map((path) => path.split('/').at(-2) as string)
  .sort();

export function loadExercise(id: string): Exercise {
  const found = specifications[`${folder(id)}/exercise.ts`];
  if (!found) throw new Error(`there is no exercise ${id}`);
  return found.exercise;
}

export const loadSolution = (id: string, language: Language): string | undefined =>
  solutions[`${folder(id)}/solution.${extensions[language]}`];
