/** How the models of this lab are named and drawn, the same in each of its figures. */
import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { AttnLineChart } from '../../../src/components/line-chart/line-chart.ts';
import { paints, seriesColors } from '../../../src/plot/chart-colors.ts';
import { lookOf, nameOf, type ThingId, thingOf } from '../../../src/plot/names.ts';
import { type Look, type Mark, paintedMark } from '../../../src/plot/point-marks.ts';

/** What the course's table has no entry for is grey, one mark after the other. */
const OTHERS: readonly Mark[] = ['circle', 'square', 'triangle', 'diamond', 'cross', 'plus'];

/** What this lab calls some of its models itself. */
const OWN: Readonly<Record<string, ThingId>> = {
  ...{ taylor: 'taylor', elu: 'elu', window: 'window', based: 'based', one_in_four: 'hybrid' },
};

/** Linear attention with a feature map is not the plain sum of the opening. */
const thing = (id: string): ThingId | undefined =>
  id === 'linear' ? undefined : (OWN[id] ?? thingOf(id));

/** The course's name of a model, or the one that the core gives it. */
export function modelName(id: string, label: string): string {
  const known = thing(id);
  if (known) return nameOf(known);
  // A description in words is written like the names beside it; a name of one word is a name.
  return label.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
}

/** How each of the models of a picture is drawn. */
export function looksOf(ids: readonly string[], dark: boolean): ReadonlyMap<string, Look> {
  const grey = lookOf('ghost', dark).color;
  let others = 0;
  const other = (): Look => {
    const i = others++;
    return { color: grey, mark: OTHERS[i % OTHERS.length] ?? 'circle', hollow: i >= OTHERS.length };
  };
  return new Map(
    ids.map((id) => {
      const known = thing(id);
      return [id, known ? lookOf(known, dark) : other()];
    }),
  );
}

/** What a line is drawn with that belongs to no model. */
export const ink = (dark: boolean): string => seriesColors[dark ? 'dark' : 'light'][0] ?? '';

/** The mark of a model beside its name. */
export const glyph = (look: Look, dark: boolean): unknown =>
  unsafeHTML(
    `<svg class="st-glyph" viewBox="-7 -7 14 14" aria-hidden="true">${paintedMark(look, 0, 0, paints[dark ? 'dark' : 'light'].paper, 4.5)}</svg>`,
  );

/** A table of models, which scrolls where it is wider than the page. */
export const modelTable = (
  label: string,
  columns: readonly unknown[],
  rows: readonly unknown[],
): TemplateResult => html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
  <table class="figure-table" aria-label=${label}>
    <thead>
      <tr>
        ${columns.map((column) => (typeof column === 'string' ? html`<th scope="col">${column}</th>` : column))}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>
</div>`;

/** One row of a table of models: its name, and what is said of it. */
export const modelRow = (name: unknown, cells: readonly unknown[]): TemplateResult => html`<tr>
  <th scope="row">${name}</th>
  ${cells.map((cell) => html`<td>${cell}</td>`)}
</tr>`;

/** The chart of a figure as a picture for a file. */
export const chartSvg = (figure: HTMLElement, caption: string, heading: string): string =>
  figure.querySelector<AttnLineChart>('attn-line-chart')?.svg(caption, heading) ?? '';
