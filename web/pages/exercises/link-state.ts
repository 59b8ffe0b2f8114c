/** The table of what a link to this page holds. Code is in the link's hash. */
import { EXERCISE_PARTS } from '../../src/exercises/parts.ts';
import { defineState, oneOf, type StateOf, text } from '../../src/state/url.ts';

const LANGUAGES = ['python', 'javascript', 'cpp'] as const;

const table = {
  id: text({ key: 'id', maxLength: 80, label: 'exercise', default: '' }),
  language: oneOf({
    key: 'in',
    label: 'language',
    values: LANGUAGES,
    default: 'python',
  }),
  /** A preset of the scratch sheet, which then stands open; it leaves the address once it is on the sheet. */
  sheet: text({ key: 'sheet', maxLength: 40, label: 'sheet', default: '' }),
  /** The picture's knobs that are not at their default: `n:32,seed:2`. */
  knobs: text({ key: 'k', maxLength: 200, label: 'knobs', default: '' }),
};

export const pageState = defineState(table, { parts: EXERCISE_PARTS });
export type PageState = StateOf<typeof table>;

/** Links from before the page itself spoke languages say `lang=javascript`. */
export function withOldNames(search: string): string {
  const names = new URLSearchParams(search);
  const old = names.get('lang');
  if (old === null || !LANGUAGES.some((name) => name === old)) return search;
  names.delete('lang');
  if (!names.has('in')) names.set('in', old);
  return `?${names}`;
}

export function readKnobs(printed: string): Record<string, number> {
  const knobs: Record<string, number> = {};
  for (const pair of printed.split(',')) {
    const [name, value] = pair.split(':');
    // The sum turns −0 into 0: a link is printed from what was read, and prints both alike.
    if (name && value && Number.isFinite(Number(value))) knobs[name] = Number(value) + 0;
  }
  return knobs;
}

export const printKnobs = (knobs: Readonly<Record<string, number>>): string =>
  Object.entries(knobs)
    .map(([name, value]) => `${name}:${value}`)
    .join(',');
