/**
 * A page grows while its parts arrive, and may move a link or a button away between the moment in which it is pressed
 * and that in which it is released. Browsers make no click of that. Here it counts, if the pointer stayed where it was.
 */

const PRESSABLE = 'a[href], button, summary, label, input';
/** A pointer that moved further, in CSS pixels, was dragged. */
const SLACK = 5;

interface Press {
  readonly element: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/** Makes presses of a mouse or a pen count from now on. A finger's are the browser's own. */
export function keepMovedPresses(): void {
  let press: Press | undefined;
  const options = { capture: true, passive: true };
  const down = (event: PointerEvent): void => {
    const { isPrimary, button, ctrlKey, metaKey, shiftKey, altKey, clientX: x, clientY: y } = event;
    const [target] = event.composedPath();
    const element = target instanceof Element ? target.closest<HTMLElement>(PRESSABLE) : null;
    const plain = isPrimary && button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
    press = element && plain ? { element, x, y } : undefined;
  };
  const up = (event: PointerEvent): void => {
    const was = press;
    press = undefined;
    if (!was?.element.isConnected || event.composedPath().includes(was.element)) return;
    if (Math.hypot(event.clientX - was.x, event.clientY - was.y) <= SLACK) was.element.click();
  };
  addEventListener('pointerdown', down, options);
  addEventListener('pointerup', up, options);
  addEventListener(
    'pointercancel',
    () => {
      press = undefined;
    },
    options,
  );
}
