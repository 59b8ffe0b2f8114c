import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type Axis, axisPlace, domainFor } from '../../plot/axis.ts';
import {
  drawLines,
  type Frame,
  type Level,
  type LineChart,
  labelsHeight,
  legendSign,
  type Marker,
  type Note,
  namesWidth,
  type Series,
  type Stretch,
  standalone,
  ticksWidth,
} from '../../plot/chart.ts';
import { paints } from '../../plot/chart-colors.ts';
import { markedLetters } from '../../plot/svg.ts';
import { language } from '../../strings/language.ts';
import { isDark, onThemeChange } from '../../styles/theme.ts';
import { placeWithin } from '../place-within.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './line-chart.styles.ts';
import { type ChartWords, chartWords } from './words.ts';

/** Without words for points the page has to give `describe`. */
type PageWords = Omit<ChartWords, 'point'>;

const NO_HOVER = matchMedia('(hover: none)');
/** A lower chart could not be read. */
const LOWEST = 190;
/** From this width on the lines are named at their ends. */
const NAMED_FROM = 620;
const NAMES_PART = 0.32;

export interface HeldPoint {
  readonly series: string;
  readonly point: number;
}

/** The index of the nearest place. */
const nearest = (places: readonly number[], at: number): number =>
  places.reduce((best, place, i) => {
    const far = Math.abs((places[best] ?? Infinity) - at);
    return Math.abs(place - at) < far ? i : best;
  }, 0);

/** Sets `d_k` and `n*` in the legend as the drawing sets them. */
const withMarks = (words: string): unknown =>
  markedLetters(words).map((part, i) => {
    if (i % 2 === 0) return part;
    return part.endsWith('*')
      ? html`<i>${part.charAt(0)}</i><sup>*</sup>`
      : html`<i>${part.charAt(0)}<sub>${part.slice(2)}</sub></i>`;
  });

/** Their distance in points, for long lines. */
const PAGE = 10;
const KEYS = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
];

/**
 * Lines and points on linear or logarithmic axes: hover, touch or arrow keys read a point out; a grip
 * moves one upright line.
 *
 * @element attn-line-chart
 * @fires attn-grip - While the grip moves. Detail: {value, done}.
 */
@customElement('attn-line-chart')
export class AttnLineChart extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) words: PageWords = chartWords[language];
  /** Leave it empty where the page has a heading above the chart. */
  @property() heading = '';
  /** The level of the heading. */
  @property({ type: Number }) level: 2 | 3 | 4 = 2;
  @property({ attribute: false }) series: readonly Series[] = [];
  @property({ attribute: false }) markers: readonly Marker[] = [];
  /** Logarithmic unless it says `linear` or `symlog`; ends that are not given come from the series. */
  @property({ attribute: false }) x: Axis = {};
  @property({ attribute: false }) y: Axis = {};
  @property() xLabel = '';
  @property() yLabel = '';
  @property({ attribute: false }) formatX: ((value: number) => string) | undefined;
  @property({ attribute: false }) formatY: ((value: number) => string) | undefined;
  /** Values that nothing exceeds, or to compare with. */
  @property({ attribute: false }) levels: readonly Level[] = [];
  /** Parts of the axis where something holds. */
  @property({ attribute: false }) stretches: readonly Stretch[] = [];
  /** Words at places of the chart. */
  @property({ attribute: false }) notes: readonly Note[] = [];
  /** Describes a point: the name of its line, its place, and its value. */
  @property({ attribute: false }) describe: (held: HeldPoint) => string = (held) =>
    this.pointWords(held);
  /** Renders the heading and the description of a point, where they hold formulas. */
  @property({ attribute: false }) typeset: (text: string) => unknown = withMarks;
  /** What a screen reader hears first. */
  @property() summary = '';
  /** The value of the upright line that can be moved; undefined where there is no grip. */
  @property({ type: Number }) grip: number | undefined;
  /** The page's theme unless it is given. */
  @property({ type: Boolean }) dark: boolean | undefined;

  /** How much lower than by itself the chart is drawn, in pixels; set where its place is low (`lab/fit.ts`). */
  @property({ type: Number }) lower = 0;

  @state() private width = 0;
  @state() private pageDark = isDark();
  @state() private held: HeldPoint | undefined;
  @state() private spoken = '';
  @state() private hidden_: ReadonlySet<string> = new Set();

  @query('.frame') private frameElement!: HTMLElement;
  private watch: ResizeObserver | undefined;
  private forgetTheme: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch = new ResizeObserver(([entry]) => {
      this.width = Math.round(entry?.contentRect.width ?? 0);
    });
    this.watch.observe(this);
    this.pageDark = isDark();
    this.forgetTheme = onThemeChange(() => {
      this.pageDark = isDark();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch?.disconnect();
    this.forgetTheme?.();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('series') || !this.held) return;
    const { series, point } = this.held;
    const points = this.series.find(({ id }) => id === series)?.points ?? [];
    if (point >= points.length) this.held = undefined;
  }

  private get shown(): readonly Series[] {
    return this.series.filter(({ id }) => !this.hidden_.has(id));
  }

  /** Lines of one name, as all that were before a try, are one entry of the legend. */
  private get listed(): readonly Series[] {
    const first = new Map<string, Series>();
    for (const one of this.series) if (!first.has(one.label)) first.set(one.label, one);
    return [...first.values()];
  }

  /** Switches the lines of one name on or off. */
  private switchLines(name: string, on: boolean): void {
    const next = new Set(this.hidden_);
    for (const { id, label } of this.series) {
      if (label !== name) continue;
      if (on) next.delete(id);
      else next.add(id);
    }
    this.hidden_ = next;
  }

  private get named(): boolean {
    // Long names would leave the lines no room; the legend has them too.
    return this.width >= NAMED_FROM && namesWidth(this.series) <= NAMES_PART * this.width;
  }

  /** How tall the drawing is by itself. */
  private get ownHeight(): number {
    const { width } = this;
    return width < 480 ? 320 : Math.min(460, 300 + width / 8);
  }

  /** The chart gets no lower beyond this value of `lower`. */
  get mostLower(): number {
    return this.ownHeight - LOWEST;
  }

  /** Draws at once what has changed, in the width that it has now, for whoever measures it next (`lab/fit.ts`). */
  drawNow(): void {
    if (!this.isConnected) return;
    this.width = this.clientWidth;
    if (this.isUpdatePending) this.performUpdate();
  }

  /** The chart as it is drawn. */
  chart(): LineChart {
    const { markers, series } = this;
    const width = Math.max(240, this.width);
    const points = series.flatMap((one) => one.points);
    // Lines that are switched off still count for the axes: otherwise every click would rescale the others.
    const x = domainFor(
      this.x,
      points.map((point) => point.x),
    );
    const y = domainFor(
      this.y,
      points.flatMap((point) => [point.y, point.low, point.high]),
    );
    const chart = {
      ...{ x, y, markers, series: this.shown, levels: this.levels },
      ...{ stretches: this.stretches, notes: this.notes },
      ...{ xLabel: this.xLabel, yLabel: this.yLabel, named: this.named },
      paint: paints[(this.dark ?? this.pageDark) ? 'dark' : 'light'],
      ...(this.formatX ? { formatX: this.formatX } : {}),
      ...(this.formatY ? { formatY: this.formatY } : {}),
      at: this.held,
    };
    const frame: Frame = {
      width,
      height: Math.max(LOWEST, this.ownHeight - this.lower),
      left: 54,
      right: this.named ? namesWidth(series) : 14,
      top: 34,
      bottom: 46,
    };
    const left = ticksWidth({ ...chart, frame }, frame.left);
    const top = frame.top + labelsHeight({ frame: { ...frame, left }, x, markers });
    return { ...chart, frame: { ...frame, left, top } };
  }

  /**
   * The chart as a whole SVG file: the same drawing with heading, legend and caption.
   * @param above a picture that stands above the chart in the file
   */
  svg(caption: string, heading = this.heading, above = { body: '', width: 0, height: 0 }): string {
    const chart = this.chart();
    // The file may be shown in a wider font, so the lines are named in a legend and not beside their ends.
    const frame = { ...chart.frame, right: 14 };
    const lines = drawLines({ ...chart, frame, named: false, at: undefined });
    return standalone({
      inside: `${above.body}<g transform="translate(0 ${above.height})">${lines}</g>`,
      width: Math.max(frame.width, above.width),
      height: frame.height + above.height,
      paint: chart.paint,
      ...{ title: heading, caption, legend: this.listed.filter(({ id }) => !this.hidden_.has(id)) },
    });
  }

  private pointWords({ series, point }: HeldPoint): string {
    const one = this.series.find(({ id }) => id === series);
    const at = one?.points[point];
    if (!one || !at) return '';
    const { xLabel, yLabel } = this;
    return chartWords[language].point({ name: one.label, xLabel, yLabel, ...at });
  }

  private hold(held: HeldPoint | undefined, speak: boolean): void {
    // The chart is redrawn only when the pointer reaches another point.
    if (held?.series !== this.held?.series || held?.point !== this.held?.point) this.held = held;
    if (speak && held) this.spoken = this.describe(held);
  }

  private places({ frame, x, y } = this.chart()) {
    return {
      frame,
      x: axisPlace(x, frame.left, frame.width - frame.right),
      y: axisPlace(y, frame.height - frame.bottom, frame.top),
    };
  }

  private onPointer = (event: PointerEvent): void => {
    if ((event.target as Element).classList.contains('grip')) return;
    const [px, py] = placeWithin(this.frameElement, event);
    const { x, y } = this.places();
    let best: { held: HeldPoint; distance: number } | undefined;
    for (const { id, points } of this.shown) {
      points.forEach((point, i) => {
        const distance = Math.hypot(x.at(point.x) - px, y.at(point.y) - py);
        if (distance < 28 && distance < (best?.distance ?? Infinity)) {
          best = { held: { series: id, point: i }, distance };
        }
      });
    }
    this.hold(best?.held, false);
  };

  private onKey = (event: KeyboardEvent): void => {
    const { shown } = this;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      this.held = undefined;
      return;
    }
    const row = shown.findIndex(({ id }) => id === this.held?.series);
    const lines = shown.filter(({ points }) => points.length > 0);
    if (lines.length === 0) return;
    const key = event.key;
    if (!KEYS.includes(key)) return;
    event.preventDefault();
    const now = shown[row];
    if (!now || !this.held) {
      this.hold({ series: lines[0]?.id ?? '', point: 0 }, true);
      return;
    }
    let { point } = this.held;
    let series = now;
    const last = now.points.length - 1;
    if (key === 'ArrowLeft') point = Math.max(0, point - 1);
    if (key === 'ArrowRight') point = Math.min(last, point + 1);
    if (key === 'PageDown') point = Math.max(0, point - PAGE);
    if (key === 'PageUp') point = Math.min(last, point + PAGE);
    if (key === 'Home') point = 0;
    if (key === 'End') point = last;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      // Moves to the next line above or below, at its point nearest to the current x.
      const { x, y } = this.places();
      const at = x.at(now.points[point]?.x ?? Number.NaN);
      const others = lines
        .map((line) => {
          const i =
            line === now
              ? point
              : nearest(
                  line.points.map((other) => x.at(other.x)),
                  at,
                );
          return { line, i, y: -y.at(line.points[i]?.y ?? Number.NaN) };
        })
        .filter((other) => !Number.isNaN(other.y))
        .sort((a, b) => a.y - b.y);
      const place = others.findIndex(({ line }) => line.id === now.id);
      const next = others[place + (key === 'ArrowUp' ? 1 : -1)];
      if (next) {
        series = next.line;
        point = next.i;
      }
    }
    this.hold({ series: series.id, point }, true);
  };

  private gripBefore: number | undefined;

  private moveGrip(event: PointerEvent, done: boolean): void {
    const chart = this.chart();
    const [px] = placeWithin(this.frameElement, event);
    const at = this.places(chart).x.value(px);
    const value = Math.max(chart.x.low, Math.min(chart.x.high, at));
    this.dispatchEvent(
      new CustomEvent('attn-grip', { detail: { value, done }, bubbles: true, composed: true }),
    );
  }

  private onGripDown = (event: PointerEvent): void => {
    (event.target as Element).setPointerCapture(event.pointerId);
    this.gripBefore = this.grip;
    this.moveGrip(event, false);
  };

  /** The browser took the gesture, to scroll the page: the grip is where it was. */
  private onGripCancel = (): void => {
    const value = this.gripBefore;
    if (value === undefined) return;
    this.dispatchEvent(
      new CustomEvent('attn-grip', {
        detail: { value, done: true },
        bubbles: true,
        composed: true,
      }),
    );
  };

  private onGripMove = (event: PointerEvent): void => {
    if ((event.target as Element).hasPointerCapture(event.pointerId)) this.moveGrip(event, false);
  };

  private renderGrip(chart: LineChart) {
    const { grip } = this;
    const { frame, x } = chart;
    if (grip === undefined || grip < x.low || grip > x.high) return nothing;
    const left = this.places(chart).x.at(grip);
    return html`<div
      class="grip"
      aria-hidden="true"
      .style=${`left:${left}px;top:${frame.top}px;height:${frame.height - frame.top - frame.bottom}px`}
      @pointerdown=${this.onGripDown}
      @pointermove=${this.onGripMove}
      @pointerup=${(event: PointerEvent) => this.moveGrip(event, true)}
      @pointercancel=${this.onGripCancel}
    ></div>`;
  }

  private renderHeading() {
    const words = this.typeset(this.heading);
    if (this.level === 3) return html`<h3>${words}</h3>`;
    return this.level === 4 ? html`<h4>${words}</h4>` : html`<h2>${words}</h2>`;
  }

  override render() {
    const { words, series } = this;
    if (this.width === 0) return html`<div class="frame"></div>`;
    const chart = this.chart();
    const { frame, paint } = chart;
    const inside = drawLines(chart);
    const empty = series.every(({ points }) => points.length === 0);
    const said = this.held ? this.describe(this.held) : '';
    const name = [this.heading, empty ? words.empty : this.summary].filter(Boolean).join('. ');
    return html`<div class="head">
        ${this.heading ? this.renderHeading() : nothing}<slot name="tools"></slot>
      </div>
      <div
        class="frame"
        tabindex="0"
        role="application"
        aria-roledescription=${words.role}
        aria-label=${name}
        aria-describedby="keys"
        @keydown=${this.onKey}
        @pointermove=${this.onPointer}
        @pointerdown=${this.onPointer}
        @pointerleave=${() => this.hold(undefined, false)}
      >
        <svg
          viewBox="0 0 ${frame.width} ${frame.height}"
          height=${frame.height}
          aria-hidden="true"
          focusable="false"
          .innerHTML=${inside}
        ></svg>
        ${empty ? html`<p class="empty"><span>${words.empty}</span></p>` : nothing} ${this.renderGrip(chart)}
      </div>
      <p class="read">
        ${said ? this.typeset(said) : html`<span class="hint">${NO_HOVER.matches ? words.hintTouch : words.hint}</span>`}
      </p>
      <div class="legend" role="group" aria-label=${words.legend}>
        ${this.listed.map(
          (one) => html`<label>
            <input
              type="checkbox"
              .checked=${!this.hidden_.has(one.id)}
              @change=${(event: Event) => {
                this.switchLines(one.label, (event.target as HTMLInputElement).checked);
              }}
            />
            <svg viewBox="0 0 18 14" aria-hidden="true">
              <g .innerHTML=${legendSign(one, 9, 7, paint.paper, 4.5)}></g>
            </svg>
            ${this.typeset(one.label)}
          </label>`,
        )}
      </div>
      <p id="keys" class="visually-hidden">${words.keys}</p>
      <div class="visually-hidden" role="status">${this.spoken}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-line-chart': AttnLineChart;
  }
  interface HTMLElementEventMap {
    'attn-grip': CustomEvent<{ readonly value: number; readonly done: boolean }>;
  }
}
