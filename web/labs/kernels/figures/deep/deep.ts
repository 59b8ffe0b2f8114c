import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { DeepKernelTrained, LinePoints, Matrix } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import { lineGrid } from '../line-grid.ts';

const { deep: words } = learningWords.now;

const table = {
  data: oneOf({ key: 'data', values: ['step', 'chirp', 'sine', 'nothing'], default: 'step' }),
  n: integer({ key: 'n', min: 6, max: 120, default: 40 }),
  hidden: integer({ key: 'hidden', min: 1, max: 128, default: 32 }),
  steps: integer({ key: 'steps', min: 10, max: 600, default: 150 }),
  noise: number({ key: 'noise', min: 0, max: 1, default: 0.1 }),
  seed: seed(),
};
type Table = typeof table;

interface Answer {
  readonly points: LinePoints;
  readonly truth: Matrix;
  readonly plain: DeepKernelTrained;
  readonly deep: DeepKernelTrained;
}

const TESTS = 100;
const grid = lineGrid(-3.2, 3.2, 129);

/**
 * A Gaussian process with an RBF kernel, and one whose kernel has a trained network below it.
 *
 * @element attn-deep-kernel
 */
@customElement('attn-deep-kernel')
export class AttnDeepKernel extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['data', 'n', 'hidden'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  protected override get wordsLang(): 'en' | undefined {
    return learningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  private readonly trainings = this.recentAnswers<DeepKernelTrained>(8);

  protected override async compute(values: StateOf<Table>, ask: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { signal } = ask;
    const { n, noise, hidden, steps, seed: from } = values;
    const of = { function: values.data, noise };
    const points = await client.linePoints({ ...of, n, seed: from }, { signal });
    // Its own seed, so that no new point is a training point.
    const tests = await client.linePoints({ ...of, n: TESTS, seed: 2 ** 31 + from }, { signal });
    const truth = await client.lineFunction({ function: values.data, x: grid }, { signal });
    const given = { x: points.x, y: points.y, xTest: tests.x, yTest: tests.y, z: grid };
    const train = (neurons: number): Promise<DeepKernelTrained> =>
      this.trainings.of([of, n, steps, from, neurons], () =>
        client.deepKernelTraining(
          { ...given, hidden: neurons, features: 2, steps, seed: from },
          ask,
        ),
      );
    return { points, truth, plain: await train(0), deep: await train(hidden) };
  }

  private series({ result }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const { points, truth, plain, deep } = result;
    const band = (
      id: 'plain' | 'deep',
      made: DeepKernelTrained,
      color: string | undefined,
    ): Series => ({
      ...{ id, label: words.lines[id], color: color ?? '', mark: 'circle', bare: true, band: true },
      width: 2.5,
      points: Array.from(grid.data, (x, i) => {
        const mean = made.mean.data[i] ?? Number.NaN;
        const spread = 2 * (made.deviation.data[i] ?? 0);
        return chartPoint(x, mean, mean - spread, mean + spread);
      }),
    });
    return [
      band('plain', plain, colors[3]),
      band('deep', deep, colors[1]),
      {
        ...{ id: 'truth', label: words.lines.truth, color: colors[2] ?? '', mark: 'circle' },
        ...{ bare: true, model: true },
        points: Array.from(grid.data, (x, i) => chartPoint(x, truth.data[i] ?? 0)),
      },
      {
        ...{ id: 'data', label: words.lines.data, color: colors[0] ?? '', mark: 'circle' },
        ...{ line: 'none', unnamed: true },
        points: Array.from(points.x.data, (x, i) => chartPoint(x, points.y.data[i] ?? 0)),
      },
    ];
  }

  private curves({ result: { plain, deep } }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const line = (
      id: keyof typeof words.curves,
      made: DeepKernelTrained,
      member: 'logMarginalLikelihood' | 'testLogDensity',
      color: string | undefined,
    ): Series => ({
      ...{ id, label: words.curves[id], color: color ?? '', mark: 'circle', bare: true },
      model: member === 'testLogDensity',
      points: made.curve.map((point, step) => chartPoint(step, point[member])),
    });
    return [
      line('train', deep, 'logMarginalLikelihood', colors[1]),
      line('test', deep, 'testLogDensity', colors[1]),
      line('plainTrain', plain, 'logMarginalLikelihood', colors[3]),
      line('plainTest', plain, 'testLogDensity', colors[3]),
    ];
  }

  private verdict({ result: { plain, deep } }: Shown<StateOf<Table>, Answer>): string {
    const [a, b] = [deep.curve.at(-1), plain.curve.at(-1)];
    if (!a || !b) return '';
    const numbers = words.verdict(
      deep.parameterCount,
      formatNumber(a.logMarginalLikelihood),
      formatNumber(b.logMarginalLikelihood),
      formatNumber(a.testLogDensity),
      formatNumber(b.testLogDensity),
    );
    const more = a.logMarginalLikelihood > b.logMarginalLikelihood;
    if (a.testLogDensity > b.testLogDensity) return `${numbers} ${words.helps}`;
    return `${numbers} ${more ? words.fools : words.neither}`;
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.verdict(shown).replaceAll('*', '');
  }

  protected override renderKnobs(): unknown {
    return html`${this.choice('data', { label: words.data, options: words.functions, list: true })}
      ${this.slider('n', { label: words.n, symbol: 'n' })}
      ${this.slider('hidden', { label: words.hidden, log: true })}
      ${this.slider('noise', { label: words.noise })}
      ${this.slider('steps', { label: words.steps })}
      ${this.seed()}`;
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    return html`<div class="learning-pair"><attn-line-chart
          .level=${4}
          .series=${this.series(shown)}
          .x=${{ linear: true, low: -3.2, high: 3.2 }}
          .y=${{ linear: true, low: -3, high: 3 }}
          .xLabel=${words.x}
          .yLabel=${words.y}
          .summary=${this.summary(shown)}
        ></attn-line-chart>
        <attn-line-chart
          .level=${4}
          .heading=${words.curveTitle}
          .series=${this.curves(shown)}
          .x=${{ linear: true }}
          .y=${{ linear: true }}
          .xLabel=${words.curveX}
          .yLabel=${words.curveY}
        ></attn-line-chart>
      </div>
      <p class="verdict">${rich(this.verdict(shown))}</p>`;
  }

  protected override caption({ values }: Shown<StateOf<Table>, Answer>): string {
    const { n, noise, hidden, steps, seed: from } = values;
    return words.caption(n, formatNumber(noise), hidden, steps, from, TESTS);
  }

  protected override data({ result: { plain, deep } }: Shown<StateOf<Table>, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: Array.from(grid.data, (x, i) => [
        x,
        plain.mean.data[i] ?? null,
        plain.deviation.data[i] ?? 0,
        deep.mean.data[i] ?? null,
        deep.deviation.data[i] ?? 0,
      ]),
    };
  }

  protected override svg(shown: Shown<StateOf<Table>, Answer>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-deep-kernel': AttnDeepKernel;
  }
}
