import { html, type TemplateResult } from 'lit';
import { drawnFormula } from '../../components/rich-text/drawn-formula.ts';
import { rich } from '../../components/rich-text/rich-text.ts';
import { displayTexOf } from './display-tex.ts';
import { formulaOf } from './rendered-formulas.ts';

/** A formula longer than this may break across lines. */
const SHORT = 36;

/**
 * Renders words of a lab: everything `rich()` knows, `` `code` ``, `$TeX$` that the build has rendered, and the value
 * of a figure's knob, `[what it is](knob:figure.knob)`.
 */
export const prose = (text: string): TemplateResult =>
  html`${text.split(/(\$[^$]+\$[.,;:?!)]*|`[^`]+`|\[[^\]]+\]\(knob:[^)]+\))/).map((part) => {
    if (/^`.+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    const [, label, figure, knob] = /^\[([^\]]+)\]\(knob:([\w-]+)\.(\w+)\)$/.exec(part) ?? [];
    if (knob !== undefined) {
      return html`<attn-knob-number figure=${figure} knob=${knob} label=${label}></attn-knob-number>`;
    }
    const [, tex, mark] = /^\$([^$]+)\$([.,;:?!)]*)$/s.exec(part) ?? [];
    if (tex === undefined) return part && rich(part);
    // A line must not begin with the comma that follows a formula.
    return mark && tex.length <= SHORT
      ? html`<span class="kept">${formula(tex)}${mark}</span>`
      : html`${formula(tex)}${mark}`;
  })}`;

/** Paragraphs; one of `$$…$$` is a formula on a line of its own. */
export const paragraphs = (texts: readonly string[]): readonly TemplateResult[] =>
  texts.map((text) => {
    const display = displayTexOf(text);
    return display
      ? html`<div class="display-math" tabindex="0">${formula(display)}</div>`
      : html`<p>${prose(text)}</p>`;
  });

const formula = (tex: string) => {
  const markup = formulaOf(tex);
  return markup ? drawnFormula(markup) : html`<code>${tex}</code>`;
};
