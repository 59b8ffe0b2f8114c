import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { DrawnFigure, DrawnImage, DrawnLines } from '../../exercises/drawings.ts';
import type { Domain } from '../../plot/axis.ts';
import { seriesColors } from '../../plot/chart-colors.ts';
import type { ColorScale } from '../../plot/color.ts';
import { formatNumber, formatTick } from '../../plot/format.ts';
import type { Mark } from '../../plot/point-marks.ts';
import type { View } from '../../plot/raster.ts';
import { matrixWords, exercises as words } from '../../strings/exercises.ts';
import { isDark, onThemeChange } from '../../styles/theme.ts';
import type { CellEventDetail, FigureAction } from '../heatmap/heatmap.ts';
import '../heatmap/heatmap.ts';
import '../line-chart/line-chart.ts';
import type { HeldPoint } from '../line-chart/line-chart.ts';
import { shared } from '../shared.styles.ts';

const NO_ACTIONS: readonly FigureAction[] = ['png', 'svg', 'csv', 'json', 'link', 'table', 'arcs'];
const MARKS: readonly Mark[] = ['circle', 'square', 'diamond', 'triangle'];
/** A curve with more points than this is drawn without marks. */
const MOST_MARKS = 30;

interface Held {
  readonly cell?: CellEventDetail['cell'];
  readonly locked: boolean;
  readonly view?: View | undefined;
}

/** Axes whose ends are the drawn values, with a little room; a single value gets some room too. */
function domainOf(values: readonly number[], log: boolean): Domain {
  const [low, high] = [Math.min(...values, Infinity), Math.max(...values, -Infinity)];
  if (!(high >= low)) return { low: 0, high: 1, linear: true };
  if (log) return { low: low / 1.2, high: high * 1.2 };
  const room = 0.06 * (high - low || Math.abs(high) || 1);
  return { low: low - room, high: high + room, linear: true };
}

/**
 * What a file drew with matplotlib, as the page's own figures: a heatmap for each picture, a chart for lines, in the
 * grid that the file asked for where there is room.
 *
 * @element attn-drawing
 */
@customElement('attn-drawing')
export class AttnDrawing extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .figure:first-child {
        margin-top: 1rem;
      }
      .figure + .figure {
        margin-top: 1.5rem;
      }
      .title {
        margin: 0 0 0.5rem;
        font: 600 var(--step-0) / 1.3 var(--sans);
      }
      .grid {
        display: grid;
        grid-template-columns: repeat(
          auto-fit,
          minmax(min(100%, max(13rem, (100% - 3rem) / var(--cols) - 1rem)), 1fr)
        );
        gap: 1.1rem;
      }
      .grid > * {
        max-width: 32rem;
      }
    `,
  ];

  @property({ attribute: false }) figures: readonly DrawnFigure[] = [];

  @state() private dark = isDark();
  @state() private held: ReadonlyMap<string, Held> = new Map();
  private forgetTheme: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forgetTheme = onThemeChange(() => {
      this.dark = isDark();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forgetTheme?.();
  }

  private hold(key: string, change: Partial<Held>): void {
    this.held = new Map(this.held).set(key, {
      ...(this.held.get(key) ?? { locked: false }),
      ...change,
    });
  }

  private renderImage(key: string, image: DrawnImage) {
    const { matrix, title, rowLabels, colLabels, low, high } = image;
    const texts = words.drawing;
    const { cell, locked = false, view } = this.held.get(key) ?? {};
    const values = matrix.data;
    // The entries are float32, so the ends are compared as such.
    const [least, most] = [Math.fround(low), Math.fround(high)];
    const scale: ColorScale = {
      kind: 'sequential',
      low,
      high: high > low ? high : low + 1,
      tone: 'linear',
      overLow: values.some((value) => value < least),
      overHigh: values.some((value) => value > most),
    };
    const rows = image.yName || texts.row;
    const cols = image.xName || texts.col;
    // A cell that has gone with a smaller picture is not held.
    const inside = cell && cell.row < matrix.rows && cell.col < matrix.cols ? cell : undefined;
    return html`<attn-heatmap
      ?tokens=${rowLabels !== undefined || colLabels !== undefined}
      .heading=${title || texts.untitled}
      .subtitle=${words.picture.size(matrix.rows, matrix.cols, rows, cols)}
      .matrix=${matrix}
      .scale=${scale}
      .cellTexts=${image.texts.size > 0 ? image.texts : undefined}
      .rowLabels=${rowLabels}
      .colLabels=${colLabels}
      .quantity=${words.picture.value}
      .words=${matrixWords(rows, cols)}
      .origin=${0}
      .aspect=${Math.min(4, Math.max(1, matrix.cols / matrix.rows))}
      .cell=${inside}
      .locked=${locked}
      .view=${inside || !cell ? view : undefined}
      .dark=${this.dark}
      .without=${NO_ACTIONS}
      @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) =>
        this.hold(key, { cell: detail.cell, locked: detail.locked })}
      @attn-view=${({ detail }: CustomEvent<View | undefined>) => this.hold(key, { view: detail })}
    ></attn-heatmap>`;
  }

  private renderLines({ title, xName, yName, xLog, yLog, lines, texts: written }: DrawnLines) {
    const texts = words.drawing;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const fits = (value: number, log: boolean) => Number.isFinite(value) && (!log || value > 0);
    const series = lines.map(({ label, x, y }, at) => ({
      id: String(at),
      label: label || texts.line(at + 1),
      color: colors[at % colors.length] ?? '',
      mark: MARKS[at % MARKS.length] ?? ('circle' as const),
      bare: x.length > MOST_MARKS,
      points: x.flatMap((place, i) => {
        const value = y[i] ?? Number.NaN;
        return fits(place, xLog) && fits(value, yLog)
          ? [{ x: place, y: value, low: value, high: value }]
          : [];
      }),
    }));
    const points = series.flatMap((one) => one.points);
    return html`<attn-line-chart
      .words=${words.report.chart}
      .heading=${title || texts.untitled}
      .series=${series}
      .notes=${written}
      .summary=${written.length > 0 ? texts.written(written.map(({ text }) => text).join(', ')) : ''}
      .x=${domainOf(
        points.map(({ x }) => x),
        xLog,
      )}
      .y=${domainOf(
        points.map(({ y }) => y),
        yLog,
      )}
      .xLabel=${xName}
      .yLabel=${yName}
      .dark=${this.dark}
      .describe=${({ series: id, point }: HeldPoint): string => {
        const one = series.find((each) => each.id === id);
        const at = one?.points[point];
        if (!one || !at) return '';
        return words.picture.point(
          one.label,
          `${xName || 'x'} = ${formatTick(at.x)}`,
          `${yName || 'y'} ${formatNumber(at.y, 4)}`,
        );
      }}
    ></attn-line-chart>`;
  }

  override render() {
    return this.figures.map(
      (
        { title, cols, parts },
        nth,
      ) => html`<div class="figure" role="group" aria-label=${title || words.drawing.figure(nth + 1)}>
        ${title ? html`<p class="title">${title}</p>` : nothing}
        <div class="grid" .style=${`--cols:${cols}`}>
          ${parts.map((part, at) =>
            part.kind === 'image' ? this.renderImage(`${nth}-${at}`, part) : this.renderLines(part),
          )}
        </div>
      </div>`,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-drawing': AttnDrawing;
  }
}
