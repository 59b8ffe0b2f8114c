/** Links to steps that are in another lab now. */
import { EXERCISE_PARTS } from '../../exercises/parts.ts';

/** What a lab had once, by the lab that has it now: the anchors of steps, of their figures and of their exercises. */
export type Moved = Readonly<Record<string, readonly string[]>>;

/** Keys of a link that belong to no figure. */
const OF_THE_PAGE = /^(?:v|hide|lock|lang|host|keeper|sent|steps|exercises)$/;

/** What the link fixes of the lab that is left would be no name in the other one. */
function searchFor(search: string, isThere: (name: string) => boolean): string {
  const pairs = new URLSearchParams(search);
  for (const list of ['hide', 'lock']) {
    const names = pairs.get(list)?.split(',');
    if (!names) continue;
    const kept = names.filter(
      (name) => isThere(name.trim()) || EXERCISE_PARTS.some((p) => p === name.trim()),
    );
    if (kept.length === names.length) continue;
    if (kept.length > 0) pairs.set(list, kept.join());
    else pairs.delete(list);
    search = `?${pairs}`;
  }
  return search;
}

/**
 * Where a link leads now, from the page of the lab that it names; undefined where it leads to what is still there. A link
 * without an anchor leads elsewhere when all knobs that it sets are those of figures that are there now.
 */
export function movedAddress(
  { search, hash }: Pick<Location, 'search' | 'hash'>,
  moved: Moved,
): string | undefined {
  const knobs = [...new URLSearchParams(search).keys()].filter((key) => !OF_THE_PAGE.test(key));
  for (const [lab, anchors] of Object.entries(moved)) {
    const isThere = (name: string): boolean => anchors.includes(name.split('.')[0] ?? '');
    const asked = hash.slice(1);
    const figures = knobs.map((key) =>
      key.includes('.') && isThere(key) ? key.split('.')[0] : '',
    );
    const anchor = asked || (figures.every(Boolean) ? (figures[0] ?? '') : '');
    if (isThere(anchor)) return `../${lab}/index.html${searchFor(search, isThere)}#${anchor}`;
  }
  return undefined;
}
