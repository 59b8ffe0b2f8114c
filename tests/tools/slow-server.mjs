// A static server behind a simulated slow line. Responses are compressed, as on every static host, and share one
// bandwidth; every connection and every request waits for one latency. Chromium's `Network.emulateNetworkConditions`
// is not used, because it does not slow down what a page's worker fetches, which is the core.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { types } from '../../web/tools/serve.mjs';

const PACKET = 1400;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves the folder `root`; returns {url, close}. */
export async function serveSlowly({ root, csp, megabitsPerSecond, latencyMs }) {
  const bytesPerMs = (megabitsPerSecond * 1e6) / 8 / 1000;
  const compressed = new Map();
  const known = new WeakSet();
  let freeAt = 0;

  /** Sends packets; each is sent after the line has carried those before it. */
  async function send(response, body) {
    for (let at = 0; at < body.length; at += PACKET * 8) {
      const piece = body.subarray(at, at + PACKET * 8);
      const now = performance.now();
      freeAt = Math.max(freeAt, now) + piece.length / bytesPerMs;
      await pause(freeAt - now);
      response.write(piece);
    }
    response.end();
  }

  async function answer(request, response) {
    // A new connection costs a round trip of its own before the first request.
    const first = !known.has(request.socket);
    known.add(request.socket);
    await pause(first ? 2 * latencyMs : latencyMs);
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = normalize(decodeURIComponent(pathname)).replace(/\/$/, '/index.html');
    if (!compressed.has(path)) {
      const bytes = await readFile(join(root, path)).catch(() => undefined);
      const dense = ['.woff2', '.png'].includes(extname(path));
      compressed.set(path, bytes && { body: dense ? bytes : gzipSync(bytes, { level: 9 }), dense });
    }
    const found = compressed.get(path);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': types[extname(path)] ?? 'application/octet-stream',
      'Content-Length': found.body.length,
      ...(found.dense ? {} : { 'Content-Encoding': 'gzip' }),
      ...(csp ? { 'Content-Security-Policy': csp } : {}),
    });
    await send(response, found.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
