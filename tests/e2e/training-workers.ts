/** Lets a test slow down or end the workers in which a page trains. */
import type { BrowserContext, Page } from 'playwright-core';

interface Training {
  /** The time in milliseconds that a message to a worker waits. */
  delay: number;
  asked: Worker | undefined;
}
type Watching = typeof globalThis & { training: Training };

function watch(): void {
  let made = 0;
  const training: Training = { delay: 0, asked: undefined };
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      // The first worker of a page is its core; the others train.
      if (made++ === 0) return;
      const post = this.postMessage.bind(this) as (...all: unknown[]) => void;
      let last = Promise.resolve();
      const postMessage = (...all: unknown[]): void => {
        const { delay } = training;
        if (delay > 0) last = last.then(() => new Promise((done) => setTimeout(done, delay)));
        last = last.then(() => post(...all));
        training.asked = this;
      };
      Object.assign(this, { postMessage });
    }
  };
  Object.assign(globalThis, { training });
}

/** Watches the workers of every page of this context from now on. */
export const watchTraining = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(watch);

/** Lets every message to a training worker wait so long, so that no training ends before the test has stopped it. */
export const delayTraining = (page: Page, milliseconds: number): Promise<void> =>
  page.evaluate((delay) => {
    (globalThis as Watching).training.delay = delay;
  }, milliseconds);

/** Ends the worker that was asked last, as a machine does that runs out of memory. */
export const endTraining = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as Watching).training.asked?.terminate());
