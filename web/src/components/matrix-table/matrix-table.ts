import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Matrix } from '#client';
import { formatNumber } from '../../plot/format.ts';
import { shownToken } from '../../plot/tokens.ts';
import { laterWords } from '../../strings/later.ts';
import type { Cell } from '../heatmap/heatmap.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './matrix-table.styles.ts';

/** A reader who goes through cells one by one gains nothing from a larger window. */
const WINDOW = 16;

/**
 * A window of a matrix, at most 16×16 around a cell, as a table with headers. The cursor of the
 * pictures moves the window.
 *
 * @element attn-matrix-table
 */
@customElement('attn-matrix-table')
export class AttnMatrixTable extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) matrix: Matrix | undefined;
  @property({ attribute: false }) cell: Cell | undefined;
  @property({ attribute: false }) visible: ((row: number) => number) | undefined;
  @property({ attribute: false }) rowLabels: readonly string[] | undefined;
  @property({ attribute: false }) colLabels: readonly string[] | undefined;
  @property() heading = '';

  override render() {
    const { matrix, cell } = this;
    if (!matrix) return nothing;
    const words = laterWords.table;
    const start = (at: number, all: number): number =>
      Math.max(0, Math.min(all - WINDOW, at - WINDOW / 2));
    const row0 = start(cell?.row ?? 0, matrix.rows);
    const col0 = start(cell?.col ?? 0, matrix.cols);
    const count = (from: number, all: number): number[] =>
      Array.from({ length: Math.min(WINDOW, all) }, (_, i) => from + i);
    const rows = count(row0, matrix.rows);
    const cols = count(col0, matrix.cols);
    const at = (row: number, col: number): number => matrix.data[row * matrix.cols + col] as number;
    const label = (kind: string, i: number, labels: readonly string[] | undefined): string =>
      labels?.[i] === undefined ? `${kind} ${i + 1}` : `${i + 1} ${shownToken(labels[i])}`;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.region}: ${this.heading}">
      <table>
        <caption>
          ${words.caption(
            this.heading,
            row0 + 1,
            row0 + rows.length,
            matrix.rows,
            col0 + 1,
            col0 + cols.length,
            matrix.cols,
          )}
        </caption>
        <thead>
          <tr>
            <th scope="col">${words.corner}</th>
            ${cols.map((col) => html`<th scope="col">${label(words.key, col, this.colLabels)}</th>`)}
            <th scope="col" class="stat">${words.largest}</th>
            <th scope="col">${words.at}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => {
            const end = this.visible?.(row) ?? matrix.cols;
            let best = 0;
            for (let col = 1; col < end; col++) if (at(row, col) > at(row, best)) best = col;
            return html`<tr>
              <th scope="row">${label(words.query, row, this.rowLabels)}</th>
              ${cols.map((col) => {
                const here = cell?.row === row && cell.col === col ? 'here' : '';
                return col < end
                  ? html`<td class="${here} ${col === best ? 'largest' : ''}">
                      ${formatNumber(at(row, col))}
                    </td>`
                  : html`<td class="masked ${here}">${words.masked}</td>`;
              })}
              <td class="stat">${end > 0 ? formatNumber(at(row, best)) : words.masked}</td>
              <td>${label(words.key, best, this.colLabels)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-matrix-table': AttnMatrixTable;
  }
}
