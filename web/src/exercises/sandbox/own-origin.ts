/**
 * The replacement where a policy forbids the frame or its workers: a worker of the site's own origin, whose network
 * and storage are taken away before any code runs. A way out could be overlooked, so this worker only runs Python
 * that the visitor typed; code from a link or a file never runs here.
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

/** The names that stay: the language itself, and what the interpreter and its port need. */
export const namesOfOwnOrigin: ReadonlySet<string> = new Set([
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
  // The build gives the worker's own script this global name.
  '__attentionLabsWorker',
]);

/**
 * Removes all other names from the scope and from the objects that it inherits from. @throws TypeError where a name
 * cannot be removed.
 */
export function takeAway(scope: object): void {
  for (let at: object = scope; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (namesOfOwnOrigin.has(name) || Reflect.deleteProperty(at, name)) continue;
      // Constants of old interfaces cannot be removed, but as plain numbers they give access to nothing.
      if (typeof Reflect.get(scope, name) === 'number') continue;
      Object.defineProperty(at, name, { value: undefined });
    }
  }
}
