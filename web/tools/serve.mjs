// A static file server on 127.0.0.1, which `npm start` and the browser tests use.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

export const types = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** The decoded path of a request; undefined when it is malformed. */
function pathOf(request) {
  try {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/**
 * Serves the folder `root`.
 * @param {object} options
 * @param {string} options.root
 * @param {number} [options.port] 0 (the default) takes any free one
 * @param {string} [options.csp] Content-Security-Policy of every answer; none unless given
 * @param {string} [options.basePath] '/course/lab/' hosts the site there and nowhere else
 * @param {boolean} [options.shared] whether frames without an origin get the files; true unless given
 * @returns {Promise<{url: string, port: number, close(): Promise<void>}>}
 */
export async function serve({ root, port = 0, csp, basePath = '/', shared = true }) {
  const base = `/${basePath}/`.replace(/\/+/g, '/');
  const folder = resolve(root);
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    // Browsers must ask again for every file, so that a rebuilt site is not mixed with an old one from the cache.
    ...(shared ? { 'Access-Control-Allow-Origin': '*' } : {}),
    // A rebuilt site must not be mixed with an old one from the browser's cache.
    'Cache-Control': 'no-cache',
    ...(csp ? { 'Content-Security-Policy': csp } : {}),
  };
  const answer = async (request, response) => {
    const refuse = (status, more = {}) => {
      response.writeHead(status, { ...headers, 'Content-Type': types['.txt'], ...more });
      response.end(request.method === 'HEAD' ? undefined : `${status}\n`);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(405, { Allow: 'GET, HEAD' });
    }
    const path = pathOf(request);
    if (path === undefined) return refuse(400);
    if (`${path}/` === base) return refuse(301, { Location: base });
    if (!path.startsWith(base)) return refuse(404);
    let file = resolve(folder, `./${path.slice(base.length)}`);
    if (file !== folder && !file.startsWith(folder + sep)) return refuse(404);
    let found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) {
      // Relative links in the page need the slash.
      if (!path.endsWith('/')) return refuse(301, { Location: `${encodeURI(path)}/` });
      file = join(file, 'index.html');
      found = await stat(file).catch(() => undefined);
    }
    if (!found?.isFile()) return refuse(404);
    response.writeHead(200, {
      ...headers,
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Length': found.size,
    });
    if (request.method === 'HEAD') return response.end();
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  const taken = server.address().port;
  return {
    url: `http://127.0.0.1:${taken}${base}`,
    port: taken,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
