import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { FactRecallResult, Matrix } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import {
  type ChartPoint,
  chartPoint,
  type Series,
  seriesColors,
} from '../../../../src/plot/chart.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf, inkOn } from '../../../../src/plot/color.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { escapeXml, round } from '../../../../src/plot/svg.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { chartFile, table as numbers, percent } from '../../draw/figure-parts.ts';
import { svgOf } from '../../draw/matrices.ts';
import { inRoom } from '../../draw/room.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/recall.ts';
import { MEMORIES, type Memory, recall, wrongSigns } from './memories.ts';

adopt(css);

const MOST = 4096;
const table = {
  features: integer({ key: 'features', label: 'm', default: 64, min: 1, max: 1024 }),
  since: integer({ key: 'since', default: 256, min: 1, max: MOST }),
  n: integer({ key: 'n', default: 1024, min: 16, max: MOST }),
  what: oneOf({ key: 'what', values: ['weight', 'right'], default: 'weight' }),
  d: integer({ key: 'd', default: 16, min: 4, max: 32 }),
  scale: number({ key: 'scale', default: 2, min: 0.5, max: 3 }),
  draws: integer({ key: 'draws', default: 10, min: 1, max: 50 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;
type Result = Readonly<Record<Memory, FactRecallResult>>;

/** Values are signs, so that answers lie between −1 and 1. */
const SIGNS: ColorScale = {
  ...{ kind: 'diverging', low: -1, high: 1, tone: 'linear' },
  ...{ overLow: false, overHigh: false },
};
const CELL = 20;
const EDGE = 2;
const NAME = 20;
const STRIP = CELL + NAME + 8;
/** Below this height there is room for the chart alone, in pixels. */
const CELLS_AND_CHART = 480;

/**
 * A fact in a stream of tokens: what linear attention's state still gives back of it, beside softmax.
 *
 * @element attn-kt-recall
 */
@customElement('attn-kt-recall')
export class AttnKtRecall extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  /** By memory: a knob of one memory does not ask about the others. */
  private readonly answers = this.recentAnswers<FactRecallResult>(8 * MEMORIES.length);

  protected async compute(values: Values, { signal, onProgress }: Ask): Promise<Result> {
    const { features, n, d, scale, draws, seed } = values;
    const found: Partial<Record<Memory, FactRecallResult>> = {};
    for (const [i, memory] of MEMORIES.entries()) {
      const depends = [memory, n, d, scale, draws, seed, memory === 'random' ? features : 0];
      found[memory] = await this.answers.of(depends, () =>
        recall(this.tools.client, memory, values, {
          signal,
          onProgress: (part) => onProgress((i + part) / MEMORIES.length),
        }),
      );
      onProgress((i + 1) / MEMORIES.length);
    }
    return found as Result;
  }

  protected override readonly firstKnobs = ['features', 'since'] as const;
  protected override get controls() {
    return [
      slider('features', { label: words.features, symbol: 'm', log: true }),
      slider('since', { label: words.since, log: true, max: this.values.n }),
      slider('n', { label: words.n, symbol: 'n', log: true }),
      choice('what', { label: words.what, options: words.whats }),
      slider('d', { label: words.d, symbol: 'd' }),
      slider('scale', { label: words.scale, step: 0.1 }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
  }

  private since({ since, n }: Values): number {
    return Math.min(since, n);
  }

  /** The numbers said about a memory's answer in the first stream. */
  private said(result: Result, memory: Memory, since: number) {
    const found = result[memory];
    const weight = percent(found.weights[since] ?? Number.NaN);
    return [words.memories[memory], weight, wrongSigns(found, since), found.fact.cols] as const;
  }

  /** The weight of the fact as the chart draws it: the median over the streams, at the last token drawn before `since`. */
  private median({ tokens, weight }: FactRecallResult, since: number): number {
    const at = tokens.reduce((found, t, i) => (t <= since ? i : found), 0);
    return weight[at]?.median ?? Number.NaN;
  }

  private strip(values: Matrix, row: number, y: number, name: string, fact?: Matrix): string {
    const paint = paints[this.dark ? 'dark' : 'light'];
    const cells = Array.from({ length: values.cols }, (_, j) => {
      const value = values.data[row * values.cols + j] as number;
      const fill = colorOf(SIGNS, value, this.dark);
      const ink = inkOn(fill);
      const [x, top] = [EDGE + j * CELL, y + NAME];
      const wrong = fact && !(value * (fact.data[j] as number) > 0);
      const sign = value > 0 ? '+' : value < 0 ? '−' : '0';
      const cross = wrong
        ? `<path d="M${x + 3} ${top + CELL - 3}L${x + CELL - 3} ${top + 3}" stroke="${ink}" stroke-width="1.5"/>`
        : '';
      return `<rect x="${x + 0.5}" y="${top + 0.5}" width="${CELL - 1}" height="${CELL - 1}" rx="2" fill="rgb(${fill.join(',')})" stroke="${paint.rule}"/><text x="${x + CELL / 2}" y="${top + CELL / 2}" text-anchor="middle" font-size="13" fill="${ink}">${sign}</text>${cross}`;
    });
    return `<text x="${EDGE}" y="${round(y + NAME / 2)}" font-size="13" fill="${paint.ink}">${escapeXml(name)}</text>${cells.join('')}`;
  }

  private strips(result: Result, since: number): { width: number; height: number; body: string } {
    const { fact } = result.softmax;
    const all = [
      this.strip(fact, 0, 0, words.planted),
      ...MEMORIES.map((memory, i) =>
        this.strip(
          result[memory].answers,
          since,
          (i + 1) * STRIP,
          words.answer(words.memories[memory], wrongSigns(result[memory], since), fact.cols),
          fact,
        ),
      ),
    ];
    return {
      width: Math.max(fact.cols * CELL + 2 * EDGE, 350),
      height: all.length * STRIP,
      body: `<g font-family="AL Sans, AL Sans Arial, system-ui, sans-serif" dominant-baseline="central">${all.join('')}</g>`,
    };
  }

  private series({ values, result }: Shown<Values, Result>): Series[] {
    const { dark, ghost } = this;
    const [, , , , green = '', pink = ''] = seriesColors[dark ? 'dark' : 'light'];
    const looks = {
      softmax: lookOf('softmax', dark),
      elu: lookOf('linear', dark),
      taylor: { color: green, mark: 'triangle' },
      random: { color: pink, mark: 'cross' },
    } as const;
    const byWeight = this.values.what === 'weight';
    const series: Series[] = MEMORIES.map((memory) => {
      const { tokens, weight, right } = result[memory];
      const points: ChartPoint[] = [];
      for (const [i, t] of tokens.entries()) {
        if (t === 0) continue;
        const spread = weight[i];
        points.push(
          byWeight && spread
            ? chartPoint(t, spread.median, spread.low, spread.high)
            : chartPoint(t, right[i] ?? Number.NaN),
        );
      }
      return { id: memory, label: words.memories[memory], ...looks[memory], points };
    });
    // What a try has not changed stays where it was, and needs no ghost.
    const before =
      byWeight && ghost ? MEMORIES.filter((memory) => ghost.result[memory] !== result[memory]) : [];
    for (const [i, memory] of before.entries()) {
      const { tokens, weight } = (ghost as Shown<Values, Result>).result[memory];
      series.push({
        ...{ id: `${memory}-before`, ...lookOf('ghost', dark), model: true },
        ...{ label: nameOf('ghost'), unnamed: i > 0 },
        points: Array.from(tokens, (t, k) => chartPoint(t, weight[k]?.median ?? Number.NaN)).slice(
          1,
        ),
      });
    }
    const ends = [1, values.n];
    series.push({
      ...{ id: 'model', ...lookOf('chance', dark), model: true },
      label: byWeight ? words.equal : words.guessed,
      points: byWeight
        ? Array.from(
            result.softmax.tokens.filter((t) => t > 0),
            (t) => chartPoint(t, 1 / (t + 1)),
          )
        : ends.map((t) => chartPoint(t, 0.5)),
    });
    return series;
  }

  private rows({ result }: Shown<Values, Result>) {
    return MEMORIES.map((memory) => {
      const { featureDimension, numbers: held, weight, right } = result[memory];
      return [
        words.memories[memory],
        featureDimension === 0 ? words.endless : String(featureDimension),
        String(held.at(-1) ?? ''),
        percent(weight.at(-1)?.median ?? Number.NaN),
        percent(right.at(-1) ?? Number.NaN),
      ] as const;
    });
  }

  private readonly onGrip = (event: CustomEvent<{ value: number; done: boolean }>): void => {
    const { value, done } = event.detail;
    const since = Math.max(1, Math.min(this.values.n, Math.round(value)));
    this.set({ since }, { draft: !done });
  };

  /** The chart, and above it the cells of the first stream where both have room. */
  protected renderResult(shown: Shown<Values, Result>): unknown {
    const byWeight = this.values.what === 'weight';
    const { guess } = this.bothAnswers;
    const levels =
      byWeight && guess !== undefined
        ? [{ y: guess / 100, label: nameOf('guess'), dashed: true }]
        : [];
    const since = this.since(shown.values);
    return html`${inRoom(({ height }) => (height < CELLS_AND_CHART ? nothing : this.renderCells(shown)))}
      <attn-line-chart
        .heading=${''}
        .summary=${words.chart}
        .level=${4}
        .series=${this.series(shown)}
        .levels=${levels}
        .x=${{ count: 'binary' }}
        .y=${byWeight ? {} : { linear: true, low: 0, high: 1 }}
        .xLabel=${words.x}
        .yLabel=${byWeight ? words.weight : words.right}
        .markers=${[{ x: since, label: String(since), strong: true }]}
        .grip=${since}
        .dark=${this.dark}
        @attn-grip=${this.onGrip}
      ></attn-line-chart>`;
  }

  private renderCells({ values, result }: Shown<Values, Result>): unknown {
    const since = this.since(values);
    const strips = this.strips(result, since);
    const spoken = MEMORIES.map((memory) => words.spelled(...this.said(result, memory, since)));
    return html`<section class="kt-part">
      <h4>${words.answers(since)}</h4>
      <div
        class="kt-picture"
        role="img"
        tabindex="0"
        aria-label="${words.answers(since)}. ${spoken.join('. ')}."
      >
        ${unsafeHTML(svgOf(strips, strips.body, this.dark))}
      </div>
    </section>`;
  }

  protected override pictures() {
    return { answers: (shown: Shown<Values, Result>) => this.renderCells(shown) };
  }

  protected override get titles() {
    return { answers: words.planted };
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`<p class="fine">${words.wrong}</p>
      ${numbers(words.table, words.columns(shown.values.n), this.rows(shown))}`;
  }

  protected override resultLine({ values, result }: Shown<Values, Result>): string {
    const since = this.since(values);
    const weight = (memory: Memory): string => percent(this.median(result[memory], since));
    return words.summary(since, weight('softmax'), weight('elu'), weight('random'));
  }

  protected override keyNumbers({ values, result }: Shown<Values, Result>): readonly KeyNumber[] {
    const since = this.since(values);
    return MEMORIES.map((memory) => {
      const value = this.median(result[memory], since);
      return { label: words.memories[memory], value, text: percent(value) };
    });
  }

  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    const since = this.since(now.values);
    return words.changed(since, this.since(before.values), super.difference(before, now));
  }

  protected caption({ values }: Shown<Values, Result>): string {
    const { n, d, scale, features, draws, seed } = values;
    const seeds = draws === 1 ? String(seed) : `${seed}…${seed + draws - 1}`;
    return words.caption({
      ...{ n, d, features, draws, seeds },
      scale: String(scale),
      since: this.since(values),
    });
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.resultLine(shown);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.data,
      rows: MEMORIES.flatMap((memory) => {
        const { tokens, featureDimension, weight, right, numbers: held } = result[memory];
        return Array.from(tokens, (t, i) => [
          ...[words.memories[memory], featureDimension, t],
          ...[weight[i]?.low ?? null, weight[i]?.median ?? null, weight[i]?.high ?? null],
          ...[right[i] ?? null, held[i] ?? null],
        ]);
      }),
      matrices: {
        fact: result.softmax.fact,
        ...Object.fromEntries(MEMORIES.map((memory) => [memory, result[memory].answers])),
      },
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const strips = this.strips(shown.result, this.since(shown.values));
    return chartFile(this, this.fullCaption(shown), this.heading, strips);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-recall': AttnKtRecall;
  }
}
