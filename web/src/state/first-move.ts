/** Events that show that a person is using the page. */
const SIGNS = [
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'scroll',
  'keydown',
  'focusin',
  'beforeprint',
] as const;

// A screen reader's cursor, or a person who only reads, causes none of these events, so the wait ends after this
// time.
const PATIENCE_MS = 5000;

/** A page that appears under a resting pointer is told of a move without length, which nobody has made. */
const rests = (event: Event): boolean => {
  const { movementX, movementY } = event as PointerEvent;
  return event.type === 'pointermove' && movementX === 0 && movementY === 0;
};

/** Calls `act` once, at the visitor's first move or after a while. Returns how to stop waiting. */
export function onFirstMove(act: () => void): () => void {
  const options = { capture: true, passive: true };
  const stop = (): void => {
    clearTimeout(timer);
    for (const sign of SIGNS) removeEventListener(sign, onSign, options);
  };
  const begin = (): void => {
    stop();
    act();
  };
  const onSign = (event: Event): void => {
    if (!rests(event)) begin();
  };
  const timer = setTimeout(begin, PATIENCE_MS);
  for (const sign of SIGNS) addEventListener(sign, onSign, options);
  return stop;
}
