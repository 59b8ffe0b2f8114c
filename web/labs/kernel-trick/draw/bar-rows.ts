/** Named numbers as bars below each other, in the page's type, so that they are as legible on a phone as elsewhere. */
import { html, nothing, type TemplateResult } from 'lit';
import { rich } from '../../../src/components/rich-text/rich-text.ts';

export interface Bar {
  /** Where the bar begins; zero unless it is given. */
  readonly from?: number;
  readonly to: number;
  readonly text: string;
  /** `sum`: what the others lead to; `other`: what it is compared with. */
  readonly kind?: 'sum' | 'other';
  /** Its end before a try. */
  readonly before?: number | undefined;
}

export interface BarRow {
  readonly name: string;
  readonly bars: readonly Bar[];
}

export interface BarRows {
  /** For screen readers. */
  readonly label: string;
  readonly rows: readonly BarRow[];
  /** An upright line through all rows. */
  readonly mark?: { readonly at: number; readonly label: string };
}

/** All bars have one linear scale, which holds zero. */
export function barRows({ label, rows, mark }: BarRows): TemplateResult {
  const ends = rows
    .flatMap(({ bars }) => bars.flatMap(({ from = 0, to, before = 0 }) => [from, to, before]))
    .concat(0, mark?.at ?? 0)
    .filter(Number.isFinite);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const place = (value: number): number => (100 * (value - low)) / (high - low || 1);
  const line = (kind: string, at: number): TemplateResult =>
    html`<i class=${kind} .style=${`left:${place(at)}%`}></i>`;
  return html`<div class="kt-bars" role="group" aria-label=${label}>
    ${rows.map(
      ({ name, bars }) => html`<div class="row">
        <span class="name">${rich(name)}</span>
        <span class="tracks"
          >${bars.map(({ from = 0, to, text, kind, before }) => {
            const [left, right] = [Math.min(from, to), Math.max(from, to)];
            return html`<span class="track"
              ><span class="scale" aria-hidden="true"
                >${line('zero', 0)}${mark ? line('mark', mark.at) : nothing}
                <span
                  class="bar ${kind ?? ''} ${to < from ? 'down' : ''}"
                  .style=${`left:${place(left)}%;width:${place(right) - place(left)}%`}
                ></span>
                ${before === undefined ? nothing : line('before', before)}</span
              ><span class="value">${text}</span></span
            >`;
          })}</span
        >
      </div>`,
    )}
    ${mark ? html`<p class="fine">${mark.label}</p>` : nothing}
  </div>`;
}
