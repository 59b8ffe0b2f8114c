import { customElement, query } from 'lit/decorators.js';
import type { DeepKernelTrained } from '#client';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt, lineBefore, pointsAlong } from '../../../../src/figures/chart.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import { type DeepAnswer, grid, TESTS, trainDeep } from './train.ts';

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

/**
 * A Gaussian process with an RBF kernel, and one whose kernel has a trained network below it.
 *
 * @element attn-deep-kernel
 */
@customElement('attn-deep-kernel')
export class AttnDeepKernel extends LabFigure<DeepAnswer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['data', 'hidden'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  protected override get wordsLang(): 'en' | undefined {
    return learningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  private readonly trainings = this.recentAnswers<DeepKernelTrained>(8);

  protected override compute(values: StateOf<Table>, ask: Ask): Promise<DeepAnswer> {
    const { hidden: _, ...depends } = values;
    return trainDeep(this.tools.client, values, ask, (hidden, make) =>
      this.trainings.of({ ...depends, hidden }, make),
    );
  }

  private series({ result }: Shown<StateOf<Table>, DeepAnswer>): readonly Series[] {
    const { dark, ghost } = this;
    const { points, truth, plain, deep } = result;
    const band = (id: 'plain' | 'deep', made: DeepKernelTrained, color: number): Series => ({
      ...{
        id,
        label: words.lines[id],
        color: colorAt(color, dark),
        mark: 'circle',
        bare: true,
        band: true,
      },
      width: 2.5,
      points: Array.from(grid.data, (x, i) => {
        const mean = made.mean.data[i] ?? Number.NaN;
        const spread = 2 * (made.deviation.data[i] ?? 0);
        return chartPoint(x, mean, mean - spread, mean + spread);
      }),
    });
    return [
      ...(ghost
        ? [lineBefore('deep', pointsAlong(grid.data, ghost.result.deep.mean.data), dark)]
        : []),
      band('plain', plain, 3),
      band('deep', deep, 1),
      {
        ...{ id: 'truth', label: words.lines.truth, color: colorAt(2, dark), mark: 'circle' },
        ...{ bare: true, model: true },
        points: pointsAlong(grid.data, truth.data),
      },
      {
        ...{ id: 'data', label: words.lines.data, color: colorAt(0, dark), mark: 'circle' },
        ...{ line: 'none', unnamed: true },
        points: pointsAlong(points.x.data, points.y.data),
      },
    ];
  }

  private curves({
    result: { plain, deep },
  }: Shown<StateOf<Table>, DeepAnswer>): readonly Series[] {
    const line = (
      id: keyof typeof words.curves,
      made: DeepKernelTrained,
      member: 'logMarginalLikelihood' | 'testLogDensity',
      color: number,
    ): Series => ({
      ...{
        id,
        label: words.curves[id],
        color: colorAt(color, this.dark),
        mark: 'circle',
        bare: true,
      },
      model: member === 'testLogDensity',
      points: made.curve.map((point, step) => chartPoint(step, point[member])),
    });
    return [
      line('train', deep, 'logMarginalLikelihood', 1),
      line('test', deep, 'testLogDensity', 1),
      line('plainTrain', plain, 'logMarginalLikelihood', 3),
      line('plainTest', plain, 'testLogDensity', 3),
    ];
  }

  protected override resultLine({
    result: { plain, deep },
  }: Shown<StateOf<Table>, DeepAnswer>): string {
    const [a, b] = [deep.curve.at(-1), plain.curve.at(-1)];
    if (!a || !b) return '';
    const more = a.logMarginalLikelihood > b.logMarginalLikelihood;
    return words.verdict(
      formatNumber(a.logMarginalLikelihood),
      formatNumber(b.logMarginalLikelihood),
      formatNumber(a.testLogDensity),
      formatNumber(b.testLogDensity),
      a.testLogDensity > b.testLogDensity ? words.helps : more ? words.fools : words.neither,
    );
  }

  protected override summary(shown: Shown<StateOf<Table>, DeepAnswer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    result: { plain, deep },
  }: Shown<StateOf<Table>, DeepAnswer>): readonly KeyNumber[] {
    const [a, b] = [deep.curve.at(-1), plain.curve.at(-1)];
    if (!a || !b) return [];
    return [
      { label: words.curves.train, value: a.logMarginalLikelihood },
      { label: words.curves.test, value: a.testLogDensity },
      { label: words.curves.plainTest, value: b.testLogDensity },
    ];
  }

  protected override renderDetails(shown: Shown<StateOf<Table>, DeepAnswer>): unknown {
    return numbers([
      ...this.keyNumbers(shown).map(({ label, value }) => [label, formatNumber(value)] as const),
      [words.count, String(shown.result.deep.parameterCount)],
    ]);
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      choice('data', { label: words.data, options: words.functions, list: true }),
      slider('hidden', { label: words.hidden, log: true }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('noise', { label: words.noise }),
      slider('steps', { label: words.steps }),
      seedKnob(),
    ];
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { curves: words.curveTitle };
  }

  protected override pictures() {
    return { curves: (shown: Shown<StateOf<Table>, DeepAnswer>) => this.renderCurves(shown) };
  }

  private renderCurves(shown: Shown<StateOf<Table>, DeepAnswer>): unknown {
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.curves(shown),
      x: { linear: true },
      y: { linear: true },
      ...{ xLabel: words.curveX, yLabel: words.curveY, summary: this.summary(shown) },
    }));
  }

  protected override renderResult(shown: Shown<StateOf<Table>, DeepAnswer>): unknown {
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.series(shown),
      x: { linear: true, low: -3.2, high: 3.2 },
      y: { linear: true, low: -3, high: 3 },
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override caption({ values }: Shown<StateOf<Table>, DeepAnswer>): string {
    const { n, noise, hidden, steps, seed: from } = values;
    return words.caption(n, formatNumber(noise), hidden, steps, from, TESTS);
  }

  protected override data({
    result: { plain, deep },
  }: Shown<StateOf<Table>, DeepAnswer>): FigureData {
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

  protected override svg(shown: Shown<StateOf<Table>, DeepAnswer>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-deep-kernel': AttnDeepKernel;
  }
}
