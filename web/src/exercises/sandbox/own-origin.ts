/**
 * Where a policy forbids the frame or its workers: a worker of the site's own origin that has its network
 * and its storage taken away before anything runs. What is taken away could be missed, so this is only
 * for Python that the visitor typed; code from a link or a file never runs here.
 */

import { say } from '../phrases';
import type { FrameWorker, WorkerListeners } from './frame';
import type { Boot } from './messages';
import { SandboxError } from './types';

export function startInOwnOrigin(
  address: string,
  boot: Boot,
  { onError, onGone }: WorkerListeners,
): FrameWorker {
  const { port1, port2 } = new MessageChannel();
  let worker: Worker | undefined;
  try {
    worker = new Worker(address);
    worker.onerror = (event) => {
      event.preventDefault();
      if (event.message) onError(event.message, event.lineno, event.colno);
      else onGone(new SandboxError('policy', say('sandbox_no_worker')));
    };
    worker.postMessage({ ...boot, ownOrigin: true } satisfies Boot, [port2]);
  } catch (error) {
    queueMicrotask(() => onGone(new SandboxError('policy', String(error))));
  }
  return {
    port: port1,
    end: () => {
      port1.close();
      worker?.terminate();
    },
  };
}

/** What stays: the language itself, and what the interpreter and its port need. */
const kept = new Set([
  ...['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date'],
  ...['Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError'],
  ...['SyntaxError', 'TypeError', 'URIError', 'DOMException', 'JSON', 'Math', 'Intl', 'Reflect'],
  ...['Proxy', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Iterator'],
  ...['ArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array'],
  ...['Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array'],
  ...['BigInt64Array', 'BigUint64Array', 'Atomics', 'Infinity', 'NaN', 'undefined', 'isNaN'],
  ...['isFinite', 'parseFloat', 'parseInt', 'globalThis', 'self', 'constructor', 'WebAssembly'],
  ...['console', 'performance', 'TextDecoder', 'TextEncoder', 'setTimeout', 'clearTimeout'],
  ...['queueMicrotask', 'Event', 'EventTarget', 'MessageEvent', 'MessagePort', 'onmessage'],
  // The worker's own script.
  '__attentionLabsWorker',
]);

/** Takes all else from the scope and from what it inherits from. @throws where something will not go. */
export function takeAway(scope: object): void {
  for (let at: object = scope; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (kept.has(name) || Reflect.deleteProperty(at, name)) continue;
      // Constants of old interfaces stay, and lead nowhere.
      if (typeof Reflect.get(scope, name) === 'number') continue;
      Object.defineProperty(at, name, { value: undefined });
    }
  }
}
