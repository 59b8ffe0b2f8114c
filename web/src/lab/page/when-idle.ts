/** Waits for a moment in which the page may do work that the reader does not wait for. */

/** A gesture may have begun before this module was loaded; every pointer event says whether it goes on. */
let pressed = document.querySelector(':active') !== null;
const waiting: (() => void)[] = [];

const now = (still: boolean): void => {
  pressed = still;
  if (!still) for (const go of waiting.splice(0)) go();
};
const options = { capture: true, passive: true };
for (const type of ['pointerdown', 'pointermove', 'pointerup'] as const) {
  addEventListener(type, (event) => now((event as PointerEvent).buttons !== 0), options);
}
// The gesture may also have been a key press.
for (const type of ['pointercancel', 'keyup']) addEventListener(type, () => now(false), options);

/** On a busy machine there may be no idle time, so the wait ends after this. */
const PATIENCE_MS = 150;

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') {
      requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    } else {
      setTimeout(resolve, 16);
    }
  });

/** Resolves when nothing is pressed or dragged. */
export async function released(): Promise<void> {
  while (pressed) {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }
}

/** Resolves when nothing is pressed or dragged and the browser is idle. */
export async function quiet(): Promise<void> {
  await idle();
  while (pressed) {
    await released();
    await idle();
  }
}

/** Lets the browser handle input and paint before going on. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
