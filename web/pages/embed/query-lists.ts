/** The lists `hide=` and `lock=` within a query. */
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
