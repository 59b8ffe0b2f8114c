// In a frame without an origin: starts workers from the text that the page sends. What runs in them
// has no network, no storage, and no way to the page but the port it is given.
// See web/src/exercises/sandbox/messages.ts.
'use strict';
// From here on not even the site's own host may be asked: this script was the last one that it gives.
const policy = document.createElement('meta');
policy.httpEquiv = 'Content-Security-Policy';
policy.content = "default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src blob:";
document.head.append(policy);
addEventListener(
  'message',
  ({ source, ports: [page] }) => {
    if (source !== parent || !page) return;
    const workers = new Map();
    const end = (id) => {
      workers.get(id)?.terminate();
      workers.delete(id);
    };
    const start = ({ id, source: text, boot }, port) => {
      const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
      try {
        const worker = new Worker(address);
        workers.set(id, worker);
        worker.onerror = (event) => {
          event.preventDefault();
          const { message = '', lineno: line = 0, colno: column = 0 } = event;
          page.postMessage({ type: 'error', id, message, line, column });
        };
        worker.postMessage(boot, [port]);
      } catch (error) {
        page.postMessage({ type: 'refused', id, message: String(error) });
      }
      // The worker has begun to fetch it by then, but need not have finished.
      setTimeout(() => URL.revokeObjectURL(address), 60000);
    };
    page.onmessage = ({ data, ports }) => {
      if (data.type === 'start') start(data, ports[0]);
      else if (data.type === 'end') end(data.id);
      else page.postMessage({ type: 'pong', count: data.count });
    };
  },
  { once: true },
);
