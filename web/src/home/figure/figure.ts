import { html, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import {
  CancelledError,
  type Client,
  CoreError,
  type Matrix,
  maxOrderSize,
  type OrderCosts,
  SupersededError,
} from '#client';
import type { AttnArcs } from '../../components/arcs/arcs.ts';
import '../../components/arcs/arcs.ts';
import '../../components/slider/slider.ts';
import type { Cell, CellEventDetail } from '../../components/heatmap/heatmap.ts';
import { theCore } from '../../core.ts';
import { keptText, withKept } from '../../lab/figure/kept-inputs.ts';
import { AskingElement, lockedNote } from '../../lab/figure/tried-figure.ts';
import { type Knobs, UrlStore } from '../../lab/page/url-store.ts';
import { arcColors } from '../../plot/arcs.ts';
import { paints } from '../../plot/chart-colors.ts';
import { type ColorScale, sharedScale } from '../../plot/color.ts';
import { formatBytes, formatCount, formatPlain } from '../../plot/counts.ts';
import { urlHistory } from '../../state/history.ts';
import { integer, type StateOf, text } from '../../state/url.ts';
import { language } from '../../strings/language.ts';
import { problemText } from '../../strings/problem.ts';
import { isDark, onThemeChange } from '../../styles/theme.ts';
import { homeWords } from '../words.ts';
import { formatPart, formatTime } from './format.ts';
import { type Moving, movingArcs } from './morph.ts';
import { type Inks, paintMoving, paintScene } from './paint.ts';
import { type Scene, sceneOf } from './slab.ts';
import type { Stopwatch, Timing, Timings } from './stopwatch.ts';
import { figureWords as words } from './words.ts';

/** The width of every column: as in the labs that take a sentence. */
const D = 16;
const SEED = 1;
/** The core keeps the state after every word, of so many at most (`recurrentTrace`). */
const MOST_WORDS = 64;
const LONGEST = 1_000_000;

const table = {
  text: text({ key: 'text', maxLength: 800, default: homeWords[language].sentence }),
  n: integer({ key: 'n', min: 1, max: LONGEST, default: 1000 }),
};
type Values = StateOf<typeof table>;

/** What a sentence gives. */
interface Answer {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly weights: Matrix;
  readonly scale: ColorScale;
  /** S after the last word, D×d_v, and z, D×1. */
  readonly state: Matrix;
  readonly sums: Matrix;
  /** What linear attention keeps: the numbers of S and z, and their bytes. */
  readonly kept: { readonly numbers: number; readonly bytes: number };
}

/** What a length costs, and twice that length. */
interface Counted {
  readonly n: number;
  readonly costs: OrderCosts;
  readonly ratios: { readonly softmax: number; readonly linear: number };
}

/** The way of the arcs into the matrix, and then the growth of the text. */
const PAUSE_MS = 500;
const FLIGHT_MS = 1500;
const GROWTH_MS = 2600;
const SPEAK_AFTER_MS = 1000;
/** What is no fault of the sentence. */
const FAILURES: readonly string[] = ['trap', 'gone', 'load'];
const FORCED = matchMedia('(forced-colors: active)');
const CALM = matchMedia('(prefers-reduced-motion: reduce)');

/** The sentence lasts as long as the tab, so that it is there when the visitor comes back from a lab. */
const IN_TAB = 'attention-labs-sentence';
const inTab = {
  get: (): string | undefined => {
    try {
      return sessionStorage.getItem(IN_TAB) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set: (sentence: string): void => {
    try {
      sessionStorage.setItem(IN_TAB, sentence);
    } catch {
      // Where storage is denied, the link has the sentence.
    }
  },
};

/**
 * The figure of the home page: a sentence, its words joined by arcs, the arcs as a matrix, and the matrix beside the
 * state of linear attention while the text grows. It has no shadow root, so that the page's type applies.
 *
 * @element attn-home-figure
 * @fires attn-sentence - The visitor typed a sentence. Detail: the sentence; empty for the page's own one.
 */
@customElement('attn-home-figure')
export class AttnHomeFigure extends AskingElement {
  @state() private answer: Answer | undefined;
  @state() private counted: Counted | undefined;
  @state() private problem = '';
  /** What of the link could not be used. */
  @state() private notice = '';
  /** The core failed, so that starting it anew may help. */
  @state() private stuck = false;
  @state() private cell: Cell | undefined;
  @state() private locked = false;
  @state() private dark = isDark();
  @state() private width = 0;
  @state() private moving = false;
  @state() private timings: Timings | undefined;
  @state() private timing = false;
  @state() private timeProblem = '';
  @state() private spoken = '';

  @query('.stage') private stage!: HTMLElement;
  @query('.stage canvas') private canvas!: HTMLCanvasElement;
  @query('.flight') private overlay!: HTMLCanvasElement;
  @query('attn-arcs') private arcs!: AttnArcs | null;

  private readonly client: Client = theCore();
  private readonly store = new UrlStore(urlHistory(), location.search);
  private knobs!: Knobs<Values>;
  private readonly ends: (() => void)[] = [];
  private stopwatch: Stopwatch | undefined;
  private abort = new AbortController();
  /** The sentence that the core refused. */
  private refused: string | undefined;
  private speakTimer: ReturnType<typeof setTimeout> | undefined;

  /** The length that is shown while the text grows by itself. */
  private growing: number | undefined;
  private frame = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private flight: readonly Moving[] | undefined;
  private flightTime = 0;

  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.knobs = this.store.knobs('', table, {
      onChange: () => {
        this.rest();
        this.refresh();
        this.tellSentence();
      },
    });
    const before = inTab.get();
    if (before && !new URLSearchParams(location.search).has('text')) {
      this.knobs.set({ text: before }, { draft: true });
    }
    this.notice = this.knobs.problems.join(' ');
    const redraw = (): void => {
      this.dark = isDark();
      this.requestUpdate();
    };
    FORCED.addEventListener('change', redraw);
    this.ends.push(onThemeChange(redraw), () => FORCED.removeEventListener('change', redraw));
    this.refresh();
    this.tellSentence();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.ends.splice(0)) end();
    this.rest();
    this.abort.abort();
    clearTimeout(this.speakTimer);
  }

  override firstUpdated(): void {
    const watch = new ResizeObserver(([entry]) => {
      this.width = Math.round(entry?.contentRect.width ?? 0);
    });
    watch.observe(this.stage);
    this.ends.push(() => watch.disconnect());
  }

  override updated(): void {
    this.paint();
  }

  // ---- what is asked ----

  private get words(): number {
    return this.answer?.tokens.length ?? 1;
  }

  /** The length that is wanted: no shorter than the sentence. */
  private get length(): number {
    return this.growing ?? Math.max(this.words, this.knobs.values.n);
  }

  protected override get answered(): boolean {
    return this.answer !== undefined && this.scene !== undefined;
  }

  protected override async ask(): Promise<void> {
    try {
      const first = this.answer === undefined;
      await withKept(() => this.answerAll());
      this.stuck = false;
      if (first && !CALM.matches) this.play(PAUSE_MS);
    } catch (error) {
      this.fail(error);
    }
  }

  private async answerAll(): Promise<void> {
    const { client } = this;
    const { text: sentence } = this.knobs.values;
    const { signal } = this.abort;
    if (sentence !== this.answer?.text && sentence !== this.refused) {
      try {
        await this.read(sentence);
        this.problem = '';
      } catch (error) {
        if (!(error instanceof CoreError) || FAILURES.includes(error.code)) throw error;
        this.refused = sentence;
        await this.fail(error);
        // A sentence of a link may be wrong too: the picture is then that of the page's own.
        if (!this.answer) await this.read(homeWords[language].sentence);
      }
    }
    const n = this.length;
    if (n !== this.counted?.n) {
      const costs = await client.orderCosts({ n, dK: D, dV: D, D }, { signal });
      // Longer than the core counts: the last doubling is compared instead.
      const other = 2 * n <= maxOrderSize ? 2 * n : Math.round(n / 2);
      const twice = await client.orderCosts({ n: other, dK: D, dV: D, D }, { signal });
      const [short, long] = other > n ? [costs, twice] : [twice, costs];
      const ratio = (order: 'standard' | 'linear'): number =>
        long.normalized[order] / short.normalized[order];
      this.counted = { n, costs, ratios: { softmax: ratio('standard'), linear: ratio('linear') } };
      if (this.growing === undefined) this.say();
    }
    if (this.stopwatch && this.growing === undefined && this.timings?.n !== n) await this.time();
  }

  private async read(sentence: string): Promise<void> {
    const { client } = this;
    const { signal } = this.abort;
    const { tokens, ...qkv } = await keptText(
      client,
      { text: sentence, dK: D, dV: D, seed: SEED, maxTokens: MOST_WORDS },
      { signal },
    );
    const { weights } = await client.attention(qkv, { signal });
    const featureMap = { id: 'elu_plus_one' };
    const { s, z } = await client.recurrentTrace({ ...qkv, featureMap }, { signal });
    const state = { rows: D, cols: D, data: s.data.slice(-D * D) };
    const sums = { rows: D, cols: 1, data: z.data.slice(-D) };
    const kept = {
      numbers: state.data.length + sums.data.length,
      bytes: state.data.byteLength + sums.data.byteLength,
    };
    let most = 0;
    for (const weight of weights.data) most = Math.max(most, weight);
    const scale = sharedScale([[0, most]], 'linear');
    this.answer = { text: sentence, tokens, weights, scale, state, sums, kept };
    this.cell = undefined;
    this.locked = false;
    this.refused = undefined;
  }

  private async fail(error: unknown): Promise<void> {
    if (error instanceof SupersededError || error instanceof CancelledError) return;
    this.stuck = error instanceof CoreError && FAILURES.includes(error.code);
    const message = await problemText(error);
    this.problem = message.charAt(0).toUpperCase() + message.slice(1).replace(/[^.!?]$/, '$&.');
  }

  private readonly restartCore = (): void => {
    this.client.restart();
    this.problem = '';
    this.refresh();
  };

  private say(): void {
    clearTimeout(this.speakTimer);
    this.speakTimer = setTimeout(() => {
      this.spoken = this.summary();
    }, SPEAK_AFTER_MS);
  }

  private summary(): string {
    const { counted, answer } = this;
    if (!counted || !answer) return '';
    return words.stage(
      formatCount(counted.n),
      formatCount(counted.costs.standard.intermediate.numbers),
      formatCount(answer.kept.numbers),
    );
  }

  // ---- time ----

  private async startTiming(): Promise<void> {
    this.timing = true;
    this.timeProblem = '';
    try {
      const { Stopwatch } = await import('./stopwatch.ts');
      this.stopwatch = new Stopwatch(this.client, D);
    } catch (error) {
      this.timeProblem = await problemText(error);
      this.timing = false;
      return;
    }
    this.refresh();
  }

  private async time(): Promise<void> {
    const n = this.length;
    this.timing = true;
    try {
      this.timings = await this.stopwatch?.at(n, this.abort.signal);
      this.timeProblem = '';
    } catch (error) {
      if (error instanceof CancelledError || error instanceof SupersededError) return;
      this.timeProblem = `${words.timeFailed} ${await problemText(error)}`;
      this.stopwatch = undefined;
    } finally {
      this.timing = false;
    }
  }

  // ---- what a visitor does ----

  /** The sentence that the visitor typed; empty while it is the page's own one. */
  get typed(): string {
    const { text: sentence } = this.knobs.values;
    return sentence === homeWords[language].sentence ? '' : sentence;
  }

  private tellSentence(): void {
    const { typed: detail } = this;
    this.dispatchEvent(new CustomEvent<string>('attn-sentence', { detail, bubbles: true }));
  }

  private onType(event: Event, draft: boolean): void {
    const { value } = event.target as HTMLInputElement;
    this.rest();
    this.knobs.set({ text: value }, { draft });
    inTab.set(value);
    this.problem = '';
    this.notice = '';
    this.refused = undefined;
    this.tellSentence();
    this.refresh();
  }

  private setLength(n: number, draft: boolean): void {
    this.rest();
    this.knobs.set({ n }, { draft });
    this.refresh();
    this.requestUpdate();
  }

  // ---- moving by itself ----

  /** The arcs fly into the matrix, and the text grows to the length of the slider. */
  private play(pause: number): void {
    this.rest();
    const to = Math.max(this.words, this.knobs.values.n);
    if (CALM.matches) {
      // Without motion the steps follow each other by the visitor's own hand.
      this.setLength(this.counted?.n === this.words ? table.n.default : this.words, false);
      return;
    }
    this.growing = this.words;
    this.moving = true;
    this.flight = [];
    this.refresh();
    this.pause = setTimeout(() => {
      this.takeOff();
      const start = performance.now();
      const step = (now: number): void => {
        const flown = Math.min(1, (now - start) / FLIGHT_MS);
        this.flightTime = flown;
        if (flown < 1) {
          this.paintFlight();
          this.frame = requestAnimationFrame(step);
          return;
        }
        if (this.flight) {
          this.flight = undefined;
          this.paintFlight();
          this.requestUpdate();
        }
        const grown = Math.min(1, Math.max(0, (now - start - FLIGHT_MS - PAUSE_MS) / GROWTH_MS));
        this.growing =
          grown === 1 ? undefined : Math.round(this.words * (to / this.words) ** grown);
        this.refresh();
        if (grown < 1) this.frame = requestAnimationFrame(step);
        else {
          this.moving = false;
          this.say();
        }
      };
      this.frame = requestAnimationFrame(step);
    }, pause);
  }

  private takeOff(): void {
    const drawn = this.arcs?.drawn;
    const { scene } = this;
    if (!drawn || !scene) return;
    const [own, stage] = [this.getBoundingClientRect(), this.stage.getBoundingClientRect()];
    const corner = {
      ...scene.corner,
      x: scene.corner.x + stage.left - own.left,
      y: scene.corner.y + stage.top - own.top,
    };
    const shift = { x: drawn.place.left - own.left, y: drawn.place.top - own.top };
    this.flight = movingArcs(drawn.arcs, corner, scene.cell, shift);
  }

  /** Ends what moves; the length is that of the slider. */
  private rest(): void {
    clearTimeout(this.pause);
    cancelAnimationFrame(this.frame);
    if (!this.moving) return;
    this.moving = false;
    this.growing = undefined;
    this.flight = undefined;
    this.paintFlight();
    this.refresh();
  }

  // ---- pictures ----

  private get inks(): Inks {
    if (FORCED.matches) {
      const { color, backgroundColor: paper } = getComputedStyle(document.body);
      return { softmax: color, linear: color, paper };
    }
    const { accent, paper } = paints[this.dark ? 'dark' : 'light'];
    return { softmax: arcColors(this.dark).positive, linear: accent, paper };
  }

  private get scene(): Scene | undefined {
    const { width, counted } = this;
    if (width === 0 || !counted) return undefined;
    return sceneOf({
      ...{ width, height: this.stage.clientHeight, D, dV: D },
      n: counted.n,
      words: this.words,
    });
  }

  private sized(canvas: HTMLCanvasElement, width: number, height: number) {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
    const context = canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    context?.clearRect(0, 0, width, height);
    return context;
  }

  private paint(): void {
    const { scene, answer } = this;
    if (!scene || !answer) return;
    const height = this.stage.clientHeight;
    const context = this.sized(this.canvas, this.width, height);
    if (!context) return;
    const { inks } = this;
    paintScene(context, {
      ...{ scene, inks, weights: answer.weights, state: answer.state, sums: answer.sums },
      cornerHidden: this.flight !== undefined,
      row: this.cell?.row,
    });
  }

  private paintFlight(): void {
    const { flight } = this;
    const { width, height } = this.getBoundingClientRect();
    if (!flight || flight.length === 0) {
      this.overlay.width = this.overlay.height = 0;
      return;
    }
    const context = this.sized(this.overlay, width, height);
    if (context) paintMoving(context, flight, this.words, this.flightTime, this.inks);
  }

  // ---- what is shown ----

  private renderStage() {
    const { counted, answer } = this;
    const scene = this.hasUpdated ? this.scene : undefined;
    return html`<div class="stage" role="img" aria-label=${this.summary() || words.heading}>
      <canvas aria-hidden="true" width="1" height="1"></canvas>
      ${
        scene && counted && answer
          ? html`<p
                class="of-state"
                .style=${`left:${scene.state.x}px;max-width:${scene.slab.x - scene.state.x - 10}px`}
              >
                ${words.linear}<br /><b>${words.numbers(formatCount(answer.kept.numbers))}</b>
              </p>
              <p
                class="stays"
                .style=${`left:${scene.state.x}px;top:${scene.state.y + scene.state.height + 8}px;width:${scene.slab.x - scene.state.x - 12}px`}
              >
                ${words.stays}
                ${scene.state.width <= 0.5 ? words.small(formatPart(scene.state.width)) : nothing}
              </p>
              <p class="of-slab" .style=${`left:${scene.slab.x}px`}>
                ${words.computes}<br /><b
                  >${words.weights(formatCount(counted.costs.standard.intermediate.numbers))}</b
                >
              </p>
              ${
                scene.corner.width >= 2 && scene.slab.width > scene.corner.width + 120
                  ? html`<p
                      class="mine"
                      .style=${`left:${scene.corner.x + scene.corner.width + 8}px;top:${scene.corner.y + 4}px`}
                    >
                      ← ${words.mine}
                    </p>`
                  : nothing
              }`
          : nothing
      }
    </div>`;
  }

  private renderTime(timing: Timing | undefined) {
    if (!timing) return '–';
    const said = formatTime(timing.milliseconds, words.units);
    return timing.from === undefined
      ? html`<b>${said}</b> <small>${words.measured}</small>`
      : html`<b>≈ ${said}</b> <small>${words.estimated(formatCount(timing.from))}</small>`;
  }

  private renderTable() {
    const { answer, counted, timings } = this;
    const current = timings?.n === counted?.n ? timings : undefined;
    const { standard, normalized } = counted?.costs ?? {};
    const row = (name: unknown, softmax: unknown, other: unknown) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${softmax}</td>
        <td>${other}</td>
      </tr>`;
    const kept = (of: { readonly numbers: number; readonly bytes: number } | undefined): string =>
      of ? words.bytes(formatCount(of.numbers), formatBytes(of.bytes)) : '–';
    const ratio = (value: number | undefined): string =>
      value === undefined ? '–' : words.times(formatPlain(Number(value.toPrecision(2))));
    return html`<table class="costs">
        <caption class="visually-hidden">
          ${words.table}
        </caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col" class="softmax">${words.softmax}</th>
            <th scope="col" class="linear">${words.linear}</th>
          </tr>
        </thead>
        <tbody>
          ${row(words.between, kept(standard?.intermediate), kept(answer?.kept))}
          ${row(
            words.adds,
            normalized ? formatCount(normalized.standard) : '–',
            normalized ? formatCount(normalized.linear) : '–',
          )}
          ${row(words.double, ratio(counted?.ratios.softmax), ratio(counted?.ratios.linear))}
          ${
            this.stopwatch || this.timing
              ? row(
                  words.time,
                  this.timing && !current ? words.timing : this.renderTime(current?.softmax),
                  this.timing && !current ? words.timing : this.renderTime(current?.linear),
                )
              : html`<tr>
                  <th scope="row">${words.time}</th>
                  <td colspan="2">
                    <button
                      class="button"
                      type="button"
                      ?disabled=${!counted}
                      @click=${() => this.startTiming()}
                    >
                      ${words.timeIt}
                    </button>
                    ${this.timeProblem ? html`<span class="error" role="alert">${this.timeProblem}</span>` : nothing}
                  </td>
                </tr>`
          }
        </tbody>
      </table>`;
  }

  override render() {
    const { answer, notice } = this;
    const problem = this.problem || notice;
    const { text: sentence } = this.knobs.values;
    return html`<div class="column">
        <div class="sentence">
          <label for="sentence">${words.type}</label>
          <input
            id="sentence"
            type="text"
            dir="auto"
            maxlength=${table.text.maxLength}
            autocomplete="off"
            spellcheck="false"
            .value=${sentence}
            ?disabled=${this.knobs.locked('text')}
            aria-invalid=${problem ? 'true' : 'false'}
            aria-describedby=${problem ? 'sentence-problem' : nothing}
            @input=${(event: Event) => this.onType(event, true)}
            @change=${(event: Event) => this.onType(event, false)}
          />
          ${this.knobs.locked('text') ? lockedNote() : nothing}
        </div>
        ${
          problem
            ? html`<p class="error" role="alert" id="sentence-problem">
                ${problem}
                ${
                  this.stuck
                    ? html`<button class="button" type="button" @click=${this.restartCore}>
                        ${words.restart}
                      </button>`
                    : nothing
                }
              </p>`
            : nothing
        }
        <attn-arcs
          brief
          .rise=${innerWidth >= 600 ? 62 : 42}
          .matrix=${answer?.weights}
          .scale=${answer?.scale}
          .rowLabels=${answer?.tokens ?? []}
          .cell=${this.cell}
          .locked=${this.locked}
          .dark=${this.dark}
          .heading=${words.heading}
          @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
            this.cell = detail.cell;
            this.locked = detail.locked;
          }}
        ></attn-arcs>
        <div class="length">
          <attn-slider
            symbol="n"
            log
            .label=${words.length}
            .min=${this.words}
            .max=${LONGEST}
            .value=${this.hasUpdated ? (this.counted?.n ?? this.length) : table.n.default}
            ?disabled=${this.knobs.locked('n')}
            @attn-input=${(event: CustomEvent<number>) => this.setLength(event.detail, true)}
            @attn-change=${(event: CustomEvent<number>) => this.setLength(event.detail, false)}
          ></attn-slider>
          ${this.knobs.locked('n') ? lockedNote() : nothing}
          <button
            class="button"
            type="button"
            ?disabled=${!answer || this.knobs.fixed('n')}
            @click=${() => (this.moving ? this.rest() : this.play(0))}
          >
            ${this.moving ? words.still : words.play}
          </button>
        </div>
      </div>
      <div class="column both">
        ${this.renderStage()}
        <div class="counts">${this.renderTable()}</div>
      </div>
      <div class="column">
        <p class="fine key">${words.arcs}</p>
        <p class="fine">${words.key} ${words.caption(D)}</p>
      </div>
      <canvas class="flight" aria-hidden="true" width="0" height="0"></canvas>
      <p class="visually-hidden" role="status">${this.spoken}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-home-figure': AttnHomeFigure;
  }
  interface HTMLElementEventMap {
    'attn-sentence': CustomEvent<string>;
  }
}
