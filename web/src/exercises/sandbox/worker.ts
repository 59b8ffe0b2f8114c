/** The worker's side of the sandbox: it connects the runtime of a language to a port. */

import { maxPrint, type Runtime, type RuntimeHooks } from '../runtime';
import { noticeLingering } from './lingering';
import { type Boot, type FromWorker, maxPrinted, type ToWorker } from './messages';

/**
 * Does work that takes about 5 ms on the machine for which the time limits were chosen. Returns its time in
 * milliseconds.
 */
function spin(): number {
  const started = performance.now();
  let sum = 0;
  for (let i = 1; i < 2_000_000; ++i) sum += 1 / (i * i);
  // The sum is used, because an engine could leave out a loop whose result nobody reads.
  return sum > 1 ? performance.now() - started : Number.NaN;
}

/** Waits for the first message, boots, and answers what the page asks. */
export function serve(make: (boot: Boot, hooks: RuntimeHooks) => Promise<Runtime>): void {
  self.onmessage = async ({ data, ports }: MessageEvent<Boot>) => {
    self.onmessage = null;
    const port = ports[0] as MessagePort;
    // The function is taken now, because a student's file may replace postMessage.
    const send = port.postMessage.bind(port) as (message: FromWorker) => void;
    const { apply } = Reflect;
    const readData = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get;
    let sent = 0;
    let printed = 0;
    const hooks: RuntimeHooks = {
      onPrint(text) {
        // The text is sent at once, so that a run that never ends shows what it printed.
        if (sent < maxPrint) send({ type: 'print', text: text.slice(0, maxPrint - sent) });
        sent += text.length;
        const before = printed;
        printed += text.length;
        if (before < maxPrinted && printed >= maxPrinted) send({ type: 'flood' });
      },
    };
    const lingers = noticeLingering(self);
    let lingered = false;
    let runtime: Runtime;
    try {
      runtime = await make(data, hooks);
    } catch (error) {
      send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
      return;
    }
    // What was read until here was ours.
    lingers();
    port.onmessage = (event: MessageEvent<ToWorker>) => {
      // The code avoids `event.data`: a getter that the student's code put in its place would receive the event, and
      // the port with it.
      const message = apply(readData as () => ToWorker, event, []);
      sent = 0;
      if (message.type === 'load') send({ type: 'loaded', ...runtime.load(message.job) });
      else {
        const outcome = runtime.call(message.args);
        lingered = lingers() || lingered;
        send({ type: 'answer', id: message.id, outcome, lingers: lingered });
      }
    };
    send({ type: 'ready', spin: spin() });
  };
}
