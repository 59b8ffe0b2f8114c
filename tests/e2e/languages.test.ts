/** Tests how a visitor comes to the pages of a language, how the language is changed, and that German pages are German. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { patient } from '../tools/site.mjs';
import { moveMouse } from './through';
import { browsing, german, lab, type Visit } from './visit';

const visit = browsing();

const switched = (page: Page, to: string) =>
  page.locator('attn-language-switch').getByRole('link', { name: to });
const spoken = (page: Page) => page.getAttribute('html', 'lang');
/** The requested scripts; a script that both languages load has no words. */
const scripts = (requests: Visit['requests']) =>
  new Set(requests.flatMap((one) => /\/assets\/[^/]+\.js$/.exec(one)?.[0] ?? []));

describe('a page in a language', () => {
  it('is at its address, whatever the browser asks for, without scripts too', async () => {
    for (const [path, language, says] of [
      ['index.html', 'en', /^Twice the text/],
      [german('index.html'), 'de', /^Doppelt so viel/],
    ] as const) {
      const { page } = await visit(path, { locale: 'fr-FR', javaScriptEnabled: false });
      expect(await spoken(page)).toBe(language);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(says);
      const other = switched(page, language === 'en' ? 'Deutsch' : 'English');
      await other.click();
      await expect.poll(() => spoken(page)).toBe(language === 'en' ? 'de' : 'en');
    }
  });

  it('has no words of the other', async () => {
    const english = await visit(lab);
    await english.page.locator('figcaption').first().waitFor({ state: 'attached' });
    const other = await visit(german(lab));
    await other.page.locator('figcaption').first().waitFor({ state: 'attached' });
    const text = async ({ page, requests }: Visit): Promise<string> => {
      const sent = requests.filter((one) => /\.(?:js|html)$/.test(new URL(one).pathname));
      const all = sent.map(async (one) => (await page.request.get(one)).text());
      return (await Promise.all(all)).join('\n');
    };
    const [inEnglish, inGerman] = [await text(english), await text(other)];
    // Files are long, so they are looked through and not printed.
    const has = (text: string) => [text.includes('Colours'), text.includes('Farben')];
    expect(has(inEnglish)).toEqual([true, false]);
    expect(has(inGerman)).toEqual([false, true]);
  });

  it('invites a visitor whose browser asks for the other, and leads nowhere by itself', async () => {
    const { page } = await visit(lab, { locale: 'de-AT' });
    await page.locator('figcaption').first().waitFor({ state: 'attached' });
    expect(await spoken(page)).toBe('en');
    await switched(page, 'Auf Deutsch').click();
    await expect.poll(() => spoken(page)).toBe('de');
    expect(await switched(page, 'English').textContent()).toBe('English');
  });

  it('is opened by an old link with lang=, with its settings', async () => {
    const { page } = await visit(`${lab}?lang=de&map=relu&input=gaussian&n=24#ways`);
    await expect.poll(() => spoken(page)).toBe('de');
    await expect.poll(() => page.locator('figcaption').first().textContent()).toContain('n = 24');
    const { pathname, searchParams, hash } = new URL(page.url());
    expect([pathname.includes(`/${german(lab)}`), hash]).toEqual([true, '#ways']);
    expect([searchParams.get('lang'), searchParams.get('map')]).toEqual([null, 'relu']);
    // The page that only led here is no entry of the history.
    expect(await page.evaluate(() => history.length)).toBe(2);
    await page.goto(`${page.url().replace(/[?#].*/, '')}?lang=en`);
    await expect.poll(() => spoken(page)).toBe('en');
  });

  it('shares with the other what the visitor has done', async () => {
    const { page } = await visit('labs/complexity/index.html#count');
    const check = page.locator('attn-check').first();
    await check.locator('input').first().check();
    await check.locator('button[type=submit]').click();
    await check.locator('.verdict').filter({ hasText: /\S/ }).waitFor();
    await switched(page, 'Deutsch').click();
    await expect.poll(() => spoken(page)).toBe('de');
    await moveMouse(page);
    await expect.poll(() => page.locator('attn-check input').first().isChecked()).toBe(true);
  });
});

describe('a lab without German', () => {
  /** Its text as it is read, without the switch and the line in the other language. */
  const read = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const of = (root: Element | ShadowRoot): string => {
        let said = '';
        for (const node of root.childNodes) {
          if (node instanceof Text) said += node.data;
          if (!(node instanceof Element) || node.matches('script, style, attn-language-switch'))
            continue;
          if (node.matches('[lang=de]')) continue;
          said += `${node.getAttribute('aria-label') ?? ''} ${of(node)}`;
          if (node.shadowRoot) said += of(node.shadowRoot);
        }
        return said;
      };
      return of(document.body).replace(/\s+/g, ' ');
    });
  const stands = async (page: Page) => {
    await moveMouse(page);
    await page.getByRole('heading', { name: 'Which functions are kernels?' }).waitFor();
  };

  it('is the English page in the German site, but for one German line, and leads on in that site', async () => {
    const [english, there] = [
      await visit('labs/kernels/index.html'),
      await visit(german('labs/kernels/index.html')),
    ];
    await stands(english.page);
    await stands(there.page);
    expect(await spoken(there.page)).toBe('en');
    const line = there.page.locator('[lang=de]');
    await expect
      .poll(() => line.allTextContents())
      .toEqual(['Dieses Lab gibt es vorerst nur auf Englisch.']);
    const told = await read(english.page);
    expect(told.length).toBeGreaterThan(2000);
    await expect.poll(() => read(there.page)).toBe(told);
    // Of the two builds it has the English one, so no word of German can come.
    const inGerman = there.requests.filter((one) => /\/assets\/(?:\w+-)*de-[^/]*\.js$/.test(one));
    expect(inGerman).toEqual([]);
    await there.page.getByRole('link', { name: 'Attention Labs' }).click();
    await expect.poll(() => spoken(there.page)).toBe('de');
    expect(there.page.url()).toContain('/de/');
  });

  it('has a switch that leads to the English site and says before that German lacks it', async () => {
    const { page } = await visit('labs/kernels/index.html');
    expect(await switched(page, 'Deutsch').textContent()).toBe('Deutsch vorerst auf Englisch');
    await switched(page, 'Deutsch').click();
    await expect.poll(() => page.url()).toContain('/de/labs/kernels/');
    await switched(page, 'English').click();
    await expect.poll(() => page.url()).not.toContain('/de/');
  });
});

describe('an exercise without German', () => {
  const at = 'pages/exercises/index.html?v=1&id=smo-step';
  const title = 'Steps of sequential minimal optimisation';
  const opened = (page: Page) => page.getByRole('heading', { level: 1, name: title }).waitFor();

  it('is shown by the English page in the German site, with one German line, and leads back', async () => {
    const { page, requests } = await visit(german(`${at}&in=javascript#x`));
    await expect
      .poll(() => page.url())
      .toContain('/de/pages/exercises/english.html?v=1&id=smo-step&in=javascript');
    await opened(page);
    expect(await spoken(page)).toBe('en');
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect(await page.locator('[lang=de]').allTextContents()).toEqual([
      'Diese Übung gibt es vorerst nur auf Englisch.',
    ]);
    expect(requests.filter((one) => /judge-words-de/.test(one))).toEqual([]);
    // The next one has no German either, and the page stays; the list is German.
    await page.locator('.steps a[rel=next]').click();
    await expect.poll(() => page.url()).not.toContain('smo-step');
    expect(page.url()).toContain('/de/pages/exercises/english.html');
    await page.locator('.crumb a').first().click();
    await expect.poll(() => spoken(page)).toBe('de');
    await page.getByRole('heading', { level: 1, name: 'Übungen' }).waitFor();
    expect(page.url()).toContain('/de/pages/exercises/index.html');
  });

  it('has remarks on the links that lead there', async () => {
    const { page } = await visit(german('pages/exercises/index.html?v=1'));
    const link = page.getByRole('link', { name: title });
    const item = page.locator('li').filter({ has: link });
    expect(await item.textContent()).toContain('vorerst auf Englisch');
    await link.click();
    await opened(page);
    expect(await spoken(page)).toBe('en');
    expect(new URL(page.url()).pathname).toMatch(/\/de\/pages\/exercises\/english\.html$/);
    await switched(page, 'English').click();
    await opened(page);
    await expect.poll(() => page.url()).not.toContain('/de/');
    const to = page.locator('attn-language-switch a');
    expect(await to.textContent()).toBe('Deutsch vorerst auf Englisch');
    await page.locator('.crumb a').first().click();
    await expect.poll(() => to.textContent()).toBe('Deutsch');
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
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toContain(`/${german(lab)}`);
    expect([searchParams.get('map'), searchParams.get('hide')]).toEqual(['relu', 'export']);
  });

  it('keeps the code of an exercise', async () => {
    const { page } = await visit('pages/exercises/index.html?id=attention');
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
    const { page } = await visit(`${german(lab)}?n=5000&input=gaussian`);
    await expect
      .poll(() => page.getByText(/Der Link sagt n = '5000'; erwartet: eine ganze Zahl von/).count())
      .toBe(1);
  });

  it('fetch a lab’s own words with the first move', async () => {
    // In a taller window the text below the pictures would belong to the first view.
    const viewport = { width: 1280, height: 720 };
    const { page, requests } = await visit(german(lab), { viewport, before: patient });
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map ELU + 1');
    await page
      .locator('attn-feature-maps-lab .about-map .fine')
      .getByText('Positiv, also')
      .waitFor();
    const first = scripts(requests).size;
    await moveMouse(page);
    await page.getByRole('heading', { name: 'Wie weit liegen sie auseinander?' }).waitFor();
    await page.locator('attn-comparison').getByText('Mittlerer quadratischer Fehler').waitFor();
    await expect.poll(() => scripts(requests).size).toBeGreaterThan(first);
    await page.getByLabel('Feature Map φ').first().selectOption('relu');
    await page
      .locator('attn-feature-maps-lab .about-map .fine')
      .getByText('Bei wenigen Dimensionen')
      .waitFor();
  });

  it('begin with a German sentence; a link from before opens the picture that it was made of', async () => {
    const sentence = (page: Page) => page.locator('attn-feature-maps-lab textarea').inputValue();
    const { page } = await visit(german(lab));
    await expect.poll(() => sentence(page)).toMatch(/^die Katze/);
    await page.getByLabel('Feature Map φ').first().selectOption('relu');
    await expect.poll(() => new URL(page.url()).searchParams.get('text')).toMatch(/^die Katze/);
    await switched(page, 'English').click();
    await expect.poll(() => spoken(page)).toBe('en');
    await expect.poll(() => sentence(page)).toMatch(/^die Katze/);
    await page.goto(new URL(`../../${german(lab)}?v=1&map=relu`, page.url()).href);
    await expect.poll(() => sentence(page)).toMatch(/^the cat/);
  });

  it('call the feature maps by German names', async () => {
    const { page } = await visit(`${german(lab)}?map=identity`);
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toContain('Feature Map Identität');
  });
});
