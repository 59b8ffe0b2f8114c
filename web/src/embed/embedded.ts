/** What a lab or an exercise does within another page, or in a window that another one opened. */
import type { Place } from './host/course-site.ts';
import { inFrame } from './in-frame.ts';

/** @param before the element of the page before which it says what was handed over */
export function embedded(load: () => Promise<Place>, before: string): void {
  inFrame();
  // The page works without a course site, so nothing waits for it.
  void import('./host/course-site.ts')
    .then(({ joinCourseSite }) => joinCourseSite(load, before))
    .catch(console.warn);
}
