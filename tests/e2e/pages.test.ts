import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { shows } from './lab';
import { browsing, lab } from './visit';

const visit = browsing();
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

  it('keeps the theme that the visitor chose', async () => {
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
});
