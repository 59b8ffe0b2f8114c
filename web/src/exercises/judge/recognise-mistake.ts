/** Recognises a mistake by the results that it produces, so that recognition works the same in every language. */

import type { CaseOutcome, Exercise, Value, Variant } from '../types';
import { type CompareOptions, compare, limitsFor } from './compare';

/** A case, with the expected value and the student's outcome. */
export interface Tried {
  readonly args: readonly Value[];
  readonly expected: Value;
  readonly outcome: CaseOutcome | undefined;
}

/** Groups error types that mean the same but have different names in different languages. */
const sameErrors: Readonly<Record<string, string>> = {
  ShapeError: 'ValueError',
  invalid_argument: 'ValueError',
  'std::invalid_argument': 'ValueError',
  out_of_range: 'IndexError',
  'std::out_of_range': 'IndexError',
  bad_alloc: 'MemoryError',
  'std::bad_alloc': 'MemoryError',
};
const errorName = (type: string): string => sameErrors[type] ?? type;

/** The errors of a file that is not written yet, or not finished. */
const unfinished = new Set(['NotImplementedError', 'NameError', 'ReferenceError', 'SyntaxError']);

/** Whether the student's outcomes equal those of a variant and differ from the reference's. */
export function isVariant(
  tried: readonly Tried[],
  variant: readonly CaseOutcome[],
  options: (args: readonly Value[]) => CompareOptions,
  evidence: Variant['evidence'] = 'output',
): boolean {
  let values = 0;
  let differs = false;
  for (const [at, { args, expected, outcome }] of tried.entries()) {
    const made = variant[at];
    if (!outcome || !made) return false;
    const limits = options(args);
    if (outcome.error || made.error) {
      if (!outcome.error || !made.error) return false;
      if (unfinished.has(outcome.error.type)) return false;
      differs = true;
      continue;
    }
    if (compare(outcome.value, made.value ?? null, limits)) return false;
    ++values;
    differs ||= compare(made.value, expected, { ...limits, language: 'python' }) !== undefined;
  }
  if (values > 0 || tried.length === 0) return differs;
  // If every case raises an error, only a variant that is known for an error of the same type can be recognised.
  if (evidence !== 'error') return false;
  return tried.every(
    ({ outcome }, at) =>
      errorName(outcome?.error?.type ?? '') === errorName(variant[at]?.error?.type ?? ''),
  );
}

/** The variants that are recognised by their outputs, in the order in which they are tried. */
export const byOutput = ({ variants }: Exercise): readonly Variant[] =>
  variants.filter(({ evidence = 'output' }) => evidence !== 'cost');

export const byCost = ({ variants }: Exercise): readonly Variant[] =>
  variants.filter(({ evidence }) => evidence === 'cost');

export const limitsOf =
  (exercise: Exercise, language: CompareOptions['language']) =>
  (args: readonly Value[]): CompareOptions =>
    limitsFor(exercise.tolerance, language, args);
