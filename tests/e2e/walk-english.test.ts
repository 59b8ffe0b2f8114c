import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { colourViolations, violations } from './axe';
import { leftovers } from './leftovers';
import { fits } from './through';
import { browsing, lab } from './visit';
import { other, startOf, walk, walks } from './walk';

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

describe.each(walks)('%s', (path) => {
  it('is complete, accessible in every look and as wide as its window', async () => {
    const look = { colorScheme: 'light', reducedMotion: 'reduce' } as const;
    const { page, requests } = await visit(startOf(path), look);
    await walk(page, path);
    if (path === lab) await fonts(page, [...requests]);

    expect(await page.title()).toContain('Attention Labs');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    expect(await page.getAttribute('meta[name=description]', 'content')).toMatch(/.{40}/);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await other(page, 'Deutsch').getAttribute('lang')).toBe('de');
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);

    const links = await page
      .locator('a[href]')
      .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
    const { origin } = new URL(page.url());
    const own = links.filter((address) => address.startsWith(origin));
    for (const link of new Set(own.map((address) => address.replace(/#.*/, '')))) {
      expect((await page.request.get(link)).status(), link).toBe(200);
    }

    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page), 'dark').toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    expect(await colourViolations(page), 'forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await fits(page, [2560, 1440, 768, 390, 360]);
    expect(await violations(page), 'on a phone').toEqual([]);
    // This proves that the search works: if it found nothing on the English page, finding nothing on the German page
    // would prove nothing.
    if (path === lab) expect((await leftovers(page)).length).toBeGreaterThan(50);
  });
});
