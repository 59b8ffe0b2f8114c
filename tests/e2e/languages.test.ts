/**
 * Tests which visitor sees English and which German, how a visitor changes the language, and that German pages are
 * German.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, lab, type Visit } from './visit';

const visit = browsing();
const GERMAN = { locale: 'de-DE' } as const;

const switched = (page: Page, to: string) =>
  page.locator('attn-language-switch').getByRole('link', { name: to });
const spoken = (page: Page) => page.getAttribute('html', 'lang');
const words = (requests: Visit['requests']) =>
  requests.filter((one) => /\/de-[\w-]+\.js/.test(one));

describe('which language a page speaks', () => {
  it('is the language of the browser', async () => {
    const { page } = await visit('index.html', GERMAN);
    await expect.poll(() => spoken(page)).toBe('de');
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toMatch(/^Versteh/);
  });

  it('is English for a visitor whose languages the site lacks, and no German is loaded', async () => {
    const { page, requests } = await visit(lab, { locale: 'fr-FR' });
    await page.locator('figcaption').first().waitFor();
    await expect.poll(() => spoken(page)).toBe('en');
    expect(words(requests)).toEqual([]);
  });

  it('is the language that was chosen before, even if the browser’s is another', async () => {
    const { page } = await visit('index.html', GERMAN);
    await switched(page, 'English').click();
    await expect.poll(() => spoken(page)).toBe('en');
    // The new tab has no `lang=` in its link and no session of its own.
    const again = await page.context().newPage();
    await again.goto(new URL('index.html', page.url()).href.replace(/\?.*/, ''));
    await expect.poll(() => spoken(again)).toBe('en');
  });

  it('is first of all the language of the link, in this tab only', async () => {
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

  it('is right with the first paint', async () => {
    const { page } = await visit('index.html', {
      ...GERMAN,
      // The page is looked at before any module has run.
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
});

describe('the switch', () => {
  it('keeps what the link says, and what was changed since', async () => {
    const { page } = await visit(`${lab}?map=relu&input=gaussian&n=24&hide=export`);
    await expect.poll(() => page.locator('figcaption').first().textContent()).toContain('n = 24');
    const slider = page.getByRole('slider', { name: /tokens/ }).first();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => new URL(page.url()).searchParams.get('n')).not.toBe('24');
    const n = new URL(page.url()).searchParams.get('n');
    // The switch is a link, so that every page's switch can be reached by keyboard.
    await switched(page, 'Deutsch').focus();
    await page.keyboard.press('Enter');
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
    // Turning a knob afterwards keeps the language in the link.
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
  it('report errors in German', async () => {
    const { page } = await visit(`${lab}?n=5000&input=gaussian`, GERMAN);
    await expect
      .poll(() => page.getByText(/Der Link sagt n = '5000'; erwartet: eine ganze Zahl von/).count())
      .toBe(1);
  });

  it('fetch a lab’s own words with the first move', async () => {
    // In a taller window the text below the pictures would belong to the first view.
    const viewport = { width: 1280, height: 720 };
    const { page, requests } = await visit(lab, { ...GERMAN, viewport });
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map ELU + 1');
    await page.locator('.about-map .fine').getByText('Positiv, also').waitFor();
    expect(words(requests)).toEqual([]);
    await page.mouse.move(9, 9);
    await page.getByRole('heading', { name: 'Wie weit liegen sie auseinander?' }).waitFor();
    await page.locator('attn-comparison').getByText('Mittlerer quadratischer Fehler').waitFor();
    await expect.poll(() => words(requests).length).toBeGreaterThan(0);
    await page.getByLabel('Feature Map φ').first().selectOption('relu');
    await page.locator('.about-map .fine').getByText('Bei wenigen Dimensionen').waitFor();
  });

  it('call the feature maps by German names', async () => {
    const { page } = await visit(`${lab}?map=identity`, GERMAN);
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map Identität');
  });
});
