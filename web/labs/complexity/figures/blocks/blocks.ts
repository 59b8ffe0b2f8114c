import { html, nothing, type PropertyValues } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { OrderCosts } from '#client';
import { boxSeen } from '../../../../src/components/box-seen.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import { prose } from '../../../../src/lab/text/prose.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { paints, seriesColors } from '../../../../src/plot/chart-colors.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { blocksWords as words } from '../../words/blocks.ts';
import { formatBytes, formatCount, formatPlain } from '../format.ts';
import {
  type Drawn,
  drawBlocks,
  type Grip,
  isMain,
  products,
  type SizeName,
  type Sizes,
} from './draw-blocks.ts';

const table = {
  n: integer({ key: 'n', min: 1, max: 16384, default: 64 }),
  d: integer({ key: 'd', min: 1, max: 256, default: 16 }),
  dV: integer({ key: 'dv', min: 1, max: 256, default: 16 }),
};
type Table = typeof table;

interface Answer {
  /** The sizes that were counted. While n grows by itself they differ from the knobs. */
  readonly sizes: Sizes;
  readonly costs: OrderCosts;
  /** The boxes that the reader began with. */
  readonly first: Sizes;
  readonly firstCosts: OrderCosts;
}

/** The first picture grows for less than five seconds and then stops by itself. */
const FIRST = { from: 4, milliseconds: 3200 };
const GROWTH = { to: 4096, milliseconds: 4500 };
/** A view beside the text has one order below the other, and is as high as there is room for. */
const VIEW = { width: 540, high: 620 };
const SIZE_NAMES: readonly SizeName[] = ['n', 'd', 'dV'];
const SYMBOLS: Readonly<Record<SizeName, string>> = { n: 'n', d: 'd', dV: 'd_v' };

/**
 * (QKᵀ)V and Q(KᵀV) as boxes that can be resized: the opening of the lab.
 *
 * @element attn-order-blocks
 */
@customElement('attn-order-blocks')
export class AttnOrderBlocks extends LabFigure<Answer, Table> {
  override readonly table = table;
  override readonly knobsLast = true;

  @state() private width = 0;
  @state() private growing = false;
  /** Whether the boxes only grow to the size that the knobs have: nothing that a reader does then changes n. */
  private arriving = false;
  /** What the boxes are compared with: what was there before the reader pulled or let them grow. */
  private first: Sizes | undefined;
  /** Whether the knobs change because the reader moves them; all else is a new beginning. */
  private pulling = false;
  /** The current n of the animation; undefined while nothing moves and the knob's value counts. */
  private onTheWay: number | undefined;
  private frame = 0;
  private watch: ResizeObserver | undefined;
  /** The edge that is pulled, in the figure's own place or in a view. */
  private held:
    | { readonly grip: Grip; x: number; y: number; value: number; readonly own: boolean }
    | undefined;
  /** Pixels of a unit edge, in the figure's own place and in the views beside the text. */
  private readonly scales = { own: 1, view: 1 };

  /** An element as wide as the picture; it exists from the first rendering on. */
  @query('figure') private place_: HTMLElement | null | undefined;

  override get heading(): string {
    return words.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.opening && !calm && !this.knobs?.fixed('n')) {
      this.arriving = true;
      this.grow(FIRST.from, this.values.n, FIRST.milliseconds);
    }
    for (const name of ['pointerdown', 'keydown'] as const) {
      this.addEventListener(name, this.onTouched, { capture: true });
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
    this.watch?.disconnect();
    this.watch = undefined;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.place_ || this.watch) return;
    this.watch = new ResizeObserver(([entry]) => {
      this.width = Math.floor(entry?.contentRect.width ?? 0);
    });
    this.watch.observe(this.place_);
  }

  protected override async compute(values: StateOf<Table>, { signal }: Ask): Promise<Answer> {
    const sizes = { ...values, ...(this.onTheWay === undefined ? {} : { n: this.onTheWay }) };
    // A try is compared with the reader's own boxes, which stay as outlines.
    this.first ??= { ...((this.trying && this.knobs?.values) ?? values) };
    const { first } = this;
    const costsOf = ({ n, d, dV }: Sizes): Promise<OrderCosts> =>
      this.tools.client.orderCosts({ n, dK: d, dV }, { signal });
    return { sizes, costs: await costsOf(sizes), first, firstCosts: await costsOf(first) };
  }

  override set(patch: Partial<StateOf<Table>>, options: { readonly draft?: boolean } = {}): void {
    this.pulling = true;
    super.set(patch, options);
    this.pulling = false;
  }

  protected override beforeTry(): void {
    this.rest();
    super.beforeTry();
  }

  protected override reset(): void {
    this.first = undefined;
    super.reset();
  }

  /** A link, a try or a step back in the history shows other boxes: these are the first ones then. */
  protected override onValues(): void {
    if (!this.pulling) this.first = undefined;
    super.onValues();
  }

  // ---- moving by itself ----

  private grow(from: number, to: number, milliseconds: number, done?: () => void): void {
    cancelAnimationFrame(this.frame);
    let start: number | undefined;
    this.growing = true;
    const step = (now: number): void => {
      start ??= now;
      const part = Math.min(1, (now - start) / milliseconds);
      this.onTheWay = part === 1 ? undefined : Math.round(from * (to / from) ** part);
      if (part === 1) {
        this.growing = false;
        this.arriving = false;
        done?.();
      } else this.frame = requestAnimationFrame(step);
      this.refresh();
    };
    this.onTheWay = from;
    this.frame = requestAnimationFrame(step);
  }

  private rest(): void {
    if (!this.growing) return;
    cancelAnimationFrame(this.frame);
    this.growing = false;
    const { onTheWay: reached, arriving } = this;
    this.onTheWay = undefined;
    this.arriving = false;
    // When the reader lets n grow and stops it, n stays where it is. The first picture only grows to what the knobs say.
    if (reached === undefined || arriving) this.refresh();
    else this.set({ n: reached });
  }

  private onTouched = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('.grow') : null;
    if (!button && this.growing) this.rest();
  };

  private pressGrow(): void {
    if (this.growing) {
      this.rest();
      return;
    }
    const { n } = this.values;
    const again = n >= GROWTH.to;
    const from = again ? table.n.default : n;
    this.first = again ? { ...this.values, n: from } : this.first;
    this.grow(from, GROWTH.to, GROWTH.milliseconds, () => this.set({ n: GROWTH.to }));
  }

  // ---- edges ----

  private resize(size: SizeName, value: number, draft: boolean): void {
    const { min, max } = table[size];
    const next = Math.max(min, Math.min(max, Math.round(value)));
    this.set({ [size]: next }, { draft });
  }

  private onDown(event: PointerEvent, grip: Grip, own: boolean): void {
    event.preventDefault();
    const element = event.currentTarget as HTMLElement;
    element.setPointerCapture(event.pointerId);
    element.focus();
    this.held = { grip, x: event.clientX, y: event.clientY, value: this.values[grip.size], own };
  }

  /**
   * The picture is fitted anew as an edge grows, so each stretch of the way counts at the scale it
   * was made at: short edges follow the pointer, long ones grow by a factor.
   */
  private onMove(event: PointerEvent): void {
    const { held } = this;
    if (!held) return;
    const picture = (event.currentTarget as HTMLElement).parentElement;
    const svg = picture?.querySelector('svg');
    // The picture may be drawn smaller than it was laid out.
    const shrunk = svg ? boxSeen(svg).width / svg.viewBox.baseVal.width : 1;
    const along = (event.clientX - held.x) * held.grip.dx + (event.clientY - held.y) * held.grip.dy;
    held.x = event.clientX;
    held.y = event.clientY;
    // One token takes at least as many pixels as a hand can aim at.
    const perUnit = Math.max(this.scales[held.own ? 'own' : 'view'] * shrunk, 0.02);
    const { min, max } = table[held.grip.size];
    held.value = Math.max(min, Math.min(max, held.value + along / perUnit));
    this.resize(held.grip.size, held.value, true);
  }

  private onUp(): void {
    const { held } = this;
    this.held = undefined;
    if (held) this.resize(held.grip.size, held.value, false);
  }

  private onKey(event: KeyboardEvent, size: SizeName): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const value = this.values[size];
    const step = Math.max(1, Math.round(value / 16));
    const { min, max } = table[size];
    const next = {
      ArrowUp: value + step,
      ArrowRight: value + step,
      ArrowDown: value - step,
      ArrowLeft: value - step,
      PageUp: value * 2,
      PageDown: value / 2,
      Home: min,
      End: max,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.resize(size, next, false);
  }

  private renderGrip(grip: Grip, { width, height }: Drawn, own: boolean): unknown {
    const { size, product, way, x, y } = grip;
    const main = isMain(grip);
    const { min, max } = table[size];
    if (!this.offers(size) || this.knobs?.fixed(size)) return nothing;
    return html`<div
      class="edge-grip"
      data-grip="${product}-${way}"
      data-axis=${way}
      .style=${`left:${(100 * x) / width}%;top:${(100 * y) / height}%`}
      role=${main ? 'slider' : nothing}
      tabindex=${main ? 0 : -1}
      aria-hidden=${main ? nothing : 'true'}
      aria-label=${main ? `${words.edge(size === 'dV' ? 'd_v' : size)}: ${words[size]}` : nothing}
      aria-valuemin=${main ? min : nothing}
      aria-valuemax=${main ? max : nothing}
      aria-valuenow=${main ? this.values[size] : nothing}
      @pointerdown=${(event: PointerEvent) => this.onDown(event, grip, own)}
      @pointermove=${(event: PointerEvent) => this.onMove(event)}
      @pointerup=${() => this.onUp()}
      @pointercancel=${() => this.onUp()}
      @keydown=${(event: KeyboardEvent) => this.onKey(event, size)}
    ></div>`;
  }

  // ---- the picture ----

  private draw({ sizes, costs, first, firstCosts }: Answer, width: number, high?: number): Drawn {
    const theme = this.dark ? 'dark' : 'light';
    const colors = seriesColors[theme];
    const below = Object.fromEntries(
      products.map(({ id, order }, i) => {
        const product = costs[order].products[(i % 2) as 0 | 1];
        const { rows, inner, cols, multiplyAdds } = product;
        const before = firstCosts[order].products[(i % 2) as 0 | 1].multiplyAdds;
        const lines = [words.adds(formatCount(multiplyAdds)), `${rows} × ${inner} × ${cols}`];
        return [
          id,
          this.grown(sizes, first) ? [...lines, this.timesFirst(multiplyAdds, before)] : lines,
        ];
      }),
    );
    return drawBlocks({
      ...{ sizes, first, width, high },
      paint: paints[theme],
      colors: { given: colors[2] ?? '', between: colors[1] ?? '', output: colors[3] ?? '' },
      below,
      headings: {
        standard: `(QKᵀ)V ${words.between(formatBytes(costs.standard.intermediate.bytes))}`,
        linear: `Q(KᵀV) ${words.between(formatBytes(costs.linear.intermediate.bytes))}`,
      },
    });
  }

  private timesFirst(now: number, before: number): string {
    return now < before
      ? words.part(formatPlain(before / now))
      : words.times(formatPlain(now / before));
  }

  /** Whether the boxes are others than those that the reader began with, and stay so. */
  private grown(sizes: Sizes, first: Sizes): boolean {
    return SIZE_NAMES.some((name) => sizes[name] !== first[name]);
  }

  private verdict({ costs }: Answer): string {
    const { standard, linear, ratio, crossover } = costs.plain;
    const said = [formatCount(standard), formatCount(linear)] as const;
    if (ratio === 1) return words.same(said[0]);
    const compared =
      ratio > 1
        ? words.total(...said, formatPlain(ratio))
        : words.less(...said, formatPlain(1 / ratio));
    return `${compared}; ${words.crossover(formatPlain(crossover))}`;
  }

  protected override summary({ result }: Shown<StateOf<Table>, Answer>): string {
    return this.growing ? '' : this.verdict(result).replaceAll('*', '');
  }

  protected override resultLine({ result }: Shown<StateOf<Table>, Answer>): string {
    return this.verdict(result);
  }

  protected override keyNumbers({
    result: { costs },
  }: Shown<StateOf<Table>, Answer>): readonly KeyNumber[] {
    const { standard, linear } = costs.plain;
    const number = (order: string, value: number): KeyNumber => ({
      ...{ label: words.addsOf(order), value, text: formatCount(value) },
    });
    return [number('(QKᵀ)V', standard), number('Q(KᵀV)', linear)];
  }

  protected override get controls(): readonly Knob<SizeName>[] {
    return SIZE_NAMES.map((name) =>
      slider(name, { label: words[name], symbol: SYMBOLS[name], log: true }),
    );
  }

  protected override renderBelowKnobs(): unknown {
    return html`<p class="fine">${words.drag}</p>`;
  }

  protected override pictures() {
    return {
      boxes: ({ result }: Shown<StateOf<Table>, Answer>) =>
        this.renderBoxes(result, Math.min(this.width, VIEW.width), false),
    };
  }

  protected override get titles() {
    return { boxes: words.heading };
  }

  protected override renderWaiting(): unknown {
    return html`<div class="blocks" aria-busy="true"></div>`;
  }

  private renderBoxes(result: Answer, wide: number, own: boolean): unknown {
    if (wide === 0) return this.renderWaiting();
    const drawn = this.draw(result, wide, own || wide < VIEW.width ? undefined : VIEW.high);
    const { width, height, inside, grips, scale } = drawn;
    this.scales[own ? 'own' : 'view'] = scale;
    return html`<div class="blocks" data-square>
      <svg
        viewBox="0 0 ${width} ${height}"
        aria-hidden="true"
        focusable="false"
        .innerHTML=${inside}
      ></svg>
      ${grips.map((grip) => this.renderGrip(grip, drawn, own))}
    </div>`;
  }

  protected override renderResult({ result }: Shown<StateOf<Table>, Answer>): unknown {
    return html`${this.renderBoxes(result, this.width, true)}
      <p class="blocks-key fine">
        ${(['given', 'between', 'output'] as const).map(
          (role) => html`<span class="role ${role}">${words.key[role]}</span>`,
        )}
        ${
          this.grown(result.sizes, result.first)
            ? html`<span class="role first">${prose(words.key.first(result.first.n, result.first.d, result.first.dV))}</span>`
            : nothing
        }
        <button
          class="button grow"
          type="button"
          ?disabled=${this.knobs?.fixed('n')}
          @click=${() => this.pressGrow()}
        >
          ${this.growing ? words.still : words.grow}
        </button>
      </p>`;
  }

  protected override renderDetails({ result }: Shown<StateOf<Table>, Answer>): unknown {
    return this.renderTable(result);
  }

  private renderTable(result: Answer): unknown {
    const { columns, rows } = this.tableOf(result);
    return html`<div class="table-scroll" tabindex="0">
      <table class="figure-table counts">
        <caption>
          ${words.table}
        </caption>
        <thead>
          <tr>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }

  private tableOf({ costs }: Answer): FigureData {
    return {
      columns: words.columns,
      rows: products.map(({ order, faces }, i) => {
        const { rows, inner, cols, multiplyAdds } = costs[order].products[(i % 2) as 0 | 1];
        const between = i % 2 === 0 ? costs[order].intermediate.bytes : null;
        const name = faces[2].name;
        return [
          order === 'standard' ? '(QKᵀ)V' : 'Q(KᵀV)',
          name,
          rows,
          inner,
          cols,
          multiplyAdds,
          between,
        ];
      }),
    };
  }

  protected override caption({ result: { sizes } }: Shown<StateOf<Table>, Answer>): string {
    return words.caption(sizes.n, sizes.d, sizes.dV);
  }

  protected override data({ result }: Shown<StateOf<Table>, Answer>): FigureData {
    return this.tableOf(result);
  }

  protected override async svg(shown: Shown<StateOf<Table>, Answer>): Promise<string> {
    const { fileOf } = await import('../../../../src/plot/picture-file.ts');
    const { inside, ...size } = this.draw(shown.result, this.width);
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: inside, ...size }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-order-blocks': AttnOrderBlocks;
  }
}
