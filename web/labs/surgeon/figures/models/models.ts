import { html, nothing, svg } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { Matrix } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import {
  choice,
  type Knob,
  type KnobState,
  ownKnob,
  seedKnob,
  slider,
} from '../../../../src/lab/figure/knob.ts';
import { curveOf } from '../../../../src/lab/questions/answer-scoring.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import type { Ask, CurveAnswer, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { line, polyline, text as svgText } from '../../../../src/plot/svg.ts';
import { integer, number, oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { weightScale } from '../draw.ts';
import {
  arcs,
  bars,
  chartFile,
  colors,
  type Heat,
  matrixPicture,
  numbers,
  PictureFigure,
  percent,
  said,
} from '../parts.ts';
import {
  DEFAULTS,
  LEAST_TEXT,
  type Learned,
  MARKOV,
  type Measured,
  MODELS,
  type Sees,
  SIZES,
  type Source,
  TEST_SEQUENCES,
  ThreeTrainings,
} from './train-three.ts';

const words = figureWords.now.models;

/** The beginning of Moby-Dick (Melville 1851, public domain), as a text to begin with. */
const TEXT =
  'Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the world. It is a way I have of driving off the spleen and regulating the circulation. Whenever I find myself growing grim about the mouth; whenever it is a damp, drizzly November in my soul; whenever I find myself involuntarily pausing before coffin warehouses, and bringing up the rear of every funeral I meet; then, I account it high time to get to sea as soon as I can.';
/** So many of the texts that a model writes are shown. */
const SHOWN_TEXTS = 5;
/** The losses under the pictures of the attention. */
const WHERE = { width: 600, height: 96 };
/** The chart is drawn with at most this many points of a line. */
const MOST_POINTS = 120;

const table = {
  source: oneOf({ key: 'source', values: ['markov', 'text'], default: DEFAULTS.source }),
  steps: integer({ key: 'steps', min: 50, max: 1000, default: DEFAULTS.steps }),
  step: integer({ key: 'frame', min: 0, max: 16, default: 16 }),
  head: integer({ key: 'head', min: 1, max: 4, default: 1 }),
  rate: number({ key: 'rate', min: 0.0003, max: 0.03, default: DEFAULTS.rate }),
  text: text({ key: 'text', maxLength: 2000, default: TEXT }),
  seed: seed({ default: DEFAULTS.seed }),
  arcs,
};
type Values = StateOf<typeof table>;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Result {
  readonly source: Source | undefined;
  readonly learned: Readonly<Partial<Record<Sees, Learned>>>;
  /** The settings that it was trained with. */
  readonly trained: Values | undefined;
}

const pointsOf = (guess: string | number | undefined, answer: CurveAnswer): readonly Point[] =>
  (curveOf(guess, answer) ?? []).map((y, i) => ({ x: answer.x[i] ?? 0, y }));

/**
 * Three language models that differ in their mask, trained side by side.
 *
 * @element attn-three-models
 */
@customElement('attn-three-models')
export class AttnThreeModels extends PictureFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['source'] as const;

  @state() private running = false;
  /** Some training was stopped and can be gone on with. */
  @state() private begun: ThreeTrainings | undefined;
  /** The curve that the reader has drawn, once it is committed to. */
  @state() private guess: readonly Point[] = [];
  private kept: Result = { source: undefined, learned: {}, trained: undefined };
  private drawn = 0;
  private frame: ReturnType<typeof setTimeout> | undefined;

  override get heading(): string {
    return words.heading;
  }

  /** Moving a knob trains nothing; it only chooses what is shown. While a training runs, its progress and Stop stay. */
  protected override refresh(): void {
    if (this.running) this.redraw();
    else super.refresh();
  }

  protected override async compute(): Promise<Result> {
    return this.kept;
  }

  /** Commit is the experiment: the models train, and the curve that was drawn stays in the chart. */
  override pose(id: string, question: Question | undefined): void {
    super.pose(id, question);
    const { answer, guess } = question ?? {};
    if (question && !question.committed) this.guess = [];
    if (!question?.committed || answer?.kind !== 'curve') return;
    this.guess = pointsOf(guess, answer);
    if (!this.kept.trained) void this.start();
  }

  protected override get stoppedWords(): string {
    return words.stopped;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.frame);
    this.giveUp();
  }

  private giveUp(): void {
    this.begun?.dispose();
    this.begun = undefined;
  }

  /** Trains three new models. */
  private async start(): Promise<void> {
    if (this.running) return;
    const { values } = this;
    const text = values.text.trim();
    if (values.source === 'text' && [...text].length < LEAST_TEXT) {
      this.problem = { at: 'text', message: words.short(LEAST_TEXT) };
      return;
    }
    this.giveUp();
    this.problem = undefined;
    this.kept = { source: undefined, learned: {}, trained: values };
    this.begun = new ThreeTrainings(
      this.tools.client,
      { ...values, text },
      (source) => {
        this.kept = { ...this.kept, source };
      },
      (which, learned) => {
        this.kept = { ...this.kept, learned: { ...this.kept.learned, [which]: learned } };
        if (this.running) this.progress = this.share;
        this.redrawSoon();
      },
    );
    await this.goOn();
  }

  /** The steps that were made, of all. */
  private get share(): number {
    const { learned, trained } = this.kept;
    const done = MODELS.map((each) => learned[each]?.points.length ?? 0);
    return done.reduce((sum, n) => sum + n, 0) / (MODELS.length * (trained?.steps ?? 1));
  }

  private async goOn(): Promise<void> {
    const { begun } = this;
    if (this.running || !begun) return;
    this.running = true;
    this.status = '';
    let stopped = false;
    await this.asking(0, async (ask: Ask) => {
      ask.onProgress(this.share);
      try {
        await begun.run(ask.signal);
      } finally {
        stopped = ask.signal.aborted;
      }
    });
    this.running = false;
    // Whoever leaves the page has given it up already.
    if (!stopped && this.begun === begun) this.giveUp();
    this.redraw();
  }

  /** Several slices arrive in one frame; the page draws at most five times a second. */
  private redrawSoon(): void {
    if (this.frame !== undefined) return;
    const wait = Math.max(0, 200 - (performance.now() - this.drawn));
    this.frame = setTimeout(() => this.redraw(), wait);
  }

  private redraw(): void {
    clearTimeout(this.frame);
    this.frame = undefined;
    this.drawn = performance.now();
    if (this.isConnected) this.show({ values: this.values, result: this.kept });
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('source', { label: words.source, options: words.sources, list: true }),
      slider('steps', { label: words.steps, log: true, step: 10 }),
      slider('step', { label: words.picture }),
      slider('head', { label: words.head }),
      slider('rate', { label: words.rate, log: true, step: 0.0001 }),
      ownKnob('text', {
        label: words.text,
        say: () => '…',
        draw: (state) => this.drawText(state),
      }),
      seedKnob(),
    ];
  }

  /** A text that somebody pastes is what they want to be learned. */
  private drawText({ value, id, disabled, error, problem }: KnobState): unknown {
    return html`<div class="choice">
        <label for=${id}>${words.text}</label>
        <textarea
          class="sg-paste"
          id=${id}
          rows="4"
          maxlength="2000"
          .value=${live(value as string)}
          ?disabled=${disabled}
          aria-invalid=${error ? 'true' : 'false'}
          @change=${(event: Event) =>
            this.set({ text: (event.target as HTMLTextAreaElement).value, source: 'text' })}
        ></textarea>
      </div>
      ${problem}`;
  }

  private frameOf(learned: Learned | undefined, values: Values) {
    const frames = learned?.frames ?? [];
    const frame = frames[Math.min(values.step, frames.length - 1)];
    const head = frame?.heads[values.head - 1] ?? frame?.heads[0];
    return frame && head ? { frame, head } : undefined;
  }

  protected override heats({ values, result }: Shown<Values, Result>): readonly Heat[] {
    return MODELS.flatMap((which) => {
      const found = this.frameOf(result.learned[which], values);
      if (!found) return [];
      const { layer, which: head, weights } = found.head;
      return [
        {
          matrix: weights,
          heading: words.attention(words.names[which]),
          subtitle: `${words.frames} ${found.frame.step}, ${words.layerHead(layer + 1, head + 1)}`,
          scale: weightScale,
          rows: result.source?.labels,
          cols: result.source?.labels,
        },
      ];
    });
  }

  private series({ result }: Shown<Values, Result>): readonly Series[] {
    const paint = colors(this.dark);
    return MODELS.flatMap((which, i) => {
      const points = result.learned[which]?.points ?? [];
      if (points.length === 0) return [];
      const every = Math.ceil(points.length / MOST_POINTS);
      return [
        {
          ...{ id: which, label: words.names[which], color: paint[[3, 1, 4][i] ?? 0] ?? '' },
          ...{ mark: 'circle' as const, bare: true },
          points: points
            .filter((_, at) => at % every === 0 || at === points.length - 1)
            .map(({ step, loss }) => chartPoint(step + 1, loss)),
        },
      ];
    });
  }

  /** Where on the curves the picture of the attention is. */
  private markers({ values, result }: Shown<Values, Result>): readonly Marker[] {
    const { frame } = this.frameOf(result.learned.earlier, values) ?? {};
    return frame && !this.running ? [{ x: frame.step, label: words.here(frame.step) }] : [];
  }

  private levels({ source }: Result): readonly Level[] {
    if (!source) return [];
    const level = (y: number, say: (nats: string) => string) =>
      Number.isFinite(y) ? [{ y, label: say(formatNumber(y)), dashed: true }] : [];
    return [
      ...level(source.floor, words.floor),
      ...level(source.unigram, words.unigram),
      ...level(source.chance, words.uniform),
    ];
  }

  private sentences({ result }: Shown<Values, Result>): readonly string[] {
    const { source, learned } = result;
    if (!source) return [];
    const floor = formatNumber(source.floor, 4);
    const known = Number.isFinite(source.floor);
    return MODELS.flatMap((which) => {
      const measured = learned[which]?.measured;
      if (!measured) return [];
      const found: string[] = [];
      const test = formatNumber(measured.test, 4);
      if (which === 'earlier' && known) found.push(words.honest(test, floor));
      if (known && measured.test < source.floor - 0.05) {
        found.push(words.below(words.names[which], test, floor));
      }
      if (which === 'earlier' && measured.test > source.chance) {
        found.push(words.byHeart(test, formatNumber(source.chance, 4)));
      } else if (measured.prefix > source.chance) {
        found.push(
          words.fails(
            words.names[which],
            formatNumber(measured.prefix),
            formatNumber(source.chance),
          ),
        );
      }
      if (measured.writtenLoss > source.chance) {
        found.push(
          words.writesWorse(
            words.names[which],
            formatNumber(measured.writtenLoss),
            formatNumber(source.chance),
          ),
        );
      }
      return found;
    });
  }

  private rows({ learned, source }: Result) {
    const each = (of: (one: Learned) => number | undefined, say = (x: number) => formatNumber(x)) =>
      MODELS.map((which) => {
        const one = learned[which];
        const value = one && of(one);
        return value === undefined || Number.isNaN(value) ? '–' : say(value);
      });
    const all = [
      [words.rows.train, ...each(({ points }) => points.at(-1)?.loss)],
      [words.rows.test, ...each(({ measured }) => measured?.test)],
      [words.rows.accuracy, ...each(({ measured }) => measured?.accuracy, percent)],
      [words.rows.prefix, ...each(({ measured }) => measured?.prefix)],
      [words.rows.prefixAccuracy, ...each(({ measured }) => measured?.prefixAccuracy, percent)],
    ] as const;
    return Number.isFinite(source?.floor ?? Number.NaN)
      ? [...all, [words.rows.written, ...each(({ measured }) => measured?.writtenLoss)] as const]
      : all;
  }

  /** The buttons, and the losses while they fall. */
  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { learned, source, trained } = shown.result;
    const paused = this.begun !== undefined && !this.running;
    const speeds = MODELS.map((which) => learned[which]?.tokensPerSecond ?? 0);
    return html`<p class="run">
        <button
          class="button primary"
          type="button"
          aria-disabled=${this.running ? 'true' : 'false'}
          @click=${() => (paused ? this.goOn() : this.start())}
        >
          ${this.running ? words.training : paused ? words.goOn : trained ? words.again : words.start}
        </button>
        ${
          paused
            ? html`<button class="button" type="button" @click=${() => this.start()}>
                ${words.again}
              </button>`
            : nothing
        }
        ${
          source
            ? html`<span class="fine"
                >${words.speed(formatCount(Math.round(speeds.reduce((sum, x) => sum + x, 0))))},
                ${words.workers(source.workers)}</span
              >`
            : html`<span class="fine">${words.waiting}</span>`
        }
      </p>
      ${this.renderLosses(shown)}`;
  }

  private renderLosses(shown: Shown<Values, Result>): unknown {
    const { result } = shown;
    const drawn = this.series(shown);
    if (drawn.length === 0) return nothing;
    const series = [...this.guessed(), ...drawn];
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .levels=${this.levels(result)}
      .markers=${this.markers(shown)}
      .x=${{ linear: true, low: 0 }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.step}
      .yLabel=${words.loss}
      .describe=${({ series: id, point }: { series: string; point: number }) => {
        const one = series.find((line) => line.id === id);
        const at = one?.points[point];
        return one && at ? words.point(one.label, at.x, formatNumber(at.y)) : '';
      }}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  /** What the reader expected, dashed. */
  private guessed(): readonly Series[] {
    if (this.guess.length === 0) return [];
    const look = lookOf('guess', this.dark);
    return [
      {
        ...{ ...look, id: 'guess', label: nameOf('guess'), model: true },
        points: this.guess.map(({ x, y }) => chartPoint(x, y)),
      },
    ];
  }

  protected override pictures() {
    return {
      attention: (shown: Shown<Values, Result>) =>
        this.whenTrained(html`${this.renderHeats(shown)} ${this.renderWhere(shown)}`, shown),
      texts: (shown: Shown<Values, Result>) => this.whenTrained(this.renderTexts(shown), shown),
      prefix: (shown: Shown<Values, Result>) => this.whenTrained(this.renderPrefix(shown), shown),
    };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return words.titles;
  }

  /** What only trained models have. */
  private whenTrained(drawn: unknown, { result }: Shown<Values, Result>): unknown {
    return result.source ? drawn : html`<p class="fine">${words.untrained}</p>`;
  }

  /** The loss of each model with its mask, and from the prefix alone: two bars a model. */
  private renderPrefix({ result }: Shown<Values, Result>): unknown {
    const { learned, source } = result;
    const chance = source?.chance ?? 0;
    const of = (which: Sees, loss: (one: Measured) => number): number => {
      const { measured } = learned[which] ?? {};
      return measured ? loss(measured) : Number.NaN;
    };
    const known = MODELS.filter((which) => learned[which]?.measured);
    if (known.length === 0) return html`<p class="fine">${words.notYet}</p>`;
    const rows = (loss: (one: Measured) => number) =>
      known.map((which) => {
        const value = of(which, loss);
        return { label: words.names[which], value, text: formatNumber(value) };
      });
    const both = [rows(({ test }) => test), rows(({ prefix }) => prefix)] as const;
    const most = Math.max(chance, ...both.flat().map(({ value }) => value));
    return html`<p class="sg-name">${words.rows.test}</p>
      ${bars(words.rows.test, both[0], most)}
      <p class="sg-name">${words.rows.prefix}</p>
      ${bars(words.rows.prefix, both[1], most)}
      <p class="sg-told">${words.uniform(formatNumber(chance))}</p>`;
  }

  /** The losses as three thin lines over the training, and on them where the pictures are. */
  private renderWhere(shown: Shown<Values, Result>): unknown {
    const { result } = shown;
    const { source, trained } = result;
    const [marker] = this.markers(shown);
    if (!source || !trained || !marker) return nothing;
    const { width, height } = WHERE;
    const paint = paints[this.dark ? 'dark' : 'light'];
    const across = (step: number): number => 4 + ((width - 8) * step) / trained.steps;
    const down = (loss: number): number => 4 + (height - 20) * (1 - loss / source.chance);
    const lines = this.series(shown).map(({ points, color }) => {
      const places = points.map(({ x, y }) => [across(x), Math.max(4, down(y))] as const);
      return `<path d="${polyline(places)}" fill="none" stroke="${color}" stroke-width="1.5"/>`;
    });
    const at = across(marker.x);
    const label = { anchor: at > width / 2 ? 'end' : 'start', size: 12 } as const;
    const floor = Number.isFinite(source.floor)
      ? line(4, down(source.floor), width - 4, down(source.floor), paint.muted, { dash: '5 4' })
      : '';
    const body = `${floor}${lines.join('')}${line(at, 0, at, height - 14, paint.accent, { width: 2 })}${svgText(at, height - 2, marker.label, paint.ink, label)}`;
    return html`<svg
      class="sg-where"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${words.where(marker.x, trained.steps)}
    >
      ${svg`${unsafeSVG(body)}`}
    </svg>`;
  }

  /** Who follows whom: in the source, and in what each model writes. */
  private renderTransitions({ result: { learned, source } }: Shown<Values, Result>): unknown {
    if (!source?.transitions) return nothing;
    const picture = (name: string, matrix: Matrix | undefined): unknown =>
      matrix
        ? matrixPicture({ name, matrix, scale: weightScale }, this.dark, words.transitions(name))
        : nothing;
    return html`<div class="sg-minis sg-transitions" .style=${'--across:4'}>
      ${picture(words.theSource, source.transitions)}
      ${MODELS.map((which) => picture(words.names[which], learned[which]?.measured?.transitions))}
    </div>
    <p class="sg-told">${words.cells(source.letters[0] ?? '', source.letters.at(-1) ?? '')}</p>`;
  }

  private renderTexts(shown: Shown<Values, Result>): unknown {
    const { learned } = shown.result;
    const written = MODELS.filter((which) => learned[which]?.measured);
    if (written.length === 0) return html`<p class="fine">${words.notYet}</p>`;
    return html`${this.renderTransitions(shown)}
    ${written.map(
      (which) => html`<p class="sg-written">
        <b>${words.names[which]}:</b> ${learned[which]?.measured?.written.slice(0, SHOWN_TEXTS).join(' · ')}
      </p>`,
    )}`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    const { result } = shown;
    const measured = MODELS.some((which) => result.learned[which]?.measured);
    return html`${said(this.sentences(shown))}
    ${measured ? numbers(words.table, words.columns, this.rows(result)) : nothing}`;
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    const { learned, source } = shown.result;
    const known = source !== undefined && Number.isFinite(source.floor);
    const loss = (which: Sees): string | undefined => {
      const { measured } = learned[which] ?? {};
      return measured && formatNumber(measured.test);
    };
    const [causal, all, later] = MODELS.map(loss);
    if (!known || !causal || !all || !later) return this.sentences(shown)[0] ?? '';
    return words.three(causal, all, later, formatNumber(source.floor));
  }

  protected override keyNumbers({ result: { learned } }: Shown<Values, Result>): KeyNumber[] {
    return MODELS.flatMap((which) => {
      const { measured } = learned[which] ?? {};
      return measured ? [{ label: words.names[which], value: measured.test }] : [];
    });
  }

  protected override caption({ values, result }: Shown<Values, Result>): string {
    const { source, steps, rate, seed } = result.trained ?? values;
    return words.caption({
      ...{ source: words.sources[source], steps, rate: formatTick(rate), seed },
      ...{ vocabulary: result.source?.vocabulary ?? MARKOV, ...SIZES, tested: TEST_SEQUENCES },
    });
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.sentences(shown).join(' ');
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    const { learned } = result;
    const most = Math.max(...MODELS.map((which) => learned[which]?.points.length ?? 0));
    return {
      columns: words.data,
      rows: Array.from({ length: most }, (_, i) => [
        i + 1,
        ...MODELS.map((which) => learned[which]?.points[i]?.loss ?? null),
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-three-models': AttnThreeModels;
  }
}
