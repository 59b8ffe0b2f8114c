import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { AssociativityTrace, Kept, Matrix, Qkv } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptOwn } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, ownKnob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import { isCalm, Player } from '../../../../src/lab/figure/step-player.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { liveMatrices } from '../../draw/live-matrices.ts';
import {
  type CellAt,
  cellText,
  type Drawing,
  entry,
  matricesBody,
  neighbour,
  type Outline,
} from '../../draw/matrices.ts';
import {
  drawInputs,
  drawOrder,
  drawProducts,
  factorsOf,
  layoutFor,
  type OrdersLayout,
  sectionWidth,
  stepOf,
} from '../../draw/order-layout.ts';
import { inRoom } from '../../draw/room.ts';
import css from '../../kernel-trick.css?inline';
import { words } from '../../words/orders.ts';

adopt(css);

type Order = 'standard' | 'linear';
type Trace = AssociativityTrace;

const ORDERS: readonly Order[] = ['standard', 'linear'];
/** A step beyond the last step of any size; it stands for the end. */
const END = 512;

const table = {
  n: integer({ key: 'n', default: 6, min: 2, max: 8 }),
  dK: integer({ key: 'd', label: 'd_k', default: 2, min: 1, max: 4 }),
  dV: integer({ key: 'dv', label: 'd_v', default: 2, min: 1, max: 4 }),
  seed: seed({ default: 6 }),
  numbers: oneOf({ key: 'numbers', values: ['whole', 'real'], default: 'whole' }),
  step: integer({ key: 'step', default: END, min: 0, max: END }),
} as const;
type Values = StateOf<typeof table>;

/** The inputs, and the outputs of both orders. */
interface Inputs {
  readonly qkv: Qkv;
  /** The same in the core, which is asked about them at every step. */
  readonly kept: Kept<Qkv>;
  readonly whole: Readonly<Record<Order, Trace>>;
}

interface Result extends Inputs {
  readonly step: number;
  readonly traces: Readonly<Record<Order, Trace>>;
  /** Entries of the outputs that are not the same bits; undefined before both are done. */
  readonly unequal: number | undefined;
}

/** The cell the reader is at. */
interface Cursor extends CellAt {
  readonly order: Order;
  /** How the core computed the cell; undefined for an input. */
  readonly trace?: Trace | undefined;
}

const rounded = ({ rows, cols, data }: Matrix): Matrix => ({
  rows,
  cols,
  // `+ 0` turns −0 into 0, which would otherwise be written with a minus sign.
  data: data.map((value) => Math.round(1.4 * value) + 0),
});

/**
 * Both orders of Q, K and V on the same clock, cell by cell.
 *
 * @element attn-kt-orders
 */
@customElement('attn-kt-orders')
export class AttnKtOrders extends LabFigure<Result, typeof table> {
  readonly table = table;
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['numbers', 'n', 'dK', 'step'] as const;
  get heading(): string {
    return words.heading;
  }

  @state() private cursor: Cursor | undefined;

  /** The frame of a picture file; undefined until a file is wanted. */
  private framing: typeof import('../../../../src/plot/picture-file.ts') | undefined;
  private readonly totals = { standard: END, linear: END };
  private inputs: (Inputs & { readonly key: string }) | undefined;
  private begun = false;
  private readonly player = new Player(() => ({
    step: this.values.step,
    total: this.longest,
    // A run takes about fifteen seconds, whatever the sizes.
    perSecond: Math.max(4, Math.min(40, this.longest / 14)),
    jump: (step) => {
      const { n, dK } = this.values;
      const product = n * n * dK;
      const inner = step < product ? dK : n;
      const from = step < product ? 0 : product;
      return from + (Math.floor((step - from) / inner) + 1) * inner;
    },
    moved: () => {
      this.requestUpdate();
      this.refresh();
    },
    settle: (step, draft) => this.set({ step: step >= this.longest ? END : step }, { draft }),
  }));

  private get longest(): number {
    return Math.max(this.totals.standard, this.totals.linear);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A link that holds a step shows that step, so nothing plays.
    this.begun = isCalm() || this.values.step !== END;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.player.halt();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.shown || this.begun) return;
    this.begun = true;
    if (!this.knobs?.fixed('step')) this.player.begin(0);
  }

  protected override onValues(): void {
    this.cursor = undefined;
    super.onValues();
  }

  // ---- asking ----

  private async inputsOf(values: Values, { signal }: Ask): Promise<Inputs> {
    const { n, dK, dV, seed, numbers } = values;
    const key = JSON.stringify([n, dK, dV, seed, numbers]);
    const { client } = this.tools;
    if (this.inputs?.key === key && client.holds(this.inputs.kept)) return this.inputs;
    const [drawn, { plain }] = await Promise.all([
      client.gaussianQkv({ n, dK, dV, seed }, { signal }),
      client.orderCosts({ n, dK, dV }, { signal }),
    ]);
    const qkv =
      numbers === 'real'
        ? drawn
        : { q: rounded(drawn.q), k: rounded(drawn.k), v: rounded(drawn.v) };
    const kept = await keptOwn(client, qkv, { signal });
    const end = (order: Order) =>
      client.associativityTrace({ ...kept, order, step: plain[order] }, { signal });
    const [standard, linear] = await Promise.all([end('standard'), end('linear')]);
    this.totals.standard = plain.standard;
    this.totals.linear = plain.linear;
    this.inputs = { key, qkv, kept, whole: { standard, linear } };
    return this.inputs;
  }

  protected async compute(values: Values, ask: Ask): Promise<Result> {
    const client = this.tools.client;
    const { qkv, kept, whole } = await this.inputsOf(values, ask);
    const step = Math.min(this.player.head ?? values.step, this.longest);
    const trace = (order: Order) =>
      client.associativityTrace(
        { ...kept, order, step: Math.min(step, this.totals[order]) },
        { signal: ask.signal },
      );
    const [standard, linear] = await Promise.all([trace('standard'), trace('linear')]);
    const finished = step >= this.longest;
    const unequal = standard.output.data.filter((value, i) => value !== linear.output.data[i]);
    return {
      qkv,
      kept,
      whole,
      step,
      traces: { standard, linear },
      unequal: finished ? unequal.length : undefined,
    };
  }

  private async visit(order: Order, at: CellAt | undefined): Promise<void> {
    const { cursor, shown } = this;
    if (!at || !shown) {
      this.cursor = undefined;
      return;
    }
    const same =
      cursor?.order === order &&
      cursor.id === at.id &&
      cursor.row === at.row &&
      cursor.col === at.col;
    if (same) return;
    const here: Cursor = { ...at, order };
    this.cursor = here;
    if (at.id !== 'product' && at.id !== 'output') return;
    const { n, dK, dV } = shown.values;
    const step = stepOf(order, at, n, dK, dV);
    const trace = await this.tools.client
      .associativityTrace({ ...shown.result.kept, order, step }, { key: 'cell' })
      .catch(() => undefined);
    if (this.cursor === here) this.cursor = { ...here, trace };
  }

  // ---- drawing ----

  private drawing(
    order: Order,
    { result }: Shown<Values, Result>,
    { mode, cell }: Pick<OrdersLayout, 'mode' | 'cell'>,
  ): Drawing {
    const { product, output } = result.traces[order];
    return mode === 'each'
      ? drawOrder(order, { ...result.qkv, product, output }, result.whole[order], cell)
      : drawProducts(order, { product, output }, result.whole[order], cell);
  }

  private outlines(order: Order, { result }: Shown<Values, Result>): Outline[] {
    const { cursor } = this;
    if (cursor?.order === order) {
      const { id, row, col } = cursor;
      // Kᵀ is drawn transposed, so its rows and columns are swapped.
      return [...factorsOf(order, cursor), { id, row, col, kind: 'cursor' }];
    }
    const { stage: id, row, col, multiplyAdds, terms } = result.traces[order];
    if (multiplyAdds === 0 || multiplyAdds >= this.totals[order]) return [];
    const at = { id, row, col };
    const now: Outline[] = factorsOf(order, at).map((line) => {
      const done = terms.length - 1;
      return { id: line.id, row: line.row ?? done, col: line.col ?? done, kind: 'now' };
    });
    return [...factorsOf(order, at), ...now, { ...at, kind: 'now' }];
  }

  private terms(order: Order, shown: Shown<Values, Result>): unknown {
    const { cursor } = this;
    const { traces } = shown.result;
    const drawing = this.drawing(order, shown, { mode: 'each', cell: 20 });
    const nameOf = (id: string) => drawing.matrices.find((one) => one.id === id)?.name ?? '';
    const mine = cursor?.order === order;
    if (mine && cursor.id !== 'product' && cursor.id !== 'output') {
      const matrix = drawing.matrices.find(({ id }) => id === cursor.id)?.matrix;
      if (!matrix) return nothing;
      const value = entry(matrix, cursor.row, cursor.col);
      return html`<b>${words.cell(nameOf(cursor.id), cursor.row + 1, cursor.col + 1)}</b> =
        ${formatNumber(value)}`;
    }
    const trace = mine ? cursor.trace : traces[order];
    if (!trace || trace.terms.length === 0 || trace.multiplyAdds === 0) return nothing;
    const { terms, stage, row, col, inner } = trace;
    const text = (value: number): string => {
      const words = cellText(value);
      return value < 0 ? `(${words})` : words;
    };
    const last = terms[terms.length - 1];
    const partial = terms.length < inner;
    const filled = !mine || Number.isFinite(entry(traces[order][stage], row, col));
    return html`<b>${words.cell(nameOf(stage), row + 1, col + 1)}</b> =
      ${terms.map(({ a, b }, i) => html`${i ? ' + ' : ''}${text(a)}·${text(b)}`)}
      ${partial ? html` + … = ${cellText(last?.sum ?? 0)} <i>${words.soFar}</i>` : html` = <b>${cellText(last?.sum ?? 0)}</b>`}
      ${filled ? nothing : html` <i>(${words.notYet})</i>`}`;
  }

  private onKey(order: Order, drawing: Drawing, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ways: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    if (event.key === 'Escape') {
      this.cursor = undefined;
      return;
    }
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    this.player.rest();
    const at = this.cursor?.order === order ? this.cursor : undefined;
    const next = at ? neighbour(drawing, at, way[0], way[1]) : { id: 'output', row: 0, col: 0 };
    void this.visit(order, next);
  }

  private onPoint(order: Order, event: PointerEvent): void {
    const cell = (event.target as Element).closest<SVGElement>('[data-m]')?.dataset;
    if (!cell?.m) return;
    void this.visit(order, { id: cell.m, row: Number(cell.r), col: Number(cell.c) });
  }

  private renderOrder(
    order: Order,
    shown: Shown<Values, Result>,
    layout: OrdersLayout,
    least: number,
  ): TemplateResult {
    const trace = shown.result.traces[order];
    const drawing = this.drawing(order, shown, layout);
    const { dark, ghost } = this;
    const formula = order === 'standard' ? '(QKᵀ)V' : 'Q(KᵀV)';
    const done = trace.multiplyAdds >= trace.total;
    const count = words.count(String(trace.multiplyAdds), String(trace.total));
    const { rows, cols } = trace.product;
    const before = ghost?.result.traces[order].total;
    // Of what is drawn, which may still be the picture before the knobs as they are now.
    const longest = Math.max(
      ...[shown, ghost].flatMap((one) => ORDERS.map((of) => one?.result.traces[of].total ?? 0)),
    );
    const share = (part: number): string => `${(100 * part) / longest}%`;
    return html`<section role="group"
      class="kt-order ${order}"
      aria-label=${words.orders[order]}
      .style=${`${layout.mode === 'each' ? 'min-width' : 'width'}:${Math.max(least, Math.round(drawing.width))}px`}
    >
      <p class="kt-title">${words.orders[order]} <span class="formula">${formula}</span></p>
      <p class="counter ${done ? 'done' : ''}">
        <b>${String(trace.multiplyAdds)}</b>
        <span
          >${count.slice(String(trace.multiplyAdds).length)}${done ? html`<em>, ${words.done}</em>` : nothing} <br /><small
            >${words.between(String(rows * cols), String(rows), String(cols))}</small
          ></span
        >
      </p>
      <div class="meter" aria-hidden="true">
        <span .style=${`width:${share(trace.multiplyAdds)}`}></span>
        ${before === undefined ? nothing : html`<i class="before" .style=${`left:${share(before)}`}></i>`}
        <i .style=${`left:${share(trace.total)}`}></i>
      </div>
      <div
        class="kt-picture"
        role="application"
        tabindex="0"
        aria-label="${words.pictureOf(formula)}. ${words.keys}"
        @keydown=${(event: KeyboardEvent) => this.onKey(order, drawing, event)}
        @pointerover=${(event: PointerEvent) => this.onPoint(order, event)}
        @pointerdown=${(event: PointerEvent) => this.onPoint(order, event)}
        @pointerleave=${(event: PointerEvent) => {
          if (event.pointerType === 'mouse') this.cursor = undefined;
        }}
        @blur=${() => {
          this.cursor = undefined;
        }}
      >
        ${liveMatrices(drawing, this.outlines(order, shown), dark)}
      </div>
      ${
        !layout.terms
          ? nothing
          : html`<p class="terms" aria-live=${this.cursor?.order === order ? 'polite' : 'off'}>
              ${this.terms(order, shown)}
            </p>`
      }
    </section>`;
  }

  /** Q, K and V once, where there is no room for them beside both orders. The linear order's rows and columns are dashed. */
  private renderInputs(shown: Shown<Values, Result>, { cell }: OrdersLayout): TemplateResult {
    const drawing = drawInputs(shown.result.qkv, cell);
    const outlines = ORDERS.flatMap((order) =>
      this.outlines(order, shown).map((one) => ({ ...one, dashed: order === 'linear' })),
    );
    return html`<section role="group" class="kt-order inputs" aria-label=${words.inputs}>
      <p class="kt-title">${words.inputs}</p>
      <div
        class="kt-picture"
        role="img"
        aria-label=${words.pictureOf('Q, K, V')}
        @pointerover=${(event: PointerEvent) => this.onPoint('standard', event)}
        @pointerdown=${(event: PointerEvent) => this.onPoint('standard', event)}
        @pointerleave=${() => {
          this.cursor = undefined;
        }}
      >
        ${liveMatrices(drawing, outlines, this.dark)}
      </div>
    </section>`;
  }

  protected override get controls() {
    return [
      choice('numbers', { label: words.numbers, options: words.kinds }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('dK', { label: words.dK, symbol: 'd_k' }),
      slider('dV', { label: words.dV, symbol: 'd_v' }),
      seedKnob(),
      ownKnob(
        'step',
        { label: words.scrub, draw: ({ disabled }) => this.player.render(words, disabled) },
        { placed: true },
      ),
    ];
  }

  protected override renderBelowKnobs(): unknown {
    return html`<p class="fine">${words.hint}</p>`;
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    return html`${this.placed('step')}
      ${inRoom((room) => {
        const layout = layoutFor(shown.values, room);
        return html`<div class="kt-orders ${layout.mode}">
          ${layout.mode === 'shared' ? this.renderInputs(shown, layout) : nothing}
          ${ORDERS.map((order) => this.renderOrder(order, shown, layout, sectionWidth(room.width)))}
        </div>`;
      })}`;
  }

  protected override resultLine({ result: { unequal, traces } }: Shown<Values, Result>): string {
    if (unequal === undefined) return words.waiting;
    const all = traces.standard.output.data.length;
    return unequal === 0 ? words.equal(all) : words.unequal(unequal, all);
  }

  protected override keyNumbers({
    result: { traces, unequal },
  }: Shown<Values, Result>): readonly KeyNumber[] {
    return [
      ...ORDERS.map((order) => ({ label: words.multiplyAdds[order], value: traces[order].total })),
      ...(unequal === undefined ? [] : [{ label: words.differ, value: unequal }]),
    ].map((number) => ({ ...number, text: String(number.value) }));
  }

  protected override renderWaiting(): unknown {
    return html`<div class="kt-orders waiting" aria-busy="true"></div>`;
  }

  protected caption({ values: { n, dK, dV, seed, numbers } }: Shown<Values, Result>): string {
    return words.caption(n, dK, dV, seed, numbers === 'whole');
  }

  protected override summary({ result: { traces } }: Shown<Values, Result>): string {
    if (this.player.playing) return '';
    const count = ({ multiplyAdds, total }: Trace) =>
      words.count(String(multiplyAdds), String(total));
    return words.summary(count(traces.standard), count(traces.linear));
  }

  protected data({ result: { qkv, traces } }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: ORDERS.map((order) => {
        const { multiplyAdds, total, product } = traces[order];
        return [order, multiplyAdds, total, product.rows * product.cols];
      }),
      matrices: {
        Q: qkv.q,
        K: qkv.k,
        V: qkv.v,
        QKt: traces.standard.product,
        standard: traces.standard.output,
        KtV: traces.linear.product,
        linear: traces.linear.output,
      },
    };
  }

  protected override async save(kind: 'png' | 'svg' | 'csv' | 'json'): Promise<void> {
    if (kind === 'png' || kind === 'svg')
      this.framing ??= await import('../../../../src/plot/picture-file.ts');
    await super.save(kind);
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const cell = 30;
    const layout = { mode: 'each', cell } as const;
    const [left, right] = ORDERS.map((order) => this.drawing(order, shown, layout)) as [
      Drawing,
      Drawing,
    ];
    const size = {
      width: left.width + 40 + right.width,
      height: Math.max(left.height, right.height),
    };
    const body = matricesBody(left, [], this.dark);
    const other = matricesBody(right, [], this.dark);
    const both = `${body}<g transform="translate(${left.width + 40} 0)">${other}</g>`;
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return this.framing?.fileOf({ body: both, ...size }, about, this.dark) ?? '';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-orders': AttnKtOrders;
  }
}
