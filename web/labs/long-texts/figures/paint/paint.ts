import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeSVG as unsafeSvg } from 'lit/directives/unsafe-svg.js';
import type { Matrix, OperationCount, PatternReach } from '#client';
import { boxSeen } from '../../../../src/components/box-seen.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import {
  choice,
  type Knob,
  line,
  ownKnob,
  seedKnob,
  slider,
} from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { integer, oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { firstText, words } from '../../words/paint.ts';
import { percent } from '../shared/percent.ts';
import { cellsBody, SIDE, shadeOf } from './draw-cells.ts';
import {
  type Brush,
  brushes,
  MOST_CELLS,
  type Painted,
  parsePainted,
  patternOf,
  printPainted,
  sizeAt,
  unreadIn,
  withCell,
  withStroke,
} from './strokes.ts';

const SIZES = ['16', '32', '64', '128'] as const;
/** The width of the heads in the run that is counted. */
const D = 64;
const MOST_LAYERS = 8;

const table = {
  pattern: text({ key: 'p', default: 'w8', maxLength: 3000 }),
  brush: oneOf({ key: 'brush', values: [...brushes, 'pen'], default: 'window' }),
  layers: integer({ key: 'layers', min: 1, max: MOST_LAYERS, default: 3 }),
  row: integer({ key: 'row', min: 1, max: 128, default: 60 }),
  n: oneOf({ key: 'n', values: SIZES, default: '64' }),
  text: text({ key: 'text', default: firstText, maxLength: 1500 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

interface Answer {
  readonly n: number;
  readonly kept: Matrix;
  readonly cells: number;
  readonly reach?: PatternReach;
  readonly work?: OperationCount;
  /** Bytes of the weights and of the lists. */
  readonly bytes: number;
  /** What full causal attention does in its kept cells, and what its weights take. */
  readonly full?: OperationCount;
}

/** Before the core that counts is there: full causal attention, which it has at once, and no number. */
const NOT_COUNTED = { cells: 0, bytes: 0 } as const;

/** Resolves once what is drawn now has been painted, so that a megabyte is asked for after it. A hidden tab paints nothing. */
const painted = (): Promise<unknown> =>
  Promise.race([
    new Promise((done) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))),
    ),
    new Promise((done) => setTimeout(done, 300)),
  ]);

/**
 * A causal matrix to paint on: what is kept, what it costs, and how far news travels.
 *
 * @element attn-long-paint
 */
@customElement('attn-long-paint')
export class AttnLongPaint extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['brush', 'layers'] as const;
  /** While the pen is down: whether it sets cells or takes them away. */
  private penSets: boolean | undefined;

  override get heading(): string {
    return words.heading;
  }

  protected override unreadable({ pattern }: Values): readonly string[] {
    const unread = unreadIn(pattern);
    return unread.length > 0 ? [words.unread(unread.join(', '))] : [];
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const n = Number(values.n);
    const inputs = await client.gaussianQkv({ n, dK: D, dV: D, seed: values.seed }, { signal });
    if (this.shown === undefined) {
      const mask = { kind: 'causal' } as const;
      const { weights } = await client.attention({ ...inputs, mask }, { signal });
      this.show({ values, result: { ...NOT_COUNTED, n, kept: weights } });
      await this.updateComplete;
      await painted();
    }
    const pattern = patternOf(parsePainted(values.pattern), n, values.seed);
    const reach = await client.patternReach(
      { n, m: n, pattern, causal: true, layers: MOST_LAYERS },
      { signal },
    );
    const kept = await client.patternMatrix({ n, m: n, pattern }, { signal });
    const run = await client.sparseAttention({ ...inputs, pattern }, { signal });
    const full = await client.sparseAttention({ ...inputs, pattern: { id: 'causal' } }, { signal });
    return {
      ...{ n, kept, reach, cells: run.pattern.nnz },
      ...{ work: run.operations, full: full.operations },
      bytes: run.weights.data.byteLength + run.pattern.bytes,
    };
  }

  private get painted(): Painted {
    return parsePainted(this.values.pattern);
  }

  private paint(painted: Painted, draft: boolean): void {
    this.set({ pattern: printPainted(painted) }, { draft });
  }

  /** The cell under the pointer; undefined beyond the diagonal. */
  private cellAt(event: PointerEvent): readonly [number, number] | undefined {
    const { left, top, width, height } = boxSeen(event.currentTarget as Element);
    const n = Number(this.values.n);
    const within = (part: number): number => Math.max(0, Math.min(n - 1, Math.floor(part * n)));
    const row = within((event.clientY - top) / height);
    const column = within((event.clientX - left) / width);
    return column <= row ? [row, column] : undefined;
  }

  private readonly onPointer = (event: PointerEvent): void => {
    const surface = event.currentTarget as Element;
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      surface.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.penSets = undefined;
    } else if (!surface.hasPointerCapture(event.pointerId)) return;
    const cell = this.cellAt(event);
    const draft = event.type !== 'pointerup';
    if (!cell) {
      if (!draft) this.paint(this.painted, false);
      return;
    }
    const { brush } = this.values;
    const [row, column] = cell;
    const { painted } = this;
    if (brush === 'pen') {
      const set = painted.cells.some(([i, j]) => i === row && j === column);
      this.penSets ??= !set;
      if (this.penSets && painted.cells.length >= MOST_CELLS) return;
      this.paint(withCell(painted, row, column, this.penSets), draft);
      return;
    }
    this.paint(withStroke(painted, brush as Brush, sizeAt(brush as Brush, row, column)), draft);
  };

  /** Brushes that an open question withholds, as `brush=stride`, are there only where they are in use already. */
  private offered(brush: Brush): boolean {
    if (!this.place.hide?.includes(`brush=${brush}`)) return true;
    return this.values.brush === brush || this.painted.strokes.has(brush);
  }

  /** The sizes of all brushes: what the keyboard paints with. */
  private renderStrokes(disabled: boolean): unknown {
    const { painted } = this;
    const n = Number(this.values.n);
    const set = (brush: Brush, size: number | undefined): void =>
      this.paint(withStroke(this.painted, brush, size), false);
    return html`<fieldset class="choice long-strokes">
      <legend>${words.pattern}</legend>
      ${brushes
        .filter((brush) => this.offered(brush))
        .map((brush) => {
          const size = painted.strokes.get(brush);
          return html`<label
            ><input
              type="checkbox"
              .checked=${size !== undefined}
              ?disabled=${disabled}
              @change=${(event: Event) =>
                set(brush, (event.target as HTMLInputElement).checked ? 8 : undefined)}
            /><span>${words.strokes[brush]}</span></label
          >${
            brush === 'powers'
              ? html`<span></span>`
              : html`<input
                  type="number"
                  min="1"
                  max=${n}
                  aria-label=${words.strokes[brush]}
                  .value=${String(size ?? '')}
                  ?disabled=${disabled || size === undefined}
                  @change=${(event: Event) => {
                    const typed = Math.round(Number((event.target as HTMLInputElement).value));
                    set(brush, Math.max(1, Math.min(n, typed || 1)));
                  }}
                />`
          }`;
        })}
      <button class="button" type="button" ?disabled=${disabled} @click=${() => this.set({ pattern: '' })}>
        ${words.clear}
      </button>
    </fieldset>`;
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const sizes = Object.fromEntries(SIZES.map((n) => [n, n]));
    const options = Object.fromEntries(
      Object.entries(words.brushes).filter(
        ([brush]) => brush === 'pen' || this.offered(brush as Brush),
      ),
    );
    return [
      choice('brush', { label: words.brush, options, list: true }),
      ownKnob('pattern', {
        label: words.pattern,
        draw: ({ disabled }) => this.renderStrokes(disabled),
      }),
      slider('layers', { label: words.layers, symbol: 'L' }),
      slider('row', { label: words.row, max: Number(this.values.n) }),
      choice('n', { label: words.n, options: sizes }),
      line('text', { label: words.text, rows: 4 }),
      seedKnob(),
    ];
  }

  protected override renderBelowKnobs(): unknown {
    return html`<p class="fine">${words.help}</p>`;
  }

  private body({ values, result }: Shown<Values, Answer>): string {
    const { n, kept, reach } = result;
    return cellsBody(
      { n, kept, hops: reach?.hops ?? kept },
      {
        layers: values.layers,
        row: this.queryOf(values, n),
        before: this.ghost?.result,
        dark: this.dark,
      },
    );
  }

  /** The row of the query, from 0. */
  private queryOf({ row }: Values, n: number): number {
    return Math.min(row, n) - 1;
  }

  /** The text as the query sees it: each word by the layers that its news takes. */
  private renderText({ values, result: { n, kept, reach } }: Shown<Values, Answer>): unknown {
    const all = values.text
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, n);
    const query = Math.min(this.queryOf(values, n), all.length - 1);
    return html`<p class="long-text" data-fits>
        ${all.map((word, j) => {
          const at = query * n + j;
          const hops = j > query ? -1 : kept.data[at] ? 1 : (reach?.hops.data[at] ?? -1);
          const seen = j === query ? 0 : hops;
          const shown = seen > 0 && seen <= values.layers;
          return html`<span
              class=${j === query ? 'query' : shown ? 'seen' : 'unseen'}
              data-hops=${j > query ? nothing : seen}
              .style=${shown ? `--share:${Math.round(100 * shadeOf(seen))}%` : ''}
              >${word}</span
            > `;
        })}
      </p>`;
  }

  /** How much is connected after each layer; its colours are those of the cells. */
  private renderLayers({ values, result: { reach } }: Shown<Values, Answer>): unknown {
    const before = this.ghost?.result.reach?.share;
    const share = reach?.share ?? [];
    const wide = (part: number): string => `inline-size:${100 * part}%`;
    /** What a layer adds to those before it, as a part of the bar of `all` layers. */
    const added = (l: number, all: number): number =>
      ((share[l] ?? 0) - (share[l - 1] ?? 0)) / (share[all] || 1);
    return html`<div>
      <p class="long-layers-title">${words.byLayer}</p>
      <dl class="long-layers">
        ${Array.from({ length: MOST_LAYERS }, (_, all) => {
          const parts = Array.from({ length: all + 1 }, (_, l) => l);
          const tint = (l: number): string => `--share:${Math.round(100 * shadeOf(l + 1))}%`;
          return html`<div class=${all < values.layers ? 'in' : ''} data-layers=${all + 1}>
            <dt>${all + 1}</dt>
            <dd>
              <span class="track" aria-hidden="true"
                ><span class="level" .style=${wide(share[all] ?? 0)}
                  >${parts.map((l) => html`<span class="part" .style=${`${tint(l)};${wide(added(l, all))}`}></span>`)}</span
                >${before ? html`<span class="before" .style=${wide(before[all] ?? 0)}></span>` : nothing}</span
              ><span class="number">${reach ? percent(share[all] ?? 0) : nothing}</span>
            </dd>
          </div>`;
        })}
      </dl>
    </div>`;
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { n } = shown.result;
    return html`<div class="long-paint">
      <div class="long-square" data-square>
        <svg
          viewBox="0 0 ${SIDE} ${SIDE}"
          role="img"
          aria-label=${words.picture(n, this.queryOf(shown.values, n) + 1)}
          class="paintable"
          @pointerdown=${this.onPointer}
          @pointermove=${this.onPointer}
          @pointerup=${this.onPointer}
        >
          ${unsafeSvg(this.body(shown))}
        </svg>
      </div>
      <div class="long-beside">${this.renderLayers(shown)}${this.renderText(shown)}</div>
    </div>`;
  }

  protected override resultLine({ values, result }: Shown<Values, Answer>): string {
    const { n, cells, reach, work, full, bytes } = result;
    if (!reach || !work || !full) return words.arriving;
    return words.line(
      formatCount(cells),
      percent(cells / ((n * (n + 1)) / 2)),
      values.layers,
      percent(reach.share[values.layers - 1] ?? 0),
      percent(work.multiplyAdds / full.multiplyAdds),
      formatBytes(bytes),
    );
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ values, result }: Shown<Values, Answer>): readonly KeyNumber[] {
    const { cells, reach } = result;
    if (!reach) return [];
    const share = reach.share[values.layers - 1] ?? 0;
    return [
      { label: words.numbers.kept, value: cells, text: formatCount(cells) },
      { label: words.numbers.reach, value: share, text: percent(share) },
    ];
  }

  protected override renderDetails({ result }: Shown<Values, Answer>): unknown {
    const { reach, work, bytes } = result;
    if (!reach || !work) return nothing;
    const connect = reach.layersToConnect;
    const rows: readonly (readonly [string, string])[] = [
      [words.numbers.kept, formatCount(result.cells)],
      [words.numbers.work, formatCount(work.multiplyAdds)],
      [words.numbers.memory, formatBytes(bytes)],
      [words.numbers.connect, connect < 0 ? words.neverAll : String(connect)],
    ];
    return html`<dl class="long-numbers">
        ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
      </dl>`;
  }

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    if (!result.reach) return words.arriving;
    return words.caption(result.n, values.pattern, values.layers, values.seed, D);
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: Array.from(result.reach?.share ?? [], (share, l) => [l + 1, share]),
      matrices: { kept: result.kept, ...(result.reach && { hops: result.reach.hops }) },
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: this.body(shown), width: SIDE, height: SIDE }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-paint': AttnLongPaint;
  }
}
