// In a frame without an origin: starts workers from the text that the page sends. What runs in them
// has no network, no storage, and no way to the page but the port it is given.
// See web/src/exercises/sandbox/messages.ts.
//
// The frame's page has this script twice: within the page, and as this file. A course system gives its files only to
// who brings its cookie, and a frame without an origin brings none, so there the first one runs; a policy that does not
// name the first one's hash lets only the second one run (web/src/exercises/sandbox/frame.ts).
'use strict';

function forbidNetwork() {
  // From here on not even the site's own host may be asked: this script was the last one that it gives.
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src blob:";
  document.head.append(policy);
}

function startWorkersFor(page) {
  const workers = new Map();
  const end = (id) => {
    workers.get(id)?.terminate();
    workers.delete(id);
  };
  const start = ({ id, source, boot }, port) => {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
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
}

// Any page can embed this one, and without `sandbox` it has the origin of the site: what ran here could read
// everything that the site keeps for its visitor.
if (self.origin === 'null') {
  // The frame's page is a text, which has no address: the site is where this script came from.
  const { src, dataset } = document.currentScript;
  const site = new URL(src || dataset.address).origin;
  // The file is not wanted any more: what follows in the page becomes the content of a template, and does not run.
  if (!src) document.write('<template>');
  forbidNetwork();
  addEventListener('message', function begin({ source, origin, ports: [page] }) {
    // A page in `<iframe sandbox="allow-scripts">` has no origin to be told by, and a stranger's may be there
    // too. What keeps strangers out of the site's origin is therefore not this line, but that the frame has none.
    const ours = origin === site || origin === 'null';
    if (source !== parent || !ours || !page) return;
    removeEventListener('message', begin);
    startWorkersFor(page);
  });
}
