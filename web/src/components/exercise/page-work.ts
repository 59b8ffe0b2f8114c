/** The one place where a page keeps a student's work. */
import { Progress } from '../../exercises/kept-work.ts';
import type { Grade } from '../../exercises/types';
import { askBeforeLeaving } from '../../state/ask-before-leaving.ts';
import type { Written } from './painter.ts';

/** A run of some code, and what came of it. */
export interface Ran {
  readonly written: Written;
  readonly grade: Grade;
}

/** The last run of each exercise in each language, while the page lives. */
export const reports = new Map<string, Ran>();

let progress: Progress | undefined;

export function theProgress(): Progress {
  if (progress) return progress;
  const made = new Progress();
  progress = made;
  // The reports are kept by the student's work they belong to.
  made.listen({
    onReplaced: (keys) => {
      for (const key of keys) reports.delete(key);
    },
  });
  addEventListener('pagehide', () => made.leave());
  askBeforeLeaving(() => made.leave());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') made.leave();
    else void made.checkAll();
  });
  return made;
}
