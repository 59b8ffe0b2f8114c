import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';

/**
 * A string of the language file as markup: `*word*` is emphasis, `{name}` a formula rendered when
 * the site was built, `[words](address)` a link.
 */
export function rich(text: string, formulas: Readonly<Record<string, string>> = {}): TemplateResult {
  const parts = text.split(/(\*[^*]+\*|\{\w+\}|\[[^\]]+\]\([^)]+\))/);
  return html`${parts.map((part) => {
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link) return html`<a href=${link[2] ?? ''} rel="noopener">${link[1]}</a>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${part.slice(1, -1)}</em>`;
    // The formulas come from our own build, never from a visitor.
    const formula = /^\{(\w+)\}$/.exec(part)?.[1];
    return formula === undefined ? part : unsafeHTML(formulas[formula] ?? formula);
  })}`;
}
