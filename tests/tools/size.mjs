// `npm run size`: gzip -9 bytes of the wasm core and of every lab's whole first load, in each language, and the bytes of
// the trained models.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isMain, main, root, Stop } from '../../wasm/tools/process.mjs';
import { dist } from '../../web/tools/build.mjs';
import { budgets } from './budgets.mjs';
import { wasmBuilds } from './client.mjs';
import { watchForPicture } from './first-picture.mjs';
import { strictCsp } from './readme.mjs';
import { budgeted, languages, open, patient, withSite } from './site.mjs';
import { table } from './table.mjs';

const KB = 1024;
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
const kilobytes = (bytes) => (bytes / KB).toFixed(1);

/** Every response of each lab's first load, measured in a browser with an empty cache. */
async function firstLoads() {
  return withSite(
    async (browser, url) => {
      const loads = [];
      for (const language of await languages()) {
        for (const lab of budgeted(dist, language)) {
          const what = `${lab || 'start page'} first load`;
          loads.push({ what, ...(await firstLoad(browser, url, lab, language)) });
        }
      }
      return loads;
    },
    { csp: strictCsp },
  );
}

async function firstLoad(browser, url, lab, language) {
  const context = await browser.newContext();
  await patient(context);
  await context.addInitScript(watchForPicture);
  const arriving = [];
  // The listener is on the context, so that the worker's requests count too.
  context.on('response', (response) => {
    if (!response.url().startsWith('http')) return;
    const measure = async () => {
      // A response that fails means a broken page, not a small one.
      if (response.status() >= 400) throw new Stop(`${response.status()}: ${response.url()}`);
      const body = await response.body();
      const path = decodeURIComponent(new URL(response.url()).pathname).replace(/^\//, '');
      const begun = response.request().timing().startTime;
      return { path: path || 'index.html', bytes: body.length, gzip: gzip(body), begun };
    };
    arriving.push(measure());
  });
  const page = await open(context, url + lab);
  // A lab without words in a language is the English page in its site.
  const spoken = await page.evaluate(() => {
    const { dataset, lang } = document.documentElement;
    return dataset.site ?? lang;
  });
  if (spoken !== language) throw new Stop(`${lab} speaks ${spoken}; wanted: ${language}`);
  const all = await Promise.all(arriving);
  const drawn = await page.evaluate(() => performance.timeOrigin + globalThis.firstPictureMs);
  await context.close();
  const goesOn = budgets.openingGoesOn[lab.replace(/^[a-z]{2}\//, '')];
  if (goesOn && !Number.isFinite(drawn)) throw new Stop(`${lab} drew no first picture`);
  const isLater = ({ begun }) => goesOn !== undefined && begun > drawn;
  const files = all.filter((file) => !isLater(file));
  const later = all.filter(isLater);
  // A page that did not load the core would stay under every budget, so it is an error.
  if (!files.some(({ path }) => path.endsWith('.wasm'))) {
    throw new Stop(`${lab} did not load the core: nothing to measure`);
  }
  const model = files.find(({ path }) => path.endsWith('.safetensors'));
  if (model) throw new Stop(`${lab} begins with ${model.path}, which nobody asked for`);
  const sorted = (some) => some.sort((a, b) => b.gzip - a.gzip);
  return { files: sorted(files), later: sorted(later), mostLater: goesOn?.most };
}

/** The trained models, as they are stored and fetched: their weights hardly compress. */
function trainedModels() {
  const folder = join(root, 'web/models');
  const files = readdirSync(folder).filter((name) => name.endsWith('.safetensors'));
  if (files.length === 0) throw new Stop(`no model in ${folder}: nothing to measure`);
  return files.map((name) => [
    `model ${name}`,
    statSync(join(folder, name)).size,
    budgets.trainedModel,
  ]);
}

/** Prints the table; {passed, failed} counts budgets. */
export async function size() {
  const loads = await firstLoads();
  const variants = ['start', 'full'].flatMap((module) =>
    wasmBuilds().map((variant) => {
      const bytes = readFileSync(join(root, `build/wasm/${variant}/${module}.wasm`));
      return { path: `${module}.wasm (${variant})`, bytes: bytes.length, gzip: gzip(bytes) };
    }),
  );
  const row = ({ path, bytes, gzip }) => [path, bytes, gzip, kilobytes(gzip)];
  console.log(table(['wasm', 'bytes', 'gzip -9', 'KB (1024)'], variants.map(row)));
  for (const { what, files } of loads) {
    console.log(`\n${table([what, 'bytes', 'gzip -9', 'KB (1024)'], files.map(row))}\n`);
  }
  const sums = [
    ...wasmBuilds().map((build, i) => [
      `wasm start, ${build}`,
      variants[i].gzip,
      budgets.startModule,
    ]),
    ['attention-lab.js', gzip(readFileSync(join(dist, 'attention-lab.js'))), budgets.element],
    ...loads.map(({ what, files }) => [
      what,
      files.reduce((sum, file) => sum + file.gzip, 0),
      budgets.firstLoad,
    ]),
    ...loads
      .filter(({ mostLater }) => mostLater !== undefined)
      .map(({ what, later, mostLater }) => [
        what.replace('first load', 'after its first picture'),
        later.reduce((sum, file) => sum + file.gzip, 0),
        mostLater,
      ]),
    ...trainedModels(),
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
