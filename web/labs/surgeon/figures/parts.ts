/** What this lab's figures share: heatmaps with one cursor, rows of numbers, charts. */
import { html, nothing, svg } from 'lit';
import { state } from 'lit/decorators.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { Matrix } from '#client';
import '../../../src/components/heatmap/heatmap.ts';
import type {
  Cell,
  CellEventDetail,
  FigureAction,
} from '../../../src/components/heatmap/heatmap.ts';
import '../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../src/lab/figure/figure.ts';
import { chartPoint, type Series } from '../../../src/plot/chart.ts';
import { seriesColors } from '../../../src/plot/chart-colors.ts';
import type { ColorScale } from '../../../src/plot/color.ts';
import { formatNumber } from '../../../src/plot/format.ts';
import { drawFigure } from '../../../src/plot/heatmap-picture.ts';
import { lookOf, nameOf } from '../../../src/plot/names.ts';
import type { View } from '../../../src/plot/raster.ts';
import { boolean, type PropertyTable, type StateOf } from '../../../src/state/url.ts';
import { adopt } from '../../../src/styles/adopt.ts';
import { type MatrixPicture, matrixParts, weightScale } from './draw.ts';
import css from './figures.css?inline';

adopt(css);

/** The same width as in stage.css. */
const SMALL = matchMedia('(width < 56em)');

/** These buttons belong to the figure, not to each heatmap. */
const WITHOUT: readonly FigureAction[] = ['png', 'svg', 'csv', 'json', 'link', 'table'];

/** Whether words are joined by lines; in the table of every figure whose rows are tokens. */
export const arcs = boolean({ key: 'arcs', default: false });

export interface Heat {
  readonly matrix: Matrix;
  readonly heading: string;
  readonly subtitle?: string;
  readonly scale?: ColorScale;
  readonly rows?: readonly string[] | undefined;
  readonly cols?: readonly string[] | undefined;
  readonly visible?: ((row: number) => number) | undefined;
}

/** What is left of rounding is nothing. */
const ROUNDING = 1e-9;

export const percent = (share: number): string =>
  `${formatNumber(Math.abs(share) < ROUNDING ? 0 : 100 * share, 2)}\u00A0%`;

export const colors = (dark: boolean): readonly string[] => seriesColors[dark ? 'dark' : 'light'];

export type Row = readonly [name: string, ...values: readonly unknown[]];

/** A table whose first column names the rows; it scrolls where it does not fit. */
export const numbers = (name: string, head: readonly string[], rows: readonly Row[]) =>
  html`<div class="scroll" role="region" tabindex="0" aria-label=${name}>
    <table class="sg-numbers">
      <thead>
        <tr>
          ${head.map((words) => (words ? html`<th scope="col">${rich(words)}</th>` : html`<td></td>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...values]) => html`<tr>
            <th scope="row">${rich(first)}</th>
            ${values.map((value) => html`<td>${typeof value === 'string' ? rich(value) : value}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** Sentences that are computed from numbers. */
export const said = (sentences: readonly string[]) =>
  html`<ul class="sg-sentences">
    ${sentences.filter(Boolean).map((one) => html`<li>${rich(one)}</li>`)}
  </ul>`;

/** A small matrix with its numbers, which are left out where the picture is narrow. */
export function matrixPicture(picture: MatrixPicture, dark: boolean, label: string): unknown {
  const { body, width, height } = matrixParts(picture, dark);
  return html`<div class="sg-mini" .style=${`--ratio:${(width / height).toFixed(2)}`}>
    ${picture.name ? html`<p class="sg-name">${rich(picture.name)}</p>` : nothing}
    <svg
      data-square
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${label}
      .style=${`max-width:${Math.round(1.35 * width)}px`}
    >
      ${svg`${unsafeSVG(body)}`}
    </svg>
  </div>`;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  /** What it was before a try. */
  readonly was?: number | undefined;
}

/** Bars below each other, from 0 to the greatest value; what was before is an outline. */
export const bars = (name: string, rows: readonly Bar[], most: number): unknown => {
  const part = (value: number): string =>
    `width:${Math.max(0, Math.min(100, (100 * value) / (most || 1)))}%`;
  return html`<div class="sg-bars" role="img" aria-label="${name}: ${rows.map(({ label, text }) => `${label} ${text}`).join(', ')}">
    ${rows.map(
      ({ label, value, text, was }) => html`<span class="label">${rich(label)}</span>
        <span class="track">
          <span class="bar" .style=${part(value)}></span>
          ${was === undefined ? nothing : html`<span class="was" .style=${part(was)}></span>`}
        </span>
        <span class="text">${text}</span>`,
    )}
  </div>`;
};

/** Lines as they were before a try: dashed, in grey, without marks. They are one series, with gaps between them. */
export const ghostly = (lines: readonly Series[], dark: boolean): readonly Series[] =>
  lines.length === 0
    ? []
    : [
        {
          ...{ ...lookOf('ghost', dark), id: 'ghost', label: nameOf('ghost'), model: true },
          points: lines.flatMap(({ points }) => [
            ...points.map(({ x, y }) => chartPoint(x, y)),
            chartPoint(points.at(-1)?.x ?? 0, Number.NaN),
          ]),
        },
      ];

/** The file of the chart that a figure shows. */
export const chartFile = (within: Element, caption: string, heading: string): string =>
  within.querySelector<AttnLineChart>('attn-line-chart')?.svg(caption, heading) ?? '';

/** A figure with heatmaps that share one cursor. */
export abstract class PictureFigure<Result, T extends PropertyTable> extends LabFigure<Result, T> {
  @state() protected cell: Cell | undefined;
  @state() private locked = false;
  @state() private view: View | undefined;
  /** On a phone a small picture has room for its cells, and none for the controls of a large one. */
  @state() private small = SMALL.matches;
  private readonly onSmall = (): void => {
    this.small = SMALL.matches;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    SMALL.addEventListener('change', this.onSmall);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    SMALL.removeEventListener('change', this.onSmall);
  }

  private get inArcs(): boolean {
    return (this.values as { readonly arcs?: boolean }).arcs ?? false;
  }

  /** The pictures, for the page and for the PNG file. */
  protected abstract heats(shown: Shown<StateOf<T>, Result>): readonly Heat[];

  protected override show(shown: Shown<StateOf<T>, Result>): void {
    const size = (of: Shown<StateOf<T>, Result> | undefined): string =>
      of
        ? this.heats(of)
            .map(({ matrix }) => `${matrix.rows}×${matrix.cols}`)
            .join()
        : '';
    if (size(this.shown) !== size(shown)) {
      this.cell = undefined;
      this.locked = false;
      this.view = undefined;
    }
    super.show(shown);
  }

  protected renderHeats(shown: Shown<StateOf<T>, Result>): unknown {
    const heats = this.heats(shown);
    const before = this.ghost && heats.length === 1 ? this.heats(this.ghost)[0] : undefined;
    const [only] = heats;
    if (this.small && only && heats.length === 1 && !this.inArcs) {
      const picture = ({ matrix, scale = weightScale, rows, cols }: Heat, name: string) =>
        matrixPicture({ name, matrix, scale, rows, cols }, this.dark, name);
      return html`<div class="sg-single ${before ? 'compared' : ''}">
        ${picture(only, [only.heading, only.subtitle].filter(Boolean).join(', '))}
        ${before ? picture({ matrix: before.matrix, heading: '' }, nameOf('ghost')) : nothing}
      </div>`;
    }
    return html`<div
      class="sg-pictures ${heats.length > 2 ? 'many' : ''} ${before ? 'compared' : ''}"
      @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
        this.cell = detail.cell;
        this.locked = detail.locked;
      }}
      @attn-action=${({ detail }: CustomEvent<FigureAction>) => {
        if (detail === 'arcs') this.set({ arcs: !this.inArcs } as Partial<StateOf<T>>);
      }}
      @attn-view=${({ detail }: CustomEvent<View | undefined>) => {
        this.view = detail;
      }}
    >
      ${heats.map(
        ({ matrix, heading, subtitle = '', scale = weightScale, rows, cols, visible }) =>
          html`<attn-heatmap
            .matrix=${matrix}
            .scale=${scale}
            .visible=${visible}
            .rowLabels=${rows}
            .colLabels=${cols}
            .cell=${this.cell}
            .locked=${this.locked}
            .view=${this.view}
            .dark=${this.dark}
            .heading=${heading}
            .subtitle=${subtitle}
            .aspect=${matrix.cols / matrix.rows}
            .without=${'arcs' in this.table ? WITHOUT : [...WITHOUT, 'arcs']}
            .form=${this.inArcs ? 'arcs' : 'cells'}
            ?tokens=${rows !== undefined || cols !== undefined}
            ?busy=${this.busy}
          ></attn-heatmap>`,
      )}
      ${
        before
          ? html`<div class="sg-before">
              ${matrixPicture(
                {
                  ...{ name: nameOf('ghost'), matrix: before.matrix },
                  scale: before.scale ?? weightScale,
                },
                this.dark,
                `${nameOf('ghost')}: ${before.heading}`,
              )}
            </div>`
          : nothing
      }
    </div>`;
  }

  protected override canvases(shown: Shown<StateOf<T>, Result>): Promise<HTMLCanvasElement[]> {
    return Promise.all(
      this.heats(shown).map(
        ({ matrix, heading, subtitle = '', scale = weightScale, rows, visible }) =>
          drawFigure({
            ...{ matrix, scale, heading, subtitle, dark: this.dark },
            visible: visible ?? (() => matrix.cols),
            labels: matrix.rows === matrix.cols ? rows : undefined,
            arcs: this.inArcs,
          }),
      ),
    );
  }
}

/** What a figure shows until its button is pressed. */
export const startButton = (label: string, running: boolean, start: () => void, stop: string) =>
  html`<p class="run">
    <button class="button primary" type="button" ?disabled=${running} @click=${start}>
      ${running ? stop : label}
    </button>
  </p>`;

export { nothing };
