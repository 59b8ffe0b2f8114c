/** The instructor's page: what is turned in its frame is in its lines, and its lines show the same lab elsewhere. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing } from './visit';

const visit = browsing();
const line = (page: Page, id: string): Promise<string> => page.locator(`#line-${id}`).inputValue();
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

it('speaks German, and says what it does not know', async () => {
  const { page } = await visit('de/pages/embed/index.html?v=1&lab=nothing');
  await page.getByRole('alert').filter({ hasText: 'nothing' }).waitFor();
  await expect.poll(() => line(page, 'link')).toContain('/de/labs/');
  await page.locator('#in').selectOption('en');
  await expect.poll(() => line(page, 'link')).not.toContain('/de/');
});
