import { describe, expect, it } from 'vitest';
import { unicodeRange } from '../../web/plugins/fonts';
import { shortenCss, shortenHtml } from '../../web/plugins/templates';

describe('a template of the built site', () => {
  it('loses its indentation and no space between words', () => {
    expect(shortenHtml('<p>\n    one  <b\n      class="x"\n    >two</b>\n  </p>')).toBe(
      '<p> one  <b class="x" >two</b> </p>',
    );
  });

  it('keeps what its style sheet says', () => {
    const css = `
  /* why */
  :host([busy]) .frame::after,
  a :hover {
    margin: 0 0 calc(1px - 0.5rem);
    content: '';
  }
`;
    expect(shortenCss(css)).toBe(
      " :host([busy]) .frame::after,a :hover{margin:0 0 calc(1px - 0.5rem);content:''}",
    );
  });
});

describe('the range of a piece of a font', () => {
  it('joins neighbours', () => {
    expect(unicodeRange('dcaφ b')).toBe('U+20,U+61-64,U+3C6');
  });
});
