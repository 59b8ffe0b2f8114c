// `npm run drag [-- lab …]`: drags every knob of every figure of the labs, and lists the tasks of the page that took
// longer than 50 ms meanwhile. It measures the built site on this machine, by the time that the page's thread worked, so
// that other programs on the machine count little. It is a benchmark and no test.
import { main } from '../../wasm/tools/process.mjs';
import { commandLine } from './command-line.mjs';
import { strictCsp } from './readme.mjs';
import { namedLabs, withSite } from './site.mjs';
import { table } from './table.mjs';

/** A task of this length is felt under the hand. */
const LONGEST_MS = 50;
/** One drag: so many moves, one in each frame. */
const MOVES = 40;

/** Runs in the page: loads every figure of the lab. */
async function loadAll() {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
  for (let tries = 0; !document.querySelector('attn-lab > #summary') && tries < 600; tries++) {
    await wait(100);
  }
  for (const place of document.querySelectorAll('attn-load-when-near[data-figure]')) {
    await place.now();
    for (let tries = 0; place.querySelector('[aria-busy="true"]') && tries < 300; tries++) {
      await wait(100);
    }
  }
  // A sheet has its knobs once it is opened.
  for (const more of document.querySelectorAll('.more-knobs[aria-expanded="false"]')) more.click();
  await wait(500);
}

/** Runs in the page: drags each slider from end to end, and marks when. */
async function dragAll(moves) {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (const knob of document.querySelectorAll('.bench [data-knob], [data-figure] [data-knob]')) {
    const slider = knob.querySelector('attn-slider');
    const range = slider?.shadowRoot?.querySelector('input[type=range]');
    if (!range || range.disabled) continue;
    slider.scrollIntoView({ block: 'center', behavior: 'instant' });
    await frame();
    await frame();
    const figure = knob.closest('[data-figure]')?.dataset.figure ?? 'opening';
    performance.mark(`drag ${figure}.${knob.dataset.knob}`);
    const before = range.value;
    const [least, most] = [Number(range.min), Number(range.max)];
    for (let i = 0; i <= moves; i++) {
      range.value = String(least + ((most - least) * i) / moves);
      range.dispatchEvent(new Event('input', { bubbles: true }));
      await frame();
    }
    range.value = before;
    range.dispatchEvent(new Event('input', { bubbles: true }));
    range.dispatchEvent(new Event('change', { bubbles: true }));
    // The last answers arrive after the last move.
    for (let i = 0; i < 20; i++) await frame();
    performance.mark('drag-end');
  }
}

/** The tasks of the page's thread in a trace, by the knob that was dragged meanwhile: milliseconds of work. */
function tasksOf(trace) {
  const { traceEvents } = JSON.parse(trace.toString('utf8'));
  const threadOf = ({ pid, tid }) => `${pid}:${tid}`;
  const marks = traceEvents
    .filter(({ cat, name }) => cat === 'blink.user_timing' && name.startsWith('drag'))
    .sort((a, b) => a.ts - b.ts);
  const page = marks[0] && threadOf(marks[0]);
  const tasks = traceEvents.filter(
    (one) => one.ph === 'X' && one.name.endsWith('RunTask') && threadOf(one) === page,
  );
  return marks.flatMap(({ name, ts }, i) => {
    if (name === 'drag-end') return [];
    const end = marks[i + 1]?.ts ?? Number.POSITIVE_INFINITY;
    const within = tasks.filter((one) => one.ts + one.dur > ts && one.ts < end);
    return [{ knob: name.slice(5), tasks: within.map(({ tdur }) => Math.round(tdur / 1000)) }];
  });
}

await main(async () => {
  const { rest } = commandLine();
  const rows = [];
  let dragged = 0;
  await withSite(
    async (browser, url) => {
      for (const lab of namedLabs(rest)) {
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
        // All knobs are on the page at once, in their places.
        await page.addInitScript(() => {
          new MutationObserver(() =>
            document.documentElement?.setAttribute('data-unfolded', ''),
          ).observe(document, { childList: true });
        });
        await page.goto(`${url}labs/${lab}/index.html`);
        await page.mouse.move(300, 300);
        await page.mouse.move(310, 310);
        await page.evaluate(loadAll);
        await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
        await page.evaluate(dragAll, MOVES);
        const found = tasksOf(await browser.stopTracing());
        dragged += found.length;
        for (const { knob, tasks } of found) {
          const long = tasks.filter((ms) => ms > LONGEST_MS);
          if (long.length > 0) rows.push([lab, knob, `${Math.max(...long)} ms`, long.length]);
        }
        await page.close();
      }
    },
    { port: 0, csp: strictCsp },
  );
  if (rows.length > 0) console.log(table(['lab', 'knob', 'longest task', 'tasks'], rows));
  console.log(`${dragged} knobs dragged, ${rows.length} with a task over ${LONGEST_MS} ms`);
  if (rows.length > 0) process.exitCode = 1;
});
