/** Everything of a lab that comes when one draws near, for paper. */
import type { AttnApproach } from './approach.ts';

/** Longer than any figure draws for without being told to run. */
const DRAWN_MS = 20_000;
const LOOK_MS = 100;

/** What is shown on paper and not here yet; exercises are not. */
const missing = (lab: ParentNode): AttnApproach[] =>
  [...lab.querySelectorAll<AttnApproach>('attn-approach:has(> .approaching)')].filter(
    (place) => !place.closest('.exercises'),
  );

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/** Fetches all figures and waits until they are drawn. Says how many of how many are there. */
export async function loadWhole(
  lab: ParentNode,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  // What did not arrive says so itself, and is not asked for again.
  const asked = new Set<AttnApproach>();
  const next = (): AttnApproach[] => missing(lab).filter((place) => !asked.has(place));
  for (let open = next(); open.length > 0 && !signal.aborted; open = next()) {
    onProgress(asked.size, asked.size + open.length);
    const [place] = open as [AttnApproach];
    asked.add(place);
    await place.now();
  }
  const end = performance.now() + DRAWN_MS;
  const drawing = (): boolean => lab.querySelector('figure [aria-busy="true"]') !== null;
  onProgress(asked.size, asked.size);
  // A picture is drawn in slices after its answer.
  do await pause();
  while (drawing() && !signal.aborted && performance.now() < end);
}
