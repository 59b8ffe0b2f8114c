/** Gives the tests access to the sandbox, tells when code runs, and measures how long the page is kept waiting. */
import { createSandbox, type SandboxOptions } from '../../../web/src/exercises/sandbox/sandbox';

const watch = { longest: 0 };
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  watch.longest = Math.max(watch.longest, now - last);
  last = now;
}, 10);

let begun = (): void => undefined;
/** Resolves once code runs that was started just now. */
const underway = (): Promise<void> =>
  new Promise((done) => {
    begun = done;
  });

Object.assign(window, {
  createSandbox: (options: SandboxOptions) =>
    createSandbox({ ...options, onPhase: (phase) => phase === 'running' && begun() }),
  watch,
  underway,
});
