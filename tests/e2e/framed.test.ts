/**
 * Tests the site in a frame of another site's page, where the browser keeps nothing for it. Everything works, and the
 * page says, and keeps saying, what is not safe.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { dist } from '../../web/tools/build.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { launchWindowless } from '../tools/chromium.mjs';
import { strictCsp } from '../tools/readme.mjs';
import { isSilent } from './through';

const right = `import numpy as np

def elu_feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
`;
const exercise = 'pages/exercises/index.html?v=1&id=elu-feature-map';

/**
 * A page around that keeps scores and work (SPLICE) for its own frame, and makes that as tall as it says. What it keeps
 * is in its address, so that another browser has it.
 */
const keeps = `<script>
  window.heights = [];
  window.kept = JSON.parse(decodeURIComponent(location.hash.slice(1)) || 'null');
  window.score = null;
  addEventListener('message', ({ source, data }) => {
    const frame = document.querySelector('iframe');
    if (source !== frame.contentWindow || !new URLSearchParams(location.search).has('keeps')) return;
    if (data?.type === 'attention-labs:height') {
      window.heights.push(data.height);
      frame.style.height = data.height + 'px';
    }
    const answer = (more) =>
      // A frame without an origin has no name.
      source.postMessage({ subject: data.subject + '.response', message_id: data.message_id, ...more }, '*');
    if (data?.subject === 'SPLICE.getState') answer({ state: window.kept });
    if (data?.subject !== 'SPLICE.reportScoreAndState') return;
    window.kept = data.state;
    window.score = data.score ?? window.score;
    answer({ success: true });
  });
</script>`;

let browser: Browser;
let host: Server;
let hostUrl = '';
const errors: string[] = [];
const opened: Page[] = [];

beforeAll(async () => {
  browser = await launchWindowless();
  // The attributes and the address of the frame are in the query.
  host = createServer(({ url = '' }, response) => {
    const asked = new URL(url, 'http://localhost').searchParams;
    const sandbox = asked.has('sandbox') ? `sandbox="${asked.get('sandbox')}"` : '';
    const source = asked.get('src')?.replace(/&/g, '&amp;');
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>A course</title>${keeps}<iframe title="Lab" ${sandbox} src="${source}" style="width:100%;height:850px"></iframe>`,
    );
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  // The same address under another name counts as another site.
  hostUrl = `http://localhost:${(host.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
  expect(errors.splice(0), 'errors of the page').toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  host?.close();
});

async function embedded(path: string, sandbox: string): Promise<[Page, FrameLocator]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  opened.push(page);
  page.context().on('weberror', (error) => errors.push(String(error.error())));
  const source = new URL(path, inject('siteUrl').replace(/ /g, '%20')).href;
  await page.goto(`${hostUrl}?${new URLSearchParams({ sandbox, src: source })}`);
  return [page, page.frameLocator('iframe')];
}

describe('in a frame without an origin', () => {
  it('an exercise is written, run and graded; the page says that nothing is kept, and asks before it is left', async () => {
    // A frame needs `allow-modals` to be allowed to ask.
    const [page, frame] = await embedded(exercise, 'allow-scripts allow-modals');
    const said = frame.getByRole('status').filter({ hasText: 'does not let this page keep' });
    await said.waitFor();
    expect(await said.textContent()).toContain('it is gone when you leave');
    const editor = frame.locator('attn-exercise attn-code-editor');
    await editor.locator('textarea, .cm-content').first().click();
    await editor.locator('.cm-content').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(right);
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    const status = frame.locator('attn-exercise .run-status .status');
    await expect.poll(() => status.textContent(), { timeout: 60_000 }).toMatch(/^Passed/);
    // The message stays, and opening another exercise and returning loses nothing.
    expect(await said.isVisible()).toBe(true);
    await frame.getByRole('link', { name: /^Next: / }).click();
    await frame.getByRole('heading', { level: 1, name: 'Are both orders equal?' }).waitFor();
    expect(await said.isVisible()).toBe(true);
    await frame.getByRole('link', { name: 'Previous' }).click();
    await expect
      .poll(() => editor.evaluate((one) => (one as HTMLElement & { value: string }).value))
      .toBe(right);

    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate(() => {
      location.href = 'about:blank';
    });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(page.url()).toContain(hostUrl);
  });

  it.each([
    ['allow-scripts', 'en', 'does not let this page keep', 'Your answers are not kept'],
    ['allow-scripts', 'de', 'lässt diese Seite deine Arbeit nicht', 'werden nicht aufbewahrt'],
  ])(
    'a lab computes, asks and says that it keeps no answers (%s, %s)',
    async (sandbox, lang, sentence, short) => {
      const [, frame] = await embedded(`labs/complexity/index.html?lang=${lang}`, sandbox);
      // The first figure shows the core's answer: the multiply-adds of its products.
      await frame.locator('figure svg, figure canvas').first().waitFor();
      await frame.locator('attn-slider input').first().press('PageUp');
      const said = frame.locator('attn-lab .not-kept');
      await said.filter({ hasText: sentence }).waitFor();
      expect(await said.getAttribute('role')).toBe('status');
      const question = frame.locator('attn-check').first();
      await question.locator('input').first().check();
      await question.locator('button[type=submit]').click();
      await question.locator('.verdict').filter({ hasText: /\S/ }).waitFor();
      await expect.poll(() => frame.locator('.outline-total').textContent()).toContain(short);
      expect(await said.isVisible()).toBe(true);
      await expect.poll(() => frame.locator('.failure').count()).toBe(0);
    },
  );

  it('a long text and a run of an experiment are said to be lost with the page', async () => {
    const quick = 'random.most=256&random.d=8&random.n=16&random.draws=2&random.times=1';
    const [, frame] = await embedded(`labs/feature-maps/index.html?v=1&${quick}`, 'allow-scripts');
    const text = frame.locator('attn-feature-maps-lab textarea');
    await text.fill(`${'ж'.repeat(3000)} again`);
    await text.blur();
    const said = frame.getByRole('alert').filter({ hasText: 'too long for the address' });
    await said.waitFor();
    expect(await said.textContent()).toContain('does not let this page keep');
    const figure = frame.locator('[data-figure="random"]');
    await figure.waitFor();
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('.run > button').click();
    const lost = figure.locator('.not-kept').filter({ hasText: 'CSV or JSON takes the run along' });
    await lost.waitFor({ timeout: 90_000 });
    const may = frame
      .locator('body')
      .evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await may, 'leaving without a question').toBe(false);
  });

  it('hands score and work to the page around, which brings them back where the browser keeps nothing', async () => {
    type Course = Window & { kept: object; score: number | null; heights: number[] };
    const around = async (kept: object | null): Promise<[Page, FrameLocator]> => {
      const page = await (await browser.newContext()).newPage();
      opened.push(page);
      page.on('pageerror', (error) => errors.push(String(error)));
      const src = new URL(exercise, inject('siteUrl').replace(/ /g, '%20')).href;
      const asked = new URLSearchParams({ sandbox: 'allow-scripts', keeps: '', src });
      await page.goto(`${hostUrl}?${asked}#${encodeURIComponent(JSON.stringify(kept))}`);
      return [page, page.frameLocator('iframe')];
    };
    const [page, frame] = await around(null);
    await frame.locator('.course-site').filter({ hasText: 'handed to the course site' }).waitFor();
    const editor = (of: FrameLocator) => of.locator('attn-exercise attn-code-editor');
    await editor(frame).locator('textarea, .cm-content').first().click();
    await editor(frame).locator('.cm-content').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(right);
    expect(await page.evaluate(() => (window as unknown as Course).score)).toBeNull();
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    const score = (of: Page) => of.evaluate(() => (window as unknown as Course).score);
    await expect.poll(() => score(page), { timeout: 60_000 }).toBe(1);

    // The frame is as tall as its page, and that came to rest.
    const misfit = async (): Promise<number> => {
      const inside = await frame
        .locator('html')
        .evaluate((one) => Math.ceil(one.getBoundingClientRect().height));
      return page.locator('iframe').evaluate((one, inside) => one.clientHeight - inside, inside);
    };
    await expect.poll(misfit, { timeout: 30_000 }).toBe(0);
    const told = () => page.evaluate(() => (window as unknown as Course).heights.length);
    await page.setViewportSize({ width: 700, height: 900 });
    await expect.poll(misfit, { timeout: 30_000 }).toBe(0);
    // On a busy machine the page inside answers to its new width after the first look at both.
    await isSilent(page, told);
    expect(await misfit()).toBe(0);

    const kept = await page.evaluate(() => (window as unknown as Course).kept);
    const [, back] = await around(kept);
    await expect
      .poll(() =>
        editor(back).evaluate((one) => (one as HTMLElement & { value: string }).value, null, {
          timeout: 30_000,
        }),
      )
      .toBe(right);
  });

  it('whose server keeps the rest of the page back, says so', async () => {
    const site = await serve({ root: dist, csp: strictCsp, shared: false });
    try {
      const page = await browser.newPage();
      opened.push(page);
      const source = `${site.url}${exercise}`;
      const asked = new URLSearchParams({ sandbox: 'allow-scripts', src: source });
      await page.goto(`${hostUrl}?${asked}`);
      const said = page.frameLocator('iframe').getByRole('alert');
      await expect.poll(() => said.textContent()).toContain('does not let such a frame');
      expect(await said.getByRole('link').getAttribute('href')).toBe(source);
    } finally {
      await site.close();
    }
  });
});
