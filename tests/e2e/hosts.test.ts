/**
 * Pages around a lab that make its frame nearly, but not quite, as tall as it says. None of them may set off a
 * conversation without end: a page's height does not depend on its frame's.
 *
 * A page is opened in the frame of one host and then handed from host to host. The whole table takes many minutes, so a
 * plain run opens every page once, each at another width and with another host;
 * `HOSTS=all npx vitest run --config tests/vitest.config.ts --project e2e tests/e2e/hosts.test.ts` opens every page with
 * every host at every width.
 */
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dist } from '../../web/tools/build.mjs';
import { launchWindowless } from '../tools/chromium.mjs';
import { figuresRest } from './through';

const EXACT = 'exactly as told';

/** What a host makes of a height, as the style of the iframe. */
interface Host {
  readonly height: (told: number) => number;
  readonly style?: string;
  /** By how much its zoom makes the column narrower. */
  readonly narrower?: number;
  /** Device pixels for one CSS pixel. */
  readonly scale?: number;
}

const HOSTS: Readonly<Record<string, Host>> = {
  [EXACT]: { height: (told) => told },
  'a pixel less': { height: (told) => told - 1 },
  'eight pixels more': { height: (told) => told + 8 },
  'rounded to ten': { height: (told) => Math.round(told / 10) * 10 },
  'held at 450': { height: () => 450 },
  'at most 3,000': { height: (told) => Math.min(told, 3000) },
  'with the border counted': {
    height: (told) => told,
    style: 'box-sizing: border-box; border: 2px inset',
  },
  'with padding counted': {
    height: (told) => told,
    style: 'box-sizing: border-box; padding: 12px',
  },
  'as tall as its window': { height: () => 3000, style: 'height: 100vh !important' },
  'zoomed by its style sheet': { height: (told) => told, style: 'zoom: 1.25', narrower: 1.25 },
  'zoomed by the visitor': { height: (told) => told, scale: 1.5 },
};

const WIDTHS = [390, 900, 1400] as const;
const PAGES = [
  ...readdirSync(join(dist, 'labs'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `labs/${name}/index.html`)
    .sort(),
  'pages/exercises/index.html?id=elu-feature-map',
];
/** What a page is opened with in a plain run. A host that gives less than it is told finds what depends on it at once. */
const FIRST = ['a pixel less', 'with the border counted', 'held at 450'];
const CASES = PAGES.flatMap((path, i) =>
  process.env.HOSTS === 'all'
    ? Object.keys(HOSTS).flatMap((host) => WIDTHS.map((width) => ({ path, host, width })))
    : [
        {
          path,
          host: FIRST[i % FIRST.length] ?? EXACT,
          width: WIDTHS[(i + (i > 2 ? 1 : 0)) % 3] ?? 390,
        },
      ],
);

/** A page rests when this many frames have passed in which it told nothing. */
const FRAMES = 20;
/** More than any host may hear: what has said this much will not stop. */
const ENDLESS = 12;
/** With every figure loaded, as no reader has a page, the longest lab has 40,000 in the narrowest column. */
const TALLEST = 45_000;
/** What grows beyond this is followed no further. */
const FAR = 200_000;

declare global {
  interface Window {
    /** The heights that were told since the host was chosen. */
    told: number[];
    latest: number;
    limit: number;
    host: (told: number) => number;
    hosts: Readonly<Record<string, Window['host']>>;
    follow: () => void;
  }
}

const coursePage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Week 3</title>
<style>html { overflow-y: scroll } body { margin: 0 } iframe { display: block; width: 100%; border: 0 }</style></head>
<body><iframe title="Lab" height="600"></iframe>
<script>
  window.told = [];
  window.latest = 600;
  window.limit = Infinity;
  window.host = (told) => told;
  window.hosts = { ${Object.entries(HOSTS).map(([name, { height }]) => `'${name}': ${height}`)} };
  window.follow = () => {
    document.querySelector('iframe').style.height = window.host(window.latest) + 'px';
  };
  addEventListener('message', ({ data }) => {
    if (data?.type !== 'attention-labs:height') return;
    window.told.push(data.height);
    window.latest = data.height;
    if (window.told.length <= window.limit && data.height <= ${FAR}) window.follow();
  });
</script></body></html>`;

let browser: Browser;
let server: Server;

beforeAll(async () => {
  // Scroll bars take their room, as most visitors have them.
  browser = await launchWindowless({ ignoreDefaultArgs: ['--hide-scrollbars'] });
  server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(coursePage);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Opens a page in a frame and all there is to be seen in it. */
async function opened(path: string, host: string, width: number): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 1000 },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await handedTo(page, host, width);
  const address = new URL(path, inject('siteUrl').replace(/ /g, '%20')).href;
  const iframe = page.locator('iframe');
  await iframe.evaluate((one, src) => one.setAttribute('src', src), address);
  const frame = await (await iframe.elementHandle())?.contentFrame();
  if (!frame) throw new Error('the iframe is empty');
  await frame.locator('h1').first().hover();
  if (path.startsWith('labs/')) {
    await frame.locator('attn-lab > #summary .step-end').waitFor({ state: 'attached' });
    // As for printing, whatever waits for its reader is fetched.
    await frame.evaluate(async () => {
      for (const place of document.querySelectorAll('attn-load-when-near')) await place.now();
    });
  } else {
    await frame.locator('.run-button').waitFor();
    await frame.locator('attn-exercise-picture canvas').first().waitFor();
  }
  await frame.evaluate(async () => {
    await document.fonts.ready;
  });
  await figuresRest(frame);
  await rests(page);
  return page;
}

/** Resolves once nothing was told for some frames, or too much was. */
const rests = (page: Page): Promise<readonly number[]> =>
  page.evaluate(
    ({ frames, endless }) =>
      new Promise<readonly number[]>((done) => {
        let [heard, still] = [window.told.length, 0];
        const look = (): void => {
          still = window.told.length === heard ? still + 1 : 0;
          heard = window.told.length;
          if (still >= frames || heard > endless) done([...window.told]);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    { frames: FRAMES, endless: ENDLESS },
  );

/** Puts a page into the hands of a host. Returns what the host is told from then on. */
async function handedTo(page: Page, name: string, width: number): Promise<readonly number[]> {
  const { style = '', scale = 1 } = HOSTS[name] ?? {};
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', {
    ...{ width, height: 1000, mobile: false },
    deviceScaleFactor: scale,
  });
  await page.evaluate(
    ({ name, style }) => {
      window.host = window.hosts[name] ?? window.host;
      window.told = [];
      document.querySelector('iframe')?.setAttribute('style', style);
      window.follow();
    },
    { name, style },
  );
  const told = await rests(page);
  await session.detach();
  return told;
}

it.each(CASES)(
  '$path rests with every host at $width px, opened with one that gives: $host',
  async ({ path, host: first, width }) => {
    const page = await opened(path, first, width);
    await page.evaluate((limit) => {
      window.limit = limit;
    }, ENDLESS);
    const wrong: string[] = [];
    // The first one first, because it has the page as it was opened.
    for (const name of [first, ...Object.keys(HOSTS).filter((one) => one !== first)]) {
      const came = await handedTo(page, name, width);
      // Where a border or a zoom has made the column narrower, the page had to say so. Now it has settled.
      const then = await handedTo(page, name, width);
      const tallest = TALLEST * (HOSTS[name]?.narrower ?? 1);
      const high = Math.max(await page.evaluate(() => window.latest), ...came, ...then);
      if (came.length > ENDLESS || then.length > 2 || high > tallest) {
        wrong.push(`${name}: ${came.join(', ')}; settled: ${then.join(', ')}; at most ${high}`);
      }
    }
    await page.close();
    expect(wrong).toEqual([]);
  },
);
