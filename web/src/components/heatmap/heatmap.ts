import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Matrix } from '#client';
import { type ColorScale, colorOf, inkOn, rampStops, ticks } from '../../plot/color.ts';
import { formatNumber, formatShort, formatTick } from '../../plot/format.ts';
import { rasterize, type View, wholeView } from '../../plot/raster.ts';
import { shownToken } from '../../plot/tokens.ts';
import { strings } from '../../strings/index.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './heatmap.styles.ts';
import { HeatmapInteraction, SMALLEST_WINDOW } from './interaction.ts';

/** A cell of a matrix, counted from 0. */
export interface Cell {
  readonly row: number;
  readonly col: number;
}

export interface CellEventDetail {
  readonly cell: Cell | undefined;
  /** Hovering only shows a cell; a click or Enter locks it. */
  readonly locked: boolean;
  /** The gesture has ended at this cell. */
  readonly settled: boolean;
}

/** What the picture says, and what its controls are called; numbers in, sentences out. */
export type HeatmapWords = {
  readonly [K in keyof typeof strings.heatmap]: (typeof strings.heatmap)[K] extends string
    ? string
    : (typeof strings.heatmap)[K];
};

export type FigureAction = 'png' | 'svg' | 'csv' | 'json' | 'link' | 'embed' | 'table' | 'arcs';

/** A matrix as cells, or as lines between words. */
export type HeatmapForm = 'cells' | 'arcs';

/** A number below the colour bar. */
interface Tick {
  readonly value: number;
  readonly text: string;
  readonly side: 'first' | 'inner' | 'last';
}

/** Cells of at most this size get no marks of their own. */
const MARKED_CELL_PX = 9;
/** A cell shows its value from this size on. */
const VALUE_CELL_PX = 22;
const MAX_VALUE_CELLS = 12;
const LABEL_PX = 12;
/** From this cell size on, every row and column has its number. */
const NUMBERED_CELL_PX = 18;
const NARROW_CURSOR_PX = 9;
/** The numbers below the colour bar: about how wide a character is, and what must be free between two numbers. */
const TICK_CHARACTER_PX = 6.5;
const TICK_GAP_PX = 4;
const NO_HOVER = matchMedia('(hover: none)');

/**
 * A matrix as a picture that can be walked cell by cell.
 *
 * The pixels are a canvas hidden from assistive technology; over it lies one focusable surface.
 * Arrow keys move a cursor, Home and End go to the ends of a row, Page Up and Page Down jump 16
 * rows, `m` finds the largest entry of the row, Enter locks, Escape clears, `+`, `-` and `0` zoom.
 * Every move is spoken. Cursor, lock and window belong to the parent, so that several pictures of
 * the same cells can share them.
 *
 * @element attn-heatmap
 * @attr {boolean} busy - A newer picture is on its way; this one is dimmed.
 * @attr {string} form - `cells`, or `arcs` for lines between words, see `<attn-arcs>`.
 * @attr {boolean} tokens - The axes are labelled with words and need room for them.
 * @fires attn-cell - The cursor moved, or was locked or cleared. Detail: `CellEventDetail`.
 * @fires attn-view - Another window of cells is wanted. Detail: `View`, undefined for all.
 * @fires attn-action - Detail: `FigureAction`.
 * @csspart frame - The picture.
 */
@customElement('attn-heatmap')
export class AttnHeatmap extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) matrix: Matrix | undefined;
  @property({ attribute: false }) scale: ColorScale | undefined;
  /** How many keys query `row` sees, from key 0 on. All unless given. */
  @property({ attribute: false }) visible: ((row: number) => number) | undefined;
  /** Texts that stand in cells instead of their values, by the cell's place in the matrix's data. */
  @property({ attribute: false }) cellTexts: ReadonlyMap<number, string> | undefined;
  /** Words along the axes; numbers where absent. */
  @property({ attribute: false }) rowLabels: readonly string[] | undefined;
  @property({ attribute: false }) colLabels: readonly string[] | undefined;
  @property({ attribute: false }) cell: Cell | undefined;
  @property({ attribute: false }) locked = false;
  @property({ attribute: false }) view: View | undefined;
  @property({ attribute: false }) dark = false;
  /** Set these words where rows are not queries or columns are not keys. */
  @property({ attribute: false }) words: HeatmapWords = strings.heatmap;
  /** What the first row and column are called. */
  @property({ type: Number }) origin = 1;
  /** Width of the picture over its height. */
  @property({ type: Number }) aspect = 1;
  @property() heading = '';
  @property() subtitle = '';
  /** What is said while there is no matrix. */
  @property() waiting: string = strings.heatmap.waiting;
  /** What an entry is called when it is spoken. */
  @property() quantity = strings.heatmap.weight;
  @property({ type: Boolean, reflect: true }) busy = false;
  @property({ type: Boolean, reflect: true }) tokens = false;
  /** Buttons to leave out. */
  @property({ attribute: false }) without: readonly FigureAction[] = [];
  /** Whether SVG and JSON are offered too; lines between words have their SVG anyway. */
  @property({ type: Boolean }) files = false;
  @property({ type: Boolean }) tableOpen = false;
  /** Lines between words are offered where rows have labels. */
  @property() form: HeatmapForm = 'cells';

  /** CSS pixels along one side of the picture. Only this element and its interaction (`interaction.ts`) read it. */
  @state() size = 0;
  @state() spoken = '';
  /** The lines are loaded when they are first wanted. */
  @state() private hasArcs = customElements.get('attn-arcs') !== undefined;
  /** The window and matrix that the pixels on screen show. */
  @state() private pooled = 1;

  @query('.frame') frame!: HTMLDivElement;
  @query('.pixels') private pixels!: HTMLCanvasElement;
  @query('.marks') private marks!: HTMLCanvasElement;

  private painting = 0;
  private readonly resizes = new ResizeObserver((entries) => {
    this.size = Math.round(entries[0]?.contentRect.width ?? 0);
  });

  override firstUpdated(): void {
    this.resizes.observe(this.frame);
    // The listener is not passive, because a wheel over a zoomed picture pans it instead of scrolling the page.
    this.frame.addEventListener('wheel', this.onInput, { passive: false });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes.disconnect();
    this.interaction.rest();
    this.painting++;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.resizes.observe(this.frame);
  }

  override willUpdate(): void {
    if (this.form !== 'arcs' || this.hasArcs) return;
    import('../arcs/arcs.ts').then(
      () => {
        this.hasArcs = true;
      },
      // The cells stay; the button can be pressed again.
      () => undefined,
    );
  }

  override updated(changed: PropertyValues<this>): void {
    const drawn = [
      'matrix',
      'scale',
      'visible',
      'view',
      'dark',
      'size',
      'aspect',
      'cellTexts',
    ] as const;
    if (drawn.some((name) => (changed as Map<PropertyKey, unknown>).has(name))) void this.paint();
  }

  get window(): View {
    return (
      this.view ?? (this.matrix ? wholeView(this.matrix) : { row: 0, col: 0, rows: 1, cols: 1 })
    );
  }

  /** Height of the picture. */
  private get tall(): number {
    return this.size / this.aspect;
  }

  seen(row: number): number {
    return this.visible ? this.visible(row) : (this.matrix?.cols ?? 0);
  }

  private async paint(): Promise<void> {
    const { matrix, scale, dark, size } = this;
    const turn = ++this.painting;
    // The old pixels are cleared, because they no longer belong to a matrix that is shown.
    if (!matrix) this.pixels.width = this.marks.width = 1;
    if (!matrix || !scale || size === 0) return;
    const view = this.window;
    const device = Math.round(size * Math.min(2, devicePixelRatio || 1));
    const image = await rasterize({
      matrix,
      view,
      scale,
      dark,
      visible: (row) => this.seen(row),
      maxWidth: device,
      maxHeight: Math.round(device / this.aspect),
      stale: () => turn !== this.painting,
    });
    if (!image || turn !== this.painting) return;
    const canvas = this.pixels;
    if (canvas.width !== image.width) canvas.width = image.width;
    if (canvas.height !== image.height) canvas.height = image.height;
    // Cells of unequal width would show as stripes that are not in the data.
    const cellPx = device / image.width;
    canvas.classList.toggle('smooth', cellPx < 3 && !Number.isInteger(cellPx));
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    this.pooled = Math.max(view.rows / image.height, view.cols / image.width);
    this.paintMarks(matrix, scale, view);
  }

  /** Values in large cells; a stroke in negative ones, a cross where there is no number. */
  private paintMarks(matrix: Matrix, scale: ColorScale, view: View): void {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const canvas = this.marks;
    canvas.width = Math.round(this.size * ratio);
    canvas.height = Math.round(this.tall * ratio);
    const context = canvas.getContext('2d');
    if (!context) return;
    const [w, h] = [this.size / view.cols, this.tall / view.rows];
    if (Math.min(w, h) < MARKED_CELL_PX) return;
    const values =
      Math.min(w, h) >= VALUE_CELL_PX &&
      view.rows <= MAX_VALUE_CELLS &&
      view.cols <= MAX_VALUE_CELLS;
    context.scale(ratio, ratio);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineWidth = 1.25;
    const font = Math.max(9, Math.min(13, Math.min(w, h) * 0.36));
    context.font = `${font}px ${getComputedStyle(this).fontFamily}`;
    for (let row = view.row; row < view.row + view.rows; row++) {
      const end = Math.min(view.col + view.cols, this.seen(row));
      for (let col = view.col; col < end; col++) {
        const value = matrix.data[row * matrix.cols + col] as number;
        // Masked cells get no mark: the hatch marks them.
        if (value === -Infinity) continue;
        const finite = Number.isFinite(value);
        const text = this.cellTexts?.get(row * matrix.cols + col);
        if (text === undefined && !values && finite && !(value < 0 && scale.kind === 'sequential'))
          continue;
        const ink = inkOn(colorOf(scale, value, this.dark));
        const [x, y] = [(col - view.col + 0.5) * w, (row - view.row + 0.5) * h];
        context.fillStyle = ink;
        context.strokeStyle = ink;
        const arm = Math.min(w, h) * 0.2;
        context.beginPath();
        if (text !== undefined) {
          // A long text is set narrower rather than over its neighbours.
          context.fillText(text, x, y + 0.5, w * 0.96);
        } else if (!finite) {
          context.moveTo(x - arm, y - arm);
          context.lineTo(x + arm, y + arm);
          context.moveTo(x - arm, y + arm);
          context.lineTo(x + arm, y - arm);
        } else if (values) {
          context.fillText(formatShort(value), x, y + 0.5, w - 2);
        } else {
          context.moveTo(x - arm, y);
          context.lineTo(x + arm, y);
        }
        context.stroke();
      }
    }
  }

  // ---- what a visitor does ----

  private readonly interaction = new HeatmapInteraction(this);

  private onInput = (event: Event): void => {
    if (this.matrix) this.interaction.answer(event);
  };

  private act(action: FigureAction): void {
    this.dispatchEvent(
      new CustomEvent<FigureAction>('attn-action', {
        detail: action,
        bubbles: true,
        composed: true,
      }),
    );
  }

  // ---- what is shown ----

  private axis(
    labels: readonly string[] | undefined,
    from: number,
    count: number,
    fixed: number | undefined,
    length: number,
  ) {
    const cellPx = length / count;
    const shown = new Set<number>();
    if (labels) {
      const every = Math.max(1, Math.ceil(LABEL_PX / cellPx));
      for (let i = from; i < from + count; i += every) shown.add(i);
    } else if (cellPx >= NUMBERED_CELL_PX && count < 100) {
      for (let i = from; i < from + count; i++) shown.add(i);
    } else {
      const { origin } = this;
      const [first, last] = [from + origin, from + origin + count - 1];
      for (const tick of ticks(first, last, Math.max(2, Math.min(6, length / 45)))) {
        if (Number.isInteger(tick) && tick >= origin) shown.add(tick - origin);
      }
      shown.add(from);
    }
    if (fixed !== undefined && fixed >= from && fixed < from + count) {
      const all = labels !== undefined || cellPx >= NUMBERED_CELL_PX;
      const clear = Math.ceil(((all ? 1 : 2) * LABEL_PX) / cellPx);
      for (const i of shown) if (Math.abs(i - fixed) < clear) shown.delete(i);
      shown.add(fixed);
    }
    return [...shown].map((i) => ({
      text: shownToken(labels?.[i] ?? String(i + this.origin)),
      at: ((i - from + 0.5) / count) * 100,
      current: i === fixed,
    }));
  }

  private renderAxes(view: View) {
    if (!this.matrix || this.size === 0) return nothing;
    const rows = this.axis(this.rowLabels, view.row, view.rows, this.cell?.row, this.tall);
    const cols = this.axis(this.colLabels, view.col, view.cols, this.cell?.col, this.size);
    return html`<div class="columns" aria-hidden="true">
        ${cols.map(
          ({ text, at, current }) =>
            html`<span
              class="label ${this.colLabels ? 'turned' : ''} ${current ? 'current' : ''}"
              .style=${`left:${at}%`}
              >${text}</span
            >`,
        )}
      </div>
      <div class="rows" aria-hidden="true">
        ${rows.map(
          ({ text, at, current }) =>
            html`<span class="label ${current ? 'current' : ''}" .style=${`top:${at}%`}>${text}</span>`,
        )}
      </div>`;
  }

  private renderCursor(view: View) {
    const { cell } = this;
    if (!cell || !this.matrix || this.size === 0) return nothing;
    const [w, h] = [this.size / view.cols, this.tall / view.rows];
    const [width, height] = [Math.max(w, NARROW_CURSOR_PX), Math.max(h, NARROW_CURSOR_PX)];
    const left = (cell.col - view.col + 0.5) * w - width / 2;
    const top = (cell.row - view.row + 0.5) * h - height / 2;
    if (left + width < 0 || top + height < 0 || left > this.size || top > this.tall) return nothing;
    // Bands along the row and the column lead from the cell to both labels.
    return html`<div
        class="band"
        .style=${`left:0;right:0;top:${top}px;height:${height}px`}
      ></div>
      <div class="band" .style=${`top:0;bottom:0;left:${left}px;width:${width}px`}></div>
      <div
      class="cursor ${this.locked ? 'locked' : ''}"
      .style=${`left:${left}px;top:${top}px;width:${width}px;height:${height}px`}
    ></div>`;
  }

  private renderBar() {
    const { scale } = this;
    if (!scale)
      return html`<div class="bar"><div class="ramp"></div><div class="ticks"></div></div>`;
    const place = (value: number): number =>
      ((value - scale.low) / (scale.high - scale.low || 1)) * 100;
    const first: Tick = {
      value: scale.low,
      text: (scale.overLow ? '≤ ' : '') + formatTick(scale.low),
      side: 'first',
    };
    const last: Tick = {
      value: scale.high,
      text: (scale.overHigh ? '≥ ' : '') + formatTick(scale.high),
      side: 'last',
    };
    const left = ({ value, text, side }: Tick): number => {
      const spare = { first: 0, inner: 0.5, last: 1 }[side] * TICK_CHARACTER_PX * text.length;
      return (place(value) / 100) * this.size - spare;
    };
    const apart = (one: Tick, next: Tick): boolean =>
      left(next) - left(one) - TICK_CHARACTER_PX * one.text.length >= TICK_GAP_PX;
    // As many between the ends as have room, all equally far from each other.
    const inner =
      [4, 3, 2, 1]
        .map((count) =>
          ticks(scale.low, scale.high, count)
            .map((value): Tick => ({ value, text: formatTick(value), side: 'inner' }))
            .filter((tick) => apart(first, tick) && apart(tick, last)),
        )
        .find((some) => some.slice(1).every((tick, i) => apart(some[i] ?? first, tick))) ?? [];
    return html`<div class="bar" role="img" aria-label=${this.words.bar(
      formatTick(scale.low),
      formatTick(scale.high),
    )}>
      <div class="ramp" .style=${`background:linear-gradient(to right,${rampStops(scale, this.dark)})`}></div>
      <div class="ticks" aria-hidden="true">
        ${[first, last, ...inner].map(
          ({ value, text, side }) =>
            html`<span class=${side} .style=${`left:${place(value)}%`}>${text}</span>`,
        )}
      </div>
    </div>`;
  }

  private renderRead() {
    const { words, matrix, cell } = this;
    if (!matrix) return html`<p class="read hint">${this.waiting}</p>`;
    if (!cell) {
      const pooled = this.pooled > 1.01 ? words.pooled(Math.ceil(this.pooled)) : '';
      const how = NO_HOVER.matches ? words.hintTouch : words.hint;
      return html`<p class="read hint"><span class="how">${how}</span> ${pooled}</p>`;
    }
    const masked = cell.col >= this.seen(cell.row);
    return html`<p class="read">
      <span class="hint"
        >${words.cell(
          cell.row + this.origin,
          this.rowLabels?.[cell.row],
          cell.col + this.origin,
          this.colLabels?.[cell.col],
        )}</span
      ><br />${
        masked
          ? words.masked
          : html`${this.quantity}
              <b>${formatNumber(matrix.data[cell.row * matrix.cols + cell.col] as number)}</b>`
      }${this.locked ? html` <span class="hint">· ${words.locked}</span>` : nothing}
    </p>`;
  }

  private renderTools() {
    const { words, matrix, view } = this;
    const small = !matrix || this.window.rows <= SMALLEST_WINDOW;
    const action = (name: FigureAction, pressed = false) =>
      this.without.includes(name)
        ? nothing
        : html`<button
            class="quiet"
            type="button"
            aria-label="${words.actions[name].long}: ${this.heading}"
            title=${words.actions[name].long}
            aria-pressed=${name === 'table' || name === 'arcs' ? String(pressed) : nothing}
            ?disabled=${!matrix}
            @click=${() => this.act(name)}
          >
            ${words.actions[name].short}
          </button>`;
    const arcs = this.showsArcs;
    return html`<div class="tools" role="group" aria-label="${words.tools}: ${this.heading}">
      <button class="quiet" type="button" ?hidden=${arcs} aria-label=${words.zoomOut} title=${words.zoomOut}
        ?disabled=${!view} @click=${() => this.interaction.zoom(2)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10" /></svg>
      </button>
      <button class="quiet" type="button" ?hidden=${arcs} aria-label=${words.zoomIn} title=${words.zoomIn}
        ?disabled=${small} @click=${() => this.interaction.zoom(0.5)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10M8 3v10" /></svg>
      </button>
      <button class="quiet" type="button" ?hidden=${arcs} aria-label=${words.zoomAll} title=${words.zoomAll}
        ?disabled=${!view} @click=${() => this.interaction.look(undefined)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" />
        </svg>
      </button>
      <span class="gap"></span>
      ${this.rowLabels ? action('arcs', arcs) : nothing} ${action('table', this.tableOpen)}
      ${action('png')} ${arcs || this.files ? action('svg') : nothing} ${action('csv')}
      ${this.files ? action('json') : nothing} ${action('link')}
      ${this.without.includes('link') ? nothing : action('embed')}
    </div>`;
  }

  private get showsArcs(): boolean {
    return this.form === 'arcs' && this.hasArcs && this.rowLabels !== undefined;
  }

  private renderArcs(labels: readonly string[]) {
    return html`<attn-arcs
      .matrix=${this.matrix}
      .scale=${this.scale}
      .visible=${this.visible}
      .rowLabels=${labels}
      .colLabels=${this.colLabels}
      .cell=${this.cell}
      .locked=${this.locked}
      .dark=${this.dark}
      .heading=${this.heading}
      .quantity=${this.quantity}
    ></attn-arcs>`;
  }

  override render() {
    const view = this.window;
    const { words, matrix } = this;
    const arcs = this.showsArcs;
    return html`<div>
        <h2>${this.heading}</h2>
        <p class="subtitle">${this.subtitle}</p>
      </div>
      <div>
        ${arcs && this.rowLabels ? this.renderArcs(this.rowLabels) : nothing}
        <div class="plot" ?hidden=${arcs}>
          <span class="corner" aria-hidden="true">${words.corner}</span>
          ${this.renderAxes(view)}
          <div
            part="frame"
            .style=${this.aspect === 1 ? '' : `aspect-ratio:${this.aspect}`}
            class="frame ${matrix ? '' : 'empty'} ${this.view ? 'zoomed' : ''}"
            tabindex="0"
            role="application"
            aria-roledescription=${words.role}
            aria-label=${
              matrix
                ? words.summary(this.heading, matrix.rows, matrix.cols, this.subtitle)
                : `${this.heading}. ${this.waiting}`
            }
            aria-describedby="keys"
            @keydown=${this.onInput}
            @pointerdown=${this.onInput}
            @pointermove=${this.onInput}
            @pointerleave=${this.onInput}
            @pointerup=${this.onInput}
            @pointercancel=${this.onInput}
            @click=${this.onInput}
          >
            <canvas class="pixels" aria-hidden="true" width="1" height="1"></canvas>
            <canvas class="marks" aria-hidden="true" width="1" height="1"></canvas>
            ${this.renderCursor(view)}
          </div>
        </div>
        ${arcs ? nothing : [this.renderBar(), this.renderRead()]} ${this.renderTools()}
        <p id="keys" class="visually-hidden">${words.keys}</p>
        <div class="visually-hidden" role="status">${this.spoken}</div>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heatmap': AttnHeatmap;
  }
  interface HTMLElementEventMap {
    'attn-cell': CustomEvent<CellEventDetail>;
    'attn-view': CustomEvent<View | undefined>;
    'attn-action': CustomEvent<FigureAction>;
  }
}
