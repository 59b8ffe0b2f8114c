import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import {
  type Domain,
  drawLines,
  type Frame,
  type LineChart,
  labelsHeight,
  logPlace,
  type Marker,
  paintedMark,
  paints,
  type Series,
} from '../../plot/chart.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './line-chart.styles.ts';

const NO_HOVER = matchMedia('(hover: none)');
/** Where the lines' names have room beside them. */
const NAMED_FROM = 620;

export interface HeldPoint {
  readonly series: string;
  readonly point: number;
}

/** Words of the chart; the page has them in its language. */
export interface ChartWords {
  readonly role: string;
  readonly keys: string;
  readonly legend: string;
  readonly hint: string;
  readonly hintTouch: string;
  readonly empty: string;
}

/**
 * Lines on logarithmic axes: hover, touch or arrow keys read a point out; a grip moves one upright
 * line.
 *
 * @element attn-line-chart
 * @fires attn-grip - While the grip moves. Detail: {value, done}.
 */
@customElement('attn-line-chart')
export class AttnLineChart extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) words: ChartWords | undefined;
  @property() heading = '';
  @property({ attribute: false }) series: readonly Series[] = [];
  @property({ attribute: false }) markers: readonly Marker[] = [];
  @property({ attribute: false }) x: Domain = { low: 16, high: 4096 };
  @property({ attribute: false }) y: Domain = { low: 0.01, high: 100 };
  @property() xLabel = '';
  @property() yLabel = '';
  @property({ attribute: false }) formatY: ((value: number) => string) | undefined;
  /** A value that nothing exceeds. */
  @property({ attribute: false }) limit: LineChart['limit'];
  /** What a point says. */
  @property({ attribute: false }) describe: (held: HeldPoint) => string = () => '';
  /** How the heading and what a point says are set, where they are more than words. */
  @property({ attribute: false }) typeset: (text: string) => unknown = (text) => text;
  /** What a screen reader hears first. */
  @property() summary = '';
  /** The value of the line that can be moved; none for no grip. */
  @property({ type: Number }) grip: number | undefined;
  @property({ type: Boolean }) dark = false;

  @state() private width = 0;
  @state() private held: HeldPoint | undefined;
  @state() private spoken = '';
  @state() private hidden_: ReadonlySet<string> = new Set();

  @query('.frame') private frameElement!: HTMLElement;
  private watch: ResizeObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch = new ResizeObserver(([entry]) => {
      this.width = Math.round(entry?.contentRect.width ?? 0);
    });
    this.watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch?.disconnect();
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

  private get frame(): Frame {
    const width = Math.max(240, this.width);
    const named = this.named;
    const frame = {
      width,
      height: width < 480 ? 320 : Math.min(460, 300 + width / 8),
      left: 54,
      right: named ? 160 : 14,
      top: 34,
      bottom: 46,
    };
    const { x, markers } = this;
    return { ...frame, top: frame.top + labelsHeight({ frame, x, markers }) };
  }

  private get named(): boolean {
    return this.width >= NAMED_FROM;
  }

  /** The chart as it is drawn; a file is drawn from the same. */
  chart(): LineChart {
    return {
      frame: this.frame,
      x: this.x,
      y: this.y,
      series: this.shown,
      markers: this.markers,
      xLabel: this.xLabel,
      yLabel: this.yLabel,
      named: this.named,
      paint: paints[this.dark ? 'dark' : 'light'],
      ...(this.formatY ? { formatY: this.formatY } : {}),
      ...(this.limit ? { limit: this.limit } : {}),
      at: this.held,
    };
  }

  private hold(held: HeldPoint | undefined, speak: boolean): void {
    this.held = held;
    if (speak && held) this.spoken = this.describe(held);
  }

  private places() {
    const { frame } = this;
    return {
      x: logPlace(this.x, frame.left, frame.width - frame.right),
      y: logPlace(this.y, frame.height - frame.bottom, frame.top),
    };
  }

  private onPointer = (event: PointerEvent): void => {
    if ((event.target as Element).classList.contains('grip')) return;
    const box = this.frameElement.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
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
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)) return;
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
    if (key === 'Home') point = 0;
    if (key === 'End') point = last;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      // To the next line that is drawn above or below at this length.
      const at = now.points[point];
      const others = lines
        .flatMap((line) => {
          const i = line.points.findIndex(({ x }) => x === at?.x);
          const found = line.points[i];
          return found ? [{ line, i, y: found.y }] : [];
        })
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

  private moveGrip(event: PointerEvent, done: boolean): void {
    const box = this.frameElement.getBoundingClientRect();
    const { x } = this.places();
    const value = Math.max(this.x.low, Math.min(this.x.high, x.value(event.clientX - box.left)));
    this.dispatchEvent(
      new CustomEvent('attn-grip', { detail: { value, done }, bubbles: true, composed: true }),
    );
  }

  private onGripDown = (event: PointerEvent): void => {
    (event.target as Element).setPointerCapture(event.pointerId);
    this.moveGrip(event, false);
  };

  private onGripMove = (event: PointerEvent): void => {
    if ((event.target as Element).hasPointerCapture(event.pointerId)) this.moveGrip(event, false);
  };

  private renderGrip() {
    const { grip, frame } = this;
    if (grip === undefined || grip < this.x.low || grip > this.x.high) return nothing;
    const left = this.places().x.at(grip);
    return html`<div
      class="grip"
      aria-hidden="true"
      style="left:${left}px;top:${frame.top}px;height:${frame.height - frame.top - frame.bottom}px"
      @pointerdown=${this.onGripDown}
      @pointermove=${this.onGripMove}
      @pointerup=${(event: PointerEvent) => this.moveGrip(event, true)}
    ></div>`;
  }

  override render() {
    const { words, frame, series } = this;
    if (!words || this.width === 0) return html`<div class="frame"></div>`;
    const paint = paints[this.dark ? 'dark' : 'light'];
    const inside = drawLines(this.chart());
    const empty = series.every(({ points }) => points.length === 0);
    const said = this.held ? this.describe(this.held) : '';
    return html`<div class="head"><h2>${this.typeset(this.heading)}</h2><slot name="tools"></slot></div>
      <div
        class="frame"
        tabindex="0"
        role="application"
        aria-roledescription=${words.role}
        aria-label="${this.heading}. ${empty ? words.empty : this.summary}"
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
        ${empty ? html`<p class="empty"><span>${words.empty}</span></p>` : nothing} ${this.renderGrip()}
      </div>
      <p class="read">
        ${said ? this.typeset(said) : html`<span class="hint">${NO_HOVER.matches ? words.hintTouch : words.hint}</span>`}
      </p>
      <div class="legend" role="group" aria-label=${words.legend}>
        ${series.map(
          (one) => html`<label>
            <input
              type="checkbox"
              .checked=${!this.hidden_.has(one.id)}
              @change=${(event: Event) => {
                const next = new Set(this.hidden_);
                if ((event.target as HTMLInputElement).checked) next.delete(one.id);
                else next.add(one.id);
                this.hidden_ = next;
              }}
            />
            <svg viewBox="0 0 18 14" aria-hidden="true">
              <g .innerHTML=${paintedMark(one, 9, 7, paint.paper, 4.5)}></g>
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
