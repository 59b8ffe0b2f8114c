import type { Edit, Exercise, Variant } from '../types';

/**
 * Returns a solution with the mistake of a variant edited into it. @throws Error unless each `find` occurs exactly
 * once.
 */
export function edited(solution: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [find, replace]) => {
    const pieces = text.split(find);
    if (pieces.length !== 2) {
      throw new Error(`${JSON.stringify(find)} occurs ${pieces.length - 1} times, not once`);
    }
    return pieces.join(replace);
  }, solution);
}

/** The code of a variant. Variants are edits of the Python solution. */
export function variantCode(exercise: Exercise, variant: Variant, solution: string): string {
  try {
    return edited(solution, variant.python);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${exercise.id}, variant ${variant.id}, solution.py: ${why}`);
  }
}
