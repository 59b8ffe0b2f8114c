import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Comparison } from '#client';
import { formatNumber } from '../../plot/format.ts';
import { strings } from '../../strings/index.ts';
import { laterWords } from '../../strings/later.ts';
import type { CellEventDetail } from '../heatmap/heatmap.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './comparison.styles.ts';

/**
 * How far the two pictures are apart: four numbers, each with its meaning and something to hold it
 * against, and a warning for everything that stops the second picture from being an average.
 *
 * @element attn-comparison
 * @fires attn-cell - The cell of the largest difference is to be looked at.
 */
@customElement('attn-comparison')
export class AttnComparison extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) comparison: Comparison | undefined;

  private show(row: number, col: number): void {
    this.dispatchEvent(
      new CustomEvent<CellEventDetail>('attn-cell', {
        detail: { cell: { row, col }, locked: true, settled: true },
        bubbles: true,
        composed: true,
      }),
    );
  }

  /** A bar from 0 to `to`, with a mark where the reference stands. */
  private track(value: number, to: number, mark?: number) {
    const part = (x: number): number => Math.max(0, Math.min(100, (x / to) * 100));
    return html`<div class="track" aria-hidden="true">
      ${
        Number.isFinite(value) && to > 0
          ? html`<div class="fill" .style=${`width:${part(value)}%`}></div>`
          : nothing
      }
      ${mark === undefined || !(to > 0) ? nothing : html`<div class="mark" .style=${`left:${part(mark)}%`}></div>`}
    </div>`;
  }

  override render() {
    const words = { ...strings.comparison, ...laterWords.comparison };
    const c = this.comparison;
    const item = (label: string, value: string, track: unknown, text: unknown) =>
      html`<div class="item">
        <dt>${label}</dt>
        <dd>
          <div class="value">${value}</div>
          ${track}
          <div class="words">${text}</div>
        </dd>
      </div>`;
    if (!c) {
      return html`<dl>
        ${[words.mse, words.maxDifference, words.correlation, words.outputError].map((label) =>
          item(label, '–', this.track(0, 0), ''),
        )}
      </dl>`;
    }
    const better = c.mse < c.uniformMse;
    const warnings = [
      c.negativeWeights > 0 && words.negative(c.negativeWeights, c.keptCells),
      c.nonPositiveDenominators > 0 &&
        words.denominators(c.nonPositiveDenominators, c.implicit.rows),
      c.nonFiniteWeights > 0 && words.nonFinite(c.nonFiniteWeights, c.keptCells),
    ].filter((warning) => warning !== false);
    return html`<dl>
        ${item(
          words.mse,
          formatNumber(c.mse),
          this.track(c.mse, Math.max(c.mse, c.uniformMse) * 1.15, c.uniformMse),
          html`${words.mseMeaning}
            ${
              c.mse > c.mseBound
                ? html`<strong>${words.mseImpossible(formatNumber(c.mseBound))}</strong>`
                : html`<strong>${better ? words.mseBetter : words.mseWorse}</strong>
                    ${words.mseReference(formatNumber(c.uniformMse))}`
            }`,
        )}
        ${item(
          words.maxDifference,
          formatNumber(c.maxDifference),
          this.track(c.maxDifference, Math.max(1, c.maxDifference)),
          html`${words.maxMeaning}
            <button
              class="link"
              type="button"
              @click=${() => this.show(c.maxDifferenceRow, c.maxDifferenceCol)}
            >
              ${words.maxWhere(c.maxDifferenceRow + 1, c.maxDifferenceCol + 1)}</button
            >.`,
        )}
        ${item(
          words.correlation,
          Number.isFinite(c.correlation) ? formatNumber(c.correlation) : words.undefined,
          this.track(Math.max(0, c.correlation), 1),
          Number.isFinite(c.correlation) ? words.correlationMeaning : words.correlationUndefined,
        )}
        ${item(
          words.outputError,
          formatNumber(c.outputError),
          this.track(c.outputError, Math.max(1, c.outputError) * 1.15, 1),
          words.outputMeaning,
        )}
      </dl>
      ${
        warnings.length > 0
          ? html`<ul aria-label=${words.warnings}>
              ${warnings.map(([head, rest]) => html`<li><strong>${head}</strong> ${rest}</li>`)}
            </ul>`
          : nothing
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-comparison': AttnComparison;
  }
}
