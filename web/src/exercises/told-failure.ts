/** Which failed test a student is shown. */
import type { CaseReport } from './types';

/** Hidden tests tell no numbers until the visible ones pass. */
export const isSecret = (cases: readonly CaseReport[]): boolean =>
  cases.some(({ hidden, passed }) => !hidden && !passed);

/** The first test that failed and whose numbers are told. */
export function toldFailure(cases: readonly CaseReport[]): CaseReport | undefined {
  const secret = isSecret(cases);
  return cases.find(({ passed, outcome, hidden }) => !passed && outcome && !(secret && hidden));
}
