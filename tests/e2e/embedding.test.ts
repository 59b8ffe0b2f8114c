/** A lab and an exercise in iframes of a course page on another origin, with the very lines that the README gives. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchWindowless } from '../tools/chromium.mjs';
import { embeddedLab, heightListener } from '../tools/readme.mjs';

/** What the page around has received from its frames. */
interface Received {
  readonly frame: number;
  readonly data: Readonly<Record<string, unknown>>;
}
declare global {
  interface Window {
    received: Received[];
  }
}

const readmeSite = 'https://your.site/attention-labs/';
const lab = embeddedLab();
const [labAddress = ''] = /https:[^"]+/.exec(lab) ?? [];
/** The README's iframe around another page of the site. */
const around = (path: string): string =>
  lab
    .replace(labAddress, readmeSite + path)
    .replaceAll(readmeSite, inject('siteUrl').replace(/ /g, '%20'));

/** Notes every message and the frame that sent it. */
const notes = `<script>
  window.received = [];
  addEventListener('message', ({ source, data }) => {
    const frame = [...document.querySelectorAll('iframe')].findIndex((one) => one.contentWindow === source);
    window.received.push({ frame, data });
  });
</script>`;

/** A course page whose own style sheet does what many do: it counts borders as part of a height. */
const coursePage = (body: string, script: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Week 3</title>
<style>* { box-sizing: border-box }</style>${notes}</head>
<body><p>Before.</p>${script}${body}<p>After.</p></body></html>`;

let browser: Browser;
let host: Server;
let html = '';
const errors: string[] = [];
const open: Page[] = [];

beforeAll(async () => {
  // With scroll bars that take their room, as most visitors have them: one that came would change the width.
  browser = await launchWindowless({ ignoreDefaultArgs: ['--hide-scrollbars'] });
  host = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await browser?.close();
  host?.closeAllConnections();
  host?.close();
});
afterEach(async () => {
  for (const page of open.splice(0)) await page.close();
  expect(errors.splice(0), 'console errors').toEqual([]);
});

async function visitCourse(
  body: string,
  script = heightListener(),
  before: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Page> {
  html = coursePage(body, script);
  const page = await browser.newPage({
    viewport: { width: 1100, height: 800 },
    reducedMotion: 'reduce',
  });
  open.push(page);
  const waiting = new Set<Request>();
  asked.set(page, waiting);
  page.on('request', (request) => waiting.add(request));
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await before(page);
  // Another port is another origin.
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  return page;
}

async function frameOf(iframe: Locator): Promise<Frame> {
  await iframe.scrollIntoViewIfNeeded();
  const frame = await (await iframe.elementHandle())?.contentFrame();
  if (!frame) throw new Error('the iframe is empty');
  return frame;
}

const heightOf = (iframe: Locator): Promise<number> =>
  iframe.evaluate((one) => one.getBoundingClientRect().height);

/** By how much the page inside is taller than its iframe, and by how much it is smaller. */
const misfit = (frame: Frame): Promise<readonly [hidden: number, empty: number]> =>
  frame.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const { height } = document.documentElement.getBoundingClientRect();
    return [scrollHeight - clientHeight, Math.floor(window.innerHeight - height)] as const;
  });

async function fits(iframe: Locator): Promise<void> {
  // The browser gives an iframe that is out of sight no new size, and another iframe's growth may push it there.
  const shown = async () => misfit(await frameOf(iframe));
  await expect.poll(shown, { timeout: 30_000 }).toEqual([0, 0]);
}

/** The requests that have not been answered yet, by page. */
const asked = new Map<Page, Set<Request>>();

/** For this many frames nothing is told, once there is nothing left to come. */
const FRAMES = 30;

/**
 * Heights come to rest: nothing is told while nothing happens. What happens is what the page inside waits for: a file,
 * fonts, an answer of the core, which marks its place as busy. A page that goes on telling heights never rests.
 */
async function rests(page: Page): Promise<void> {
  const quiet = async (): Promise<boolean> => {
    const frames = page.frames().filter((frame) => frame !== page.mainFrame());
    const told = (): Promise<number> => page.evaluate(() => window.received.length);
    const waits = async (): Promise<boolean> => {
      const busy = await Promise.all(
        frames.map((frame) =>
          frame.evaluate(async () => {
            await document.fonts.ready;
            return document.querySelector('[aria-busy="true"]') !== null;
          }),
        ),
      );
      return busy.includes(true) || (asked.get(page)?.size ?? 0) > 0;
    };
    if (await waits()) return false;
    const before = await told();
    // Frames of the page around: the browser makes none for an iframe that is out of sight.
    await page.evaluate(
      (frames) =>
        new Promise<void>((done) => {
          let passed = 0;
          const next = (): void => {
            if (++passed > frames) done();
            else requestAnimationFrame(next);
          };
          next();
        }),
      FRAMES,
    );
    return !(await waits()) && (await told()) === before;
  };
  await expect.poll(quiet, { timeout: 30_000, message: 'a page that rests' }).toBe(true);
}

describe('the lines of the README', () => {
  it.each([
    ['the lab of the README', labAddress.slice(readmeSite.length)],
    // Its charts are taller where it is wider: a scroll bar that came and went would never rest.
    ['a lab with charts', 'labs/complexity/index.html'],
  ])('let %s be as tall as what it holds, however much of it is open', async (_, path) => {
    const page = await visitCourse(around(path));
    const iframe = page.locator('iframe');
    const frame = await frameOf(iframe);
    await fits(iframe);
    const opening = await heightOf(iframe);

    // The steps come with the visitor's first move.
    await frame.locator('h1').hover();
    await frame.locator('attn-lab > #summary').waitFor({ state: 'attached' });
    await fits(iframe);
    const steps = await heightOf(iframe);
    expect(steps).toBeGreaterThan(opening + 1000);

    const question = frame.locator('attn-prediction').first();
    await question.scrollIntoViewIfNeeded();
    await question.locator('input').first().press(' ');
    await question.locator('button[type=submit]').click();
    await question.locator('.truth').waitFor();
    await fits(iframe);
    expect(await heightOf(iframe)).toBeGreaterThan(steps);
    await rests(page);

    // In a narrower column it is taller, and in the old one it shrinks again.
    const wide = await heightOf(iframe);
    await page.setViewportSize({ width: 500, height: 800 });
    await fits(iframe);
    await rests(page);
    const narrow = await heightOf(iframe);
    expect(narrow).toBeGreaterThan(wide + 1000);
    await page.setViewportSize({ width: 1100, height: 800 });
    await fits(iframe);
    await rests(page);
    expect(await heightOf(iframe)).toBeLessThan(narrow - 1000);
  });

  it('fit the pictures of an exercise to the screen, and not to a frame that follows their height', async () => {
    const page = await visitCourse(around('pages/exercises/index.html?id=stable-softmax'));
    await page.setViewportSize({ width: 1300, height: 800 });
    const iframe = page.locator('iframe').first();
    const frame = await frameOf(iframe);
    const pictures = frame.locator('attn-exercise-picture .pictures');
    await frame.locator('attn-exercise-picture canvas').first().waitFor();
    await fits(iframe);
    await rests(page);
    const before = await pictures.evaluate((place) => place.getBoundingClientRect().width);
    await iframe.evaluate((one) => one.style.setProperty('height', '500px'));
    await rests(page);
    expect(await pictures.evaluate((place) => place.getBoundingClientRect().width)).toBe(before);
  });

  it('let an exercise grow and shrink beside another frame', async () => {
    const exercise = around('pages/exercises/index.html?id=elu-feature-map');
    const page = await visitCourse(around('index.html') + exercise);
    // So narrow that task and work are one above the other: whatever opens makes the page taller.
    await page.setViewportSize({ width: 700, height: 800 });
    const iframe = page.locator('iframe').nth(1);
    const frame = await frameOf(iframe);
    await frame.locator('.run-button').waitFor();
    await frame.locator('attn-exercise-picture canvas').first().waitFor();
    await fits(iframe);
    await rests(page);
    const closed = await heightOf(iframe);

    const files = frame.locator('details.files');
    await files.locator('summary').click();
    await fits(iframe);
    expect(await heightOf(iframe)).toBeGreaterThan(closed);
    await files.locator('summary').click();
    await fits(iframe);
    expect(await heightOf(iframe)).toBe(closed);
    await fits(page.locator('iframe').first());
  });

  it('believe no frame about another, and no height without measure', async () => {
    const liar = (data: string) =>
      `<iframe title="liar" srcdoc="<script>parent.postMessage(${data}, '*')</script>"></iframe>`;
    const height = (value: string) => liar(`{ type: 'attention-labs:height', height: ${value} }`);
    const lies = [height('1e9'), height('-5'), height('NaN'), height("'90vh'"), liar('null')];
    const page = await visitCourse(`<iframe title="quiet" srcdoc=" "></iframe>${lies.join('')}`);
    await expect.poll(() => page.evaluate(() => window.received.length)).toBe(lies.length);
    const heights = await page
      .locator('iframe')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    const [quiet] = heights;
    expect(heights).toEqual([quiet, 60000, 200, quiet, quiet, quiet]);
  });
});

describe('other hosts', () => {
  const received = (page: Page, which: (data: Received['data']) => boolean) =>
    page
      .evaluate(() => window.received.map(({ data }) => data))
      .then((all) => all.filter((data) => which(data)));
  const sayH5p = (page: Page, action: string) =>
    page.locator('iframe').evaluate((one, action) => {
      (one as HTMLIFrameElement).contentWindow?.postMessage({ context: 'h5p', action }, '*');
    }, action);

  it('hear the height in the forms of LTI and, once they have answered, of H5P', async () => {
    // This page listens and resizes nothing.
    // The recorded run comes late, as on a slow network: it makes the page taller, and its chart once more.
    let come: () => void = () => undefined;
    const late = new Promise<void>((done) => {
      come = done;
    });
    const page = await visitCourse(around('pages/speed/index.html'), '', (one) =>
      one.route('**/peers*.js', async (route) => {
        await late;
        await route.continue();
      }),
    );
    const frame = await frameOf(page.locator('iframe'));
    // The title is there before the page asks the core; its answer is what makes the page taller.
    await frame.locator('.here [aria-busy=false]').waitFor();
    const told = (await received(page, ({ type }) => type === 'attention-labs:height')).length;
    expect(told).toBeGreaterThan(0);
    come();
    await rests(page);
    const heightNow = () =>
      frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
    const lti = await received(page, ({ subject }) => subject === 'lti.frameResize');
    const own = await received(page, ({ type }) => type === 'attention-labs:height');
    expect(own.length).toBeGreaterThan(told);
    expect(lti.at(-1)?.height).toBe(await heightNow());
    expect(lti.map(({ height }) => height)).toEqual(own.map(({ height }) => height));

    const greetings = async () => (await received(page, ({ action }) => action === 'hello')).length;
    const h5p = () => received(page, ({ action }) => action === 'resize');
    expect(await h5p()).toEqual([]);
    // Nobody has answered yet, so the page goes on greeting.
    const greeted = await greetings();
    expect(greeted).toBeGreaterThan(0);
    await expect.poll(greetings).toBeGreaterThan(greeted);
    // A resizer that was loaded after the page in the iframe says that it is ready.
    const before = await greetings();
    await sayH5p(page, 'ready');
    await expect.poll(greetings).toBeGreaterThan(before);
    await sayH5p(page, 'hello');
    const resize = async () => ({
      ...{ context: 'h5p', action: 'resize' },
      ...{ scrollHeight: await heightNow(), height: await heightNow() },
    });
    const first = await resize();
    await expect.poll(h5p).toEqual([first]);
    // Its window changed: it asks again.
    await sayH5p(page, 'resize');
    await expect.poll(h5p).toEqual([first, first]);

    await page.setViewportSize({ width: 500, height: 800 });
    await rests(page);
    expect((await h5p()).at(-1)).toEqual(await resize());
    expect((await resize()).height).toBeGreaterThan(first.height);
  });
});
