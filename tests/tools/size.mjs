// `npm run size`: gzip -9 bytes of the wasm core and of the first lab's whole first load.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { strictCsp } from '../../web/tools/serve.mjs';
import { wasmBuilds } from './client.mjs';
import { firstLab, open, withSite } from './site.mjs';
import { table } from './table.mjs';

const KB = 1024;
const budgets = { core: 100 * KB, firstLoad: 150 * KB };
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
const kilobytes = (bytes) => (bytes / KB).toFixed(1);

/** Every response of the lab's first load, measured in a browser with an empty cache. */
async function firstLoad() {
  return withSite(
    async (browser, url) => {
      const context = await browser.newContext();
      const arriving = [];
      // Of the context, so that what the worker fetches counts.
      context.on('response', (response) => {
        if (!response.url().startsWith('http')) return;
        const measure = async () => {
          // What fails to load is a broken page, not a small one.
          if (response.status() >= 400) throw new Stop(`${response.status()}: ${response.url()}`);
          const body = await response.body();
          const path = decodeURIComponent(new URL(response.url()).pathname).replace(/^\//, '');
          return { path: path || 'index.html', bytes: body.length, gzip: gzip(body) };
        };
        arriving.push(measure());
      });
      await open(context, url + firstLab());
      return Promise.all(arriving);
    },
    { csp: strictCsp },
  );
}

/** Prints the table; {passed, failed} counts budgets. */
export async function size() {
  const files = (await firstLoad()).sort((a, b) => b.gzip - a.gzip);
  const variants = ['core', 'trick', 'full'].flatMap((module) =>
    wasmBuilds().map((variant) => {
      const bytes = readFileSync(join(root, `build/wasm/${variant}/${module}.wasm`));
      return { path: `${module}.wasm (${variant})`, bytes: bytes.length, gzip: gzip(bytes) };
    }),
  );
  const row = ({ path, bytes, gzip }) => [path, bytes, gzip, kilobytes(gzip)];
  console.log(table(['wasm', 'bytes', 'gzip -9', 'KB (1024)'], variants.map(row)));
  console.log(`\n${table(['first load', 'bytes', 'gzip -9', 'KB (1024)'], files.map(row))}\n`);
  // A first load without the core would be under any budget, and no first load.
  if (!files.some(({ path }) => path.endsWith('.wasm'))) {
    throw new Stop('the page did not load the core: nothing to measure');
  }
  const sums = [
    ...wasmBuilds().map((build, i) => [`wasm core, ${build}`, variants[i].gzip, budgets.core]),
    ['first lab, first load', files.reduce((sum, file) => sum + file.gzip, 0), budgets.firstLoad],
  ];
  const lines = sums.map(([what, bytes, budget]) => [
    what,
    `${kilobytes(bytes)} KB`,
    `${kilobytes(budget)} KB`,
    bytes <= budget ? 'ok' : 'OVER',
  ]);
  console.log(table(['budget', 'is', 'may be', ''], lines));
  const failed = sums.filter(([, bytes, budget]) => bytes > budget).length;
  return { passed: sums.length - failed, failed };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { failed } = await size();
    if (failed > 0) throw new Stop(`${failed} over budget`);
  });
}
