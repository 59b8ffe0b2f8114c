import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { displayTex } from '../../exercises/tex.ts';

/** Markup of formulas by their TeX; empty until it is there. */
export type RenderedTex = Readonly<Record<string, string>>;

/** A specification's words: `$…$` is a formula that the build rendered, back-ticks are code, `^{…}` a power. */
export function prose(text: string, formulas: RenderedTex): TemplateResult {
  return html`${text.split(/(\$[^$]+\$|`[^`]+`|\^\{[^}]+\})/).map((part) => {
    if (part.startsWith('^{')) return html`<sup>${part.slice(2, -1)}</sup>`;
    if (part.length > 2 && part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.length > 2 && part.startsWith('$')) return formula(part.slice(1, -1), formulas);
    return part;
  })}`;
}

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
