import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CellExplanation } from '#client';
import { formatDifference, formatNumber } from '../../plot/format.ts';
import { strings } from '../../strings/index.ts';
import { laterWords } from '../../strings/later.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './cell-explanation.styles.ts';

/**
 * How one cell came about: both weights, step by step, with the core's numbers in the formula.
 *
 * @element attn-cell-explanation
 */
@customElement('attn-cell-explanation')
export class AttnCellExplanation extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) explanation: CellExplanation | undefined;
  @property() queryLabel = '';
  @property() keyLabel = '';
  @property() mapLabel = '';

  override render() {
    const words = laterWords.explanation;
    const e = this.explanation;
    if (!e) return html`<p class="empty">${words.empty}</p>`;
    const i = e.query + 1;
    const j = e.key + 1;
    const [query, key] = [this.queryLabel || undefined, this.keyLabel || undefined];
    const name = strings.heatmap.cell(i, query, j, key);
    if (e.masked) return html`<p class="empty">${words.masked(name)}</p>`;
    const q = html`<i>q</i><sub>${i}</sub>`;
    const k = html`<i>k</i><sub>${j}</sub>`;
    const f = formatNumber;
    const last = formatDifference(e.implicitWeight, e.softmaxWeight);
    const line = (formula: TemplateResult, meaning: string, value: unknown, result = false) =>
      html`<tr class=${result ? 'result' : ''}>
        <th scope="row"><span class="formula">${formula}</span> ${meaning}</th>
        <td>${value}</td>
      </tr>`;
    return html`<div class="ways">
        <section>
          <h3>${words.softmax}</h3>
          <table>
            <tbody>
              ${line(html`${q}·${k}`, words.dot, f(e.dot))}
              ${line(html`<i>s</i> = ${f(e.scale)} × ${f(e.dot)}`, words.logit, f(e.logit))}
              ${line(
                html`ln Σ<sub><i>l</i></sub> e<sup><i>s</i><sub><i>l</i></sub></sup>`,
                words.logSumExp(e.visibleKeys),
                f(e.logSumExp),
              )}
              ${line(
                html`e<sup>${f(e.logit)} − ${e.logSumExp < 0 ? html`(${f(e.logSumExp)})` : f(e.logSumExp)}</sup>`,
                words.rank(e.softmaxRank, e.visibleKeys),
                f(e.softmaxWeight),
                true,
              )}
            </tbody>
          </table>
        </section>
        <section>
          <h3>${words.implicit(this.mapLabel)}</h3>
          <table>
            <tbody>
              ${line(html`φ(${q})·φ(${k})`, words.featureDot, f(e.featureDot))}
              ${line(
                html`φ(${q})·Σ<sub><i>l</i></sub> φ(<i>k</i><sub><i>l</i></sub>) + ε`,
                words.denominator(e.visibleKeys),
                f(e.denominator),
              )}
              ${line(
                html`${f(e.featureDot)} / ${e.denominator < 0 ? html`(${f(e.denominator)})` : f(e.denominator)}`,
                words.rank(e.implicitRank, e.visibleKeys),
                f(e.implicitWeight),
                true,
              )}
              ${line(html`${last.from} − ${last.less}`, words.difference, last.difference)}
            </tbody>
          </table>
        </section>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-cell-explanation': AttnCellExplanation;
  }
}
