/** The lists within a query: `hide=` and `lock=`, and what counts for a grade, `steps=` and `exercises=`. */
import { readable } from '../../src/embed/to-embed.ts';

export type List = 'hide' | 'lock';

export const listOf = (query: string, list: List): readonly string[] =>
  (new URLSearchParams(query).get(list) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** The query with a name in a list, or without it. What is in neither list is untouched. */
export function withListed(query: string, list: List, name: string, listed: boolean): string {
  const pairs = new URLSearchParams(query);
  const others = listOf(query, list).filter((one) => one !== name);
  const names = listed ? [...others, name] : others;
  if (names.length > 0) pairs.set(list, names.join(','));
  else pairs.delete(list);
  return readable(pairs);
}

export type Counted = 'steps' | 'exercises';
/** What a lab offers that can count, by its ids. */
export type Offered = Readonly<Record<Counted, readonly string[]>>;

const namesOf = (pairs: URLSearchParams, kind: Counted): readonly string[] =>
  (pairs.get(kind) ?? '').split(',').filter(Boolean);

/** A query that names neither steps nor exercises lets everything count. */
export function countedOf(query: string, offered: Offered): Offered {
  const pairs = new URLSearchParams(query);
  if (!pairs.has('steps') && !pairs.has('exercises')) return offered;
  const named = (kind: Counted): readonly string[] =>
    offered[kind].filter((name) => namesOf(pairs, kind).includes(name));
  return { steps: named('steps'), exercises: named('exercises') };
}

/** The query in which one step or exercise counts, or does not. */
export function withCounted(
  query: string,
  offered: Offered,
  kind: Counted,
  name: string,
  counts: boolean,
): string {
  const before = countedOf(query, offered);
  const now = {
    ...before,
    [kind]: offered[kind].filter((one) => (one === name ? counts : before[kind].includes(one))),
  };
  const pairs = new URLSearchParams(query);
  const all = (['steps', 'exercises'] as const).every(
    (one) => now[one].length === offered[one].length,
  );
  for (const one of ['steps', 'exercises'] as const) {
    if (all) pairs.delete(one);
    else pairs.set(one, now[one].join(','));
  }
  return readable(pairs);
}
