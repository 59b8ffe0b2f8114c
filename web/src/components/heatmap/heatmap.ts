import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Matrix } from '#client';
import { type ColorScale, colorOf, inkOn, ticks } from '../../plot/color.ts';
import { formatNumber, formatShort, formatTick } from '../../plot/format.ts';
import { rasterize, type View, wholeView } from '../../plot/raster.ts';
import { strings } from '../../strings/index.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './heatmap.styles.ts';

/** A cell of a matrix, counted from 0. */
export interface Cell {
  readonly row: number;
  readonly col: number;
}

export interface CellEventDetail {
  readonly cell: Cell | undefined;
  /** Hover views, click and Enter lock. */
  readonly locked: boolean;
  /** The cell was left where it is; nothing more will come of this gesture. */
  readonly settled: boolean;
}

export type FigureAction = 'png' | 'csv' | 'link' | 'table';

/** Cells this small or smaller carry no marks of their own. */
const MARKED_CELL_PX = 9;
/** A value needs this much room. */
const VALUE_CELL_PX = 22;
const MAX_VALUE_CELLS = 12;
const LABEL_PX = 12;
/** From here on every row and column has its number. */
const NUMBERED_CELL_PX = 18;
const SMALLEST_WINDOW = 4;
const PAGE = 16;
const SPEAK_AFTER_MS = 350;
const NARROW_CURSOR_PX = 9;
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
  /** Words along the axes; numbers where absent. */
  @property({ attribute: false }) rowLabels: readonly string[] | undefined;
  @property({ attribute: false }) colLabels: readonly string[] | undefined;
  @property({ attribute: false }) cell: Cell | undefined;
  @property({ attribute: false }) locked = false;
  @property({ attribute: false }) view: View | undefined;
  @property({ attribute: false }) dark = false;
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
  @property({ type: Boolean }) tableOpen = false;

  @state() private size = 0;
  @state() private spoken = '';
  /** The window and matrix that the pixels on screen show. */
  @state() private pooled = 1;

  @query('.frame') private frame!: HTMLDivElement;
  @query('.pixels') private pixels!: HTMLCanvasElement;
  @query('.marks') private marks!: HTMLCanvasElement;

  private painting = 0;
  private speakTimer: ReturnType<typeof setTimeout> | undefined;
  private drag: { x: number; y: number; view: View; moved: boolean } | undefined;
  private readonly resizes = new ResizeObserver((entries) => {
    this.size = Math.round(entries[0]?.contentRect.width ?? 0);
  });

  override firstUpdated(): void {
    this.resizes.observe(this.frame);
    // Not passive: a wheel over a zoomed picture pans it.
    this.frame.addEventListener('wheel', this.onWheel, { passive: false });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes.disconnect();
    clearTimeout(this.speakTimer);
    this.painting++;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.resizes.observe(this.frame);
  }

  override updated(changed: PropertyValues<this>): void {
    const drawn = ['matrix', 'scale', 'visible', 'view', 'dark', 'size'] as const;
    if (drawn.some((name) => (changed as Map<PropertyKey, unknown>).has(name))) void this.paint();
  }

  private get window(): View {
    return (
      this.view ?? (this.matrix ? wholeView(this.matrix) : { row: 0, col: 0, rows: 1, cols: 1 })
    );
  }

  private seen(row: number): number {
    return this.visible ? this.visible(row) : (this.matrix?.cols ?? 0);
  }

  private async paint(): Promise<void> {
    const { matrix, scale, dark, size } = this;
    if (!matrix || !scale || size === 0) return;
    const turn = ++this.painting;
    const view = this.window;
    const device = Math.round(size * Math.min(2, devicePixelRatio || 1));
    const image = await rasterize({
      matrix,
      view,
      scale,
      dark,
      visible: (row) => this.seen(row),
      maxWidth: device,
      maxHeight: device,
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
    const side = Math.round(this.size * ratio);
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d');
    if (!context) return;
    const [w, h] = [this.size / view.cols, this.size / view.rows];
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
        const finite = Number.isFinite(value);
        if (!values && finite && !(value < 0 && scale.kind === 'sequential')) continue;
        const ink = inkOn(colorOf(scale, value, this.dark));
        const [x, y] = [(col - view.col + 0.5) * w, (row - view.row + 0.5) * h];
        context.fillStyle = ink;
        context.strokeStyle = ink;
        const arm = Math.min(w, h) * 0.2;
        context.beginPath();
        if (!finite) {
          context.moveTo(x - arm, y - arm);
          context.lineTo(x + arm, y + arm);
          context.moveTo(x - arm, y + arm);
          context.lineTo(x + arm, y - arm);
        } else if (values) {
          context.fillText(formatShort(value), x, y + 0.5);
        } else {
          context.moveTo(x - arm, y);
          context.lineTo(x + arm, y);
        }
        context.stroke();
      }
    }
  }

  // ---- pointer ----

  private cellAt(event: MouseEvent): Cell | undefined {
    if (!this.matrix || this.size === 0) return undefined;
    const box = this.frame.getBoundingClientRect();
    const view = this.window;
    const row = view.row + Math.floor(((event.clientY - box.top) / box.height) * view.rows);
    const col = view.col + Math.floor(((event.clientX - box.left) / box.width) * view.cols);
    return this.clampCell({ row, col });
  }

  private clampCell({ row, col }: Cell): Cell {
    const { rows, cols } = this.matrix ?? { rows: 1, cols: 1 };
    return {
      row: Math.max(0, Math.min(rows - 1, row)),
      col: Math.max(0, Math.min(cols - 1, col)),
    };
  }

  private onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !this.view) return;
    this.drag = { x: event.clientX, y: event.clientY, view: this.view, moved: false };
    this.frame.setPointerCapture(event.pointerId);
  };

  private onPointerMove = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag) {
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (Math.hypot(dx, dy) > 4) drag.moved = true;
      if (drag.moved) {
        this.look({
          ...drag.view,
          row: drag.view.row - Math.round((dy / this.size) * drag.view.rows),
          col: drag.view.col - Math.round((dx / this.size) * drag.view.cols),
        });
      }
      return;
    }
    if (this.locked || event.pointerType === 'touch') return;
    const cell = this.cellAt(event);
    if (cell) this.tell(cell, false, false);
  };

  private onPointerLeave = (): void => {
    if (!this.locked && !this.drag && this.cell) this.tell(undefined, false, false);
  };

  private onPointerUp = (): void => {
    // The click that follows still asks whether this was a drag.
    setTimeout(() => {
      this.drag = undefined;
    });
  };

  private onClick = (event: MouseEvent): void => {
    if (this.drag?.moved) return;
    const cell = this.cellAt(event);
    if (!cell) return;
    const again = this.locked && this.cell?.row === cell.row && this.cell.col === cell.col;
    this.tell(cell, !again, true);
  };

  private onWheel = (event: WheelEvent): void => {
    if (!this.view || !this.shadowRoot?.activeElement) return;
    event.preventDefault();
    const step = (delta: number, cells: number): number =>
      Math.sign(delta) * Math.ceil((Math.abs(delta) / this.size) * cells);
    this.look({
      ...this.view,
      row: this.view.row + step(event.deltaY, this.view.rows),
      col: this.view.col + step(event.deltaX, this.view.cols),
    });
  };

  // ---- keyboard ----

  private onKeyDown = (event: KeyboardEvent): void => {
    const { matrix } = this;
    if (!matrix || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.cell ?? { row: this.window.row, col: this.window.col };
    const go = (row: number, col: number): void => {
      // The first key only shows where the cursor is.
      const cell = this.cell ? this.clampCell({ row, col }) : at;
      this.reveal(cell);
      this.tell(cell, this.locked, this.locked);
      this.say(cell);
    };
    switch (event.key) {
      case 'ArrowUp':
        go(at.row - 1, at.col);
        break;
      case 'ArrowDown':
        go(at.row + 1, at.col);
        break;
      case 'ArrowLeft':
        go(at.row, at.col - 1);
        break;
      case 'ArrowRight':
        go(at.row, at.col + 1);
        break;
      case 'Home':
        go(at.row, 0);
        break;
      case 'End':
        go(at.row, matrix.cols - 1);
        break;
      case 'PageUp':
        go(at.row - PAGE, at.col);
        break;
      case 'PageDown':
        go(at.row + PAGE, at.col);
        break;
      case 'm':
      case 'M':
        go(at.row, this.largestIn(at.row));
        break;
      case 'Enter':
      case ' ':
        this.tell(at, !(this.locked && this.cell), true);
        this.speak(
          this.locked && this.cell ? strings.heatmap.unlocked : strings.heatmap.lockedSpoken,
        );
        break;
      case 'Escape':
        this.tell(undefined, false, true);
        this.speak(strings.heatmap.cleared);
        break;
      case '+':
      case '=':
        this.zoom(0.5);
        break;
      case '-':
        this.zoom(2);
        break;
      case '0':
        this.look(undefined);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  /** Where the largest entry of a row stands, among those the mask keeps. */
  private largestIn(row: number): number {
    const { matrix } = this;
    if (!matrix) return 0;
    let best = 0;
    const size = (col: number): number => {
      const value = matrix.data[row * matrix.cols + col] as number;
      return this.scale?.kind === 'diverging' ? Math.abs(value) : value;
    };
    for (let col = 1; col < this.seen(row); col++) if (size(col) > size(best)) best = col;
    return best;
  }

  private tell(cell: Cell | undefined, locked: boolean, settled: boolean): void {
    const { row, col } = this.cell ?? {};
    if (!settled && cell?.row === row && cell?.col === col && locked === this.locked) return;
    this.dispatchEvent(
      new CustomEvent<CellEventDetail>('attn-cell', {
        detail: { cell, locked, settled },
        bubbles: true,
        composed: true,
      }),
    );
  }

  private speak(message: string): void {
    clearTimeout(this.speakTimer);
    this.speakTimer = setTimeout(() => {
      this.spoken = message;
    }, SPEAK_AFTER_MS);
  }

  private say(cell: Cell): void {
    this.speak(this.describe(cell));
  }

  private describe({ row, col }: Cell): string {
    const { matrix } = this;
    if (!matrix) return '';
    const words = strings.heatmap;
    const name = words.cell(row + 1, this.rowLabels?.[row], col + 1, this.colLabels?.[col]);
    if (col >= this.seen(row)) return `${name}, ${words.masked}`;
    const value = formatNumber(matrix.data[row * matrix.cols + col] as number);
    const largest = col === this.largestIn(row) ? `, ${words.largest}` : '';
    return `${name}, ${this.quantity} ${value}${largest}`;
  }

  // ---- window ----

  private zoom(factor: number): void {
    const { matrix } = this;
    if (!matrix) return;
    const view = this.window;
    const centre = this.cell ?? {
      row: view.row + Math.floor(view.rows / 2),
      col: view.col + Math.floor(view.cols / 2),
    };
    const side = (cells: number, all: number): number =>
      Math.min(all, Math.max(Math.min(SMALLEST_WINDOW, all), Math.round(cells * factor)));
    const rows = side(view.rows, matrix.rows);
    const cols = side(view.cols, matrix.cols);
    this.look({
      row: Math.round(centre.row - rows / 2),
      col: Math.round(centre.col - cols / 2),
      rows,
      cols,
    });
  }

  private reveal(cell: Cell): void {
    const { view } = this;
    if (!view) return;
    const into = (at: number, from: number, count: number): number =>
      at < from ? at : at >= from + count ? at - count + 1 : from;
    const row = into(cell.row, view.row, view.rows);
    const col = into(cell.col, view.col, view.cols);
    if (row !== view.row || col !== view.col) this.look({ ...view, row, col });
  }

  private look(view: View | undefined): void {
    const { matrix } = this;
    if (!matrix) return;
    const whole = !view || (view.rows >= matrix.rows && view.cols >= matrix.cols);
    const detail = whole
      ? undefined
      : {
          ...view,
          row: Math.max(0, Math.min(matrix.rows - view.rows, view.row)),
          col: Math.max(0, Math.min(matrix.cols - view.cols, view.col)),
        };
    this.dispatchEvent(
      new CustomEvent<View | undefined>('attn-view', { detail, bubbles: true, composed: true }),
    );
  }

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
  ) {
    const cellPx = this.size / count;
    const shown = new Set<number>();
    if (labels) {
      const every = Math.max(1, Math.ceil(LABEL_PX / cellPx));
      for (let i = from; i < from + count; i += every) shown.add(i);
    } else if (cellPx >= NUMBERED_CELL_PX && count < 100) {
      for (let i = from; i < from + count; i++) shown.add(i);
    } else {
      for (const tick of ticks(from + 1, from + count, Math.max(2, Math.min(6, this.size / 45)))) {
        if (Number.isInteger(tick) && tick >= 1) shown.add(tick - 1);
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
      text: labels?.[i] ?? String(i + 1),
      at: ((i - from + 0.5) / count) * 100,
      current: i === fixed,
    }));
  }

  private renderAxes(view: View) {
    if (!this.matrix || this.size === 0) return nothing;
    const rows = this.axis(this.rowLabels, view.row, view.rows, this.cell?.row);
    const cols = this.axis(this.colLabels, view.col, view.cols, this.cell?.col);
    return html`<div class="columns" aria-hidden="true">
        ${cols.map(
          ({ text, at, current }) =>
            html`<span
              class="label ${this.colLabels ? 'turned' : ''} ${current ? 'current' : ''}"
              style="left:${at}%"
              >${text}</span
            >`,
        )}
      </div>
      <div class="rows" aria-hidden="true">
        ${rows.map(
          ({ text, at, current }) =>
            html`<span class="label ${current ? 'current' : ''}" style="top:${at}%">${text}</span>`,
        )}
      </div>`;
  }

  private renderCursor(view: View) {
    const { cell } = this;
    if (!cell || !this.matrix || this.size === 0) return nothing;
    const [w, h] = [this.size / view.cols, this.size / view.rows];
    const [width, height] = [Math.max(w, NARROW_CURSOR_PX), Math.max(h, NARROW_CURSOR_PX)];
    const left = (cell.col - view.col + 0.5) * w - width / 2;
    const top = (cell.row - view.row + 0.5) * h - height / 2;
    if (left + width < 0 || top + height < 0 || left > this.size || top > this.size) return nothing;
    return html`<div
      class="cursor ${this.locked ? 'locked' : ''}"
      style="left:${left}px;top:${top}px;width:${width}px;height:${height}px"
    ></div>`;
  }

  private renderBar() {
    const { scale } = this;
    if (!scale)
      return html`<div class="bar"><div class="ramp"></div><div class="ticks"></div></div>`;
    const stops: string[] = [];
    const steps = 32;
    for (let i = 0; i <= steps; i++) {
      const value = scale.low + ((scale.high - scale.low) * i) / steps;
      stops.push(`rgb(${colorOf(scale, value, this.dark).join(' ')})`);
    }
    const place = (value: number): number =>
      ((value - scale.low) / (scale.high - scale.low || 1)) * 100;
    const ends = [
      {
        value: scale.low,
        text: (scale.overLow ? '≤ ' : '') + formatTick(scale.low),
        side: 'first',
      },
      {
        value: scale.high,
        text: (scale.overHigh ? '≥ ' : '') + formatTick(scale.high),
        side: 'last',
      },
    ];
    const [from, to] = ends.map(({ text }) => 7 + 2.6 * text.length) as [number, number];
    const inner = ticks(scale.low, scale.high, 4)
      .filter((value) => place(value) > from && place(value) < 100 - to)
      .map((value) => ({ value, text: formatTick(value), side: '' }));
    return html`<div class="bar" role="img" aria-label=${strings.heatmap.bar(
      formatTick(scale.low),
      formatTick(scale.high),
    )}>
      <div class="ramp" style="background:linear-gradient(to right,${stops.join(',')})"></div>
      <div class="ticks" aria-hidden="true">
        ${[...ends, ...inner].map(
          ({ value, text, side }) =>
            html`<span class=${side} style="left:${place(value)}%">${text}</span>`,
        )}
      </div>
    </div>`;
  }

  private renderRead() {
    const words = strings.heatmap;
    const { matrix, cell } = this;
    if (!matrix) return html`<p class="read hint">${this.waiting}</p>`;
    if (!cell) {
      const pooled = this.pooled > 1.01 ? words.pooled(Math.ceil(this.pooled)) : '';
      return html`<p class="read hint">${NO_HOVER.matches ? words.hintTouch : words.hint} ${pooled}</p>`;
    }
    const masked = cell.col >= this.seen(cell.row);
    return html`<p class="read">
      <span class="hint"
        >${words.cell(
          cell.row + 1,
          this.rowLabels?.[cell.row],
          cell.col + 1,
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
    const words = strings.heatmap;
    const { matrix, view } = this;
    const small = !matrix || this.window.rows <= SMALLEST_WINDOW;
    const action = (name: FigureAction, pressed = false) =>
      this.without.includes(name)
        ? nothing
        : html`<button
            class="quiet"
            type="button"
            aria-label="${words.actions[name].long}: ${this.heading}"
            title=${words.actions[name].long}
            aria-pressed=${name === 'table' ? String(pressed) : nothing}
            ?disabled=${!matrix}
            @click=${() => this.act(name)}
          >
            ${words.actions[name].short}
          </button>`;
    return html`<div class="tools" role="group" aria-label="${words.tools}: ${this.heading}">
      <button class="quiet" type="button" aria-label=${words.zoomOut} title=${words.zoomOut}
        ?disabled=${!view} @click=${() => this.zoom(2)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10" /></svg>
      </button>
      <button class="quiet" type="button" aria-label=${words.zoomIn} title=${words.zoomIn}
        ?disabled=${small} @click=${() => this.zoom(0.5)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10M8 3v10" /></svg>
      </button>
      <button class="quiet" type="button" aria-label=${words.zoomAll} title=${words.zoomAll}
        ?disabled=${!view} @click=${() => this.look(undefined)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" />
        </svg>
      </button>
      <span class="gap"></span>
      ${action('table', this.tableOpen)} ${action('png')} ${action('csv')} ${action('link')}
    </div>`;
  }

  override render() {
    const words = strings.heatmap;
    const view = this.window;
    const { matrix } = this;
    return html`<h2>${this.heading}</h2>
      <p class="subtitle">${this.subtitle}</p>
      <div class="plot">
        <span class="corner" aria-hidden="true">${words.corner}</span>
        ${this.renderAxes(view)}
        <div
          part="frame"
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
          @keydown=${this.onKeyDown}
          @pointerdown=${this.onPointerDown}
          @pointermove=${this.onPointerMove}
          @pointerleave=${this.onPointerLeave}
          @pointerup=${this.onPointerUp}
          @pointercancel=${this.onPointerUp}
          @click=${this.onClick}
        >
          <canvas class="pixels" aria-hidden="true" width="1" height="1"></canvas>
          <canvas class="marks" aria-hidden="true" width="1" height="1"></canvas>
          ${this.renderCursor(view)}
        </div>
      </div>
      ${this.renderBar()} ${this.renderRead()} ${this.renderTools()}
      <p id="keys" class="visually-hidden">${words.keys}</p>
      <div class="visually-hidden" role="status">${this.spoken}</div>`;
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
