/** Finds which glyphs of KaTeX's fonts and which rules of its style sheet rendered formulas need. */

/** Class of a span → the font its text is set in, where that is not the surrounding font. */
const FONT_OF_CLASS: Readonly<Record<string, string>> = {
  mathnormal: 'KaTeX_Math-Italic',
  mathit: 'KaTeX_Main-Italic',
  mathrm: 'KaTeX_Main-Regular',
  mainrm: 'KaTeX_Main-Regular',
  mathbf: 'KaTeX_Main-Bold',
  boldsymbol: 'KaTeX_Math-BoldItalic',
  amsrm: 'KaTeX_AMS-Regular',
  mathbb: 'KaTeX_AMS-Regular',
  mathcal: 'KaTeX_Caligraphic-Regular',
  mathfrak: 'KaTeX_Fraktur-Regular',
  mathscr: 'KaTeX_Script-Regular',
  mathsf: 'KaTeX_SansSerif-Regular',
  mathtt: 'KaTeX_Typewriter-Regular',
  'small-op': 'KaTeX_Size1-Regular',
  'large-op': 'KaTeX_Size2-Regular',
  'delim-size1': 'KaTeX_Size1-Regular',
  'delim-size4': 'KaTeX_Size4-Regular',
};

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
};

/** The characters each KaTeX font has to draw, and every class that occurs. */
export function scanFormulas(html: string): {
  readonly characters: ReadonlyMap<string, string>;
  readonly classes: ReadonlySet<string>;
} {
  const characters = new Map<string, Set<string>>();
  const classes = new Set<string>();
  const stack: { font: string; visible: boolean }[] = [];
  let current = { font: 'KaTeX_Main-Regular', visible: true };
  for (const [, slash, name, attributes, text] of html.matchAll(
    /<(\/?)([a-z][\w-]*)([^>]*)>|([^<]+)/gi,
  )) {
    if (text !== undefined) {
      if (!current.visible) continue;
      const set = characters.get(current.font) ?? new Set<string>();
      characters.set(current.font, set);
      for (const char of decodeEntities(text)) set.add(char);
    } else if (slash) {
      current = stack.pop() ?? current;
    } else {
      const found = /\bclass="([^"]*)"/.exec(attributes ?? '')?.[1]?.split(/\s+/) ?? [];
      for (const item of found) if (item) classes.add(item);
      if (attributes?.trimEnd().endsWith('/') || /^(?:path|line|img|br)$/.test(name ?? ''))
        continue;
      stack.push(current);
      const sized = found.includes('delimsizing') && found.find((item) => /^size[1-4]$/.test(item));
      const own = found.map((item) => FONT_OF_CLASS[item]).find(Boolean);
      current = {
        font: sized ? `KaTeX_S${sized.slice(1)}-Regular` : (own ?? current.font),
        // The MathML copy is for screen readers and never drawn.
        visible: current.visible && !found.includes('katex-mathml'),
      };
    }
  }
  return {
    characters: new Map([...characters].map(([font, set]) => [font, [...set].sort().join('')])),
    classes,
  };
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return NAMED_ENTITIES[name] ?? whole;
  });
}

/** The rules of KaTeX's style sheet whose classes all occur; without its `@font-face` rules. */
export function trimRules(css: string, classes: ReadonlySet<string>): string {
  const rules: string[] = [];
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, selectors, body] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (selectors === undefined || selectors.trim().startsWith('@')) continue;
    const used = selectors
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) =>
        // A class within `:not()` need not occur for the rule to hold.
        [...selector.replace(/:not\([^)]*\)/g, '').matchAll(/\.([\w-]+)/g)].every(([, name]) =>
          classes.has(name as string),
        ),
      );
    if (used.length > 0 && body?.trim()) {
      rules.push(`${used.join(',')}{${body.replace(/\s*\n\s*/g, '').trim()}}`);
    }
  }
  return rules.join('\n');
}
