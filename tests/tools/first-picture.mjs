// `npm run first-picture`: how long each lab takes, in each language, until its opening figure is drawn,
// with an empty cache over the network of budgets.mjs. The median of several visits is compared.
import { isMain, main, Stop } from '../../wasm/tools/process.mjs';
import { dist } from '../../web/tools/build.mjs';
import { budgets } from './budgets.mjs';
import { launchChromium } from './chromium.mjs';
import { strictCsp } from './readme.mjs';
import { budgeted, languages, withBrowser } from './site.mjs';
import { serveSlowly } from './slow-server.mjs';
import { table } from './table.mjs';

const VISITS = 7;
const PATIENCE_MS = 60_000;

/** Runs in the page before its scripts, and notes the frame in which the opening figure is drawn: `firstPictureMs`. */
export function watchForPicture() {
  /** Every element below `node`, with those in shadow trees. */
  const below = (node) =>
    [...node.querySelectorAll('*')].flatMap((one) => [
      one,
      ...(one.shadowRoot ? below(one.shadowRoot) : []),
    ]);
  const look = () => {
    // The opening's own sign (web/src/lab/figure/tried-figure.ts).
    const figure = document.querySelector('[data-drawn]');
    const isThere = (one) => one.localName !== 'canvas' || one.width !== 1;
    if (figure && below(figure).every(isThere)) {
      // The frame that shows the figure begins after this one.
      requestAnimationFrame(() => {
        globalThis.firstPictureMs = performance.now();
      });
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function visitOnce(browser, url) {
  const context = await browser.newContext();
  await context.addInitScript(watchForPicture);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  const handle = await page
    .waitForFunction(() => globalThis.firstPictureMs, undefined, { timeout: PATIENCE_MS })
    .catch((error) => {
      throw new Stop(`${url} draws no opening figure: ${error.message.split('\n')[0]}`);
    });
  const ms = await handle.jsonValue();
  await context.close();
  return ms;
}

const sorted = (values) => [...values].sort((a, b) => a - b);

/** Prints the table; {passed, failed} counts labs and languages. */
export async function firstPictures() {
  const { ms: most, network } = budgets.firstPicture;
  const rows = [];
  await withBrowser(async (browser) => {
    const server = await serveSlowly({ root: dist, csp: strictCsp, ...network });
    try {
      for (const language of await languages()) {
        for (const lab of budgeted(dist, language)) {
          const times = [];
          // The first visit fills the server's cache of compressed files and does not count.
          for (let i = 0; i <= VISITS; i++) {
            const ms = await visitOnce(browser, server.url + lab);
            if (i > 0) times.push(ms);
          }
          const all = sorted(times);
          rows.push({
            what: lab || 'start page',
            ms: all[VISITS >> 1],
            least: all[0],
            worst: all.at(-1),
          });
        }
      }
    } finally {
      await server.close();
    }
  }, launchChromium);
  const { megabitsPerSecond, latencyMs } = network;
  console.log(`first picture, empty cache, ${megabitsPerSecond} Mbit/s, ${latencyMs} ms latency`);
  console.log(
    table(
      ['lab', 'median ms', 'least', 'most', 'may be', ''],
      rows.map(({ what, ms, least, worst }) => [
        ...[what, Math.round(ms), Math.round(least), Math.round(worst), most],
        ms <= most ? 'ok' : 'OVER',
      ]),
    ),
  );
  const failed = rows.filter(({ ms }) => ms > most).length;
  return { passed: rows.length - failed, failed };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { failed } = await firstPictures();
    if (failed > 0) throw new Stop(`${failed} over ${budgets.firstPicture.ms} ms`);
  });
}
