/** One row for each model: its name, a bar or a dot on one axis, and its number. As tall as it has rows, at any width. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Look } from '../../../src/plot/point-marks.ts';
import { adopt } from '../../../src/styles/adopt.ts';
import { glyph } from './looks.ts';
import css from './row-chart.css?inline';

adopt(css);

export interface ChartRow {
  readonly name: string;
  readonly look: Look;
  /** Where it lies on the axis; nothing is drawn for NaN. */
  readonly at: number;
  /** Where it lay before the try that is on. */
  readonly before?: number | undefined;
  /** Where the reader expected it. */
  readonly guess?: number | undefined;
  /** A second dot of the same model, hollow. */
  readonly also?: number | undefined;
  readonly text: unknown;
}

export interface ChartRows {
  readonly label: string;
  readonly rows: readonly ChartRow[];
  readonly low: number;
  readonly high: number;
  readonly log?: boolean;
  /** Bars begin at the low end; dots do not. */
  readonly bars?: boolean;
  /** A value to compare all with, as an upright line. */
  readonly limit?: number;
  /** What stands at the ends of the axis. */
  readonly ends: readonly [string, string];
  readonly dark: boolean;
}

export function rowChart(chart: ChartRows): TemplateResult {
  const { label, rows, low, high, log = false, bars = false, limit, ends, dark } = chart;
  const part = (value: number): number => {
    const share = log
      ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
      : (value - low) / (high - low);
    return 100 * Math.max(0, Math.min(1, share));
  };
  const left = (value: number): string => `left:${part(value)}%`;
  const mark = (kind: string, value: number | undefined, content: unknown = nothing): unknown =>
    value === undefined || Number.isNaN(value)
      ? nothing
      : html`<span class="st-at ${kind}" .style=${left(value)}>${content}</span>`;
  return html`<table class="st-rows ${bars ? 'bars' : ''}" aria-label=${label}>
    <tbody>
      ${rows.map(
        ({ name, look, at, before, guess, also, text }) => html`<tr>
          <th scope="row">${glyph(look, dark)}${name}</th>
          <td class="st-track" aria-hidden="true">
            <div>
              ${limit === undefined ? nothing : mark('limit', limit)}
              ${
                bars && before !== undefined
                  ? html`<span class="st-bar was" .style=${`width:${part(before)}%`}></span>`
                  : mark('was', before)
              }
              ${
                bars && !Number.isNaN(at)
                  ? html`<span class="st-bar" .style=${`width:${part(at)}%;background:${look.color}`}></span>`
                  : nothing
              }
              ${also === undefined ? nothing : mark('dot', also, glyph({ ...look, hollow: true }, dark))}
              ${bars ? nothing : mark('dot', at, glyph(look, dark))} ${mark('guess', guess)}
            </div>
          </td>
          <td class="st-number">${text}</td>
        </tr>`,
      )}
    </tbody>
    <tfoot aria-hidden="true">
      <tr>
        <td></td>
        <td class="st-ends"><span>${ends[0]}</span><span>${ends[1]}</span></td>
        <td></td>
      </tr>
    </tfoot>
  </table>`;
}
