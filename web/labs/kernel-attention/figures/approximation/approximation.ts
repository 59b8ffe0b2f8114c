import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type {
  ApproximationResult,
  FeatureVariance,
  KernelTrickCosts,
  LeverageReport,
  Summary,
} from '#client';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt, lineBefore, pointsAlong } from '../../../../src/figures/chart.ts';
import { lineGrid } from '../../../../src/figures/kernel/line-grid.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';

const { approximation: words } = figureWords.now;

const FEATURES = [4, 8, 16, 32, 64, 128, 256];
const LENGTHS = Array.from({ length: 11 }, (_, i) => 2 ** (i + 5));
const DRAWS = 10;
const MARKS = {
  offset: 'circle',
  paired: 'square',
  orthogonal: 'triangle',
  nystroem: 'diamond',
} as const;
type Method = keyof typeof MARKS;
/** What lies along the x axis. */
const ACROSS = {
  gram: 'D',
  output: 'D',
  variance: 'distance',
  rank: 'lambda',
  cost: 'n',
  time: 'n',
} as const;
/** Features and points are counted in powers of two; λ is a real number. */
const AXES = {
  D: { count: 'binary' },
  n: { count: 'binary' },
  distance: { linear: true, low: 0, high: 4 },
  lambda: { count: 'decimal' },
} as const;
/** Pairs of cosine and sine need an even number of features. */
const evenOf = (features: number): number => features + (features % 2);

const SHOWS = ['gram', 'output', 'variance', 'rank', 'cost', 'time'] as const;
type Show = (typeof SHOWS)[number];

/** Lengths at which smoothing is timed. */
const TIMED = [64, 128, 256, 512, 1024, 2048];
const ROUNDS = 5;
const SAMPLE_MS = 4;
/** The error of the output beside the times is computed at this length. */
const ERROR_AT = 256;
const ERROR_DRAWS = 5;
const DISTANCES = lineGrid(0, 4, 81);
const LAMBDAS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** The number of features of which the sentence below the picture speaks. */
const COMPARED = 64;
/** The λ of which the sentence below the picture speaks. */
const LAMBDA = 1;

const table = {
  show: oneOf<Show>({ key: 'show', values: SHOWS, default: 'gram' }),
  n: integer({ key: 'n', min: 32, max: 256, default: 200 }),
  d: integer({ key: 'd', min: 1, max: 16, default: 4 }),
  gamma: number({ key: 'g', min: 0.01, max: 4, default: 0.25 }),
  features: integer({ key: 'D', min: 2, max: 1024, default: 64 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

/** Milliseconds of one call, over the rounds. */
interface Timed {
  readonly n: number;
  readonly kernel: Summary;
  readonly features: Summary;
}

/** What `show` asks for. */
interface Answer {
  readonly errors?: ApproximationResult;
  readonly costs?: readonly KernelTrickCosts[];
  readonly times?: readonly Timed[];
  readonly variance?: FeatureVariance;
  readonly ranks?: readonly LeverageReport[];
}

/**
 * Features instead of a kernel, on the same points: how far off, and at what cost.
 *
 * @element attn-kernel-approximation
 */
@customElement('attn-kernel-approximation')
export class AttnKernelApproximation extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['show', 'gamma'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  private readonly answers = this.recentAnswers<Answer>(8);

  protected override compute(values: Values, ask: Ask): Promise<Answer> {
    // Errors are measured over all numbers of features, and drawn in two ways.
    const { show, n, d, gamma, seed } = values;
    const depends = show === 'gram' || show === 'output' ? { n, d, gamma, seed } : values;
    return this.answers.of(depends, () => this.measured(values, ask));
  }

  private async measured(values: Values, ask: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { n, d, gamma, seed, features, show } = values;
    const { signal } = ask;
    const kernel = { id: 'rbf', parameters: { gamma } };
    if (show === 'cost') {
      const costs = await Promise.all(
        LENGTHS.map((length) =>
          client.kernelTrickCosts({ n: length, d, dV: 1, D: features }, { signal }),
        ),
      );
      return { costs };
    }
    if (show === 'time') return this.timed(values, ask);
    if (show === 'variance') {
      const variance = await client.featureVariance(
        { kernel, distances: DISTANCES, D: features },
        { signal },
      );
      return { variance };
    }
    const { q, v } = await client.gaussianQkv({ n, dK: d, dV: 1, seed }, { signal });
    if (show === 'rank') {
      const ranks: LeverageReport[] = [];
      for (const [i, lambda] of LAMBDAS.entries()) {
        ranks.push(await client.leverageScores({ kernel, x: q, lambda }, { signal }));
        ask.onProgress((i + 1) / LAMBDAS.length);
      }
      return { ranks };
    }
    const errors = await client.approximationExperiment(
      {
        ...{ x: q, v, kernel: 'rbf', parameters: { gamma } },
        ...{ features: FEATURES, draws: DRAWS, seed },
      },
      { signal, onProgress: ask.onProgress },
    );
    return { errors };
  }

  /** Both ways timed in turns, at each length in each round, and the error that the features make. */
  private async timed({ d, features, seed }: Values, { signal, onProgress }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { q, v } = await client.gaussianQkv({ n: ERROR_AT, dK: d, dV: 1, seed }, { signal });
    const errors = await client.approximationExperiment(
      { x: q, v, kernel: 'rbf', features: [evenOf(features)], draws: ERROR_DRAWS, seed },
      { signal },
    );
    const samplesOf = TIMED.map((n) => ({
      ...{ n, kernel: [] as number[], features: [] as number[] },
    }));
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const [i, one] of samplesOf.entries()) {
          const how = { n: one.n, dK: d, dV: 1, D: features, seed };
          const { samples } = await client.timeRound(
            {
              trials: [
                { mechanism: 'kernel_smoothing', ...how },
                { mechanism: 'feature_smoothing', ...how },
              ],
              milliseconds: SAMPLE_MS,
            },
            { signal },
          );
          one.kernel.push(samples[0]?.milliseconds ?? Number.NaN);
          one.features.push(samples[1]?.milliseconds ?? Number.NaN);
          onProgress((round + (i + 1) / samplesOf.length) / ROUNDS);
        }
      }
    } finally {
      // Inputs would stay in the worker's memory.
      await client.timeRound({ trials: [], milliseconds: 1 }).catch(() => undefined);
    }
    const inShort = (values: readonly number[]): Promise<Summary> =>
      client.summarize({ values }, { signal });
    const times: Timed[] = [];
    for (const { n, kernel, features } of samplesOf) {
      times.push({ n, kernel: await inShort(kernel), features: await inShort(features) });
    }
    return { errors, times };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const { show } = this.values;
    const [counted, timed, spread] = [show === 'cost', show === 'time', show === 'variance'];
    const perD = counted || timed || spread;
    return [
      choice('show', { label: words.show, options: words.shows, list: true }),
      slider('n', { label: words.n, symbol: 'n', log: true }, { when: !perD }),
      slider('d', { label: words.d, symbol: 'd' }, { when: !spread }),
      slider('gamma', { label: words.gamma, symbol: 'γ', log: true }, { when: !counted && !timed }),
      slider('features', { label: words.features, symbol: 'D', log: true }, { when: perD }),
      seedKnob('seed', { when: !counted && !spread }),
    ];
  }

  private errorsOf(
    { values, result }: Shown<Values, Answer>,
    method: Method,
  ): readonly ({ readonly D: number } & Summary)[] {
    const points = result.errors?.points.filter((point) => point.approximation === method) ?? [];
    return points.map(({ D, smoothingError, gramError }) => ({
      ...{ D, ...(values.show === 'output' ? smoothingError : gramError) },
    }));
  }

  /** The lines, and behind them those before a try where they have the same axes. */
  private series(shown: Shown<Values, Answer>): readonly Series[] {
    const { ghost, dark } = this;
    const before = ghost && ghost.values.show === shown.values.show ? this.lines(ghost) : [];
    return [
      // Each in the colour of its line, since grey and dashed is the best that there is; that one follows from the data.
      ...before
        .filter(({ id }) => id !== 'best')
        .map(({ id, color, points }) => ({
          ...lineBefore(
            id,
            points.map(({ x, y }) => chartPoint(x, y)),
            dark,
          ),
          ...{ color, width: 1.2 },
        })),
      ...this.lines(shown),
    ];
  }

  private lines(shown: Shown<Values, Answer>): readonly Series[] {
    const { dark } = this;
    const { values, result } = shown;
    if (values.show === 'cost') {
      const line = (id: keyof KernelTrickCosts, label: string, color: number): Series => ({
        ...{ id, label, color: colorAt(color, dark), mark: 'circle', bare: true },
        points: (result.costs ?? []).map((cost, i) => chartPoint(LENGTHS[i] as number, cost[id])),
      });
      return [
        line('implicitSmoothing', words.costs.implicit, 1),
        line('implicitRidge', words.costs.ridge, 5),
        line('explicitSmoothing', words.costs.explicit, 3),
      ];
    }
    if (values.show === 'time') return this.timeSeries(result.times ?? []);
    if (values.show === 'variance') {
      const line = (id: 'offset' | 'paired', color: number): Series => ({
        ...{ id, label: words.variances[id], color: colorAt(color, dark), mark: MARKS[id] },
        ...{ bare: true, width: 2.5 },
        points: pointsAlong(DISTANCES.data, result.variance?.[id].data ?? []),
      });
      return [line('offset', 1), line('paired', 3)];
    }
    if (values.show === 'rank') {
      const line = (
        id: 'effective' | 'points',
        color: number,
        of: (i: number) => number,
      ): Series => ({
        ...{ id, label: words.ranks[id], color: colorAt(color, dark), mark: 'circle' },
        model: id === 'points',
        points: LAMBDAS.map((lambda, i) => chartPoint(lambda, of(i))),
      });
      const ranks = result.ranks ?? [];
      return [
        line('effective', 1, (i) => ranks[i]?.effectiveDimension ?? Number.NaN),
        line('points', 2, () => values.n),
      ];
    }
    const methods = (Object.keys(MARKS) as Method[]).map(
      (method, i): Series => ({
        ...{ id: method, label: words.names[method], color: colorAt([1, 3, 4, 5][i] ?? 0, dark) },
        mark: MARKS[method],
        points: this.errorsOf(shown, method).map(({ D, mean, least, largest }) =>
          chartPoint(D, mean, least, largest),
        ),
      }),
    );
    const best = result.errors?.bestGramErrors ?? [];
    if (values.show !== 'gram') return methods;
    return [
      ...methods,
      {
        ...{ id: 'best', label: words.best, color: colorAt(2, dark), mark: 'circle', model: true },
        // Beyond the number of points nothing is missed, and a logarithmic axis has no 0.
        points: FEATURES.flatMap((D, i) =>
          (best[i] ?? 0) > 1e-7 ? [chartPoint(D, best[i] as number)] : [],
        ),
      },
    ];
  }

  private timeSeries(times: readonly Timed[]): readonly Series[] {
    const { dark } = this;
    const line = (id: 'kernel' | 'features', color: number, mark: Series['mark']): Series => ({
      ...{ id, label: words.times[id], color: colorAt(color, dark), mark },
      points: times.map(({ n, [id]: { median, least, largest } }) =>
        chartPoint(n, median, least, largest),
      ),
    });
    return [line('kernel', 1, 'circle'), line('features', 3, 'square')];
  }

  private otherVerdict({ values, result }: Shown<Values, Answer>): string | undefined {
    const { n, features } = values;
    const { times, variance, ranks, errors } = result;
    const last = times?.[times.length - 1];
    if (last) {
      const error = errors?.points[0]?.smoothingError.mean ?? Number.NaN;
      return words.timeVerdict(
        ...([formatNumber(last.n), formatNumber(last.kernel.median)] as const),
        ...([formatNumber(last.features.median), features] as const),
        ...([formatNumber(error), formatNumber(ERROR_AT)] as const),
      );
    }
    if (variance) {
      const [paired, offset] = [variance.paired.data[0] ?? 0, variance.offset.data[0] ?? 0];
      return words.varianceVerdict(features, formatNumber(paired), formatNumber(offset));
    }
    const at = ranks?.[LAMBDAS.indexOf(LAMBDA)];
    if (at) return words.rankVerdict(formatNumber(LAMBDA), formatNumber(at.effectiveDimension), n);
    return undefined;
  }

  protected override resultLine(shown: Shown<Values, Answer>): string {
    const { values, result } = shown;
    const other = this.otherVerdict(shown);
    if (other !== undefined) return other;
    if (values.show === 'cost') {
      const { costs = [] } = result;
      const [n, cost] = [LENGTHS[LENGTHS.length - 1] ?? 0, costs[costs.length - 1]];
      return words.costVerdict(
        formatNumber(n),
        formatNumber(cost?.implicitSmoothing ?? Number.NaN),
        formatNumber(cost?.explicitSmoothing ?? Number.NaN),
      );
    }
    const D = COMPARED;
    const found = (Object.keys(MARKS) as Method[]).flatMap((method) => {
      const point = this.errorsOf(shown, method).find((one) => one.D === D);
      return point && Number.isFinite(point.mean) ? [{ method, mean: point.mean }] : [];
    });
    found.sort((a, b) => a.mean - b.mean);
    const [first, last] = [found[0], found[found.length - 1]];
    if (!first || !last) return '';
    return words.verdict(
      ...([words.names[first.method], D, formatNumber(first.mean)] as const),
      ...([words.names[last.method], formatNumber(last.mean)] as const),
    );
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  /** The errors with D = 64 features, or what `show` counts at the greatest length. */
  protected override keyNumbers(shown: Shown<Values, Answer>): readonly KeyNumber[] {
    const { costs, times, ranks } = shown.result;
    const cost = costs?.at(-1);
    if (cost) {
      return [
        { label: words.times.kernel, value: cost.implicitSmoothing },
        { label: words.times.features, value: cost.explicitSmoothing },
      ];
    }
    const time = times?.at(-1);
    if (time) {
      return (['kernel', 'features'] as const).map((id) => ({
        label: words.times[id],
        value: time[id].median,
        text: `${formatNumber(time[id].median)} ms`,
      }));
    }
    const rank = ranks?.[LAMBDAS.indexOf(LAMBDA)];
    if (rank) return [{ label: words.ranks.effective, value: rank.effectiveDimension }];
    // All of them are of one D, which the first one says.
    return (Object.keys(MARKS) as Method[]).flatMap((method, i) => {
      const point = this.errorsOf(shown, method).find((one) => one.D === COMPARED);
      const label = i === 0 ? `D = ${COMPARED}, ${words.names[method]}` : words.names[method];
      return point && Number.isFinite(point.mean) ? [{ label, value: point.mean }] : [];
    });
  }

  protected override renderDetails(): unknown {
    return html`<p class="fine">${words.methods}</p>`;
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { show } = shown.values;
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.series(shown),
      x: AXES[ACROSS[show]],
      y: show === 'variance' ? { linear: true } : {},
      ...{ xLabel: words.x[ACROSS[show]], yLabel: words.y[show], summary: this.summary(shown) },
    }));
  }

  protected override caption({ values }: Shown<Values, Answer>): string {
    const { n, d, gamma, seed, show, features } = values;
    if (show === 'time') return words.timeCaption(d, features);
    if (show === 'variance') return words.varianceCaption(features, formatNumber(gamma));
    if (show === 'rank') return words.rankCaption(n, d, formatNumber(gamma), seed);
    return show === 'cost'
      ? words.costCaption(d, features)
      : words.caption(n, d, formatNumber(gamma), DRAWS, seed);
  }

  protected override data(shown: Shown<Values, Answer>): FigureData {
    const { times, variance, ranks, costs } = shown.result;
    if (times) {
      return {
        columns: ['n', 'implicit ms', 'explicit ms'],
        rows: times.map(({ n, kernel, features }) => [n, kernel.median, features.median]),
      };
    }
    if (variance) {
      return {
        columns: ['distance', 'kernel', 'offset', 'paired'],
        rows: Array.from(DISTANCES.data, (x, i) => [
          ...[x, variance.kernel.data[i] ?? null],
          ...[variance.offset.data[i] ?? null, variance.paired.data[i] ?? null],
        ]),
      };
    }
    if (ranks) {
      return {
        columns: ['lambda', 'effective dimension'],
        rows: LAMBDAS.map((lambda, i) => [lambda, ranks[i]?.effectiveDimension ?? null]),
      };
    }
    if (costs) {
      return {
        columns: ['n', 'implicit', 'explicit'],
        rows: costs.map((cost, i) => [
          ...[LENGTHS[i] as number, cost.implicitSmoothing, cost.explicitSmoothing],
        ]),
      };
    }
    return {
      columns: words.columns,
      rows: (Object.keys(MARKS) as Method[]).flatMap((method) =>
        this.errorsOf(shown, method).map(({ D, mean, least, largest }) => [
          ...[D, method, mean, least, largest],
        ]),
      ),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-approximation': AttnKernelApproximation;
  }
}
