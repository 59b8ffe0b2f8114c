/**
 * Where a policy forbids the frame or its workers: a worker of the site's own origin that has its network
 * and its storage taken away before anything runs. What is taken away could be missed, so this is only
 * for Python that the visitor typed; code from a link or a file never runs here.
 */

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
      else
        onGone(new SandboxError('policy', 'a policy of this site does not let it start a worker'));
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

/** What reaches beyond a worker. */
const ways = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource'],
  ...['importScripts', 'Worker', 'SharedWorker', 'BroadcastChannel', 'navigator', 'Notification'],
  ...['indexedDB', 'caches', 'cookieStore', 'FileReader', 'FileReaderSync', 'FontFace', 'fonts'],
  ...['postMessage', 'location', 'origin', 'RTCPeerConnection', 'createImageBitmap', 'eval'],
];

/** Takes them from the scope and from all that it inherits from. */
export function takeAway(scope: object): void {
  for (const name of ways) {
    for (let at: object | null = scope; at; at = Object.getPrototypeOf(at)) {
      Reflect.deleteProperty(at, name);
    }
    // What could not be deleted is covered; what cannot be covered is an error, and nothing runs.
    if (name in scope) Object.defineProperty(scope, name, { value: undefined });
  }
}
