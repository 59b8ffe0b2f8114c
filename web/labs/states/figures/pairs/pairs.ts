import { html, nothing, type PropertyValues } from 'lit';
import { customElement } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { PairMemoryTrace, PairStream } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import { isCalm, Player } from '../../../../src/lab/step-player.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import type { ColorScale } from '../../../../src/plot/color.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { text } from '../../../../src/plot/svg.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../states.css?inline';
import { words } from '../../words/pairs.ts';
import { BOX, HEIGHT, memoryBody, stateScale } from './draw-memory.ts';
import { MEMORIES, type Memory, pairNames } from './memories.ts';

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

interface Drawn {
  readonly trace: PairMemoryTrace;
  readonly scale: ColorScale;
}

interface Answers {
  readonly stream: PairStream;
  readonly names: readonly string[];
  readonly memories: Readonly<Record<Memory, Drawn>>;
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
      ) as Record<Memory, Drawn>;
      return { stream, names: pairNames(stream.first), memories };
    });
    const t = Math.min(this.player.head ?? values.t, pairs);
    return { ...answers, t, ask: Math.min(values.ask, pairs) - 1 };
  }

  protected renderKnobs(): unknown {
    return html`${this.slider('pairs', { label: words.pairs, symbol: 'N' })}
    ${this.slider('repeats', {
      label: words.repeats,
      max: Math.floor(this.values.pairs / 2),
    })}
    ${this.slider('decay', { label: words.decay, step: 0.01 })}
    ${this.slider('width', { label: words.width, symbol: 'd' })}
    ${this.slider('noise', { label: words.noise, step: 0.05 })} ${this.seed()}`;
  }

  private rightOf({ memories, t }: Result, memory: Memory): number {
    return t === 0 ? 0 : Math.round((memories[memory].trace.right[t - 1] as number) * t);
  }

  /** What it says, and what more there is to say where there is room. */
  private verdict(
    { memories, names, t, ask }: Result,
    memory: Memory,
  ): { readonly says: string; readonly more: string } {
    if (t === 0) return { says: '', more: '' };
    if (ask >= t) return { says: words.notYet(names[ask] ?? ''), more: words.written };
    const { found, wanted, margin } = memories[memory].trace;
    const at = (t - 1) * names.length + ask;
    const said = found[at] as number;
    if (said < 0) return { says: words.silent, more: '' };
    return {
      says: said === wanted[at] ? words.right : words.wrong(names[said] ?? ''),
      more: words.ahead(formatNumber(margin.data[at] as number, 2)),
    };
  }

  private isRight({ memories, names, t, ask }: Result, memory: Memory): boolean {
    const { found, wanted } = memories[memory].trace;
    const at = (t - 1) * names.length + ask;
    return t > ask && found[at] === wanted[at];
  }

  private score(result: Result, memory: Memory): string {
    return `${words.of(this.rightOf(result, memory), result.t)}${words.keysRight}`;
  }

  private body(result: Result, memory: Memory): string {
    const { stream, t, ask } = result;
    const { trace, scale } = result.memories[memory];
    return memoryBody(
      { trace, scale, values: stream.values, t, ask, dark: this.dark },
      memory === 'softmax',
    );
  }

  private numbers({ memories, t, stream }: Result, memory: Memory): number {
    return memory === 'softmax' ? 2 * stream.values.cols * t : memories[memory].trace.numbers;
  }

  private renderMemory(result: Result, memory: Memory): unknown {
    const { t } = result;
    const { says, more } = this.verdict(result, memory);
    const [right, score] = [this.rightOf(result, memory), this.score(result, memory)];
    const spelled = words.spelled({
      ...{ memory: words.memories[memory], numbers: this.numbers(result, memory) },
      ...{ verdict: `${says}${more}`, score },
    });
    const known = t > result.ask;
    return html`<section class="st-memory" aria-label=${words.memories[memory]}>
      <h3>${words.memories[memory]}</h3>
      <p class="st-small">${words.holds(this.numbers(result, memory))}</p>
      <div role="img" aria-label=${spelled}>
        ${unsafeHTML(
          `<svg viewBox="-2 -2 ${BOX + 4} ${HEIGHT + 4}" aria-hidden="true">${this.body(result, memory)}</svg>`,
        )}
      </div>
      <p class="st-verdict ${known ? (this.isRight(result, memory) ? 'right' : 'wrong') : ''}">
        ${says}<span class="st-roomy">${more}</span>
      </p>
      ${
        t === 0
          ? nothing
          : html`<p class="st-small st-score">
              ${words.of(right, t)}<span class="st-roomy">${words.keysRight}</span>
            </p>`
      }
    </section>`;
  }

  /** Every pair is an option; the arrow keys move from one to the next. */
  private renderAsk({ names, t, ask }: Result): unknown {
    return this.knob(
      'ask',
      (disabled) => html`<fieldset class="st-ask">
        <legend>${words.ask}</legend>
        ${names.map(
          (name, j) => html`<label class=${j < t ? '' : 'later'}
            ><input
              type="radio"
              name=${this.idFor('ask')}
              aria-label=${words.askFor(name)}
              .checked=${live(j === ask)}
              ?disabled=${disabled}
              @change=${() => this.set({ ask: j + 1 })}
            /><span>${name}</span></label
          >`,
        )}
      </fieldset>`,
      { label: words.ask, say: (value) => names[Number(value) - 1] ?? '' },
    );
  }

  protected renderResult({ result }: Shown<Values, Result>): unknown {
    return html`${this.knob('t', (disabled) => this.player.render(words, disabled))}
      ${this.renderAsk(result)}
      <div class="st-memories">
        ${MEMORIES.map((memory) => this.renderMemory(result, memory))}
      </div>
      <p class="st-small">${words.legend}</p>`;
  }

  protected override renderWaiting(): unknown {
    return html`<div class="st-memories waiting" aria-busy="true"></div>`;
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    const { width, noise, decay, seed } = values;
    const first = [...result.stream.first];
    return words.caption({
      ...{ pairs: first.length, width, seed },
      repeats: first.filter((from, t) => from !== t).length,
      noise: formatTick(noise),
      decay: formatTick(decay),
    });
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    if (this.player.playing || result.t === 0) return '';
    const scores = MEMORIES.map(
      (memory) => `${words.memories[memory]} ${this.score(result, memory)}`,
    );
    return words.summary(result.t, scores.join(', '));
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    const { names, t, memories, stream } = result;
    const n = names.length;
    return {
      columns: words.columns,
      rows: MEMORIES.flatMap((memory) => {
        const { wanted, found, cosine, margin } = memories[memory].trace;
        return Array.from({ length: t }, (_, j) => {
          const at = (t - 1) * n + j;
          return [
            ...[words.memories[memory], t, names[j] ?? '', names[wanted[at] as number] ?? ''],
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
    const [wide, tall, across] = [BOX + 40, HEIGHT + 70, 4];
    const cards = MEMORIES.map((memory, i) => {
      const [x, y] = [(i % across) * wide, Math.floor(i / across) * tall];
      const head = text(0, 14, words.memories[memory], paint.ink, { size: 13, weight: '600' });
      const { says, more } = this.verdict(result, memory);
      const foot = text(0, HEIGHT + 42, `${says}${more}`, paint.ink);
      return `<g transform="translate(${x + 4} ${y})">${head}<g transform="translate(0 24)">${this.body(result, memory)}</g>${foot}</g>`;
    });
    const size = { width: across * wide, height: Math.ceil(MEMORIES.length / across) * tall };
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
