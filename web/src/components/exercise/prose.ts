import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { displayTex } from '../../exercises/tex.ts';

/** Markup of formulas by their TeX; empty until it is there. */
export type RenderedTex = Readonly<Record<string, string>>;

/**
 * A specification's words: `$…$` is a formula that the build rendered, back-ticks are code, `e^x` and
 * `2^{10}` are powers, `d_k` is a letter with its subscript.
 */
export function prose(text: string, formulas: RenderedTex = {}): TemplateResult {
  return html`${text.split(SPECIAL).map((part) => {
    if (/^`.+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    if (/^\$.+\$$/.test(part)) return formula(part.slice(1, -1), formulas);
    const power = /^\^(?:\{(.+)\}|(.+))$/.exec(part);
    if (power) return html`<sup>${power[1] ?? power[2]}</sup>`;
    const symbol = /^([a-zA-Z])_([a-z])$/.exec(part);
    return symbol ? html`<i>${symbol[1]}<sub>${symbol[2]}</sub></i>` : part;
  })}`;
}
const SPECIAL = /(\$[^$]+\$|`[^`]+`|\^\{[^}]+\}|\^[−-]?\w+|\b[a-zA-Z]_[a-z]\b)/;

/** What a program says: code between back-ticks, and nothing else is special. */
export const coded = (text: string): TemplateResult =>
  html`${text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`;

/** A paragraph; one that is nothing but a formula gets a line of its own. */
export function paragraph(text: string, formulas: RenderedTex): TemplateResult {
  const display = displayTex(text);
  return display && formulas[display]
    ? html`<div class="display-math" tabindex="0">${formula(display, formulas)}</div>`
    : html`<p>${prose(text, formulas)}</p>`;
}

// The markup comes from our own build, never from a visitor.
const formula = (tex: string, formulas: RenderedTex) => {
  const markup = formulas[tex];
  return markup ? unsafeHTML(markup) : html`<code>${tex}</code>`;
};

/** For names that are spoken: without signs. */
export const plain = (text: string): string => text.replace(/[$`\\]/g, '');
