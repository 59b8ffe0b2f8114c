/** `<attention-lab>` in pages of another origin, loaded from the built site as a course page loads it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { packWork, unpackWork } from '../../web/src/embed/host/kept-state';
import { launchWindowless } from '../tools/chromium.mjs';
import { figuresRest, isSilent } from './through';

interface Told {
  readonly of: string;
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
declare global {
  interface Window {
    ofLabs: Told[];
    /** How many labs were on their way at once, at most. */
    most: number;
    reached: string[];
  }
}

let browser: Browser;
let host: Server;
let html = '';
const errors: string[] = [];
const open: Page[] = [];

beforeAll(async () => {
  browser = await launchWindowless();
  host = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    // A course page may allow little: no inline styles, no script but its own and ours.
    const { origin } = new URL(inject('siteUrl'));
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'unsafe-inline' ${origin}; frame-src ${origin}; style-src 'self'`,
    );
    response.end(html);
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  for (const page of open.splice(0)) await page.close();
  expect(errors.splice(0), 'errors of the page').toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  host?.closeAllConnections();
  host?.close();
});

const site = (): string => inject('siteUrl').replace(/ /g, '%20');

/** A page around; its listeners are there before the element is. */
async function course(body: string, head = ''): Promise<Page> {
  html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Week 3</title>
<script>
  window.ofLabs = [];
  window.most = 0;
  window.reached = [];
  for (const name of ['load', 'error', 'resize', 'progress', 'score']) {
    const note = ({ target, detail }) => {
      if (target.localName === 'attention-lab') window.ofLabs.push({ of: target.id, name, detail });
    };
    document.addEventListener(name, note, true);
    addEventListener(name, (event) => {
      if (event.target.localName === 'attention-lab') window.reached.push(name);
    });
  }
  const count = () => {
    const now = document.querySelectorAll('attention-lab[data-stage=loading]').length;
    window.most = Math.max(window.most, now);
    requestAnimationFrame(count);
  };
  count();
</script>${head}<script type="module" src="${site()}attention-lab.js"></script></head>
<body>${body}</body></html>`;
  const page = await browser.newPage({
    viewport: { width: 1000, height: 800 },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(60_000);
  open.push(page);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  // The same address under another name counts as another site.
  await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/`);
  return page;
}

const stage = (page: Page, id: string): Promise<string | null> =>
  page.locator(`#${id}`).getAttribute('data-stage');

async function frameOf(page: Page, id: string): Promise<Frame> {
  const frame = await (await page.locator(`#${id} iframe`).elementHandle())?.contentFrame();
  if (!frame) throw new Error('no frame');
  return frame;
}

it('is as tall as its page, speaks the language of the page around, and its attributes change it by message', async () => {
  const page = await course(
    '<attention-lab id="one" lab="kernel-trick" loading="eager" title="A lab" hide="seed"><p>Instead</p></attention-lab>',
  );
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
  expect(await page.locator('#one iframe').getAttribute('title')).toBe('A lab');
  const frame = await frameOf(page, 'one');
  await frame.locator('[data-drawn]').first().waitFor();
  const misfit = () =>
    frame.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement;
      return scrollHeight - clientHeight;
    });
  await expect.poll(misfit).toBe(0);
  expect(await page.getByText('Instead').isVisible()).toBe(false);
  const told = await page.evaluate(() => window.ofLabs.map(({ name }) => name));
  expect(told.filter((name) => name === 'load')).toEqual(['load']);
  expect(told).toContain('resize');
  expect(told).not.toContain('error');
  // The window of the page around hears of its own loads and sizes only.
  expect(await page.evaluate(() => window.reached)).toEqual([]);
  expect(
    await page.evaluate(async () => (await document.querySelector('attention-lab')?.ready)?.id),
  ).toBe('one');

  // A mark in the page of the frame is gone if that page is loaded again.
  await frame.evaluate(() => {
    document.documentElement.dataset.mark = 'here';
  });
  const slider = frame.locator('attn-slider input[type=range]').first();
  const before = await slider.inputValue();
  const key = await frame.evaluate(() => {
    const figure = document.querySelector('.lab-opening > *') as HTMLElement & {
      table: Record<string, { kind: string; key: string; min: number; default: unknown }>;
    };
    const [, { key, min } = { key: '', min: 0 }] =
      Object.entries(figure.table).find(([, { kind }]) => kind === 'integer') ?? [];
    return { key, min };
  });
  await page
    .locator('#one')
    .evaluate((one, { key, min }) => one.setAttribute(key, String(min)), key);
  await expect.poll(() => frame.evaluate(() => location.search)).toContain(`${key.key}=${key.min}`);
  await expect.poll(() => slider.inputValue()).not.toBe(before);
  await page.locator('#one').evaluate((one, { key }) => one.setAttribute('lock', key), key);
  await expect.poll(() => frame.locator('.locked-note').count()).toBeGreaterThan(0);
  expect(await frame.evaluate(() => document.documentElement.dataset.mark)).toBe('here');

  // Another language is another page.
  await page.locator('#one').evaluate((one) => one.setAttribute('lang', 'de'));
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
  const german = await frameOf(page, 'one');
  await expect.poll(() => german.locator('html').getAttribute('lang')).toBe('de');
});

it('starts ten labs two at a time, and one that waits for a press only then', async () => {
  const ids = Array.from({ length: 10 }, (_, i) => `n${i}`);
  const page = await course(
    `${ids.map((id) => `<attention-lab id="${id}" lab="complexity" loading="eager"></attention-lab>`).join('')}
    <attention-lab id="click" lab="complexity" loading="click"></attention-lab>
    <canvas width="1" height="4000"></canvas>
    <attention-lab id="far" lab="complexity"></attention-lab>`,
  );
  const ready = () => page.locator('attention-lab[data-stage=ready]').count();
  await expect.poll(ready, { timeout: 170_000, interval: 500 }).toBe(10);
  expect(await page.evaluate(() => window.most)).toBe(2);
  // What is far below has not begun.
  expect(await stage(page, 'far')).toBe('idle');
  expect(await stage(page, 'click')).toBe('idle');
  expect(await page.locator('#click iframe').count()).toBe(0);
  await page.locator('#click').getByRole('button', { name: 'Open the lab' }).click();
  await expect.poll(() => stage(page, 'click'), { timeout: 60_000 }).toBe('ready');
});

describe('three labs that are hidden and shown again', () => {
  const LABS = ['heads', 'long-texts', 'surgeon'] as const;
  /** By how much a frame is not as tall as its page. */
  const misfit = async (page: Page, id: string): Promise<number> => {
    const frame = await frameOf(page, id);
    const [around, inside] = await Promise.all([
      page.locator(`#${id} iframe`).evaluate((one) => one.clientHeight),
      frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height)),
    ]);
    return Math.abs(around - inside);
  };
  const heights = (page: Page, id: string): Promise<unknown[]> =>
    page.evaluate(
      (id) =>
        window.ofLabs
          .filter(({ of, name }) => of === id && name === 'resize')
          .map(({ detail }) => detail.height),
      id,
    );

  it.each([
    ['display: none', (id: string, inside: string) => `<div id="around-${id}">${inside}</div>`],
    [
      'a closed <details>',
      (id: string, inside: string) =>
        `<details id="around-${id}" open><summary>${id}</summary>${inside}</details>`,
    ],
  ])('%s: the heights settle again within two messages, and no knob is lost', async (_, around) => {
    const page = await course(
      LABS.map((id) =>
        around(id, `<attention-lab id="${id}" lab="${id}" loading="eager"></attention-lab>`),
      ).join(''),
    );
    const show = (is: boolean): Promise<void> =>
      page.evaluate((is) => {
        for (const one of document.querySelectorAll('[id^=around-]')) {
          if (one instanceof HTMLDetailsElement) one.open = is;
          else (one as HTMLElement).hidden = !is;
        }
      }, is);
    /** The browser gives a frame that is out of sight no new size, so each of them is looked at. */
    const fits = async (): Promise<void> => {
      for (const id of LABS) {
        await page.locator(`#${id}`).scrollIntoViewIfNeeded();
        await expect.poll(() => misfit(page, id), { timeout: 30_000 }).toBe(0);
      }
    };
    const told = (): Promise<number[]> =>
      Promise.all(LABS.map(async (id) => (await heights(page, id)).length));
    const rests = (): Promise<void> => isSilent(page, told);
    for (const id of LABS) {
      await expect.poll(() => stage(page, id), { timeout: 60_000 }).toBe('ready');
    }
    await page.locator('#long-texts').scrollIntoViewIfNeeded();
    const frame = await frameOf(page, 'long-texts');
    const knob = frame.locator('attn-slider input[type=range]').first();
    const before = await knob.inputValue();
    await knob.press('ArrowLeft');
    await expect.poll(() => knob.inputValue()).not.toBe(before);
    const turned = await knob.inputValue();
    // What waits for its reader comes now, so that what is told afterwards is about being hidden.
    for (const id of LABS) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      const inside = await frameOf(page, id);
      await inside.locator('h1').first().hover();
      await inside.locator('attn-lab > #summary .step-end').waitFor({ state: 'attached' });
      await inside.evaluate(async () => {
        for (const place of document.querySelectorAll('attn-load-when-near')) await place.now();
      });
      await figuresRest(inside);
    }
    await fits();
    await rests();
    await fits();
    await rests();

    // Twice: as it was, and with a column that has become narrower meanwhile.
    for (const width of [1000, 700]) {
      const first = await told();
      await show(false);
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(500);
      // A frame that is not displayed has no height to tell.
      expect(await told()).toEqual(first);
      await show(true);
      await fits();
      await rests();
      await fits();
      const since = (await told()).map((count, i) => count - (first[i] ?? 0));
      expect(Math.max(...since), `${width} px: ${since}`).toBeLessThanOrEqual(2);
      for (const id of LABS) {
        expect((await heights(page, id)).every((height) => Number(height) > 200)).toBe(true);
      }
    }
    expect(await knob.inputValue()).toBe(turned);
  });

  it('one that is hidden from the start begins when it is shown', async () => {
    const page = await course(
      `<details><summary>Week 3</summary>${LABS.map(
        (id) => `<attention-lab id="${id}" lab="${id}"></attention-lab>`,
      ).join('')}</details>`,
    );
    await page.waitForTimeout(1000);
    for (const id of LABS) expect(await stage(page, id)).toBe('idle');
    await page.locator('summary').click();
    for (const id of LABS) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await expect.poll(() => stage(page, id), { timeout: 60_000 }).toBe('ready');
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await expect.poll(() => misfit(page, id), { timeout: 30_000 }).toBe(0);
    }
  });
});

it('looks as the page around wants it, and keeps no such choice', async () => {
  const page = await course(
    '<attention-lab id="one" lab="kernel-trick" loading="eager" theme="dark" font-size="125"></attention-lab>',
  );
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
  const frame = await frameOf(page, 'one');
  const look = () =>
    frame.evaluate(() => {
      const { colorScheme, fontSize } = getComputedStyle(document.documentElement);
      return [document.documentElement.dataset.theme, fontSize, colorScheme, localStorage.length];
    });
  await expect.poll(look).toEqual(['dark', '20px', expect.stringContaining('dark'), 0]);
  await frame.evaluate(() => {
    document.documentElement.dataset.mark = 'here';
  });
  await page.locator('#one').evaluate((one) => {
    one.setAttribute('theme', 'light');
    one.removeAttribute('font-size');
  });
  await expect.poll(look).toEqual(['light', '16px', expect.stringContaining('light'), 0]);
  // It is no part of the address, and no other window is heard.
  expect(await frame.evaluate(() => location.search)).toBe('');
  await frame.evaluate(() =>
    window.postMessage({ type: 'attention-labs:look', theme: 'dark', size: '200' }, '*'),
  );
  await frame.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  expect((await look())[0]).toBe('light');
  expect(await frame.evaluate(() => document.documentElement.dataset.mark)).toBe('here');
});

it('is parked with what was typed a moment ago, and comes back with it', async () => {
  const page = await course(
    '<attention-lab id="one" exercise="stable-softmax" loading="eager"></attention-lab><div id="there"></div>',
  );
  type Lab = HTMLElement & { state: unknown; park(): Promise<void>; load(): void };
  const lab = page.locator('#one');
  await lab.evaluate((one) => Object.assign(one, { state: null }));
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
  let frame = await frameOf(page, 'one');
  await frame.locator('.course-site').waitFor();
  const editor = () => frame.locator('attn-exercise attn-code-editor');
  await editor().locator('textarea, .cm-content').first().click();
  await editor().locator('.cm-content').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('def typed(): pass\n');
  const height = await lab.evaluate((one) => one.clientHeight);
  await lab.evaluate((one) => (one as Lab).park());
  expect(await stage(page, 'one')).toBe('parked');
  expect(await lab.locator('iframe').count()).toBe(0);
  // What follows it on the page does not move.
  expect(Math.abs((await lab.evaluate((one) => one.clientHeight)) - height)).toBeLessThan(60);
  const state = (await lab.evaluate((one) => (one as Lab).state)) as { attentionLabs: string };
  const kept = await unpackWork(state.attentionLabs);
  expect(kept?.works.map(({ code }) => code)).toEqual(['def typed(): pass\n']);
  // Moved, which would have ended the page in the frame without a word.
  await page.evaluate(async () => {
    document.querySelector('#there')?.append(document.querySelector('#one') as Element);
    await new Promise((done) => setTimeout(done, 50));
  });
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
  frame = await frameOf(page, 'one');
  await expect
    .poll(() => editor().evaluate((one) => (one as HTMLElement & { value: string }).value))
    .toBe('def typed(): pass\n');
  // Parked again, it waits for a press.
  await lab.evaluate((one) => (one as Lab).park());
  await page.waitForTimeout(300);
  expect(await stage(page, 'one')).toBe('parked');
  await lab.getByRole('button', { name: 'Open the lab' }).click();
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
});

it('hands over work only to a page that keeps it, and hears its own frame alone', async () => {
  // A page of the site that speaks as a lab does, so that the bridge's messages are under control.
  const page = await course(
    '<attention-lab id="one" lab="kernels" loading="eager"></attention-lab>',
  );
  await page.route('**/labs/kernels/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script>
        window.answers = [];
        addEventListener('message', ({ data }) => window.answers.push(data));
        parent.postMessage({ type: 'attention-labs:hello' }, '*');
        parent.postMessage({ subject: 'SPLICE.getState', message_id: 'a' }, '*');
      </script>`,
    }),
  );
  await page.reload();
  await expect.poll(() => stage(page, 'one')).toBe('ready');
  const frame = await frameOf(page, 'one');
  const answers = () => frame.evaluate(() => (window as unknown as { answers: object[] }).answers);
  const say = (message: object) => frame.evaluate((data) => parent.postMessage(data, '*'), message);
  await say({ subject: 'SPLICE.reportScoreAndState', message_id: 'b', score: null, state: 'x' });
  const told = (name: string) =>
    page.evaluate(
      (name) => window.ofLabs.filter((one) => one.name === name).map(({ detail }) => detail),
      name,
    );
  await expect.poll(() => told('progress')).toEqual([{ state: 'x' }]);
  // Nobody here keeps work, so nobody says so.
  expect(await answers()).toEqual([]);
  expect(
    await page.locator('#one').evaluate((one) => (one as HTMLElement & { state: unknown }).state),
  ).toBe(undefined);
  await page.locator('#one').evaluate((one) => Object.assign(one, { state: { v: 1 } }));
  await expect
    .poll(answers)
    .toEqual([{ subject: 'SPLICE.getState.response', message_id: 'a', state: { v: 1 } }]);
  await say({
    subject: 'SPLICE.reportScoreAndState',
    message_id: 'c',
    score: 0.5,
    state: { v: 2 },
  });
  await expect.poll(() => told('score')).toEqual([{ score: 0.5, state: { v: 2 } }]);
  expect(
    await page.locator('#one').evaluate((one) => (one as HTMLElement & { state: unknown }).state),
  ).toEqual({
    v: 2,
  });
  // No score, and no word of a window that is not the frame.
  await say({ subject: 'SPLICE.reportScoreAndState', message_id: 'd', score: 7, state: { v: 2 } });
  await page.evaluate(() => {
    window.postMessage({ subject: 'SPLICE.reportScoreAndState', score: 1, state: 'evil' }, '*');
    window.postMessage({ type: 'attention-labs:height', height: 9999 }, '*');
  });
  await say({ type: 'attention-labs:height', height: 4321 });
  await expect.poll(() => told('resize')).toEqual([{ height: 4321 }]);
  expect(await told('score')).toHaveLength(1);
  expect(await page.locator('#one iframe').evaluate((one) => one.clientHeight)).toBe(4321);
});

/** The frame of the element `one`, which has no work yet, once its page has led it to `address`. */
async function ledTo(page: Page, address: string): Promise<Frame> {
  await page.locator('#one').evaluate((one) => Object.assign(one, { state: null }));
  await expect
    .poll(async () => (await frameOf(page, 'one')).url(), { timeout: 60_000 })
    .toContain(address);
  return frameOf(page, 'one');
}

/** The elements that have told the page around a score, one name for each time. */
const scoresOn = (page: Page) => (): Promise<readonly string[]> =>
  page.evaluate(() => window.ofLabs.flatMap(({ of, name }) => (name === 'score' ? [of] : [])));

it('leaves the page around where it is until its reader comes to the lab, which then begins at its step', async () => {
  const page = await course(
    `${'<p>Read this first.</p>'.repeat(60)}<attention-lab id="one" lab="kernel-trick" step="brackets" loading="eager"></attention-lab>`,
  );
  await expect.poll(() => stage(page, 'one'), { timeout: 60_000 }).toBe('ready');
  const frame = await frameOf(page, 'one');
  await frame.locator('attn-lab > #summary .step-end').waitFor({ state: 'attached' });
  // The steps are there, so the lab would go to its step now.
  await page.waitForTimeout(3000);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.locator('#one').evaluate((one) => one.scrollIntoView());
  const top = async (): Promise<number> => {
    const around = await page.locator('#one').evaluate((one) => one.getBoundingClientRect().top);
    const step = frame.locator('#brackets');
    return around + (await step.evaluate((one) => one.getBoundingClientRect().top));
  };
  await expect.poll(async () => Math.abs(await top()), { timeout: 30_000 }).toBeLessThan(60);
});

it('follows a step to the lab that has it now, which hands over under the name of the element', async () => {
  const page = await course(
    '<attention-lab id="one" lab="kernels" step="smoother" loading="eager"></attention-lab>',
  );
  const frame = await ledTo(page, '/labs/kernel-attention/');
  await frame.locator('#smoother').waitFor();
  const scores = scoresOn(page);
  expect(await scores()).toEqual([]);
  const begin = frame.locator('#smoother attn-write-it .button').first();
  await expect
    .poll(async () => {
      await frame.locator('#smoother .exercises').scrollIntoViewIfNeeded();
      return begin.count();
    })
    .toBe(1);
  await begin.click();
  await frame.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(scores, { timeout: 60_000 }).toContain('one');
  const state = async () => {
    const one = page.locator('#one');
    const kept = await one.evaluate((one) => (one as HTMLElement & { state: unknown }).state);
    return unpackWork((kept as { attentionLabs: string }).attentionLabs);
  };
  expect((await state())?.page).toBe('kernel-attention');
  // Work that was kept before the step moved bears the name of the old lab. It is taken up, with its answers.
  const time = '2026-01-01T00:00:00.000Z';
  const old = await packWork(
    {
      page: 'kernels',
      labs: [
        {
          ...{ v: 1, lab: 'kernels', changed: time, predictions: {}, checks: {} },
          seen: { smoother: time },
        } as never,
      ],
      works: [],
    },
    100_000,
  );
  await page.reload();
  await page
    .locator('#one')
    .evaluate((one, text) => Object.assign(one, { state: { attentionLabs: text } }), old.text);
  const again = async () => (await frameOf(page, 'one')).locator('.course-site').textContent();
  await expect.poll(again, { timeout: 60_000 }).toMatch(/handed|Handed/);
});

it('follows to the English page of an exercise that the language lacks, which hands over too', async () => {
  const page = await course(
    '<attention-lab id="one" exercise="smo-step" lang="de" loading="eager"></attention-lab>',
  );
  const frame = await ledTo(page, '/de/pages/exercises/english.html');
  await frame.getByRole('button', { name: 'Run', exact: true }).click();
  const scores = scoresOn(page);
  await expect.poll(scores, { timeout: 60_000 }).toContain('one');
});

it('of two versions on a page the first is taken, and the second says so', async () => {
  const page = await course(
    '<attention-lab id="one" lab="../evil" loading="eager"><p>Instead</p></attention-lab>',
    `<script>customElements.define('attention-lab', class extends HTMLElement { static version = '0.0.0-old' });</script>`,
  );
  await expect.poll(() => errors.length).toBe(1);
  expect(errors.splice(0)[0]).toMatch(/is not used: 0\.0\.0-old came first/);
  expect(await page.getByText('Instead').isVisible()).toBe(true);
});

it('without an address it says so, and shows what stands in it', async () => {
  const page = await course(
    '<attention-lab id="one" lab="../evil" loading="eager"><p>Instead</p></attention-lab>',
  );
  await expect.poll(() => stage(page, 'one')).toBe('error');
  expect(await page.evaluate(() => window.ofLabs)).toEqual([
    { of: 'one', name: 'error', detail: { reason: 'address' } },
  ]);
  expect(await page.locator('#one').getByRole('status').textContent()).toContain('no address');
  expect(await page.getByText('Instead').isVisible()).toBe(true);
});
