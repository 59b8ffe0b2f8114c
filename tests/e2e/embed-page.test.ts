/** The instructor's page: what is turned in its frame is in its lines, and its lines show the same lab elsewhere. */
import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import type { LitElement } from 'lit';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { packageOf } from '../../web/tools/package.mjs';
import { fits } from './through';
import { browsing } from './visit';

const visit = browsing();
const line = (page: Page, id: string): Promise<string> => page.locator(`#line-${id}`).inputValue();
/** Shows the lines for one place, or the package. */
const goal = (page: Page, id: string) => page.locator('#goal').selectOption(id);
const inFrame = (page: Page) => page.frameLocator('attention-lab iframe');

describe('a lab', () => {
  it('is set up, seen and copied', async () => {
    const { page } = await visit('pages/embed/index.html?v=1&lab=kernel-trick');
    const frame = inFrame(page);
    await frame.locator('[data-drawn]').first().waitFor();
    expect(await line(page, 'link')).toMatch(/\/labs\/kernel-trick\/index\.html$/);

    // A knob turned in the frame is in every line.
    await frame.locator('attn-slider input').first().press('PageUp');
    await expect.poll(() => line(page, 'link')).toMatch(/\?v=1&\w+=/);
    const search = new URL(await line(page, 'link')).search;
    expect(new URL(page.url()).searchParams.get('q')).toBe(search.slice('?v=1&'.length));

    // Its knobs are listed, and locking one locks it in the frame.
    const lock = page.getByRole('checkbox', { name: /^Lock / }).first();
    const name = ((await lock.getAttribute('aria-label')) ?? '').replace('Lock ', '');
    await lock.check();
    await expect.poll(() => line(page, 'link')).toContain(`lock=${name}`);
    await frame.locator('.locked-note').first().waitFor();

    // A step that is left out is not in the outline.
    const steps = page.locator('fieldset').first().getByRole('checkbox');
    const all = await frame.locator('.outline li').count();
    await steps.first().uncheck();
    await expect.poll(() => line(page, 'link')).toContain('hide=');
    await expect.poll(() => frame.locator('.outline li').count()).toBe(all - 1);
    // The other figures have knobs, too.
    const tables = await page.locator('.knob-list table').count();
    await page.getByRole('button', { name: 'List the knobs of all figures' }).click();
    await expect
      .poll(() => page.locator('.knob-list table').count(), { timeout: 60_000 })
      .toBeGreaterThan(tables);
    expect(await line(page, 'iframe')).toContain('allow="clipboard-write"');
  });

  it('has its lines beside the settings that change them, and below them on a phone', async () => {
    const { page } = await visit('pages/embed/index.html?v=1&lab=kernel-trick');
    await inFrame(page).locator('[data-drawn]').first().waitFor();
    const lines = page.locator('#line-iframe');
    for (const [width, height] of [
      [1440, 900],
      [768, 1024],
    ] as const) {
      await page.setViewportSize({ width, height });
      const last = page.getByRole('checkbox', { name: /^Lock / }).last();
      await last.evaluate((one) => one.scrollIntoView({ block: 'center' }));
      await last.click();
      const box = await lines.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= height / 2, `${width}`).toBe(true);
      await expect.poll(() => lines.inputValue()).toContain('lock=');
      await last.click();
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const below = await page.locator('.lines').boundingBox();
    const settings = await page.locator('.settings').boundingBox();
    const end = (settings?.y ?? 0) + (settings?.height ?? 0);
    expect(Math.abs((below?.y ?? 0) - end)).toBeLessThan(60);
    await fits(page, [390, 360]);
  });

  it('is seen from the step at which it begins, below the lines, once the instructor comes to it', async () => {
    const { page } = await visit('pages/embed/index.html?v=1&lab=complexity&step=count');
    const step = inFrame(page).locator('#count');
    await step.waitFor({ state: 'attached' });
    await page.locator('attention-lab').evaluate((one) => one.scrollIntoView());
    const below = async (): Promise<number> => {
      const [lines, title] = await Promise.all([
        page.locator('.lines').boundingBox(),
        step.locator('h2').boundingBox(),
      ]);
      return (title?.y ?? 0) - (lines?.y ?? 0) - (lines?.height ?? 0);
    };
    await expect
      .poll(async () => Math.abs(50 - (await below())), { timeout: 30_000 })
      .toBeLessThan(50);
  });

  it('leads there from its menu, with what is shown', async () => {
    const { page } = await visit('labs/kernel-trick/index.html?v=1&hide=seed');
    await page.locator('figure, .lab-opening').first().hover();
    const menu = page.locator('.figure-tools').first();
    await menu.locator('summary').click();
    await menu.getByRole('button', { name: 'Embed this view in a course page' }).click();
    await page.waitForURL('**/pages/embed/**');
    expect(new URL(page.url()).search).toBe('?v=1&lab=kernel-trick&q=hide%3Dseed');
    await expect.poll(() => line(page, 'link')).toContain('hide=seed');
  });

  it('and so do the pictures of the lab of feature maps', async () => {
    const { page } = await visit('labs/feature-maps/index.html?v=1&map=relu');
    await page
      .getByRole('button', { name: 'Embed this view in a course page: Difference' })
      .click();
    await page.waitForURL('**/pages/embed/**');
    await expect
      .poll(() => line(page, 'link'))
      .toMatch(/labs\/feature-maps\/index\.html\?v=1&map=relu/);
  });
});

it('an exercise leads there without its code, and its hints are taken away', async () => {
  const { page } = await visit('pages/exercises/index.html?v=1&id=stable-softmax');
  await page.locator('details.files summary').click();
  await page.getByRole('button', { name: 'Embed in a course page' }).click();
  await page.waitForURL('**/pages/embed/**');
  await inFrame(page).locator('.run-button').waitFor();
  await page.getByRole('checkbox', { name: 'Hints' }).uncheck();
  await expect
    .poll(() => line(page, 'link'))
    .toMatch(/pages\/exercises\/index\.html\?v=1&id=stable-softmax&hide=hints$/);
});

it('says that its lines name this computer, and takes the address of the site', async () => {
  const { page } = await visit('pages/embed/index.html?v=1&lab=complexity');
  await inFrame(page).locator('[data-drawn]').first().waitFor();
  const here = new URL(await line(page, 'link')).origin;
  expect(await page.locator('#local').textContent()).toContain('name this computer');
  const address = page.getByLabel('Address of your site');
  // What the address bar of the site says there does as well.
  await address.fill('https://your.site/attention-labs/index.html?v=1');
  // The lab in the frame goes on loading, and each of its figures updates the page.
  await page.evaluate(async () => {
    const element = document.querySelector('attn-embed-page') as LitElement;
    element.requestUpdate();
    await element.updateComplete;
  });
  await address.press('Tab');
  const site = 'https://your.site/attention-labs/';
  for (const id of ['link', 'iframe', 'element', 'graded', 'myst', 'quarto', 'sphinx', 'pretext']) {
    await expect.poll(() => line(page, id), { message: id }).toContain(site);
    expect(await line(page, id)).not.toContain(here);
  }
  // The lab in the frame is still the one that is there, and so are the files of a package.
  expect(await page.locator('attention-lab').getAttribute('base')).toContain(here);
  await goal(page, 'scorm');
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    page.getByRole('button', { name: 'Make the package' }).click(),
  ]);
  const zip = unzipSync(new Uint8Array(await readFile(await download.path())));
  expect(strFromU8(zip['package.html'] ?? new Uint8Array())).toContain(`${site}labs/complexity/`);
  await address.fill('nonsense');
  await address.press('Tab');
  await expect.poll(() => line(page, 'link')).toContain(here);
  expect(await address.inputValue()).toBe('nonsense');
  expect(await page.getByRole('alert').textContent()).toContain('not an address');
});

describe('a SCORM package', () => {
  const button = (page: Page) => page.getByRole('button', { name: 'Make the package' });
  const made = async (page: Page) => {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      button(page).click(),
    ]);
    const zip = new Uint8Array(await readFile(await download.path()));
    return { name: download.suggestedFilename(), zip };
  };
  const unzipped = (zip: Uint8Array) =>
    Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, strFromU8(bytes, true)] as const);

  it('of ten kilobytes is the one that the command line makes', async () => {
    const { page } = await visit(
      'pages/embed/index.html?v=1&lab=complexity&step=count&q=n%3D64%26lock%3Dn%26steps%3Dcount',
    );
    await inFrame(page).locator('[data-drawn]').first().waitFor();
    await goal(page, 'scorm');
    const { name, zip } = await made(page);
    expect(name).toBe('complexity-en-scorm-1.2-remote.zip');
    expect(zip.length).toBeLessThan(10_240);
    const remote = inject('siteUrl').replace(/ /g, '%20');
    const options = { scorm: '1.2', lab: 'complexity', language: 'en', remote } as const;
    const expected = await packageOf({ ...options, query: 'n=64&lock=n', ...count });
    expect(unzipped(zip)).toEqual(unzipped(expected));
    // Byte for byte, so that a package of either is the same upload.
    expect(Buffer.from(zip).equals(expected)).toBe(true);
    await expect.poll(() => page.locator('.package .status').textContent()).toMatch(/^Downloaded/);
  });
  const count = { step: 'count', steps: ['count'] } as const;

  it('with the whole of a German exercise is the one that the command line makes; Stop stops it', async () => {
    const { page, requests } = await visit(
      'de/pages/embed/index.html?v=1&exercise=stable-softmax&q=hide%3Dsolution',
    );
    await inFrame(page).locator('.run-button').waitFor();
    await goal(page, 'scorm');
    await page.getByRole('radio', { name: /Das ganze Lab/ }).check();
    await page.locator('#scorm').selectOption('2004');
    const pack = page.getByRole('button', { name: 'Paket packen' });
    const status = page.locator('.package .status');
    const stop = page.getByRole('button', { name: 'Anhalten' });
    // What packs is fetched at the first press, and does not arrive before the page is stopped.
    let arrive = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.context().route(/make-package/, (route) => stopped.then(() => route.continue()));
    await pack.click();
    await stop.click();
    arrive();
    await expect.poll(() => status.textContent()).toBe('Angehalten.');
    // No file arrives until the page is stopped.
    await page.context().route(/files\.json/, () => undefined);
    await pack.click();
    await expect.poll(() => status.textContent()).toContain('gelesen');
    await stop.click();
    await expect.poll(() => status.textContent()).toBe('Angehalten.');
    await page.context().unroute(/files\.json/);

    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      pack.click(),
    ]);
    expect(download.suggestedFilename()).toBe('stable-softmax-de-scorm-2004.zip');
    const zip = new Uint8Array(await readFile(await download.path()));
    const options = { scorm: '2004', lab: '', exercise: 'stable-softmax', language: 'de' } as const;
    const expected = await packageOf({ ...options, hide: ['solution'] });
    expect(unzipped(zip).map(([path]) => path)).toEqual(unzipped(expected).map(([path]) => path));
    expect(Buffer.from(zip).equals(expected)).toBe(true);
    expect(requests.some((address) => address.endsWith('/files.json'))).toBe(true);
  });

  it('names the file that does not come', async () => {
    const { page } = await visit('pages/embed/index.html?v=1&lab=complexity', {
      expectedErrors: /404/,
    });
    await page.context().route(/files\.json/, (route) => route.fulfill({ status: 404, body: '' }));
    await goal(page, 'scorm');
    await page.getByRole('radio', { name: /The whole lab/ }).check();
    await button(page).click();
    await expect
      .poll(() => page.locator('.package .status').textContent())
      .toMatch(/^No package was made: .*files\.json: 404$/);
  });
});

it('speaks German, and says what it does not know', async () => {
  const { page } = await visit('de/pages/embed/index.html?v=1&lab=nothing');
  await page.getByRole('alert').filter({ hasText: 'nothing' }).waitFor();
  await expect.poll(() => line(page, 'link')).toContain('/de/labs/');
  await page.locator('#in').selectOption('en');
  await expect.poll(() => line(page, 'link')).not.toContain('/de/');
});
