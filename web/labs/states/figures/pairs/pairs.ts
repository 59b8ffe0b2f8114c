import { html, nothing, type PropertyValues } from 'lit';
import { customElement } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Matrix, PairMemoryTrace, PairStream } from '#client';
import tableCss from '../../../../src/figures/table.css?inline';
import {
  type KeyNumber,
  LabFigure,
  type Shown,
  type ViewSpec,
} from '../../../../src/lab/figure/figure.ts';
import { type KnobState, ownKnob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import { isCalm, Player } from '../../../../src/lab/figure/step-player.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import { prose } from '../../../../src/lab/text/prose.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import type { ColorScale } from '../../../../src/plot/color.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { text } from '../../../../src/plot/svg.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../states.css?inline';
import { words } from '../../words/pairs.ts';
import { glyph, looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { type Pixels, pixels } from '../pixels.ts';
import { rowChart } from '../row-chart.ts';
import {
  answerIcon,
  BOX,
  type Drawn,
  HEIGHT,
  ICON,
  iconHeight,
  keyDots,
  memoryBody,
  stateScale,
  valueIcon,
  wantedValue,
} from './draw-memory.ts';
import {
  FRONT,
  keysOf,
  MEMORIES,
  type Memory,
  pairNames,
  type Said,
  saidOf,
  WRITTEN,
} from './memories.ts';

adopt(tableCss);
adopt(css);

/** The most pairs; as a step it stands for the end. */
const MOST = 32;

const table = {
  pairs: integer({ key: 'pairs', default: 12, min: 2, max: MOST }),
  repeats: integer({ key: 'repeats', default: 3, min: 0, max: MOST / 2 }),
  decay: number({ key: 'decay', default: 0.9, min: 0.5, max: 1 }),
  width: integer({ key: 'd', label: 'd', default: 12, min: 2, max: 16 }),
  noise: number({ key: 'noise', default: 0, min: 0, max: 2 }),
  seed: seed({ default: 4 }),
  ask: integer({ key: 'ask', default: 1, min: 1, max: MOST }),
  t: integer({ key: 't', default: MOST, min: 0, max: MOST }),
} as const;
type Values = StateOf<typeof table>;

interface Traced {
  readonly trace: PairMemoryTrace;
  readonly scale: ColorScale;
}

interface Answers {
  readonly stream: PairStream;
  /** The first pair with each pair's key, and each key's letter. */
  readonly first: readonly number[];
  readonly names: readonly string[];
  readonly memories: Readonly<Record<Memory, Traced>>;
}

interface Result extends Answers {
  readonly t: number;
  /** The pair whose key is asked for, from 0. */
  readonly ask: number;
}

/**
 * Pairs of key and value, written one by one into the states of eight models, and asked for.
 *
 * @element attn-states-pairs
 */
@customElement('attn-states-pairs')
export class AttnStatesPairs extends LabFigure<Result, typeof table> {
  readonly table = table;
  override readonly knobsLast = true;
  get heading(): string {
    return words.heading;
  }

  private readonly answers = this.recentAnswers<Answers>(8);
  private begun = false;
  private readonly player = new Player(() => ({
    step: Math.min(this.values.t, this.values.pairs),
    total: this.values.pairs,
    perSecond: 1.6,
    jump: (step) => step + 1,
    moved: () => {
      this.requestUpdate();
      this.refresh();
    },
    settle: (t, draft) => this.set({ t: t >= this.values.pairs ? MOST : t }, { draft }),
  }));

  override connectedCallback(): void {
    super.connectedCallback();
    // A link that holds a step shows that step, so nothing plays.
    this.begun = isCalm() || this.values.t !== MOST;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.player.halt();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.shown || this.begun) return;
    this.begun = true;
    if (!this.knobs?.fixed('t')) this.player.begin(0);
  }

  protected async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { pairs, decay, width, noise, seed } = values;
    const repeats = Math.min(values.repeats, Math.floor(pairs / 2));
    const how = { pairs, width, noise, repeats, seed };
    const answers = await this.answers.of([how, decay], async () => {
      const { client } = this.tools;
      const [stream, ...traces] = await Promise.all([
        client.pairStream(how, { signal }),
        ...MEMORIES.map((memory) => client.pairMemoryTrace({ ...how, memory, decay }, { signal })),
      ]);
      const memories = Object.fromEntries(
        traces.map((trace, i) => [MEMORIES[i], { trace, scale: stateScale(trace) }]),
      ) as Record<Memory, Traced>;
      const first = [...stream.first];
      return { stream, first, names: pairNames(first), memories };
    });
    const t = Math.min(this.player.head ?? values.t, pairs);
    return { ...answers, t, ask: Math.min(values.ask, pairs) - 1 };
  }

  protected override get controls() {
    return [
      slider('pairs', { label: words.pairs, symbol: 'N' }),
      slider('repeats', { label: words.repeats, max: Math.floor(this.values.pairs / 2) }),
      slider('decay', { label: words.decay, step: 0.01 }),
      slider('width', { label: words.width, symbol: 'd' }),
      slider('noise', { label: words.noise, step: 0.05 }),
      seedKnob(),
      ownKnob(
        't',
        { label: words.scrub, draw: ({ disabled }) => this.player.render(words, disabled) },
        { placed: true },
      ),
      ownKnob(
        'ask',
        {
          label: words.ask,
          say: (value) => this.shown?.result.names[Number(value) - 1] ?? String(value),
          draw: (state) => this.renderAsk(state),
        },
        { placed: true },
      ),
    ];
  }

  private drawn(result: Result, memory: Memory): Drawn {
    const { stream, t, ask, memories, first } = result;
    return { ...memories[memory], values: stream.values, first, t, ask, dark: this.dark };
  }

  private keysSoFar({ first, t }: Result): number {
    return keysOf(first).filter((j) => j < t).length;
  }

  private rightOf(result: Result, memory: Memory): number {
    const { memories, t } = result;
    const share = t === 0 ? 0 : (memories[memory].trace.right[t - 1] as number);
    return Math.round(share * this.keysSoFar(result));
  }

  private saidBy({ memories, first, t, ask }: Result, memory: Memory): Said {
    return saidOf(memories[memory].trace, first, t, ask);
  }

  private verdict(result: Result, memory: Memory): string {
    const said = this.saidBy(result, memory);
    return said.kind === 'other'
      ? words.other(result.names[said.pair] ?? '')
      : words.said[said.kind];
  }

  private score(result: Result, memory: Memory): string {
    return words.of(this.rightOf(result, memory), this.keysSoFar(result));
  }

  private numbers({ memories, t, stream }: Result, memory: Memory): number {
    return memory === 'softmax' ? 2 * stream.values.cols * t : memories[memory].trace.numbers;
  }

  private name(memory: Memory): string {
    return modelName(memory, memory);
  }

  private look(memory: Memory): Look {
    return looksOf([memory], this.dark).get(memory) as Look;
  }

  /** The rows of a memory after a pair, of its states or of what a token left or wrote. */
  private cells({ trace, scale }: Traced, matrix: Matrix, t: number, cache: boolean): Pixels {
    const { stateRows } = trace;
    const { cols, data } = matrix;
    const from = Math.max(0, t - 1) * stateRows * cols;
    return {
      ...{ rows: stateRows, cols, scale, data: data.subarray(from, from + stateRows * cols) },
      there: t === 0 ? 0 : cache ? t : stateRows,
    };
  }

  private renderMemory(result: Result, memory: Memory): unknown {
    const { t } = result;
    const traced = result.memories[memory];
    const drawn = this.drawn(result, memory);
    const [verdict, score] = [this.verdict(result, memory), this.score(result, memory)];
    const numbers = this.numbers(result, memory);
    const kind = this.saidBy(result, memory).kind;
    const known = kind === 'later' ? '' : kind === 'right' ? 'right' : 'wrong';
    const name = this.name(memory);
    const spelled = words.spelled({ memory: name, numbers, verdict, score });
    const svg = (box: string, size: string, body: string) =>
      unsafeHTML(`<svg class="${size}" viewBox="${box}" aria-hidden="true">${body}</svg>`);
    return html`<section role="group" class="st-memory" aria-label=${name}>
      <h3>${glyph(this.look(memory), this.dark)} ${name}</h3>
      <div class="st-state" data-square>
        ${pixels(this.cells(traced, traced.trace.states, t, memory === 'softmax'), this.dark, spelled)}
      </div>
      <div class="st-answer">
        ${svg(`-1 -1 ${ICON + 2} ${iconHeight(result.stream.values.cols) + 2}`, 'st-icon', answerIcon(drawn))}
        <p class="st-verdict ${known}">${verdict}</p>
      </div>
      ${svg(`-2 -2 ${BOX + 4} 22`, 'st-dots', keyDots(drawn))}
      <p class="st-small st-score">${t === 0 ? nothing : score}</p>
    </section>`;
  }

  /** Every key is an option; the arrow keys move from one to the next. */
  private renderAsk({ id, disabled }: KnobState): unknown {
    const result = this.shown?.result;
    if (!result) return nothing;
    const { first, names, t, ask } = result;
    const wanted = wantedValue(this.drawn(result, 'softmax'));
    return html`<fieldset class="st-ask">
      <legend>${words.ask}</legend>
      ${keysOf(first).map((j) => {
        const name = names[j] ?? '';
        return html`<label class=${j < t ? '' : 'later'}
          ><input
            type="radio"
            name=${id}
            aria-label=${words.askFor(name)}
            .checked=${live(first[ask] === j)}
            ?disabled=${disabled}
            @change=${() => this.set({ ask: j + 1 })}
          /><span>${name}</span></label
        >`;
      })}
      ${
        wanted
          ? html`<span class="st-wanted"
              >${words.wanted(names[ask] ?? '')}
              ${unsafeHTML(`<svg class="st-icon" viewBox="-1 -1 ${ICON + 2} ${iconHeight(wanted.length) + 2}" aria-hidden="true">${valueIcon(wanted, this.dark)}</svg>`)}</span
            >`
          : nothing
      }
    </fieldset>`;
  }

  protected renderResult({ result }: Shown<Values, Result>): unknown {
    return html`${this.placed('t')} ${this.placed('ask')}
      <div class="st-memories">${FRONT.map((memory) => this.renderMemory(result, memory))}</div>`;
  }

  protected override get titles() {
    return words.titles;
  }

  protected override pictures() {
    return {
      write: ({ result }: Shown<Values, Result>) => this.renderWrite(result),
      scores: ({ result }: Shown<Values, Result>) => this.renderScores(result),
    };
  }

  /** One token: the state before it, what is left of that, what is written, and the state after it. */
  private renderWrite(result: Result): unknown {
    const { t, memories, names, first } = result;
    const columns = ['before', 'kept', 'written', 'after'] as const;
    const at = t - 1;
    return html`${this.placed('t')}
      <p class="st-small">
        ${t === 0 ? words.none : words.writes(t, names[at] ?? '', first[at] !== at)}
      </p>
      <div class="st-write">
        <span></span>
        ${columns.map((column) => html`<span class="st-head">${prose(words.columns[column])}</span>`)}
        ${WRITTEN.map((memory) => {
          const traced = memories[memory];
          const { states, kept, written } = traced.trace;
          const of = { before: states, kept, written, after: states };
          const name = this.name(memory);
          return html`<h4>${glyph(this.look(memory), this.dark)} ${name}</h4>
            ${columns.map(
              (column, i) => html`<div class="st-state" data-square>
                ${i === 0 ? nothing : html`<span class="st-sign" aria-hidden="true">${['', '→', '+', '='][i]}</span>`}
                ${pixels(
                  this.cells(traced, of[column], column === 'before' ? t - 1 : t, false),
                  this.dark,
                  `${name}: ${words.columns[column].replaceAll('$', '')}`,
                )}
              </div>`,
            )}`;
        })}
      </div>`;
  }

  /** What comes back for the key of the pair that was written last: the point of writing it. */
  private writtenLine(result: Result): string {
    const { t, names } = result;
    if (t === 0) return words.none;
    const asked = { ...result, ask: t - 1 };
    const said = WRITTEN.map(
      (memory) => `${this.name(memory)} ${this.verdict(asked, memory)}`,
    ).join(', ');
    return words.askedNow(names[t - 1] ?? '', said);
  }

  private renderScores(result: Result): unknown {
    const all = this.keysSoFar(result);
    const before = this.ghost?.result;
    const { guess } = this.bothAnswers;
    return rowChart({
      label: words.titles.scores,
      rows: MEMORIES.map((memory) => ({
        ...{ name: this.name(memory), look: this.look(memory) },
        at: this.rightOf(result, memory) / (all || 1),
        before: before && this.rightOf(before, memory) / (this.keysSoFar(before) || 1),
        guess: memory === 'linear_sum' && guess !== undefined ? guess / 100 : undefined,
        text: this.score(result, memory),
      })),
      ...{ low: 0, high: 1, bars: true, ends: ['0', words.of(all, all)], dark: this.dark },
    });
  }

  /** The order of the keys is what a question has; what comes of it is the answer. */
  protected override renderAsked({ values }: Question): unknown {
    const { pairs, repeats } = { ...this.values, ...values };
    const first = Array.from({ length: pairs }, (_, t) =>
      t < pairs - repeats ? t : t - (pairs - repeats),
    );
    return html`<p class="st-small">${words.asked}</p>
      <p class="st-keys">
        ${pairNames(first).map((name, t) => html`<span class=${first[t] === t ? '' : 'again'}>${name}</span>`)}
      </p>`;
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    const { t, ask, memories, names } = result;
    return html`${modelTable(
      words.table,
      words.tableColumns,
      MEMORIES.map((memory) => {
        const at = Math.max(0, (t - 1) * names.length + ask);
        const margin = memories[memory].trace.margin.data[at] as number;
        return modelRow(this.name(memory), [
          formatCount(this.numbers(result, memory)),
          this.verdict(result, memory),
          ask < t ? formatNumber(margin, 2) : '–',
          this.score(result, memory),
        ]);
      }),
    )}
      <p class="fine">${words.legend}</p>`;
  }

  protected override renderWaiting(): unknown {
    return html`<div class="st-memories waiting" aria-busy="true"></div>`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return FRONT.map((memory) => ({
      label: this.name(memory),
      value: this.rightOf(result, memory),
      text: this.score(result, memory),
    }));
  }

  protected override difference(
    earlier: Shown<Values, Result>,
    now: Shown<Values, Result>,
  ): string {
    const [all, before] = [now, earlier].map(({ result }) => this.keysSoFar(result)) as [
      number,
      number,
    ];
    const same = before === all;
    const was = this.keyNumbers(earlier);
    const changed = this.keyNumbers(now).flatMap(({ label, value }, i) => {
      const old = was[i]?.value;
      if (!same) return [`${label} ${words.share(old ?? 0, before)} → ${words.share(value, all)}`];
      return old === value ? [] : [`${label} ${old} → ${value}`];
    });
    if (changed.length === 0) return words.unchanged;
    return same ? words.changed(changed.join(', '), all) : words.shared(changed.join(', '));
  }

  private shares({ result }: Shown<Values, Result>): string {
    if (result.t === 0) return words.none;
    return words.shares({
      all: this.keysSoFar(result),
      scores: FRONT.map((memory) => `${this.name(memory)} ${this.rightOf(result, memory)}`).join(
        ', ',
      ),
    });
  }

  /** The picture of the view that is being drawn. */
  private drawing: string | undefined;
  override renderView(spec: ViewSpec): unknown {
    this.drawing = spec.show;
    return super.renderView(spec);
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    return !this.inOwnPlace && this.drawing === 'write'
      ? this.writtenLine(shown.result)
      : this.shares(shown);
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    const { width, noise, decay, seed } = values;
    const { first } = result;
    return words.caption({
      ...{ pairs: first.length, width, seed },
      repeats: first.filter((from, t) => from !== t).length,
      noise: formatTick(noise),
      decay: formatTick(decay),
    });
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.player.playing || shown.result.t === 0 ? '' : this.shares(shown);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    const { names, t, memories, stream } = result;
    const n = names.length;
    return {
      columns: words.data,
      rows: MEMORIES.flatMap((memory) => {
        const { wanted, found, cosine, margin } = memories[memory].trace;
        return Array.from({ length: t }, (_, j) => {
          const at = (t - 1) * n + j;
          return [
            ...[this.name(memory), t, names[j] ?? '', names[wanted[at] as number] ?? ''],
            ...[names[found[at] as number] ?? null, cosine.data[at] ?? null],
            margin.data[at] ?? null,
          ];
        });
      }),
      matrices: { keys: stream.keys, values: stream.values, queries: stream.queries },
    };
  }

  protected override async svg(shown: Shown<Values, Result>): Promise<string> {
    const { fileOf } = await import('../../../../src/plot/picture-file.ts');
    const { result } = shown;
    const paint = paints[this.dark ? 'dark' : 'light'];
    const wide = BOX + 40;
    const cards = FRONT.map((memory, i) => {
      const head = text(0, 14, this.name(memory), paint.ink, { size: 13, weight: '600' });
      const body = memoryBody(this.drawn(result, memory), memory === 'softmax');
      const foot = [this.verdict(result, memory), this.score(result, memory)]
        .map((line, row) => text(0, HEIGHT + 42 + 16 * row, line, paint.ink))
        .join('');
      return `<g transform="translate(${i * wide + 4} 0)">${head}<g transform="translate(0 24)">${body}</g>${foot}</g>`;
    });
    const size = { width: FRONT.length * wide, height: HEIGHT + 70 };
    const title = `${this.heading}: ${words.now(result.names[result.ask] ?? '', result.t)}`;
    const about = { title, caption: this.fullCaption(shown) };
    return fileOf({ body: cards.join(''), ...size }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-pairs': AttnStatesPairs;
  }
}
