/** How the models of a chart and of its table look, the same in each figure of this lab. */
import { html, type TemplateResult } from 'lit';
import type { AttnLineChart } from '../../../src/components/line-chart/line-chart.ts';
import type { Series } from '../../../src/plot/chart.ts';
import { seriesColors } from '../../../src/plot/chart-colors.ts';
import { MARKS } from './marks.ts';

/**
 * Colour and mark of the i-th model. When the colours begin again, marks are hollow; as there is one more colour than
 * there are marks, the mark is then another one, too.
 */
export function look(i: number, dark: boolean): Pick<Series, 'color' | 'mark' | 'hollow'> {
  const [ink = '', ...others] = seriesColors[dark ? 'dark' : 'light'];
  const colors = [...others, ink];
  return {
    color: colors[i % colors.length] ?? ink,
    mark: MARKS[i % MARKS.length] ?? 'circle',
    hollow: i >= colors.length,
  };
}

/** What a line is drawn with that belongs to no model. */
export const ink = (dark: boolean): string => seriesColors[dark ? 'dark' : 'light'][0] ?? '';

/** A table of models, which scrolls where it is wider than the page. */
export const modelTable = (
  label: string,
  columns: readonly string[],
  rows: readonly unknown[],
): TemplateResult => html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
  <table class="figure-table" aria-label=${label}>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>
</div>`;

/** The chart of a figure as a picture for a file. */
export const chartSvg = (figure: HTMLElement, caption: string, heading: string): string =>
  figure.querySelector<AttnLineChart>('attn-line-chart')?.svg(caption, heading) ?? '';
