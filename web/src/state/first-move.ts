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

/** Calls `act` once, at the visitor's first move or after a while. Returns how to stop waiting. */
export function onFirstMove(act: () => void): () => void {
  const options = { capture: true, passive: true };
  const stop = (): void => {
    clearTimeout(timer);
    for (const sign of SIGNS) removeEventListener(sign, moved, options);
  };
  const moved = (): void => {
    stop();
    act();
  };
  const timer = setTimeout(moved, PATIENCE_MS);
  for (const sign of SIGNS) addEventListener(sign, moved, options);
  return stop;
}
