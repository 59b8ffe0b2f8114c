/** English or German: who gets which, how one changes it, and that German pages are German. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { leftovers } from './leftovers';
import { browsing, lab, pages, type Visit } from './visit';

const visit = browsing();
const GERMAN = { locale: 'de-DE' } as const;
/** For a walk over every page, on a machine that does something else too. */
const WALK_MS = 300_000;

const switched = (page: Page, to: string) =>
  page.locator('attn-language-switch').getByRole('link', { name: to });
const spoken = (page: Page) => page.getAttribute('html', 'lang');
const words = (requests: Visit['requests']) =>
  requests.filter((one) => /words-[\w-]+-de/.test(one));

describe('which language a page speaks', () => {
  it('is the browser’s', async () => {
    const { page } = await visit('index.html', GERMAN);
    await expect.poll(() => spoken(page)).toBe('de');
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toMatch(/^Versteh/);
  });

  it('is English for those whose languages are not here, and they load no German', async () => {
    const { page, requests } = await visit(lab, { locale: 'fr-FR' });
    await page.locator('figcaption').first().waitFor();
    await expect.poll(() => spoken(page)).toBe('en');
    expect(words(requests)).toEqual([]);
  });

  it('is what was chosen before, even if the browser’s is another', async () => {
    const { page } = await visit('index.html', GERMAN);
    await switched(page, 'English').click();
    await expect.poll(() => spoken(page)).toBe('en');
    // Without the link's word for it, and in a tab that knows nothing of it.
    const again = await page.context().newPage();
    await again.goto(new URL('index.html', page.url()).href.replace(/\?.*/, ''));
    await expect.poll(() => spoken(again)).toBe('en');
  });

  it('is above all the link’s, for this tab, and no choice for later', async () => {
    const { page } = await visit('index.html', GERMAN);
    await switched(page, 'English').click();
    await expect.poll(() => spoken(page)).toBe('en');
    await page.goto(new URL('index.html?lang=de', page.url()).href);
    await expect.poll(() => spoken(page)).toBe('de');
    await page.locator('.lab h3 a').first().click();
    await expect.poll(() => new URL(page.url()).pathname).toContain('/labs/');
    await expect.poll(() => spoken(page)).toBe('de');
    const later = await page.context().newPage();
    await later.goto(new URL('../../index.html', page.url()).href);
    await expect.poll(() => spoken(later)).toBe('en');
  });

  it('is there with the first paint', async () => {
    const { page } = await visit('index.html', {
      ...GERMAN,
      // What the page shows while no module has run yet.
      before: (context) =>
        context.route('**/*.js', async (route) => {
          if (!route.request().url().endsWith('theme.js')) {
            await new Promise((resolve) => setTimeout(resolve, 1500));
          }
          await route.continue();
        }),
    });
    await expect.poll(() => spoken(page)).toBe('de');
    await expect.poll(() => page.getByText('Der Kurs').first().isVisible()).toBe(true);
    await expect.poll(() => page.getByText('The course').first().isVisible()).toBe(false);
  });

  it('stays English where the German words cannot be fetched, and works', async () => {
    const { page } = await visit(lab, {
      ...GERMAN,
      before: (context) => context.route('**/words-interface-de*', (route) => route.abort()),
      expectedErrors: /words-interface-de|ERR_FAILED/,
    });
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('A sentence of');
  });
});

describe('the switch', () => {
  it(
    'is on every page, with a name in its own language, and reached by keyboard',
    async () => {
      for (const path of pages()) {
        const { page } = await visit(path);
        const link = switched(page, 'Deutsch');
        await expect.poll(() => link.count(), { message: path }).toBe(1);
        await expect.poll(() => link.getAttribute('lang')).toBe('de');
        await link.focus();
        await page.keyboard.press('Enter');
        await expect.poll(() => spoken(page), { message: path }).toBe('de');
        await expect.poll(() => switched(page, 'English').count(), { message: path }).toBe(1);
      }
    },
    WALK_MS,
  );

  it('keeps what the link says, and what was changed since', async () => {
    const { page } = await visit(`${lab}?map=relu&input=gaussian&n=24&hide=export`);
    await expect.poll(() => page.locator('figcaption').first().textContent()).toContain('n = 24');
    const slider = page.getByRole('slider', { name: /tokens/ }).first();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => new URL(page.url()).searchParams.get('n')).not.toBe('24');
    const n = new URL(page.url()).searchParams.get('n');
    await switched(page, 'Deutsch').click();
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain(`Normalverteilte Q, K, V mit n = ${n}`);
    await expect.poll(() => page.locator('figcaption').first().textContent()).toContain('ReLU');
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('map'), asked.get('hide'), asked.get('lang')]).toEqual([
      'relu',
      'export',
      'de',
    ]);
    // Knobs turned afterwards leave the language in the link.
    await page.getByRole('slider', { name: /Token/ }).first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => new URL(page.url()).searchParams.get('n')).not.toBe(n);
    expect(new URL(page.url()).searchParams.get('lang')).toBe('de');
  });

  it('keeps the code of an exercise', async () => {
    const { page } = await visit('pages/exercises/index.html?id=attention&lang=en');
    const code = () => page.evaluate(() => document.querySelector('attn-code-editor')?.value ?? '');
    await page.locator('attn-code-editor textarea, attn-code-editor .cm-content').first().focus();
    await page.locator('attn-code-editor .cm-content').waitFor();
    await page.keyboard.insertText('# mine\n');
    await expect.poll(code).toContain('# mine');
    await switched(page, 'Deutsch').click();
    await expect.poll(() => spoken(page)).toBe('de');
    await expect.poll(code).toContain('# mine');
  });
});

describe('German pages', () => {
  it(
    'have German titles, and say in German what they are about',
    async () => {
      const titles = new Map<string, string>();
      const about = (page: Page) =>
        page.evaluate(() =>
          ['og:title', 'og:description'].map((name) =>
            document.querySelector(`meta[property="${name}"]`)?.getAttribute('content'),
          ),
        );
      for (const path of pages()) {
        const { page } = await visit(path, GERMAN);
        await expect.poll(() => spoken(page)).toBe('de');
        titles.set(path, await page.title());
        const [title, description] = await about(page);
        expect((await page.title()).startsWith(title ?? '?'), path).toBe(true);
        expect(description, path).toMatch(/[äöüß]|\b(?:und|in|mit|von)\b/i);
        await page.goto(`${page.url().replace(/\?.*/, '')}?lang=en`);
        expect((await about(page))[1], path).not.toBe(description);
      }
      expect(titles.get('pages/exercises/index.html')).toBe('Übungen · Attention Labs');
      expect(titles.get('pages/speed/index.html')).toBe('Wie schnell ist das? · Attention Labs');
    },
    WALK_MS,
  );

  it.each(['light', 'dark'] as const)(
    'have nothing axe objects to: %s',
    async (colorScheme) => {
      for (const path of pages()) {
        const { page } = await visit(path, { ...GERMAN, colorScheme });
        await page.mouse.move(9, 9);
        await expect.poll(() => switched(page, 'English').count()).toBe(1);
        await page.waitForLoadState('networkidle');
        expect(await violations(page), path).toEqual([]);
      }
    },
    WALK_MS,
  );

  it.each([360, 2560])(
    'fit into %i pixels',
    async (width) => {
      for (const path of pages()) {
        const { page } = await visit(path, { ...GERMAN, viewport: { width, height: 900 } });
        await page.mouse.move(9, 9);
        await page.waitForLoadState('networkidle');
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, path).toBeLessThanOrEqual(0);
      }
    },
    WALK_MS,
  );

  it(
    'say nothing that the English ones say',
    async () => {
      const found: string[] = [];
      for (const path of [...pages(), 'pages/exercises/index.html?id=attention']) {
        const { page } = await visit(path, GERMAN);
        await expect.poll(() => spoken(page)).toBe('de');
        for (const sentence of await leftovers(page)) found.push(`${path}: ${sentence}`);
      }
      expect(found).toEqual([]);
      // On an English page that very search finds a lot.
      const { page } = await visit(lab);
      expect((await leftovers(page)).length).toBeGreaterThan(50);
    },
    WALK_MS,
  );

  it('complain in German', async () => {
    const { page } = await visit(`${lab}?n=5000&input=gaussian`, GERMAN);
    await expect
      .poll(() => page.getByText(/Der Link sagt n = '5000'; erwartet: eine ganze Zahl von/).count())
      .toBe(1);
  });

  it('fetch what the first view does not say with the first move', async () => {
    // In a taller window what is below the pictures is part of the first view.
    const viewport = { width: 1280, height: 720 };
    const { page, requests } = await visit(lab, { ...GERMAN, viewport });
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map ELU + 1');
    await page.locator('.about-map .fine').getByText('Positiv, also').waitFor();
    expect(words(requests)).toHaveLength(1);
    await page.mouse.move(9, 9);
    await page.getByRole('heading', { name: 'Wie weit liegen sie auseinander?' }).waitFor();
    await page.locator('attn-comparison').getByText('Mittlerer quadratischer Fehler').waitFor();
    expect(words(requests)).toHaveLength(2);
    await page.getByLabel('Feature Map φ').first().selectOption('relu');
    await page.locator('.about-map .fine').getByText('Bei wenigen Dimensionen').waitFor();
  });

  it('stay as they are when the later words are slow or lost, and ask for them again', async () => {
    let lost = 2;
    const { page } = await visit(lab, {
      ...GERMAN,
      before: (context) =>
        context.route('**/words-interface-later-de*', (route) =>
          lost-- > 0 ? route.abort() : route.continue(),
        ),
      expectedErrors: /words-interface-later-de|ERR_FAILED|could not be loaded/,
    });
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map ELU + 1');
    for (let x = 9; x < 60; x += 9) {
      await page.mouse.move(x, x);
      await page.waitForTimeout(100);
    }
    await page.getByRole('heading', { name: 'Wie weit liegen sie auseinander?' }).waitFor();
    await expect.poll(() => page.locator('attn-lab > section').count()).toBeGreaterThan(3);
  });

  it('call the feature maps by German names', async () => {
    const { page } = await visit(`${lab}?map=identity`, GERMAN);
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map Identität');
  });
});
