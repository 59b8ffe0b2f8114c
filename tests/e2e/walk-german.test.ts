import { describe, expect, it } from 'vitest';
import { colourViolations, violations } from './axe';
import { leftovers } from './leftovers';
import { arrive, fits } from './through';
import { browsing, german } from './visit';
import { about, inEnglish, other, startOf, walk, walks } from './walk';

const visit = browsing();

describe.each(walks)('%s', (path) => {
  it('has the same structure in German, and no English sentence', async () => {
    const { page } = await visit(german(startOf(path)), {
      ...{ locale: 'de-DE', colorScheme: 'dark', reducedMotion: 'reduce' },
      viewport: { width: 390, height: 900 },
    });
    const spoken = inEnglish(path) ? 'en' : 'de';
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(spoken);
    // A lab in English is walked on its English page, which this is too, but for a line.
    if (inEnglish(path)) await arrive(page);
    else await walk(page, path);

    const [title, description] = await about(page);
    expect((await page.title()).startsWith(title ?? '?') || path.includes('?')).toBe(true);
    if (!inEnglish(path)) expect(description).toMatch(/[äöüß]|\b(?:und|in|mit|von)\b/i);
    expect(await other(page, 'English').count()).toBe(1);
    const headings = await page
      .locator('attn-lab > section > h2, attn-lab h2[id]')
      .allTextContents();
    expect(new Set(headings).size).toBe(headings.length);
    if (inEnglish(path)) expect(await page.locator('main [lang=de]').count()).toBe(1);
    else expect(await leftovers(page)).toEqual([]);

    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await colourViolations(page), 'light').toEqual([]);
    await fits(page, [360, 2560]);
    await other(page, 'English').click();
    await expect.poll(() => new URL(page.url()).pathname).not.toContain('/de/');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    const english = (await about(page))[1];
    if (inEnglish(path)) expect(english).toBe(description);
    else expect(english).not.toBe(description);
  });
});
