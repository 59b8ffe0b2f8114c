/** What a lab does within another page, or in a window that another one opened. */
import type { Lab } from '../lab/types';
import { tellHeight } from './tell-height.ts';

export function embedded(id: string, load: () => Promise<{ readonly lab: Lab }>): void {
  tellHeight();
  // The lab works without a course site, so nothing waits for it.
  void import('./host/course-site.ts')
    .then(({ joinCourseSite }) => joinCourseSite(id, load))
    .catch(console.warn);
}
