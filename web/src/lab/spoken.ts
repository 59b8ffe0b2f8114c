/** TeX that has a character of its own. */
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

/** For names that are spoken or stand in a file: without marks. */
export const spoken = (text: string): string =>
  Object.entries(SIGNS)
    .reduce((all, [tex, sign]) => all.replaceAll(tex, sign), text.replace(/[{}]/g, ''))
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[$`*\\]/g, '')
    .trim();

/** A name for a control whose label is nothing but a formula: not every reader reads those. */
export const formulaName = (text: string): string | undefined =>
  /^\$[^$]+\$$/.test(text.trim()) ? spoken(text) : undefined;
