import type { Edit, Exercise, Variant } from '../types';

/** A solution with a variant's mistake made in it. @throws Error unless each `find` occurs once. */
export function edited(solution: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [find, replace]) => {
    const pieces = text.split(find);
    if (pieces.length !== 2) {
      throw new Error(`${JSON.stringify(find)} occurs ${pieces.length - 1} times, not once`);
    }
    return pieces.join(replace);
  }, solution);
}

/** The code of a variant in Python, in which every variant is written. */
export function variantCode(exercise: Exercise, variant: Variant, solution: string): string {
  try {
    return edited(solution, variant.python);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${exercise.id}, variant ${variant.id}, solution.py: ${why}`);
  }
}
