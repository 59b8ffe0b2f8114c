/**
 * The site, published by the recipe of docs/embedding.md and served with its headers, both as they stand there, under a
 * path of another origin than the course page: a page that is isolated takes a lab and an exercise in frames, and both
 * work; a page that is open goes on when the next release is published.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
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
const [, recipe = ''] = /```sh\n(mkdir[\s\S]*?)```/.exec(docs) ?? [];
const ROOT = '/attention-labs/';
/** What is served. */
const OLD = mkdtempSync(join(tmpdir(), 'attention-labs-served-'));
const publish = (NEW: string): void => {
  execFileSync('sh', ['-euc', recipe], { env: { ...process.env, OLD, NEW } });
};

let browser: Browser;
let site: Server;
let host: Server;
const at = (server: Server, name: string): string =>
  `http://${name}:${(server.address() as AddressInfo).port}`;
const listen = (server: Server): Promise<void> =>
  new Promise((done) => server.listen(0, '127.0.0.1', done));

beforeAll(async () => {
  publish(dist);
  browser = await launchWindowless();
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const place = places.find(({ path }) => pathname.startsWith(path));
    try {
      const file = readFileSync(join(OLD, decodeURIComponent(pathname).slice(ROOT.length)));
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
  rmSync(OLD, { recursive: true, force: true });
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

it('a page that is open goes on with the files of its own release, which leave after a month', async () => {
  const next = mkdtempSync(join(tmpdir(), 'attention-labs-next-'));
  mkdirSync(join(next, 'assets'));
  writeFileSync(join(next, 'index.html'), 'the next release');
  writeFileSync(join(next, 'assets/next-abcdefgh.js'), '');
  const page = await browser.newPage();
  const missing: string[] = [];
  const asked: string[] = [];
  page.on('response', (response) => {
    asked.push(response.url());
    if (response.status() !== 200) missing.push(response.url());
  });
  try {
    await page.goto(`${at(site, '127.0.0.1')}${ROOT}labs/kernels/index.html`);
    await page.locator('[data-drawn]').first().waitFor({ timeout: 60_000 });
    const before = asked.length;
    publish(next);
    expect(await (await fetch(`${at(site, '127.0.0.1')}${ROOT}index.html`)).text()).toBe(
      'the next release',
    );
    // The steps come with the first move, from files that the page has not asked for yet.
    await page.mouse.move(300, 300);
    await page.mouse.move(310, 310);
    await page.locator('#summary .step-end').waitFor({ state: 'attached', timeout: 60_000 });
    expect(asked.slice(before).some((address) => address.includes(`${ROOT}assets/`))).toBe(true);
    expect(missing).toEqual([]);

    const then = Date.now() / 1000 - 31 * 86_400;
    for (const name of readdirSync(join(OLD, 'assets'))) {
      utimesSync(join(OLD, 'assets', name), then, then);
    }
    publish(next);
    expect(readdirSync(join(OLD, 'assets'))).toEqual(['next-abcdefgh.js']);
    expect(existsSync(join(OLD, 'labs/kernels/index.html'))).toBe(true);
  } finally {
    await page.close();
    rmSync(next, { recursive: true, force: true });
  }
});
