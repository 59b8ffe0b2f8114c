import { html, type TemplateResult } from 'lit';
import { displayTex } from '../../exercises/tex.ts';
import { drawnFormula } from '../rich-text/drawn-formula.ts';

/** Markup of formulas by their TeX; empty until it is there. */
export type RenderedTex = Readonly<Record<string, string>>;

/**
 * A specification's words: `$…$` is a formula that the build rendered, back-ticks are code, `e^x` and
 * `2^{10}` are powers, `d_k` is a letter with its subscript, `max_diff` a name in code.
 */
export const prose = (text: string, formulas: RenderedTex = {}): TemplateResult =>
  html`${closed(partsOf(text)).map(({ kind, text: part, below, mark }) => {
    if (kind === 'code') return html`<code>${part}</code>`;
    if (kind === 'formula') {
      const rendered = formula(part, formulas);
      return isShort(part) ? html`<span class="closed">${rendered}${mark}</span>` : rendered;
    }
    if (kind === 'power') return html`<sup>${part}</sup>`;
    if (kind !== 'symbol') return part;
    // A subscript that is a word is set upright; a single letter is italic, as symbols are.
    return below.length > 1
      ? html`<span class="symbol"><i>${part}</i><sub>${below}</sub></span>`
      : html`<i class="symbol">${part}<sub>${below}</sub></i>`;
  })}`;

/** A short formula stays on one line together with the punctuation after it. */
function closed(parts: readonly Part[]): readonly (Part & { readonly mark?: string })[] {
  return parts.map((part, i) => {
    const before = parts[i - 1];
    if (part.kind === 'formula' && isShort(part.text)) {
      const mark = markOf(parts[i + 1]);
      return mark ? { ...part, mark } : part;
    }
    const taken = before?.kind === 'formula' && isShort(before.text) ? markOf(part) : '';
    return taken ? { ...part, text: part.text.slice(taken.length) } : part;
  });
}
const isShort = (tex: string): boolean => tex.length <= 24;
const markOf = (part: Part | undefined): string =>
  (part?.kind === 'words' && /^[.,;:)?!]+/.exec(part.text)?.[0]) || '';

interface Part {
  readonly kind: 'words' | 'code' | 'formula' | 'power' | 'symbol';
  readonly text: string;
  /** A symbol's subscript. */
  readonly below: string;
}

export const partsOf = (text: string): readonly Part[] =>
  text
    .split(SPECIAL)
    .filter(Boolean)
    .map((part): Part => {
      const as = (kind: Part['kind'], found = part, below = ''): Part => ({
        ...{ kind, text: found, below },
      });
      if (/^`.+`$/.test(part)) return as('code', part.slice(1, -1));
      if (/^\$.+\$$/.test(part)) return as('formula', part.slice(1, -1));
      const power = /^\^(?:\{(.+)\}|(.+))$/.exec(part);
      if (power) return as('power', power[1] ?? power[2]);
      const symbol = /^([a-zA-Z])_([a-z]|model|head)$/.exec(part);
      if (symbol) return as('symbol', symbol[1], symbol[2]);
      return as(/^[a-zA-Z]\w*_\w+$/.test(part) ? 'code' : 'words');
    });
const SPECIAL = /(\$[^$]+\$|`[^`]+`|\^\{[^}]+\}|\^[−-]?\w+|\b[a-zA-Z]\w*_\w+)/;

/** A message of a program: only code between back-ticks is marked up. */
export const coded = (text: string): TemplateResult =>
  html`${text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`;

/** A paragraph; a paragraph that is only a formula is set as a display formula. */
export function paragraph(text: string, formulas: RenderedTex): TemplateResult {
  const display = displayTex(text);
  return display && formulas[display]
    ? html`<div class="display-math" tabindex="0">${formula(display, formulas)}</div>`
    : html`<p>${prose(text, formulas)}</p>`;
}

const formula = (tex: string, formulas: RenderedTex) => {
  const markup = formulas[tex];
  return markup ? drawnFormula(markup) : html`<code>${tex}</code>`;
};

/** The text without marks, for names that a screen reader speaks. */
export const plain = (text: string): string => text.replace(/[$`\\]/g, '');
