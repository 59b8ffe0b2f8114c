/** The worker's side: a runtime of some language at the end of a port. */

import { maxPrint, type Runtime, type RuntimeHooks } from '../runtime';
import { type Boot, type FromWorker, maxPrinted, type ToWorker } from './messages';

/** Work that takes about 5 ms on the machine that the time limits were written for. */
function spin(): number {
  const started = performance.now();
  let sum = 0;
  for (let i = 1; i < 2_000_000; ++i) sum += 1 / (i * i);
  // The sum is looked at, or the loop could be left out.
  return sum > 1 ? performance.now() - started : Number.NaN;
}

/** Waits for the first message, boots, and answers what the page asks. */
export function serve(make: (boot: Boot, hooks: RuntimeHooks) => Promise<Runtime>): void {
  self.onmessage = async ({ data, ports }: MessageEvent<Boot>) => {
    self.onmessage = null;
    const port = ports[0] as MessagePort;
    // Taken now: a student's file may put something else in the place of postMessage.
    const send = port.postMessage.bind(port) as (message: FromWorker) => void;
    const { apply } = Reflect;
    const readData = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get;
    let sent = 0;
    let printed = 0;
    const hooks: RuntimeHooks = {
      onPrint(text) {
        // At once, so that a run that never ends shows what it printed.
        if (sent < maxPrint) send({ type: 'print', text: text.slice(0, maxPrint - sent) });
        sent += text.length;
        const before = printed;
        printed += text.length;
        if (before < maxPrinted && printed >= maxPrinted) send({ type: 'flood' });
      },
    };
    let runtime: Runtime;
    try {
      runtime = await make(data, hooks);
    } catch (error) {
      send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
      return;
    }
    port.onmessage = (event: MessageEvent<ToWorker>) => {
      // Not `event.data`: a getter put in its place would be handed the event, and the port with it.
      const message = apply(readData as () => ToWorker, event, []);
      sent = 0;
      if (message.type === 'load') send({ type: 'loaded', ...runtime.load(message.job) });
      else send({ type: 'answer', id: message.id, outcome: runtime.call(message.args) });
    };
    send({ type: 'ready', spin: spin() });
  };
}
