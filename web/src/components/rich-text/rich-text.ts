import { html, type TemplateResult } from 'lit';
import { drawnFormula } from './drawn-formula.ts';

/**
 * A string of the language file as markup: `*word*` is emphasis, `{name}` a formula rendered when
 * the site was built, `[words](address)` a link, `d_k` a letter
 * with its subscript, `e^{x}` a power.
 */
export function rich(
  text: string,
  formulas: Readonly<Record<string, string>> = {},
): TemplateResult {
  const parts = text.split(
    /(\*[^*]+\*|\{\w+\}|\[[^\]]+\]\([^)]+\)|\b[a-z]_[a-z]\b|\^\{[^}]+\}|φ|ᵀ)/,
  );
  return html`${parts.map((part) => {
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link) return html`<a href=${link[2] ?? ''} rel="noopener">${link[1]}</a>`;
    // Our fonts have no superscript T, so the letter T is set as a superscript.
    if (part === 'ᵀ') return html`<sup>T</sup>`;
    if (part === 'φ') return html`<i class="phi-symbol">φ</i>`;
    const power = /^\^\{(.+)\}$/.exec(part)?.[1];
    if (power !== undefined) return html`<sup>${rich(power)}</sup>`;
    const symbol = /^([a-z])_([a-z])$/.exec(part);
    if (symbol) return html`<i class="symbol">${symbol[1]}<sub>${symbol[2]}</sub></i>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${part.slice(1, -1)}</em>`;
    const formula = /^\{(\w+)\}$/.exec(part)?.[1];
    return formula === undefined ? part : drawnFormula(formulas[formula] ?? formula);
  })}`;
}
