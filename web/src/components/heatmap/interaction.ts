/** How a heatmap answers the pointer and the keyboard: moving the cursor, holding a cell, zooming and panning. */
import { formatNumber } from '../../plot/format.ts';
import type { View } from '../../plot/raster.ts';
import { boxSeen } from '../box-seen.ts';
import type { AttnHeatmap, Cell, CellEventDetail } from './heatmap.ts';

/** Zooming in ends at this many rows and columns. */
export const SMALLEST_WINDOW = 4;
/** Rows that Page Up and Page Down move. */
const PAGE = 16;
const SPEAK_AFTER_MS = 350;

export class HeatmapInteraction {
  private speakTimer: ReturnType<typeof setTimeout> | undefined;
  private drag: { x: number; y: number; view: View; moved: boolean } | undefined;

  constructor(private readonly host: AttnHeatmap) {}

  answer(event: Event): void {
    if (event instanceof KeyboardEvent) this.onKeyDown(event);
    else if (event instanceof WheelEvent) this.onWheel(event);
    else if (event.type === 'click') this.onClick(event as MouseEvent);
    else if (event.type === 'pointerdown') this.onPointerDown(event as PointerEvent);
    else if (event.type === 'pointermove') this.onPointerMove(event as PointerEvent);
    else if (event.type === 'pointerleave') this.onPointerLeave();
    else this.onPointerUp();
  }

  rest(): void {
    clearTimeout(this.speakTimer);
  }

  private cellAt(event: MouseEvent): Cell | undefined {
    if (!this.host.matrix || this.host.size === 0) return undefined;
    const box = boxSeen(this.host.frame);
    const view = this.host.window;
    const row = view.row + Math.floor(((event.clientY - box.top) / box.height) * view.rows);
    const col = view.col + Math.floor(((event.clientX - box.left) / box.width) * view.cols);
    return this.clampCell({ row, col });
  }

  private clampCell({ row, col }: Cell): Cell {
    const { rows, cols } = this.host.matrix ?? { rows: 1, cols: 1 };
    return {
      row: Math.max(0, Math.min(rows - 1, row)),
      col: Math.max(0, Math.min(cols - 1, col)),
    };
  }

  private onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || !this.host.view) return;
    this.drag = { x: event.clientX, y: event.clientY, view: this.host.view, moved: false };
    this.host.frame.setPointerCapture(event.pointerId);
  }

  private onPointerMove(event: PointerEvent): void {
    const { drag } = this;
    if (drag) {
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (Math.hypot(dx, dy) > 4) drag.moved = true;
      if (drag.moved) {
        this.look({
          ...drag.view,
          row: drag.view.row - Math.round((dy / this.host.size) * drag.view.rows),
          col: drag.view.col - Math.round((dx / this.host.size) * drag.view.cols),
        });
      }
      return;
    }
    if (this.host.locked || event.pointerType === 'touch') return;
    const cell = this.cellAt(event);
    if (cell) this.tell(cell, false, false);
  }

  private onPointerLeave(): void {
    if (!this.host.locked && !this.drag && this.host.cell) this.tell(undefined, false, false);
  }

  private onPointerUp(): void {
    // The state is kept for the click event that follows: it must know whether this was a drag.
    setTimeout(() => {
      this.drag = undefined;
    });
  }

  private onClick(event: MouseEvent): void {
    if (this.drag?.moved) return;
    const cell = this.cellAt(event);
    if (!cell) return;
    const again =
      this.host.locked && this.host.cell?.row === cell.row && this.host.cell.col === cell.col;
    this.tell(cell, !again, true);
  }

  private onWheel(event: WheelEvent): void {
    if (!this.host.view || !this.host.shadowRoot?.activeElement) return;
    event.preventDefault();
    const step = (delta: number, cells: number): number =>
      Math.sign(delta) * Math.ceil((Math.abs(delta) / this.host.size) * cells);
    this.look({
      ...this.host.view,
      row: this.host.view.row + step(event.deltaY, this.host.view.rows),
      col: this.host.view.col + step(event.deltaX, this.host.view.cols),
    });
  }

  // ---- keyboard ----

  private onKeyDown(event: KeyboardEvent): void {
    const { matrix } = this.host;
    if (!matrix || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.host.cell ?? { row: this.host.window.row, col: this.host.window.col };
    const go = (row: number, col: number): void => {
      // The first key only shows where the cursor is.
      const cell = this.host.cell ? this.clampCell({ row, col }) : at;
      this.reveal(cell);
      this.tell(cell, this.host.locked, this.host.locked);
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
      case ' ': {
        // Asked before it is told: who listens may have changed the picture by then.
        const holds = !(this.host.locked && this.host.cell);
        this.tell(at, holds, true);
        this.speak(holds ? this.host.words.lockedSpoken : this.host.words.unlocked);
        break;
      }
      case 'Escape':
        this.tell(undefined, false, true);
        this.speak(this.host.words.cleared);
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
  }

  /** Where the largest entry of a row stands, among those the mask keeps. */
  private largestIn(row: number): number {
    const { matrix } = this.host;
    if (!matrix) return 0;
    let best = 0;
    const size = (col: number): number => {
      const value = matrix.data[row * matrix.cols + col] as number;
      return this.host.scale?.kind === 'diverging' ? Math.abs(value) : value;
    };
    for (let col = 1; col < this.host.seen(row); col++) if (size(col) > size(best)) best = col;
    return best;
  }

  private tell(cell: Cell | undefined, locked: boolean, settled: boolean): void {
    const { row, col } = this.host.cell ?? {};
    if (!settled && cell?.row === row && cell?.col === col && locked === this.host.locked) return;
    this.host.dispatchEvent(
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
      this.host.spoken = message;
    }, SPEAK_AFTER_MS);
  }

  private say(cell: Cell): void {
    this.speak(this.describe(cell));
  }

  private describe({ row, col }: Cell): string {
    const { matrix } = this.host;
    if (!matrix) return '';
    const { words } = this.host;
    const name = words.cell(
      row + this.host.origin,
      this.host.rowLabels?.[row],
      col + this.host.origin,
      this.host.colLabels?.[col],
    );
    if (col >= this.host.seen(row)) return `${name}, ${words.masked}`;
    const value = formatNumber(matrix.data[row * matrix.cols + col] as number);
    const largest = col === this.largestIn(row) ? `, ${words.largest}` : '';
    return `${name}, ${this.host.quantity} ${value}${largest}`;
  }

  // ---- window ----

  zoom(factor: number): void {
    const { matrix } = this.host;
    if (!matrix) return;
    const view = this.host.window;
    const centre = this.host.cell ?? {
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
    const { view } = this.host;
    if (!view) return;
    const into = (at: number, from: number, count: number): number =>
      at < from ? at : at >= from + count ? at - count + 1 : from;
    const row = into(cell.row, view.row, view.rows);
    const col = into(cell.col, view.col, view.cols);
    if (row !== view.row || col !== view.col) this.look({ ...view, row, col });
  }

  look(view: View | undefined): void {
    const { matrix } = this.host;
    if (!matrix) return;
    const whole = !view || (view.rows >= matrix.rows && view.cols >= matrix.cols);
    const detail = whole
      ? undefined
      : {
          ...view,
          row: Math.max(0, Math.min(matrix.rows - view.rows, view.row)),
          col: Math.max(0, Math.min(matrix.cols - view.cols, view.col)),
        };
    this.host.dispatchEvent(
      new CustomEvent<View | undefined>('attn-view', { detail, bubbles: true, composed: true }),
    );
  }
}
