/** Where the reader was: what a page asks before it knows whether there is a place to return to. */
import { journal, parsed } from '../../state/journal.ts';

export interface Place {
  /** The id of a step. */
  readonly step: string;
  /** The part of the step: the number of the scene, and of the element in it. */
  readonly part: readonly [scene: number, element: number];
  /** How far below the top of the window it begins, in CSS pixels. */
  readonly top: number;
}

/** Followed by the lab. */
export const KEY = 'attention-labs/place/';
const isPlace = (value: unknown): value is Place => {
  const { step, part, top } = (value ?? {}) as Partial<Place>;
  return (
    typeof step === 'string' &&
    /^[\w-]{1,80}$/.test(step) &&
    Array.isArray(part) &&
    part.length === 2 &&
    part.every((one) => Number.isSafeInteger(one) && one >= -1) &&
    Number.isFinite(top)
  );
};

/** The place of this entry of the history: the page was reloaded, or the reader came Back to it. */
export const placeOfEntry = (): Place | undefined => {
  const place: unknown = history.state?.place;
  return isPlace(place) ? place : undefined;
};

/** How far the window was scrolled, where the reader was at the opening. */
export const heightOfEntry = (): number => Number(history.state?.y) || 0;

/** Where the reader was in an earlier visit. */
export function placeOfLastVisit(lab: string): Place | undefined {
  const place = parsed(journal.get(KEY + lab));
  return isPlace(place) ? place : undefined;
}
