import type { Python } from '../../web/src/exercises/python/interpreter';

export interface Record {
  readonly heading: string;
  readonly code: string;
  readonly error?: string;
  readonly message?: string;
}
export const records: readonly Record[];
export function program(record: Record): string;
/** Runs one record; `complaints` are empty when it agrees, `exact` when every character did. */
export function check(
  python: Python,
  record: Record,
): { readonly complaints: string[]; readonly exact: boolean };
