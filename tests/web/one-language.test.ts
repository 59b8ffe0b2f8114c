/** A language is a build: what of sources and pages stays in each. */
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { codeIn, markupIn, pathIn } from '../../web/plugins/one-language';

describe('code', () => {
  const inBoth = (code: string) => [
    codeIn('en', code, parseAst(code)).replace(/\s+/g, ' '),
    codeIn('de', code, parseAst(code)).replace(/\s+/g, ' '),
  ];

  it('keeps of words in several languages those of its own', () => {
    expect(inBoth('f({ en: { a: 1, b }, de: { a: 2 } });')).toEqual([
      'f({ en: { a: 1, b }, });',
      'f({ de: { a: 2 } });',
    ]);
    expect(inBoth(`f({ "en": () => import('./en.ts'), "de": () => import('./de.ts'), });`)).toEqual(
      [`f({ "en": () => import('./en.ts'), });`, `f({ "de": () => import('./de.ts'), });`],
    );
  });

  it('keeps English where a language has none, and every other object', () => {
    for (const code of [
      'f({ en: 1 });',
      'f({ de: 1 });',
      'f({ en: 1, other: 2 });',
      'f({ en: 1, de: 2, ...more });',
      'f({ [en]: 1, de: 2 });',
      'f({});',
    ]) {
      expect(inBoth(code)).toEqual([code, code]);
    }
  });

  it('finds words within words, and leaves every position as it was', () => {
    const code = 'const a = { en: { x: { en: 1, de: 2 } }, de: { x: { en: 3, de: 4 } } };\nlast();';
    const [english, german] = inBoth(code);
    expect(english).toBe('const a = { en: { x: { en: 1, } }, }; last();');
    expect(german).toBe('const a = { de: { x: { de: 4 } } }; last();');
    expect(codeIn('de', code, parseAst(code)).indexOf('last')).toBe(code.indexOf('last'));
  });
});

describe('a page', () => {
  const page = `<!doctype html>
<html lang="en">
  <head>
    <title data-de="Übungen">Exercises</title>
    <meta name="description" content="Write > read" data-de="Schreib" />
    <meta property="og:type" content="website" />
    <script src="../../theme.js"></script>
  </head>
  <body>
    <attn-language-switch></attn-language-switch>
    <h1><span data-lang="en">One <span lang="fr">deux</span></span><span data-lang="de">Eins</span></h1>
    <p class="lead" data-lang="en">Words</p>
    <p class="lead" data-lang="de" lang="de">Worte <b data-lang="de">hier</b></p>
    <ul data-lang="de" lang="en"><li>still English</li></ul>
  </body>
</html>`;
  const english = markupIn('en', page, 'pages/x/index.html');
  const german = markupIn('de', page, 'pages/x/index.html');

  it('has its own words only, and says its language', () => {
    expect(english).toContain('<html lang="en">');
    expect(english).toContain('<h1>One <span lang="fr">deux</span></h1>');
    expect(english).toContain('<p class="lead">Words</p>');
    expect(english).toContain('<title>Exercises</title>');
    expect(english).toContain('<meta name="description" content="Write > read" />');
    expect(german).toContain('<html lang="de">');
    expect(german).toContain('<h1>Eins</h1>');
    expect(german).toContain('<p class="lead">Worte <b>hier</b></p>');
    expect(german).toContain('<ul lang="en"><li>still English</li></ul>');
    expect(german).toContain('<title>Übungen</title>');
    expect(german).toContain('<meta name="description" content="Schreib" />');
    for (const one of [english, german]) {
      expect(one).not.toContain('data-');
      expect(one).toContain('content="website"');
    }
    expect(english).not.toMatch(/Eins|Worte|still/);
    expect(german).not.toMatch(/One|Words/);
  });

  it('leads to the same page in the other language, from wherever the site lies', () => {
    expect(pathIn('de', 'pages/x/index.html')).toBe('de/pages/x/index.html');
    const to = (html: string, id: string) =>
      new RegExp(`<link rel="alternate" hreflang="${id}" href="([^"]*)"`).exec(html)?.[1];
    expect(to(english, 'de')).toBe('../../de/pages/x/index.html');
    expect(to(german, 'en')).toBe('../../../pages/x/index.html');
    expect(to(german, 'de')).toBe('./index.html');
    expect(to(markupIn('en', page, 'index.html'), 'de')).toBe('./de/index.html');
    expect(german).toContain(
      '<a lang="en" hreflang="en" href="../../../pages/x/index.html">English</a></attn-language-switch>',
    );
    // Where a language has the page in English for now, the link says so.
    const lacking = page.replace(
      '<attn-language-switch>',
      '<attn-language-switch data-lacks="de">',
    );
    expect(markupIn('en', lacking, 'labs/x/index.html')).toContain(
      '<a hreflang="de" href="../../de/labs/x/index.html"><span lang="de">Deutsch <small>vorerst auf Englisch</small></span></a></attn-language-switch>',
    );
    expect(markupIn('de', lacking, 'labs/x/index.html')).not.toMatch(/data-lacks|vorerst/);
    expect(english).not.toContain('vorerst');
  });

  it('stands in the site of a language that lacks it, with a line in that language', () => {
    const lacked = page
      .replace('<attn-language-switch>', '<attn-language-switch data-lacks="de">')
      .replace('<body>', '<body><p data-site="de" lang="de">Vorerst</p>')
      .replace('<html lang="en">', '<html lang="en" data-in-english="english.html">');
    const there = markupIn('en', lacked, 'pages/x/index.html', 'de');
    expect(there).toContain('<html lang="en" data-site="de">');
    expect(there).toContain('<p lang="de">Vorerst</p>');
    expect(there).toContain('<h1>One <span lang="fr">deux</span></h1>');
    expect(there).toContain(
      '<attn-language-switch><a lang="en" hreflang="en" href="../../../pages/x/index.html">English</a></attn-language-switch>',
    );
    for (const own of ['en', 'de'] as const) {
      expect(markupIn(own, lacked, 'pages/x/index.html')).not.toMatch(
        own === 'en' ? /Vorerst|data-site|data-in-english/ : /data-in-english/,
      );
    }
    // An old link with ?lang= is followed by the first script, which finds the addresses there.
    expect(english.lastIndexOf('rel="alternate"')).toBeLessThan(english.indexOf('<script'));
  });
});
