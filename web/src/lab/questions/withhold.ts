/** Knobs that would answer a question before it is answered: their figure does not offer them meanwhile. */
import type { Figure } from '../page/open-lab.ts';
import type { FigurePlace } from '../types';

/** Of each figure its own place, and what the open questions about it withhold. */
const held = new WeakMap<
  Figure,
  { readonly place: FigurePlace; readonly names: Map<string, readonly string[]> }
>();

/** What a question withholds of its figure from now on; undefined for nothing. Values that a link has set stay. */
export function withhold(
  figure: Figure,
  question: string,
  names: readonly string[] | undefined,
): void {
  const known = held.get(figure);
  if (known?.names.get(question) === names) return;
  const { place, names: all } = known ?? { place: figure.place, names: new Map() };
  held.set(figure, { place, names: all });
  if (names) all.set(question, names);
  else all.delete(question);
  const hide = [...(place.hide ?? []), ...[...all.values()].flat()];
  figure.place = hide.length > 0 ? { ...place, hide } : place;
}
