/** When the page may do what the reader does not wait for. */

/** A gesture may have begun before this module came; every move says whether it goes on. */
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
// Or it was a key that was pressed.
for (const type of ['pointercancel', 'keyup']) addEventListener(type, () => now(false), options);

/** On a busy machine no time is idle. */
const PATIENCE_MS = 150;

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') {
      requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    } else {
      setTimeout(resolve, 16);
    }
  });

/** Once nothing is dragged and the browser has time. */
export async function quiet(): Promise<void> {
  await idle();
  while (pressed) {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    await idle();
  }
}

/** Lets input and painting in between. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
