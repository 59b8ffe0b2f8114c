/** The one place where a page keeps a student's work. */
import { Progress } from '../../exercises/progress.ts';

let progress: Progress | undefined;

export function theProgress(): Progress {
  if (progress) return progress;
  const made = new Progress();
  progress = made;
  addEventListener('pagehide', () => made.leave());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') made.leave();
    else void made.checkAll();
  });
  return made;
}
