import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { colourViolations, violations, violationsBesideColours } from './axe';
import { leftovers } from './leftovers';
import { fits, longestAddress, mostOfAddress, noteAddresses } from './through';
import { browsing, lab } from './visit';
import { inEnglish, other, startOf, walk, walks } from './walk';

const visit = browsing();

/**
 * The fonts of a whole lab with all its formulas have a budget of their own; the fonts of its first view belong to
 * the first load.
 */
async function fonts(page: Page, requests: readonly string[]): Promise<void> {
  const loaded = await page.evaluate(() =>
    [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replace(/"/g, '')),
  );
  expect(loaded).toEqual(
    expect.arrayContaining(['AL Sans', 'AL Serif', 'KaTeX_Main', 'KaTeX_Math']),
  );
  const asked = requests.filter((address) => address.endsWith('.woff2'));
  expect(new Set(asked).size, 'none twice').toBe(asked.length);
  let bytes = 0;
  for (const address of asked) bytes += (await (await page.request.get(address)).body()).length;
  expect(bytes).toBeLessThan(64 * 1024);
}

/** The addresses that answered. The same links are on many pages. */
const answered = new Set<string>();

async function leadsSomewhere(page: Page): Promise<void> {
  const links = await page
    .locator('a[href]')
    .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
  const { origin } = new URL(page.url());
  const own = links.filter((address) => address.startsWith(origin));
  for (const link of new Set(own.map((address) => address.replace(/#.*/, '')))) {
    if (answered.has(link)) continue;
    expect((await page.request.get(link)).status(), link).toBe(200);
    answered.add(link);
  }
}

/** A figure has at most three knobs at first sight and a view of it two; the others are in its sheet, one press away. */
async function knobs(page: Page): Promise<void> {
  const seen = await page.evaluate(() =>
    [...document.querySelectorAll('.bench, attn-lab .view')].map((place) => {
      const figure = place.querySelector('figure')?.id ?? '';
      const prefix = place.matches('.bench') || !figure ? undefined : `${figure}.`;
      // What the link has set is at first sight, too.
      const { search } = location;
      const linked = [...new URLSearchParams(search).keys()].filter(
        (key) => prefix && key.startsWith(prefix),
      );
      const most = place.closest('attn-view') ? 2 : 3 + linked.length;
      // Lists and switches may stand in the picture, where they act; a clock there is where one looks. One that a
      // question has set says there what was asked.
      const there = [
        ...place.querySelectorAll(':is(.knobs .knob, .knob:has(select, [type=checkbox]))'),
      ].filter((knob) => knob.checkVisibility() && !knob.matches('.changed:not(.knobs *)'));
      // Pictures to choose by stand with the result; whose key is asked for is where one looks.
      const choices = [
        ...place.querySelectorAll('[data-knob] :is(.segments, fieldset:not(.st-ask))'),
      ]
        .filter((one) => one.checkVisibility())
        .map((one) => one.querySelectorAll('input').length);
      return {
        figure: figure || place.closest('attn-view')?.parentElement?.dataset.view,
        ...{ knobs: there.length, most, choices: Math.max(0, ...choices) },
      };
    }),
  );
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.filter(({ knobs, most, choices }) => knobs > most || choices > 4)).toEqual([]);

  const sheets = await page.evaluate(async () => {
    const wrong: string[] = [];
    let count = 0;
    const frame = () => new Promise(requestAnimationFrame);
    for (const more of document.querySelectorAll<HTMLElement>('.more-knobs')) {
      if (!more.checkVisibility()) continue;
      count++;
      const sheet = document.getElementById(more.getAttribute('aria-controls') ?? '');
      // A view is drawn again where it can be seen.
      more.scrollIntoView({ block: 'center', behavior: 'instant' });
      await frame();
      await frame();
      more.click();
      for (let i = 0; i < 60 && !sheet?.matches(':popover-open'); i++) await frame();
      const has = [...(sheet?.querySelectorAll('.knob, .about') ?? [])];
      if (!has.some((one) => one.checkVisibility())) wrong.push(`${more.id} opens nothing`);
      sheet?.querySelector<HTMLElement>('.sheet-head button')?.click();
      for (let i = 0; i < 60 && sheet?.matches(':popover-open'); i++) await frame();
      if (sheet?.checkVisibility()) wrong.push(`${more.id} does not close`);
      // The focus comes back after the sheet is gone; a sheet that is opened before would lose it, and close.
      for (let i = 0; i < 60 && document.activeElement !== more; i++) await frame();
      if (document.activeElement !== more) wrong.push(`${more.id} does not get the focus back`);
    }
    return { count, wrong };
  });
  expect(sheets.count).toBeGreaterThan(4);
  expect(sheets.wrong).toEqual([]);
  // What follows is asked of all that there is, so it unfolds in its place.
  // A view's sheet holds what its figure's own one has.
  const folded = '.more-knobs[aria-expanded="false"]:not(attn-view *)';
  await page.evaluate((folded) => {
    document.documentElement.dataset.unfolded = '';
    for (const more of document.querySelectorAll<HTMLElement>(folded)) more.click();
  }, folded);
  await expect.poll(() => page.locator(folded).count()).toBe(0);
}

/** Every heatmap whose rows are words can also be seen as lines between them. */
async function lines(page: Page): Promise<void> {
  const without = await page.locator('main attn-heatmap').evaluateAll((all) =>
    all
      .filter((one) => (one as HTMLElement & { rowLabels?: readonly string[] }).rowLabels)
      .filter((one) => !one.shadowRoot?.querySelector('button[aria-label*="arcs between words"]'))
      .map(
        (one) =>
          `${one.closest('figure')?.id}: ${one.shadowRoot?.querySelector('h2')?.textContent}`,
      ),
  );
  expect(without).toEqual([]);
}

/** The address stays short, whatever is pasted into the fields of a lab. */
async function fields(page: Page): Promise<void> {
  const pasted = await page
    .locator(
      'main :is(textarea, input:not([type=range], [type=radio], [type=checkbox], [type=file]))',
    )
    .evaluateAll((all) => {
      // In an address every one of these is ten characters, so that each field by itself would be too long for it.
      const huge = 'ж1 '.repeat(600);
      const fields = (all as (HTMLTextAreaElement | HTMLInputElement)[]).filter(
        (field) => field.checkVisibility() && !field.disabled && !field.readOnly,
      );
      for (const field of fields) {
        field.focus();
        field.select();
        // This is what a paste does, with all its events. Nothing else does it from a script.
        document.execCommand('insertText', false, huge);
        field.blur();
      }
      return fields.filter(({ value }) => value.length > 1000).length;
    });
  expect(pasted).toBeGreaterThan(0);
  // What is still being drawn to the address arrives within the interval of drafts. A time is what is tested, as no
  // address that is too long may come.
  await page.waitForTimeout(500);
  expect(await longestAddress(page)).toBeLessThanOrEqual(mostOfAddress);
}

describe.each(walks)('%s', (path) => {
  const isLab = path.startsWith('labs/');
  // One page shows everything, because loading a lab and computing its figures take longer than looking at them.
  const shown = visit.shared(startOf(path), {
    ...{ colorScheme: 'light', reducedMotion: 'reduce', folded: isLab },
    before: noteAddresses,
  });

  it('is complete, accessible in every look and as wide as its window', async () => {
    const { page, requests } = shown;
    await page.setViewportSize({ width: 1280, height: 900 });
    await walk(page, path);
    if (path === lab) await fonts(page, [...requests]);

    expect(await page.title()).toContain('Attention Labs');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    expect(await page.getAttribute('meta[name=description]', 'content')).toMatch(/.{40}/);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    // A link that says “in English for now” marks its words; without a language of its own it invites nobody.
    const marked = (link: HTMLElement): string | undefined =>
      (link.querySelector<HTMLElement>('[lang]') ?? link).lang;
    expect(await other(page, 'Deutsch').evaluate(marked)).toBe('de');
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await leadsSomewhere(page);
    if (isLab) await lines(page);
    if (isLab) await knobs(page);

    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page), 'dark').toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    expect(await colourViolations(page), 'forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await fits(page, [2560, 1440, 768, 390, 360]);
    // Where the page is walked in German too, the colours of a phone are checked there, in both themes.
    const onPhone = inEnglish(path) ? violations : violationsBesideColours;
    expect(await onPhone(page), 'on a phone').toEqual([]);
    // This proves that the search works: if it found nothing on the English page, finding nothing on the German page
    // would prove nothing.
    if (path === lab) expect((await leftovers(page)).length).toBeGreaterThan(50);

    await page.setViewportSize({ width: 1280, height: 900 });
    if (isLab) await fields(page);
  });
});
