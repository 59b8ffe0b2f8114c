/** What this lab's figures share: numbers as rows of a table, a chart and its file. */
import { html, type TemplateResult } from 'lit';
import type { AttnLineChart } from '../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../src/components/rich-text/rich-text.ts';
import { formatNumber } from '../../../src/plot/format.ts';

export const percent = (share: number): string =>
  `${formatNumber(100 * share, share === 1 ? 3 : 2)} %`;

export type Row = readonly [name: string, ...values: readonly (string | TemplateResult)[]];

/** A table whose first column names the rows; it scrolls where it does not fit. */
export const table = (
  name: string,
  head: readonly string[],
  rows: readonly Row[],
): TemplateResult =>
  html`<div class="scroll" role="region" tabindex="0" aria-label=${name}>
    <table class="kt-table">
      <thead>
        <tr>
          ${head.map((words) => html`<th scope="col">${rich(words)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...values]) =>
            html`<tr>
              <th scope="row">${rich(first)}</th>
              ${values.map((value) => html`<td>${typeof value === 'string' ? rich(value) : value}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** The file of the chart that a figure shows, below another picture where there is one. */
export const chartFile = (within: Element, ...about: Parameters<AttnLineChart['svg']>): string =>
  within.querySelector<AttnLineChart>('attn-line-chart')?.svg(...about) ?? '';
