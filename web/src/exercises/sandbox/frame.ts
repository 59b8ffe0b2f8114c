/** The page's side of the frame without an origin. Workers run in that frame. */

import frameScript from '../../../public/sandbox/frame.js?raw';
import { say } from '../phrases';
import type { Boot, FromFrame, ToFrame } from './messages';
import { SandboxError } from './types';

/**
 * The address of the frame's script: it lies in `sandbox/` below the site's root, and built scripts are one folder
 * below that root. The development server serves the script at `/sandbox/`.
 */
const scriptAddress = (): string => {
  const here = import.meta.env.DEV ? location.origin : import.meta.url;
  return new URL(import.meta.env.DEV ? '/sandbox/frame.js' : '../sandbox/frame.js', here).href;
};

/**
 * The frame's page. It is a text and no file, because of WebKit: in a frame without an origin, the 'self' of the frame's
 * own policy is nobody there, and its script would not run. A text has the policy of the page around it, with that
 * page's 'self'. The script forbids everything but its workers before it does anything else.
 *
 * The script stands in the page, and the first of two that may run keeps the other from running: a frame without an
 * origin sends no cookie, so a course system that wants one answers to the file's address with its login page. Where a
 * policy does not have the hash of the script within the page, the file runs.
 */
const framePage = (): string => {
  const address = scriptAddress().replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><meta charset="utf-8"><title>Sandbox</title><script data-address="${address}">${frameScript}</script><script src="${address}"></script>`;
};

export const policyMessage = say('sandbox_policy');

/** The limit for loading the frame's small script, chosen for a slow network and a busy machine. */
const loadMilliseconds = 15_000;
/** The limit for the first answer. The frame's script has already run when the frame is loaded. */
const answerMilliseconds = 5000;
const pingMilliseconds = 1000;
const silenceMilliseconds = 8000;

export interface FrameWorker {
  readonly port: MessagePort;
  end(): void;
}

export interface WorkerListeners {
  onError(message: string, line: number, column: number): void;
  /** Called when the worker could not be started, or when its frame is gone. */
  onGone(error: SandboxError): void;
}

export class Frame {
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #workers = new Map<number, WorkerListeners>();
  #lastId = 0;
  #lastHeard = performance.now();
  #pings = 0;
  #timer = 0;

  private constructor(element: HTMLIFrameElement, port: MessagePort) {
    this.#element = element;
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromFrame>) => this.#hear(data);
  }

  static async open(): Promise<Frame> {
    const element = document.createElement('iframe');
    element.setAttribute('sandbox', 'allow-scripts');
    element.title = "Where a student's code runs";
    element.tabIndex = -1;
    element.setAttribute('aria-hidden', 'true');
    element.hidden = true;
    const { port1, port2 } = new MessageChannel();
    try {
      await loaded(element);
      const frame = new Frame(element, port1);
      element.contentWindow?.postMessage('begin', '*', [port2]);
      await frame.#answers();
      return frame;
    } catch (error) {
      element.remove();
      throw error;
    }
  }

  /** Starts a worker from this text and returns its port at once. */
  start(source: string, boot: Boot, listeners: WorkerListeners): FrameWorker {
    const id = ++this.#lastId;
    const { port1, port2 } = new MessageChannel();
    this.#workers.set(id, listeners);
    this.#send({ type: 'start', id, source, boot }, [port2]);
    this.#watch();
    return {
      port: port1,
      end: () => {
        if (!this.#workers.delete(id)) return;
        port1.close();
        this.#send({ type: 'end', id });
      },
    };
  }

  /** Whether the frame answers. A frame whose process has ended does not. */
  get alive(): boolean {
    return this.#element.isConnected;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#port.close();
    this.#element.remove();
    const left = [...this.#workers.values()];
    this.#workers.clear();
    for (const { onGone } of left) onGone(new SandboxError('load', say('sandbox_ended')));
  }

  #send(message: ToFrame, ports: Transferable[] = []): void {
    this.#port.postMessage(message, ports);
  }

  #hear(message: FromFrame): void {
    this.#lastHeard = performance.now();
    if (message.type === 'pong') return;
    const listeners = this.#workers.get(message.id);
    // A worker that a policy refuses sends an error without a message.
    if (message.type === 'error' && message.message !== '') {
      listeners?.onError(message.message, message.line, message.column);
    } else {
      this.#workers.delete(message.id);
      listeners?.onGone(new SandboxError('policy', policyMessage));
    }
  }

  /** Waits for the first answer to a ping, which shows that the frame's script runs and that the channel works. */
  async #answers(): Promise<void> {
    const asked = performance.now();
    this.#send({ type: 'ping', count: 0 });
    while (this.#lastHeard < asked) {
      if (performance.now() - asked > answerMilliseconds) throw await whyNot();
      await new Promise((done) => setTimeout(done, 2));
    }
  }

  /** Pings the frame regularly, because a frame whose process ran out of memory disappears without a message. */
  #watch(): void {
    clearInterval(this.#timer);
    this.#lastHeard = performance.now();
    let last = performance.now();
    this.#timer = window.setInterval(() => {
      const now = performance.now();
      // After the page itself has slept, the frame's silence says nothing about the frame.
      if (now - last > 2 * pingMilliseconds) this.#lastHeard = now;
      last = now;
      if (this.#workers.size === 0) return clearInterval(this.#timer);
      if (now - this.#lastHeard > silenceMilliseconds) return this.close();
      this.#send({ type: 'ping', count: ++this.#pings });
    }, pingMilliseconds);
  }
}

/** Finds out why a frame does not answer: its file is missing, or a policy keeps its script from running. */
async function whyNot(): Promise<SandboxError> {
  const found = await fetch(scriptAddress()).catch(() => undefined);
  return found?.ok
    ? new SandboxError('policy', policyMessage)
    : new SandboxError('load', say('sandbox_not_fetched'));
}

function loaded(element: HTMLIFrameElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => void whyNot().then(finish);
    const timer = setTimeout(fail, loadMilliseconds);
    const finish = (failure?: SandboxError): void => {
      clearTimeout(timer);
      if (failure) reject(failure);
      else resolve();
    };
    element.onload = () => finish();
    element.onerror = fail;
    element.srcdoc = framePage();
    document.body.append(element);
  });
}
