import { html, nothing, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { growthWords } from '../../words/growth.ts';
import { pixels } from '../shared/pixels.ts';
import { SmallWindow } from '../shared/small-window.ts';
import {
  BATCH,
  bystander,
  type Cut,
  FRAMES,
  type Frame,
  type Grown,
  type GrowSettings,
  grown,
  HEADS,
  type HeadSeen,
  LEARNING_RATE,
  LENGTH,
  type Pair,
  PERIODS,
  pairOf,
  sameHead,
  stepsOf,
  TASKS,
  VOCABULARY,
  WIDTH,
} from './grow.ts';
import css from './growth.css?inline';

adopt(css);

const words = growthWords.now;

const table = {
  task: oneOf({ key: 'lists', values: TASKS, default: 'period' }),
  layers: oneOf({ key: 'layers', values: ['1', '2'], default: '2' }),
  frame: integer({ key: 'frame', min: 0, max: FRAMES, default: FRAMES }),
  cut: oneOf({ key: 'cut', values: ['none', 'helper', 'other'], default: 'none' }),
  positions: oneOf({ key: 'positions', values: ['rotary', 'learned'], default: 'rotary' }),
  seed: seed({ default: 0 }),
};
type Values = StateOf<typeof table>;

/** Lines of a training are drawn with about so many points. */
const MOST_POINTS = 125;
/** While it trains the picture is drawn at most so often. */
const DRAW_MS = 200;
/** The chart of the losses is at least so high: guessing is well below. */
const HIGHEST = 5;

/** Where the axis of these losses ends: a model that is sure of what is wrong loses much more than one that guesses. */
const highestOf = (series: readonly Series[]): number =>
  Math.max(HIGHEST, ...series.flatMap(({ points }) => points.map(({ y }) => Math.ceil(y))));

const settingsOf = ({ task, layers, positions, seed }: Values): GrowSettings => ({
  task,
  layers,
  positions,
  seed,
});
const keyOf = (values: Values): string => JSON.stringify(settingsOf(values));

/** A share of the weight; what is less than a tenth of a per cent is nothing. */
const percent = (share: number): string =>
  `${share < 0.0005 ? 0 : formatNumber(100 * share, 2)}\u00A0%`;

const said = ({ layer, head }: { readonly layer: number; readonly head: number }): string =>
  words.headOf(layer + 1, head + 1);

/**
 * A small model learns lists that repeat: its loss, and two of its heads at any step.
 *
 * @element attn-head-growth
 */
@customElement('attn-head-growth')
export class AttnHeadGrowth extends LabFigure<Grown, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['task', 'frame'] as const;
  /** On a phone the loss is a small line, so that the heads have room. */
  private readonly small = new SmallWindow(this);
  private drawn = 0;
  /** What is being trained now. */
  private growing: string | undefined;

  override get heading(): string {
    return words.heading;
  }

  protected override get wordsLang(): 'en' | undefined {
    return growthWords.lang ?? super.wordsLang;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Grown> {
    this.growing = keyOf(values);
    try {
      return await grown(settingsOf(values), ask, (part) =>
        this.drawPart(values, part, ask.signal),
      );
    } finally {
      this.growing = undefined;
    }
  }

  /** The picture while it grows. */
  private drawPart(values: Values, part: Grown, signal: AbortSignal): void {
    const now = performance.now();
    if (signal.aborted || now - this.drawn < DRAW_MS) return;
    this.drawn = now;
    const { values: latest } = this;
    const same = keyOf(latest) === keyOf(values);
    this.show({ values: same ? latest : values, result: part });
  }

  /** Another run is begun at once; which picture of a run is shown does not disturb it. */
  protected override onValues(): void {
    if (this.growing !== undefined && this.growing !== keyOf(this.values)) this.abort?.abort();
    super.onValues();
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const { cut, task } = this.values;
    const every = stepsOf(task) / FRAMES;
    return [
      choice('task', { label: words.task, options: this.tasksOffered, list: true }),
      choice('layers', { label: words.layers, options: { '1': '1', '2': '2' } }),
      {
        ...slider('frame', { label: words.frame }, { when: cut === 'none' }),
        say: (value) => formatTick(Number(value) * every),
      },
      choice('cut', { label: words.cut, options: words.cuts }),
      choice('positions', { label: words.positions, options: words.positionsOf }),
      seedKnob(),
    ];
  }

  /** Without the kind of lists that an open question asks about, unless the link has set it. */
  private get tasksOffered(): Readonly<Partial<typeof words.tasks>> {
    const { fixed, ...others } = words.tasks;
    const withheld = this.place.hide?.includes('task=fixed') && this.values.task !== 'fixed';
    return withheld ? others : { ...others, fixed };
  }

  // ---- what is shown of a run ----

  private frameOf({ values, result }: Shown<Values, Grown>): Frame | undefined {
    const { frames } = result;
    // A head is cut from the trained model.
    const at = values.cut === 'none' ? values.frame : FRAMES;
    return frames[Math.min(at, frames.length - 1)];
  }

  /** Who helps and who copies is decided by the last picture, so that both stay the same heads on the way. */
  private pair({ frames }: Grown): Pair | undefined {
    return pairOf(frames.at(-1)?.heads ?? []);
  }

  private cutOf({ values, result }: Shown<Values, Grown>): Cut | undefined {
    const pair = this.pair(result);
    if (!pair || values.cut === 'none') return undefined;
    const gone =
      values.cut === 'helper' ? pair.helper : bystander(result.frames.at(-1)?.heads ?? [], pair);
    return gone && result.cuts.find((one) => sameHead(one, gone));
  }

  /** The two heads as they are in the picture. */
  private pairNow(shown: Shown<Values, Grown>): Pair | undefined {
    const pair = this.pair(shown.result);
    const heads = this.cutOf(shown)?.heads ?? this.frameOf(shown)?.heads ?? [];
    const helper = pair && heads.find((one) => sameHead(one, pair.helper));
    const copier = pair && heads.find((one) => sameHead(one, pair.copier));
    return helper && copier && { helper, copier };
  }

  // ---- pictures ----

  protected override renderResult(shown: Shown<Values, Grown>): unknown {
    if (this.small.matches) {
      // What was answered stands above the picture and leaves room for one part of it.
      const asked = this.answeredHere?.answer.kind;
      return html`<div class="gr-picture">
        ${asked === 'choice' ? nothing : this.renderSmallLosses(shown)}
        ${asked === 'curve' ? nothing : html`<div class="gr-pair">${this.renderPair(shown)}</div>`}
      </div>`;
    }
    // A curve that was drawn stands above the picture, which gets lower.
    const low = this.answeredHere?.answer.kind === 'curve';
    return html`<div class="gr-picture ${low ? 'low' : ''}">
      ${this.renderLosses(shown)}
      <div class="gr-pair">${this.renderPair(shown)}</div>
    </div>`;
  }

  protected override pictures() {
    return {
      growth: (shown: Shown<Values, Grown>) => this.renderResult(shown),
      right: (shown: Shown<Values, Grown>) => this.renderRightAndPair(shown),
      heads: (shown: Shown<Values, Grown>) => {
        const { ghost } = this;
        return html`<div class="gr-pair wide ${ghost ? 'compared' : ''}">
          ${this.renderPair(shown)}${ghost ? this.renderPair(ghost, true) : nothing}
        </div>`;
      },
      scores: (shown: Shown<Values, Grown>) => this.renderScores(shown),
    };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return words.titles;
  }

  /** `which` leaves out the one who looks back, where only the other one is spoken of. */
  private renderPair(
    shown: Shown<Values, Grown>,
    before = false,
    which: 'both' | 'copier' = 'both',
  ): unknown {
    const pair = this.pairNow(shown);
    if (!pair) return nothing;
    const gone = this.cutOf(shown);
    const step = this.frameOf(shown)?.step ?? 0;
    const one = (head: HeadSeen, score: string, behind?: unknown): unknown => html`<div
      class="gr-head ${gone && sameHead(gone, head) ? 'cut' : ''} ${before ? 'gr-was' : ''}"
      data-square
    >
      <p>
        <b>${before ? `${nameOf('ghost')}: ` : ''}${said(head)}</b>
        <span>${gone && sameHead(gone, head) ? words.isCut : score}</span>
      </p>
      <div class="gr-pixels">
        ${pixels(head.weights, {
          dark: this.dark,
          causal: true,
          title: words.picture(said(head), step),
        })}${behind ?? nothing}
      </div>
    </div>`;
    const { copier, helper } = pair;
    // A head that only counts back looks beside the copies: their places are drawn over it.
    const counts = copier.counted !== undefined && copier.counted > copier.behind;
    const score = words.onBehind(percent(copier.behind));
    return html`${which === 'both' ? one(helper, words.onPrevious(percent(helper.previous))) : nothing}
    ${
      counts
        ? one(
            copier,
            words.onCounted(PERIODS.fixed - 1, percent(copier.counted ?? Number.NaN), score),
            this.renderBehind(shown.result),
          )
        : one(copier, score)
    }`;
  }

  /** Outlines of the cells behind copies, over the picture of a head. */
  private renderBehind({ list }: Grown): unknown {
    const cells = list.flatMap((token, i) =>
      list
        .slice(0, i)
        .flatMap((earlier, j) => (earlier === token ? [`M${j + 1} ${i}h1v1h-1z`] : [])),
    );
    return html`<svg class="gr-behind" viewBox="0 0 ${list.length} ${list.length}" aria-hidden="true">
      <path d=${cells.join('')} />
    </svg>`;
  }

  /** On a phone an option in words leaves no room for what it is about; it stands beside the question. */
  protected override get hasRoomForAnswers(): boolean {
    return !this.small.matches || this.answeredHere?.answer.kind !== 'choice';
  }

  // ---- how many tokens it says right ----

  /** The shares said right, on lists of the training and on lists of new kinds, in per cent. */
  private rightLines({ points, frames, steps }: Grown): readonly Series[] {
    const every = Math.max(1, Math.ceil(steps / MOST_POINTS));
    const paint = seriesColors[this.dark ? 'dark' : 'light'];
    return [
      {
        ...{ id: 'training', label: words.lines.training, color: paint[3] ?? '' },
        ...{ mark: 'circle', bare: true },
        points: points
          .filter(({ step }, at) => step % every === 0 || at === points.length - 1)
          .map(({ step, accuracy }) => chartPoint(step + 1, 100 * accuracy)),
      },
      {
        ...{ id: 'fresh', label: words.lines.fresh, color: paint[1] ?? '' },
        ...{ mark: 'triangle', width: 1.2 },
        points: frames
          .filter((_, at) => at % 2 === 1)
          .map(({ step, accuracy }) => chartPoint(step, 100 * accuracy)),
      },
    ];
  }

  private renderRightAndPair(shown: Shown<Values, Grown>): unknown {
    const { result } = shown;
    const pair = html`<div class="gr-pair">${this.renderPair(shown, false, 'copier')}</div>`;
    const lines = this.rightLines(result);
    if (this.small.matches) {
      return html`<div class="gr-picture even">
        <div class="gr-right">
          ${lines.map(({ label, color, points }) => {
            const share = (points.at(-1)?.y ?? 0) / 100;
            return html`<span>${label}</span>
              <i .style=${`--share:${share.toFixed(3)};--color:${color}`}></i>
              <b>${percent(share)}</b>`;
          })}
        </div>
        ${pair}
      </div>`;
    }
    return html`<div class="gr-picture even">
      <attn-line-chart
        .level=${4}
        .series=${lines}
        .markers=${this.markers(shown)}
        .x=${{ linear: true, low: 0, high: result.steps }}
        .y=${{ linear: true, low: 0, high: 100 }}
        .xLabel=${words.step}
        .yLabel=${words.right}
        .summary=${this.summary(shown)}
      ></attn-line-chart>
      ${pair}
    </div>`;
  }

  /** Where on the way the pictures of the heads are. */
  private markers(shown: Shown<Values, Grown>): readonly Marker[] {
    const step = this.frameOf(shown)?.step;
    return step === undefined ? [] : [{ x: step, label: words.at(step), strong: true }];
  }

  private lines({ result }: Shown<Values, Grown>, before = false): readonly Series[] {
    const { points, frames, steps } = result;
    const every = Math.max(1, Math.ceil(steps / MOST_POINTS));
    const paint = seriesColors[this.dark ? 'dark' : 'light'];
    const training = points
      .filter(({ step }, at) => step % every === 0 || at === points.length - 1)
      .map(({ step, loss }) => chartPoint(step + 1, loss));
    if (before) {
      return [
        {
          ...{ ...lookOf('ghost', this.dark), id: 'ghost', label: nameOf('ghost'), model: true },
          points: training,
        },
      ];
    }
    return [
      {
        ...{ id: 'training', label: words.lines.training, color: paint[3] ?? '' },
        ...{ mark: 'circle', bare: true, points: training },
      },
      {
        ...{ id: 'fresh', label: words.lines.fresh, color: paint[1] ?? '' },
        ...{ mark: 'triangle', width: 1.2 },
        points: frames
          .filter((_, at) => at % 2 === 1)
          .map(({ step, loss }) => chartPoint(step, loss)),
      },
    ];
  }

  private levels({ guessing }: Grown): readonly Level[] {
    return [{ y: guessing, label: words.guessing(formatNumber(guessing)), dashed: true }];
  }

  private renderLosses(shown: Shown<Values, Grown>): unknown {
    const { result } = shown;
    const ghost = this.ghost ? this.lines(this.ghost, true) : [];
    const series = [...ghost, ...this.lines(shown)];
    const step = this.frameOf(shown)?.step;
    const moved = ({ detail }: CustomEvent<{ value: number; done: boolean }>): void => {
      const frame = Math.round((detail.value / result.steps) * FRAMES);
      this.set(
        { frame: Math.min(FRAMES, Math.max(0, frame)), cut: 'none' },
        { draft: !detail.done },
      );
    };
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .levels=${this.levels(result)}
      .markers=${this.markers(shown)}
      .x=${{ linear: true, low: 0, high: result.steps }}
      .y=${{ linear: true, low: 0, high: highestOf(series) }}
      .xLabel=${words.step}
      .yLabel=${words.loss}
      .grip=${step}
      .summary=${this.summary(shown)}
      @attn-grip=${moved}
    ></attn-line-chart>`;
  }

  /** The loss over the steps, and where the pictures are, without axes. */
  private renderSmallLosses(shown: Shown<Values, Grown>): unknown {
    const { result } = shown;
    // The curve that was drawn above it is the same one, larger.
    const [wide, tall] = [340, this.answeredHere?.answer.kind === 'curve' ? 40 : 70];
    const drawn = this.ghost
      ? [...this.lines(this.ghost, true), ...this.lines(shown)]
      : this.lines(shown);
    const highest = highestOf(drawn);
    const at = ({ x, y }: { readonly x: number; readonly y: number }): string =>
      `${((wide * x) / result.steps).toFixed(1)},${(tall * (1 - Math.min(1, y / highest))).toFixed(1)}`;
    const step = this.frameOf(shown)?.step ?? 0;
    const even = at({ x: 0, y: result.guessing }).split(',')[1];
    // Letters within it would become as small as it does.
    return html`<svg
      class="gr-small"
      viewBox="-4 -4 ${wide + 8} ${tall + 8}"
      role="img"
      aria-label=${this.summary(shown)}
    >
      ${drawn.map(
        ({ color, model, points }) => svg`<polyline fill="none" stroke=${color} stroke-width="2"
          stroke-dasharray=${model ? '4 3' : 'none'}
          points=${points
            .filter(({ y }) => !Number.isNaN(y))
            .map(at)
            .join(' ')} />`,
      )}
      <line class="even" x1="0" x2=${wide} y1=${even} y2=${even}></line>
      <line class="at" x1=${(wide * step) / result.steps} x2=${(wide * step) / result.steps} y1="0" y2=${tall}></line>
      <line class="floor" x1="0" x2=${wide} y1=${tall} y2=${tall}></line>
    </svg>
    <p class="gr-axis">
      <span>${words.loss}</span> <span>${words.guessing(formatNumber(result.guessing))}</span>
      <span>${words.step} ${result.steps}</span>
    </p>`;
  }

  private renderScores(shown: Shown<Values, Grown>): unknown {
    const { result } = shown;
    const pair = this.pair(result);
    if (!pair) return nothing;
    const paint = seriesColors[this.dark ? 'dark' : 'light'];
    const line = (
      id: 'behind' | 'previous',
      head: HeadSeen,
      color: number,
      of: (head: HeadSeen) => number,
    ): Series => ({
      ...{ id, label: words.scoreLines[id](said(head)), color: paint[color] ?? '' },
      mark: id === 'behind' ? 'circle' : 'square',
      points: result.frames.flatMap(({ step, heads }) => {
        const found = heads.find((one) => sameHead(one, head));
        return found ? [chartPoint(step, of(found))] : [];
      }),
    });
    return html`<attn-line-chart
      .level=${4}
      .series=${[
        line('previous', pair.helper, 4, ({ previous }) => previous),
        line('behind', pair.copier, 1, ({ behind }) => behind),
      ]}
      .levels=${[
        {
          y: result.even.behind,
          label: words.evenBehind(percent(result.even.behind)),
          dashed: true,
        },
      ]}
      .x=${{ linear: true, low: 0, high: result.steps }}
      .y=${{ linear: true, low: 0, high: 1 }}
      .xLabel=${words.step}
      .yLabel=${words.share}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  // ---- words ----

  protected override resultLine(shown: Shown<Values, Grown>): string {
    const { result, values } = shown;
    const frame = this.frameOf(shown);
    const pair = this.pairNow(shown);
    if (!frame || !pair) return '';
    const { helper, copier } = pair;
    const gone = this.cutOf(shown);
    if (values.cut !== 'none') {
      if (!gone) return result.cuts.length > 0 ? words.noOther : words.notYet;
      const before = frame.heads.find((one) => sameHead(one, copier));
      return words.cutLine(
        said(gone),
        formatNumber(result.whole),
        formatNumber(gone.loss),
        said(copier),
        percent(before?.behind ?? Number.NaN),
        percent(copier.behind),
      );
    }
    if (copier.counted !== undefined) {
      return words.fixedLine({
        ...{ step: frame.step, right: percent(this.rightAt(result, frame.step)) },
        ...{ fresh: percent(frame.accuracy), loss: formatNumber(frame.loss) },
        ...{ guessing: formatNumber(result.guessing) },
      });
    }
    return words.line(
      frame.step,
      formatNumber(this.lossAt(result, frame.step)),
      percent(frame.accuracy),
      said(copier),
      percent(copier.behind),
      percent(result.even.behind),
      said(helper),
      percent(helper.previous),
    );
  }

  private rightAt({ points, frames }: Grown, step: number): number {
    return points[step - 1]?.accuracy ?? frames[0]?.accuracy ?? Number.NaN;
  }

  /** Of the batch before this step; before the first one there is only what was measured on new lists. */
  private lossAt({ points, frames }: Grown, step: number): number {
    return points[step - 1]?.loss ?? frames[0]?.loss ?? Number.NaN;
  }

  protected override keyNumbers(shown: Shown<Values, Grown>): readonly KeyNumber[] {
    const frame = this.frameOf(shown);
    const pair = this.pairNow(shown);
    if (!frame || !pair) return [];
    const gone = this.cutOf(shown);
    const { behind } = pair.copier;
    if (gone || shown.values.cut !== 'none') {
      return [
        { label: words.numbers.freshLoss, value: gone?.loss ?? shown.result.whole },
        { label: words.numbers.behind, value: behind, text: percent(behind) },
      ];
    }
    return [
      { label: words.numbers.loss, value: this.lossAt(shown.result, frame.step) },
      {
        label: words.numbers.fresh,
        value: frame.accuracy,
        text: percent(frame.accuracy),
      },
      { label: words.numbers.behind, value: behind, text: percent(behind) },
    ];
  }

  protected override difference(before: Shown<Values, Grown>, now: Shown<Values, Grown>): string {
    // The losses with and without a head are in its own sentence.
    return before.values.cut === now.values.cut
      ? super.difference(before, now)
      : this.resultLine(now);
  }

  protected override renderDetails({ result }: Shown<Values, Grown>): unknown {
    const last = result.frames.at(-1);
    if (!last) return nothing;
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${words.table}>
        <table>
          <caption>
            ${words.table}
          </caption>
          <thead>
            <tr>
              ${words.columnsOfTable.map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${last.heads.map((head) => {
              const without = result.cuts.find((one) => sameHead(one, head))?.loss;
              return html`<tr>
                <th scope="row">${said(head)}</th>
                <td>${formatNumber(head.previous)}</td>
                <td>${formatNumber(head.behind)}</td>
                <td>${without === undefined ? '–' : formatNumber(without)}</td>
              </tr>`;
            })}
          </tbody>
        </table>
      </div>`;
  }

  protected override caption({ values }: Shown<Values, Grown>): string {
    const { task, layers, positions, seed } = values;
    const about = {
      period: words.about.period(PERIODS.shortest, PERIODS.longest),
      segment: words.about.segment,
      fixed: words.about.fixed(PERIODS.fixed),
    };
    return words.caption({
      ...{ task: about[task], layers: Number(layers), heads: HEADS, width: WIDTH, seed },
      positions: words.positionsOf[positions],
      ...{ vocabulary: VOCABULARY, length: LENGTH, batch: BATCH, steps: stepsOf(task) },
      rate: formatTick(LEARNING_RATE),
    });
  }

  protected override summary(shown: Shown<Values, Grown>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override svg(shown: Shown<Values, Grown>): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }

  protected override data({ result }: Shown<Values, Grown>): FigureData {
    const pair = this.pair(result);
    const last = result.frames.at(-1)?.heads ?? [];
    const of = (head: HeadSeen | undefined) =>
      last.find((one) => head && sameHead(one, head))?.weights;
    const [helper, copier] = [of(pair?.helper), of(pair?.copier)];
    return {
      columns: words.columns,
      rows: result.points.map(({ step, loss, accuracy }) => [step + 1, loss, accuracy]),
      ...(helper && copier && { matrices: { helper, copier } }),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-growth': AttnHeadGrowth;
  }
}
