/** TeX commands that have a character of their own. A longer name stands before the one that it begins with. */
const SIGNS: readonly (readonly [tex: RegExp, sign: string])[] = [
  [/\^\*/g, '*'],
  [/\^\{\\top\}|\^\\top\b/g, 'ᵀ'],
  [/\\varphi\b|\\phi\b/g, 'φ'],
  [/\\cdot\b/g, '·'],
  [/\\times\b/g, '×'],
  [/\\sum\b/g, 'Σ'],
  [/\\sqrt\b/g, '√'],
  [/\\leq?\b/g, '≤'],
  [/\\geq?\b/g, '≥'],
  [/\\approx\b/g, '≈'],
  [/\\in\b/g, '∈'],
  [/\\dots\b|\\ldots\b|\\cdots\b/g, '…'],
  [/\\(?:to|rightarrow)\b/g, '→'],
  [/\\infty\b/g, '∞'],
  [/\\lVert\b|\\rVert\b/g, '‖'],
  [/\\varepsilon\b/g, 'ε'],
  [/\\pi\b/g, 'π'],
  [/\\(ln|log|exp|max|min)\b/g, '$1'],
];

/** Commands that say how what follows looks, and spaces. */
const LOOKS =
  /\\(?:mathrm|mathbb|mathbf|mathcal|mathit|operatorname|text|tilde|hat|bar|left|right|bigl|bigr|quad|qquad)\b|\\[,!;: ]/g;

/** A formula as one line of characters: `\frac{a}{b}` is a/b, `\mathrm{softmax}` is softmax. */
function inCharacters(tex: string): string {
  const part = (text: string): string =>
    /[+\-−\s·]/.test(text.trim()) ? `(${text.trim()})` : text.trim();
  return SIGNS.reduce(
    (all, [command, sign]) => all.replace(command, sign),
    tex
      .replace(LOOKS, '')
      .replace(/\\[dt]?frac(\d)(\d)/g, '$1/$2')
      .replace(
        /\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g,
        (_, a: string, b: string) => `${part(a)}/${part(b)}`,
      ),
  ).replace(/[{}]/g, '');
}

/** The text without marks, for names that are spoken or written into a file. */
export const spoken = (text: string): string =>
  text
    .replace(/\$([^$]+)\$/g, (_, tex: string) => inCharacters(tex))
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/`/g, '')
    // Only a pair of stars around words marks them; the one in n* is read.
    .replace(/(?<!\w)\*([^*\s](?:[^*]*[^*\s])?)\*/g, '$1')
    .replace(/[{}]/g, '')
    .trim();

/** A spoken name for a control whose label is only a formula: not every screen reader reads formulas. */
export const formulaName = (text: string): string | undefined =>
  /^\$[^$]+\$$/.test(text.trim()) ? spoken(text) : undefined;
