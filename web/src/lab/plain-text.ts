/** TeX commands that have a character of their own. */
const SIGNS: Readonly<Record<string, string>> = {
  '^\\top': 'ᵀ',
  '\\varphi': 'φ',
  '\\cdot': '·',
  '\\times': '×',
  '\\sum': 'Σ',
  '\\sqrt': '√',
  '\\le': '≤',
  '\\ge': '≥',
  '\\approx': '≈',
};

/** The text without marks, for names that are spoken or written into a file. */
export const spoken = (text: string): string =>
  Object.entries(SIGNS)
    .reduce((all, [tex, sign]) => all.replaceAll(tex, sign), text.replace(/[{}]/g, ''))
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[$`*\\]/g, '')
    .trim();

/** A spoken name for a control whose label is only a formula: not every screen reader reads formulas. */
export const formulaName = (text: string): string | undefined =>
  /^\$[^$]+\$$/.test(text.trim()) ? spoken(text) : undefined;
