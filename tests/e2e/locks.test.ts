/** What the author of a link has fixed or taken away, as a reader meets it. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { embeddedLab } from '../tools/readme.mjs';
import { arrive } from './through';
import { browsing, german } from './visit';

const visit = browsing();
const opening = (page: Page) => page.locator('attn-feature-maps-lab');
const searchOf = (page: Page) => new URL(page.url()).searchParams;

it("the README's example offers as many knobs as it says", async () => {
  const [, query = ''] = /labs\/feature-maps\/(\?[^"]+)/.exec(embeddedLab()) ?? [];
  expect(query).toContain('hide=');
  const { page } = await visit(`labs/feature-maps/index.html${query}`, { folded: true });
  // The knobs are counted once the core has named the maps.
  await opening(page).and(page.locator('[data-drawn]')).waitFor();
  const more = opening(page).locator('.more-knobs');
  const said = Number(/\d+/.exec((await more.textContent()) ?? '')?.[0]);
  await more.click();
  const knobs = opening(page).locator('.sheet [data-knob]');
  await expect.poll(() => knobs.count()).toBe(said);
  await expect.poll(() => opening(page).locator('[data-knob=seed]').count()).toBe(0);
});

it.each([
  ['labs/feature-maps/index.html', 'Locked by the author of this page'],
  [german('labs/feature-maps/index.html'), 'Festgelegt von der Person, die den Link gemacht hat'],
])(
  'what is locked in %s says so, and neither a try nor a number in the text moves it',
  async (path, words) => {
    const { page } = await visit(`${path}?v=1&map=relu&input=gaussian&n=24&dk=8&lock=map,dk`);
    await arrive(page);
    const figure = opening(page);
    const note = figure.locator('[data-knob=map] .locked-note');
    expect((await note.textContent())?.trim()).toBe(words);
    expect(await note.isVisible()).toBe(true);
    expect(await figure.locator('[data-knob=map] select').isDisabled()).toBe(true);
    const before = searchOf(page).toString();

    const number = page.locator('attn-knob-number[knob=dK] [role=slider]').first();
    expect(await number.getAttribute('aria-disabled')).toBe('true');
    expect(await number.getAttribute('aria-label')).toContain(words);
    await number.press('ArrowRight');
    const { x = 0, y = 0 } = (await number.boundingBox()) ?? {};
    await page.mouse.move(x + 3, y + 3);
    await page.mouse.down();
    await page.mouse.move(x + 80, y + 3);
    await page.mouse.up();
    expect(searchOf(page).toString()).toBe(before);

    // This try would set the map; the next one sets neither, and the locked knobs stay in it.
    const refused = page.locator('[data-try="opening-sign"]');
    await refused.click();
    const why = page.locator('li', { has: refused }).locator('.refused');
    expect(await why.textContent()).toContain(`${words}: map`);
    expect(await page.locator('.lab-status').textContent()).toContain(`${words}: map`);
    expect(await refused.getAttribute('aria-pressed')).toBe('false');
    expect(await figure.locator('.trying').count()).toBe(0);

    const held = page.locator('[data-try="opening-causal"]');
    await held.click();
    await expect.poll(() => held.getAttribute('aria-pressed')).toBe('true');
    expect(await figure.locator('[data-knob=map] select').inputValue()).toBe('relu');

    // Nor does a reset.
    await figure.locator('.reset').click();
    expect(searchOf(page).get('map')).toBe('relu');
    expect(searchOf(page).get('dk')).toBe('8');
  },
);

it('a length that is locked does not grow by itself, and has no edge to pull', async () => {
  const { page } = await visit('labs/complexity/index.html?v=1&n=64&lock=n');
  const grow = page.locator('attn-complexity-blocks, .lab-opening').locator('.grow').first();
  await grow.waitFor();
  expect(await grow.isDisabled()).toBe(true);
  await page.locator('.blocks svg').first().waitFor();
  await page.locator('.edge-grip').first().waitFor({ state: 'attached' });
  expect(await page.locator('.edge-grip[aria-label^="n"]').count()).toBe(0);
  expect(searchOf(page).get('n')).toBe('64');
});

it('an exercise gives neither hints nor a solution where its link takes them away', async () => {
  const { page } = await visit(
    'pages/exercises/index.html?v=1&id=elu-feature-map&hide=hints,solution',
  );
  await page.locator('.run-button').waitFor();
  expect(await page.locator('.hints').textContent()).toContain(
    'taken the hints and the solution away',
  );
  expect(await page.locator('.hints button').count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
  // The next exercise and the list do not give them back.
  await page.locator('nav.steps a[rel=next]').click();
  await expect.poll(() => searchOf(page).get('id')).not.toBe('elu-feature-map');
  expect(searchOf(page).get('hide')).toBe('hints,solution');
  await expect.poll(() => page.locator('.hints').textContent()).toContain('away');
});

it('the exercises in a lab keep to it too, and so do their links', async () => {
  const { page } = await visit('labs/feature-maps/index.html?v=1&hide=hints');
  await arrive(page);
  expect(await opening(page).locator('.notice').count()).toBe(0);
  const list = page.locator('attn-write-it').first();
  await page.locator('.exercises attn-load-when-near').first().scrollIntoViewIfNeeded();
  const first = list.locator('li .button').first();
  await first.click();
  await list.locator('.run-button').waitFor();
  const hints = list.locator('.hints');
  expect(await hints.textContent()).toContain('taken the hints away');
  expect(await hints.locator('ol').count()).toBe(0);
  expect(await list.locator('a[href$="hide=hints"]').count()).toBeGreaterThan(0);
});
