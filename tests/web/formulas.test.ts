import { describe, expect, it } from 'vitest';
import { renderRegistry, renderTex } from '../../web/plugins/formulas';
import { scanFormulas, trimRules } from '../../web/plugins/katex-fonts';

describe('formulas rendered while the site is built', () => {
  it('carry both the drawn and the spoken form', () => {
    const html = renderTex(String.raw`\varphi(x)^2`, 'square');
    expect(html).toContain('<math');
    expect(html).toContain('aria-hidden="true"');
  });

  it('place their boxes without a style attribute', () => {
    const html = renderTex(String.raw`\sqrt{\frac{d_k}{2}} \color{red} x`, 'root');
    expect(html).not.toMatch(/\sstyle=/);
    expect(html).toMatch(/ data-style="height:[^"]+"/);
  });

  it('stop the build with the id of a wrong formula', () => {
    const maps = [{ id: 'broken_map', tex: String.raw`\frac{1}`, dimensionTex: 'd' }];
    expect(() => renderRegistry(maps)).toThrow('feature map broken_map');
  });

  it('are found by id', () => {
    const rendered = renderRegistry([{ id: 'relu', tex: 'x', dimensionTex: '2d' }]);
    expect(Object.keys(rendered)).toEqual(['relu']);
    expect(rendered.relu?.dimension).toContain('<math');
  });
});

describe('the fonts a formula needs', () => {
  const scan = (tex: string) => Object.fromEntries(scanFormulas(renderTex(tex, 'test')).characters);

  it('are found in the markup', () => {
    expect(scan('x_1 + 23')).toEqual({
      'KaTeX_Math-Italic': 'x',
      'KaTeX_Main-Regular': expect.stringMatching(/^[+123\s\u200b]*$/),
    });
    const sums = scan(String.raw`\displaystyle \sum_i \Bigl( \mathbb{R} \Bigr)`);
    expect(sums).toMatchObject({
      'KaTeX_Size2-Regular': expect.stringContaining('∑'),
      'KaTeX_AMS-Regular': 'R',
    });
    expect(sums['KaTeX_Size2-Regular']).toContain('(');
  });

  it('do not include characters that only a screen reader receives', () => {
    const characters = Object.values(scan(String.raw`\varphi`)).join('');
    expect(characters).toContain('φ');
    expect(characters).not.toContain('v');
  });
});

describe('the style sheet', () => {
  it('keeps only the rules whose classes occur, and no font', () => {
    const css = `/* a */ @font-face { font-family: "X"; src: url(x) }
.katex { color: red }
.katex .gone, .katex .kept { top: 0 }
.katex .gone > .kept { left: 0 }
.katex .kept:not(.gone) { width: 0 }`;
    expect(trimRules(css, new Set(['katex', 'kept']))).toBe(
      '.katex{color: red}\n.katex .kept{top: 0}\n.katex .kept:not(.gone){width: 0}',
    );
  });
});
