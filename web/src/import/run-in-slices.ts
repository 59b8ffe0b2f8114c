/**
 * Long loops on the main thread, a slice at a time: the work is a generator that yields where it may
 * be interrupted, and the runner hands control back to the page before a frame is lost.
 */

/** Well under the 8 ms a frame can spare. */
const SLICE_MS = 5;

/** Runs the work to its end, letting the page breathe between slices. */
export async function runSliced<T>(
  work: Generator<void, T>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
  let start = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - start < SLICE_MS) continue;
    await nextTask();
    signal?.throwIfAborted();
    start = performance.now();
  }
}

/** A message, because timers are clamped to 4 ms and slow down in background tabs. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
