// `npm run bench:runs [-- lab …]`: presses "Run experiment" of every experiment of the labs, with the settings that the
// page has, and writes how long each took to `web/labs/<lab>/run-times.json`. The page says it before the first run, and
// the time that a lab is said to take counts it. Nothing else should run on the machine meanwhile: it takes some 15 minutes.
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { main, root } from '../../wasm/tools/process.mjs';
import { commit } from './bench-peers-page.mjs';
import { launchChromium } from './chromium.mjs';
import { commandLine } from './command-line.mjs';
import { strictCsp } from './readme.mjs';
import { namedLabs, withSite } from './site.mjs';
import { table } from './table.mjs';

/** No run of a lab takes as long. */
const PATIENCE_MS = 15 * 60_000;

/** Loads all of the lab, as a reader does who scrolls through it. */
async function loadAll(page) {
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await page.locator('attn-lab > #summary').waitFor({ state: 'attached', timeout: 60_000 });
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // What an answer reveals is there some frames after it.
    for (let known = -1, found = 0; known !== found; ) {
      known = found;
      for (let i = 0; i < 10; i++) await frame();
      const places = document.querySelectorAll('attn-load-when-near[data-figure]');
      for (const place of places) await place.now();
      found = places.length;
    }
  });
  await rests(page);
}

/**
 * Waits until no figure is computing: what began by itself would share the processor with what is measured. A view of it
 * elsewhere is drawn again when it is seen.
 */
const rests = (page) =>
  page.waitForFunction(
    () =>
      !document.querySelector(
        '[data-figure] figure [aria-busy="true"], [data-figure] .run > button[disabled]',
      ),
    undefined,
    { timeout: PATIENCE_MS },
  );

/** Commits to an answer in every question, so that nothing is hidden. Questions below an answer come with it. */
async function answerAll(page) {
  const questions = page.locator('attn-prediction');
  for (let i = 0; i < (await questions.count()); i++) {
    const question = questions.nth(i);
    const radio = question.getByRole('radio').first();
    if ((await radio.count()) > 0) await radio.check();
    else await question.getByRole('slider').first().press('ArrowRight');
    await question.locator('button[type=submit]').click();
    await question.locator('.truth').waitFor({ state: 'attached', timeout: 120_000 });
    await loadAll(page);
  }
}

/** Runs in the page: presses the button of a figure, and resolves with the seconds until it can be pressed again. */
async function runOnce(id) {
  const figure = document.querySelector(`[data-figure="${id}"]`);
  const button = () => figure.querySelector('.run > button');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  figure.scrollIntoView({ block: 'start', behavior: 'instant' });
  await frame();
  const begin = performance.now();
  button().click();
  do await frame();
  while (button().disabled);
  const seconds = (performance.now() - begin) / 1000;
  if (figure.querySelector('[role=alert]')?.textContent.trim()) {
    throw new Error(`${id}: ${figure.querySelector('[role=alert]').textContent.trim()}`);
  }
  return seconds;
}

/** The seconds of each experiment of a lab, by the id of its figure. */
async function runsOf(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  // All figures are on the page at once, in their places.
  await page.addInitScript(() => {
    new MutationObserver(() => document.documentElement?.setAttribute('data-unfolded', '')).observe(
      document,
      { childList: true },
    );
  });
  await page.goto(address);
  await loadAll(page);
  await answerAll(page);
  const ids = await page.evaluate(() =>
    [...document.querySelectorAll('[data-figure]')]
      // Only experiments keep runs: other figures have buttons of their own, such as that of a race.
      .filter((one) => [...one.children].some((figure) => 'runs' in figure))
      .map((one) => one.dataset.figure),
  );
  const seconds = {};
  for (const id of ids) {
    await rests(page);
    seconds[id] = Number((await page.evaluate(runOnce, id)).toPrecision(2));
  }
  await page.close();
  return seconds;
}

await main(async () => {
  const { rest } = commandLine();
  const rows = [];
  await withSite(
    async (browser, url) => {
      for (const lab of namedLabs(rest)) {
        const seconds = await runsOf(browser, `${url}labs/${lab}/index.html`);
        if (Object.keys(seconds).length === 0) continue;
        const record = {
          cpu: cpus()[0]?.model ?? 'unknown',
          browser: `Chromium ${browser.version().split('.')[0]}`,
          cores: cpus().length,
          date: new Date().toISOString().slice(0, 10),
          command: `npm run bench:runs -- ${lab}`,
          commit: commit(),
          seconds,
        };
        const file = join(root, 'web/labs', lab, 'run-times.json');
        if (!existsSync(file)) {
          console.log(`${lab}: lab.ts has to import run-times.json, which is new, as its runTimes`);
        }
        writeFileSync(file, `${JSON.stringify(record, undefined, 2)}\n`);
        rows.push(...Object.entries(seconds).map(([id, took]) => [lab, id, took]));
      }
    },
    { port: 0, csp: strictCsp },
    launchChromium,
  );
  console.log(table(['lab', 'experiment', 'seconds'], rows));
});
