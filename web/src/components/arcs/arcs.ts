import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Matrix } from '#client';
import {
  type Arc,
  type ArcPlaces,
  type ArcWord,
  arcColors,
  arcPlaces,
  arcsOf,
  keptPerWord,
  onOneLine,
  paintArcs,
  rowInWords,
  WORD_SIZE,
} from '../../plot/arcs.ts';
import type { ColorScale } from '../../plot/color.ts';
import { formatNumber } from '../../plot/format.ts';
import { hasRightToLeft, inSentence } from '../../plot/tokens.ts';
import { strings } from '../../strings/index.ts';
import type { Cell, CellEventDetail } from '../heatmap/heatmap.ts';
import { sentenceOf } from '../sentence.ts';
import { shared } from '../shared.styles.ts';
import { styles } from './arcs.styles.ts';
import { arcsWords as words } from './words.ts';

/** The words that a sentence about one word names. */
const NAMED = 5;
const NO_HOVER = matchMedia('(hover: none)');
const FORCED = matchMedia('(forced-colors: active)');
/** Browsers draw no canvas that is wider than this. */
const MOST_PIXELS = 16_000;

/** Pictures of more words are drawn one after the other. */
const MOST_AT_ONCE = 100;

/** Resolves when no long picture is being drawn. */
let turn: Promise<void> = Promise.resolve();
const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done));

const rulers = new Map<string, CanvasRenderingContext2D>();

/** Measures a text as this element writes words. */
function measureIn(family: string): (text: string) => number {
  let ruler = rulers.get(family);
  if (!ruler) {
    ruler = document.createElement('canvas').getContext('2d') ?? undefined;
    if (!ruler) return (text) => 0.6 * WORD_SIZE * text.length;
    ruler.font = `650 ${WORD_SIZE}px ${family}`;
    rulers.set(family, ruler);
  }
  const { measureText } = ruler;
  return (text) => measureText.call(ruler, text).width;
}

/** A weight as a share of the attention of a word. */
export function formatShare(value: number): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  const percent = Math.abs(value) * 100;
  const sign = value < 0 ? '−' : '';
  if (percent > 0 && percent < 0.5) return `${sign}<1\u00a0%`;
  return `${sign}${Math.round(percent)}\u00a0%`;
}

/** A name for each word that no other word has: its place is added where it occurs twice. */
export const namesOf = (labels: readonly string[]): readonly string[] => {
  const count = new Map<string, number>();
  for (const label of labels) count.set(label, (count.get(label) ?? 0) + 1);
  return labels.map((label, i) => {
    const name = inSentence(label);
    return (count.get(label) ?? 0) > 1 ? `${name} (${i + 1})` : name;
  });
};

/**
 * Attention weights as lines between words: as thick as the weights.
 *
 * The words of the queries are a list to walk through: arrow keys move, Home and End go to its ends, Enter or a click
 * holds a word, Escape lets go. The word that is held or pointed at shows its lines alone, and a sentence says their
 * numbers. Which word that is belongs to the parent (`cell`), so that several pictures can share it.
 *
 * @element attn-arcs
 * @fires attn-cell - A word was pointed at, held or let go: the cell of its largest weight. Detail: `CellEventDetail`.
 */
@customElement('attn-arcs')
export class AttnArcs extends LitElement {
  static override styles = [shared, styles];

  @property({ attribute: false }) matrix: Matrix | undefined;
  @property({ attribute: false }) scale: ColorScale | undefined;
  /** How many keys query `row` sees, from key 0 on. All unless given. */
  @property({ attribute: false }) visible: ((row: number) => number) | undefined;
  @property({ attribute: false }) rowLabels: readonly string[] = [];
  /** The words of the keys, where they are not those of the queries. */
  @property({ attribute: false }) colLabels: readonly string[] | undefined;
  @property({ attribute: false }) cell: Cell | undefined;
  @property({ attribute: false }) locked = false;
  @property({ attribute: false }) dark = false;
  @property() heading = '';
  /** The height of the highest arc, in pixels; it follows from the width unless given. */
  @property({ type: Number }) rise: number | undefined;
  /** Leaves out how to read the lines, where the page says it. */
  @property({ type: Boolean, reflect: true }) brief = false;
  /** What an entry is called. Only a weight is said in per cent. */
  @property() quantity: string = strings.heatmap.weight;

  @state() private room = 0;
  /** The word that Tab leads to. */
  @state() private stop = 0;

  @query('canvas') private canvas!: HTMLCanvasElement | null;
  /** As wide as the picture may be and of no height, so that what is drawn does not change its size. */
  @query('.ruler') private ruler!: HTMLElement;

  private places: ArcPlaces | undefined;
  private readonly resizes = new ResizeObserver((entries) => {
    this.room = Math.floor(entries[0]?.contentRect.width ?? 0);
  });
  private readonly repaint = (): void => this.paint();

  override connectedCallback(): void {
    super.connectedCallback();
    FORCED.addEventListener('change', this.repaint);
    if (this.hasUpdated) this.resizes.observe(this.ruler);
    // The words may have been measured before their font had arrived.
    void document.fonts?.ready.then(() => this.requestUpdate('room'));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    FORCED.removeEventListener('change', this.repaint);
    this.resizes.disconnect();
  }

  override firstUpdated(): void {
    this.resizes.observe(this.ruler);
  }

  private seen = (row: number): number =>
    Math.min(this.matrix?.cols ?? 0, this.visible?.(row) ?? Infinity);

  /** The word whose lines are shown alone. */
  private get alone(): number | undefined {
    const row = this.cell?.row;
    return row !== undefined && row < (this.matrix?.rows ?? 0) ? row : undefined;
  }

  private get long(): boolean {
    return (this.matrix?.rows ?? 0) > MOST_AT_ONCE;
  }

  /**
   * Hundreds of words are rendered, laid out and painted in tasks of their own, and pictures beside each other one
   * after the other: together they would hold the page for a third of a second.
   */
  protected override scheduleUpdate() {
    return this.long ? this.inTurn() : super.scheduleUpdate();
  }

  private async inTurn(): Promise<void> {
    const before = turn;
    let done = (): void => undefined;
    turn = new Promise((resolve) => {
      done = resolve;
    });
    try {
      await before;
      await nextTask();
      super.scheduleUpdate();
      await nextTask();
      this.getBoundingClientRect();
      await nextTask();
      this.paint();
    } finally {
      done();
    }
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const { matrix, rowLabels, colLabels, room } = this;
    const moving = ['matrix', 'visible', 'rowLabels', 'colLabels', 'room', 'rise'] as const;
    if (!moving.some((name) => (changed as Map<PropertyKey, unknown>).has(name))) return;
    const { fontFamily } = getComputedStyle(this);
    this.places =
      matrix && room > 0 && rowLabels.length >= matrix.rows
        ? arcPlaces({
            rows: rowLabels.slice(0, matrix.rows),
            cols: colLabels?.slice(0, matrix.cols),
            width: room,
            visible: this.seen,
            rise: this.rise,
            measure: measureIn(fontFamily),
          })
        : undefined;
    if (matrix) this.stop = Math.min(this.stop, matrix.rows - 1);
  }

  override updated(): void {
    if (!this.long) this.paint();
  }

  private paint(): void {
    const { canvas, matrix, scale, places } = this;
    if (!canvas || !matrix || !scale || !places) return;
    const ratio = Math.min(2, devicePixelRatio || 1, MOST_PIXELS / places.width);
    canvas.width = Math.round(places.width * ratio);
    canvas.height = Math.round(places.height * ratio);
    const context = canvas.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    const arcs = arcsOf({ matrix, scale, visible: this.seen }, places, this.alone);
    // Forced colours have one colour for text and no other: dashes still tell the sign.
    const { color } = getComputedStyle(this);
    const colors = FORCED.matches ? { positive: color, negative: color } : arcColors(this.dark);
    paintArcs(context, arcs, colors);
  }

  /** What is drawn now, and where its picture stands: for whoever lets the lines move on. */
  get drawn(): { readonly arcs: readonly Arc[]; readonly place: DOMRect } | undefined {
    const { canvas, matrix, scale, places } = this;
    if (!canvas || !matrix || !scale || !places) return undefined;
    const arcs = arcsOf({ matrix, scale, visible: this.seen }, places);
    return { arcs, place: canvas.getBoundingClientRect() };
  }

  // ---- what a visitor does ----

  private tell(row: number | undefined, locked: boolean, settled: boolean): void {
    const { matrix } = this;
    if (!matrix) return;
    if (!settled && row === this.alone) return;
    const [largest] = row === undefined ? [] : rowInWords(matrix, row, this.seen(row), 1);
    this.dispatchEvent(
      new CustomEvent<CellEventDetail>('attn-cell', {
        detail: {
          cell: row === undefined ? undefined : { row, col: largest?.col ?? 0 },
          ...{ locked, settled },
        },
        bubbles: true,
        composed: true,
      }),
    );
  }

  private rowOf(event: Event): number | undefined {
    const word = (event.target as Element).closest<HTMLElement>('[data-row]');
    return word ? Number(word.dataset.row) : undefined;
  }

  private onMove(event: PointerEvent): void {
    if (this.locked || event.pointerType === 'touch') return;
    const row = this.rowOf(event);
    // Between two words the last one stays, so that the picture does not flicker.
    if (row !== undefined) this.tell(row, false, false);
  }

  private onLeave(event: PointerEvent): void {
    if (!this.locked && event.pointerType !== 'touch') this.tell(undefined, false, false);
  }

  private onClick(event: Event): void {
    const row = this.rowOf(event);
    if (row === undefined) return;
    this.stop = row;
    const again = this.locked && this.alone === row;
    this.tell(again ? undefined : row, !again, true);
  }

  private onFocus(event: FocusEvent): void {
    const row = this.rowOf(event);
    const word = event.target as HTMLElement;
    if (row === undefined || this.locked || !word.matches(':focus-visible')) return;
    this.tell(row, false, false);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.matrix) return;
    const last = this.matrix.rows - 1;
    const to = {
      ...{ ArrowLeft: this.stop - 1, ArrowUp: this.stop - 1, Home: 0, End: last },
      ...{ ArrowRight: this.stop + 1, ArrowDown: this.stop + 1 },
    }[event.key];
    if (to !== undefined) {
      this.stop = Math.max(0, Math.min(last, to));
      this.tell(this.stop, this.locked, this.locked);
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<HTMLElement>(`[data-row='${this.stop}']`)?.focus(),
      );
    } else if (event.key === 'Enter' || event.key === ' ') {
      const again = this.locked && this.alone === this.stop;
      this.tell(this.stop, !again, true);
    } else if (event.key === 'Escape') this.tell(undefined, false, true);
    else return;
    event.preventDefault();
  }

  // ---- what is shown ----

  /** The names of the words of the keys. */
  private get keyNames(): readonly string[] {
    const { colLabels, rowLabels } = this;
    return namesOf(colLabels ?? rowLabels);
  }

  /** What one word attends to: "sat attends to: cat 42 %, sat 31 %". */
  sentence(row: number): string {
    const { matrix } = this;
    if (!matrix) return '';
    const name = namesOf(this.rowLabels)[row] ?? '';
    const all = rowInWords(matrix, row, this.seen(row), matrix.cols);
    if (all.length === 0) return words.nothing(name);
    const isWeight = this.quantity === strings.heatmap.weight;
    const keys = this.keyNames;
    const said = all
      .slice(0, NAMED)
      .map(
        ({ col, value }) =>
          `${keys[col] ?? col + 1} ${isWeight ? formatShare(value) : formatNumber(value)}`,
      );
    if (all.length > NAMED) said.push(words.weaker(all.length - NAMED));
    const list = said.join(', ');
    return isWeight ? words.attends(name, list) : words.has(name, this.quantity, list);
  }

  private renderWord(word: ArcWord, row: number, seen: boolean) {
    const { alone, stop } = this;
    const current = row === alone;
    return html`<div
      class="word ${this.places?.turned ? 'turned' : ''} ${current ? 'current' : ''} ${seen ? 'seen' : ''}"
      role="option"
      data-row=${row}
      tabindex=${row === stop ? 0 : -1}
      aria-selected=${String(current && this.locked)}
      aria-label=${row === stop || current ? this.sentence(row) : word.text}
      .style=${boxOf(word)}
    >
      <span>${word.text}</span>
    </div>`;
  }

  private renderPicture(places: ArcPlaces, matrix: Matrix) {
    const { alone } = this;
    const seen = new Set(
      alone === undefined
        ? []
        : rowInWords(matrix, alone, this.seen(alone), NAMED).map(({ col }) => col),
    );
    const two = places.queries !== places.keys;
    return html`<div
      class="picture ${alone === undefined ? '' : 'alone'}"
      .style=${`width:${places.width}px;height:${places.height}px`}
    >
      <canvas class="lines" aria-hidden="true" width="1" height="1"></canvas>
      <div
        role="listbox"
        aria-orientation="horizontal"
        aria-label=${words.words(this.heading, matrix.rows)}
        aria-describedby="keys"
        @pointermove=${this.onMove}
        @pointerleave=${this.onLeave}
        @click=${this.onClick}
        @focusin=${this.onFocus}
        @keydown=${this.onKey}
      >
        ${places.queries.map((word, row) => this.renderWord(word, row, !two && seen.has(row)))}
      </div>
      ${
        two
          ? html`<div aria-hidden="true">
              ${places.keys.map(
                (word, col) =>
                  html`<div
                    class="word key ${places.turned ? 'turned' : ''} ${seen.has(col) ? 'seen' : ''}"
                    title=${word.text}
                    .style=${boxOf(word)}
                  >
                    <span>${word.text}</span>
                  </div>`,
              )}
            </div>`
          : nothing
      }
    </div>`;
  }

  /** How to read the lines. */
  private explained(matrix: Matrix): string {
    const one = onOneLine(this.rowLabels, this.colLabels);
    const ahead =
      one && Array.from({ length: matrix.rows }, (_, i) => i).some((i) => this.seen(i) > i + 1);
    const kept = keptPerWord(matrix.rows, matrix.cols);
    return [
      one ? words.oneLine : words.twoLines,
      ...(ahead ? [words.below] : []),
      ...(hasRightToLeft([...this.rowLabels, ...(this.colLabels ?? [])]) ? [words.order] : []),
      words.thick,
      ...(matrix.data.some((value) => value < 0) ? [words.dashed] : []),
      ...(kept === undefined ? [] : [words.thinned(kept, matrix.cols)]),
    ].join(' ');
  }

  override render() {
    const { matrix, places, alone } = this;
    return html`<div class="ruler"></div>
      <div class="scroll">
        ${matrix && places ? this.renderPicture(places, matrix) : nothing}
      </div>
      ${
        matrix
          ? html`<p class="read">
                ${
                  alone === undefined
                    ? html`<span class="hint">${NO_HOVER.matches ? words.hintTouch : words.hint}</span>`
                    : html`${sentenceOf(this.sentence(alone))}${
                        this.locked ? html` <span class="hint">· ${words.held}</span>` : nothing
                      }`
                }
              </p>
              ${this.brief ? nothing : html`<p class="fine">${this.explained(matrix)}</p>`}`
          : nothing
      }
      <p id="keys" class="visually-hidden">${words.keys}</p>`;
  }
}

const boxOf = ({ x, y, wide, tall }: ArcWord): string =>
  `left:${x - wide / 2 - 3}px;top:${y - tall / 2}px;width:${wide + 6}px;height:${tall}px`;

declare global {
  interface HTMLElementTagNameMap {
    'attn-arcs': AttnArcs;
  }
}
