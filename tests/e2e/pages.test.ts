import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { shows } from './lab';
import { browsing, lab, pages } from './visit';

const visit = browsing();
async function settle(page: Page, path: string): Promise<void> {
  if (path === lab) await shows(page, '.');
  if (path.startsWith('labs/')) {
    // What is below the opening comes with the visitor's first move.
    await page.mouse.move(9, 9);
    await page.locator('#summary').waitFor();
  }
  await page.evaluate(() => document.fonts.ready);
}

const looks = [
  { name: 'light, wide', colorScheme: 'light', width: 1440 },
  { name: 'dark, wide', colorScheme: 'dark', width: 1440 },
  { name: 'light, phone', colorScheme: 'light', width: 390 },
  { name: 'dark, phone', colorScheme: 'dark', width: 390 },
] as const;

describe('every page', () => {
  it.each(looks)('has nothing axe objects to: $name', async ({ colorScheme, width }) => {
    expect(pages()).toContain(lab);
    for (const path of pages()) {
      const { page } = await visit(path, { colorScheme, viewport: { width, height: 900 } });
      await settle(page, path);
      expect(await violations(page), path).toEqual([]);
    }
  });

  it.each([360, 390, 768, 2560])('fits into %i pixels', async (width) => {
    for (const path of pages()) {
      const { page } = await visit(path, { viewport: { width, height: 900 } });
      await settle(page, path);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });

  it('has a title, a language, a description and one main heading', async () => {
    for (const path of pages()) {
      const { page } = await visit(path);
      await settle(page, path);
      await expect.poll(() => page.title(), { message: path }).toContain('Attention Labs');
      await expect.poll(() => page.getAttribute('html', 'lang')).toBe('en');
      await expect
        .poll(() => page.getAttribute('meta[name=description]', 'content'))
        .toMatch(/.{40}/);
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).count(), { message: path })
        .toBe(1);
    }
  });

  it('leads only to pages that exist', async () => {
    for (const path of pages()) {
      const { page } = await visit(path);
      await settle(page, path);
      const links = await page
        .locator('a[href]')
        .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
      const { origin } = new URL(page.url());
      for (const link of new Set(links.filter((address) => address.startsWith(origin)))) {
        expect((await page.request.get(link)).status(), `${path} → ${link}`).toBe(200);
      }
    }
  });
});

describe('the lab', () => {
  it.each(['own', 'gaussian'])(
    'has nothing axe objects to with input %s, a table and a held cell',
    async (input) => {
      const { page } = await visit(`${lab}?input=${input}&q=2&k=3`);
      if (input === 'gaussian') {
        await shows(page, 'n = 64');
        await page.getByRole('button', { name: 'View as table: Difference' }).click();
        await page.locator('attn-matrix-table table').waitFor();
      } else {
        await page.getByRole('button', { name: 'Choose a file for Q' }).waitFor();
      }
      expect(await violations(page)).toEqual([]);
    },
  );

  it('keeps a chosen theme', async () => {
    const { page } = await visit(lab, { colorScheme: 'light' });
    await shows(page, '.');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    const button = page.locator('attn-theme-switch').getByRole('button');
    await button.click();
    await button.click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await expect.poll(() => paper()).toBe(dark);
  });

  it('fetches its fonts, and none twice', async () => {
    const { page, requests } = await visit(lab);
    await settle(page, lab);
    const loaded = (family: string): Promise<boolean> =>
      page.evaluate(
        (name) =>
          [...document.fonts].some(
            (face) => face.family.replace(/"/g, '') === name && face.status === 'loaded',
          ),
        family,
      );
    for (const family of ['AL Sans', 'AL Serif', 'KaTeX_Main', 'KaTeX_Math']) {
      await expect.poll(() => loaded(family), { message: family }).toBe(true);
    }
    const fonts = requests.filter((address) => address.endsWith('.woff2'));
    expect(new Set(fonts).size).toBe(fonts.length);
    let bytes = 0;
    for (const address of fonts) bytes += (await (await page.request.get(address)).body()).length;
    console.log(`fonts: ${fonts.length} files, ${bytes} bytes`);
    // Of all steps with their formulas; the first view's are in the budget of its first load.
    expect(bytes).toBeLessThan(64 * 1024);
  });
});
