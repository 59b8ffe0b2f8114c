/** Loads every figure of a lab that would otherwise load when the reader scrolls near, so that all are printed. */
import type { AttnLoadWhenNear } from './load-when-near.ts';

/**
 * The figures of a lab that begin at once need 18 s on two cores that do nothing else, and some readers have less. A
 * reader who does not want to wait can stop.
 */
const DRAWN_MS = 120_000;
const LOOK_MS = 100;

/** The places that are printed and not loaded yet; exercises are not printed. */
const missing = (lab: ParentNode): AttnLoadWhenNear[] =>
  [...lab.querySelectorAll<AttnLoadWhenNear>('attn-load-when-near:has(> .loading-near)')].filter(
    (place) => !place.closest('.exercises'),
  );

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/** Fetches all figures and waits until they are drawn. Says how many of how many are there. */
export async function loadWhole(
  lab: ParentNode,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  // A figure that did not arrive says so itself; it is not requested again.
  const asked = new Set<AttnLoadWhenNear>();
  const next = (): AttnLoadWhenNear[] => missing(lab).filter((place) => !asked.has(place));
  for (let open = next(); open.length > 0 && !signal.aborted; open = next()) {
    onProgress(asked.size, asked.size + open.length);
    const [place] = open as [AttnLoadWhenNear];
    asked.add(place);
    await place.now();
  }
  const end = performance.now() + DRAWN_MS;
  const drawing = (): boolean =>
    lab.querySelector('figure [aria-busy="true"], [data-at-work]') !== null;
  onProgress(asked.size, asked.size);
  // A picture is drawn in slices after its answer.
  do await pause();
  while (drawing() && !signal.aborted && performance.now() < end);
}
