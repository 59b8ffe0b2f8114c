/**
 * The site with the headers of docs/embedding.md, as they stand there, under a path of another origin than the course
 * page: a page that is isolated takes a lab and an exercise in frames, and both work.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dist } from '../../web/tools/build.mjs';
import { types } from '../../web/tools/serve.mjs';
import { launchWindowless } from '../tools/chromium.mjs';

const docs = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
const [, conf = ''] = /```nginx\n([\s\S]*?)```/.exec(docs) ?? [];
/** The headers of each place, as nginx reads them: those of the longest place that a path begins with. */
const places = [...conf.matchAll(/location (\S+) \{\n([\s\S]*?)\n\}/g)]
  .map(([, path = '', body = '']) => ({
    path,
    headers: Object.fromEntries(
      [...body.matchAll(/add_header (\S+) "([^"]*)";/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>,
  }))
  .sort((a, b) => b.path.length - a.path.length);
const ROOT = '/attention-labs/';

let browser: Browser;
let site: Server;
let host: Server;
const at = (server: Server, name: string): string =>
  `http://${name}:${(server.address() as AddressInfo).port}`;
const listen = (server: Server): Promise<void> =>
  new Promise((done) => server.listen(0, '127.0.0.1', done));

beforeAll(async () => {
  browser = await launchWindowless();
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const place = places.find(({ path }) => pathname.startsWith(path));
    try {
      const file = readFileSync(join(dist, decodeURIComponent(pathname).slice(ROOT.length)));
      const type = types[extname(pathname)] ?? 'application/octet-stream';
      response.writeHead(200, { ...place?.headers, 'Content-Type': type }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  host = createServer((_, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    const base = at(site, '127.0.0.1') + ROOT;
    response.end(`<!doctype html><html lang="en"><title>Isolated</title>
      <script type="module" src="${base}attention-lab.js"></script>
      <attention-lab id="lab" lab="kernels" loading="eager"></attention-lab>
      <attention-lab id="exercise" exercise="stable-softmax" loading="eager"></attention-lab>`);
  });
  await Promise.all([listen(site), listen(host)]);
});
afterAll(async () => {
  await browser?.close();
  for (const server of [site, host]) {
    server?.closeAllConnections();
    server?.close();
  }
});

it('an isolated page of another site takes a lab and runs an exercise', async () => {
  expect(places.map(({ path }) => path)).toEqual([`${ROOT}assets/`, ROOT]);
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${at(host, 'localhost')}/`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await page
    .frameLocator('#lab iframe')
    .locator('[data-drawn]')
    .first()
    .waitFor({ timeout: 60_000 });
  const exercise = page.frameLocator('#exercise iframe');
  await exercise.getByRole('button', { name: 'Run', exact: true }).click({ timeout: 60_000 });
  // The starter runs, and fails.
  await expect
    .poll(() => exercise.locator('.run-status .status').textContent(), { timeout: 60_000 })
    .toMatch(/\d/);
  expect(errors).toEqual([]);
  await page.close();
});

it('a page is asked for anew, and a file with a hash in its name is not', async () => {
  const cached = async (path: string): Promise<string | null> =>
    (await fetch(at(site, '127.0.0.1') + ROOT + path)).headers.get('Cache-Control');
  const html = readFileSync(join(dist, 'labs/kernels/index.html'), 'utf8');
  const [asset = ''] = /assets\/[^"]+\.js/.exec(html) ?? [];
  expect(await cached('labs/kernels/index.html')).toBe('no-cache');
  expect(await cached('attention-lab.js')).toBe('no-cache');
  expect(await cached(asset)).toContain('immutable');
  // Every script that a page names has its hash.
  for (const [, name = ''] of html.matchAll(/(?:src|href)="[./]*(assets\/[^"]+)"/g)) {
    expect(name).toMatch(/-[\w-]{8}\.\w+$/);
  }
});
