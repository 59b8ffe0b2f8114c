import { customElement, query } from 'lit/decorators.js';
import type { Matrix, MeanDiscrepancy, TwoSamples } from '#client';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt, lineBefore, pointsAlong } from '../../../../src/figures/chart.ts';
import { lineGrid } from '../../../../src/figures/kernel/line-grid.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';

const { discrepancy: words } = figureWords.now;

const table = {
  shift: number({ key: 'shift', min: 0, max: 4, default: 1 }),
  spread: number({ key: 'spread', min: 0.1, max: 3, default: 1 }),
  n: integer({ key: 'n', min: 2, max: 400, default: 40 }),
  gamma: number({ key: 'g', min: 0.05, max: 20, default: 1 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

interface Answer {
  readonly samples: TwoSamples;
  readonly first: Matrix;
  readonly second: Matrix;
  readonly witness: Matrix;
  readonly discrepancy: MeanDiscrepancy;
}

const REACH = 5;
const grid = lineGrid(-REACH, REACH, 161);

/**
 * Two samples as two functions of one RKHS, their mean embeddings, and the norm of the difference.
 *
 * @element attn-kernel-discrepancy
 */
@customElement('attn-kernel-discrepancy')
export class AttnKernelDiscrepancy extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['shift', 'spread'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { n, shift, spread, seed: from, gamma } = values;
    const kernel = { id: 'rbf', parameters: { gamma } };
    const samples = await client.twoSamples({ n, shift, spread, seed: from }, { signal });
    const onGrid = async (of: { points: Matrix; alpha: Matrix }): Promise<Matrix> =>
      client.rkhsValues({ kernel, x: of.points, alpha: of.alpha, z: grid }, { signal });
    const mean = async (x: Matrix): Promise<Matrix> =>
      onGrid(await client.meanEmbedding({ x }, { signal }));
    const discrepancy = await client.maximumMeanDiscrepancy(
      { kernel, x: samples.x, y: samples.y },
      { signal },
    );
    const [first, second, witness] = await Promise.all([
      mean(samples.x),
      mean(samples.y),
      onGrid(discrepancy.witness),
    ]);
    return { samples, first, second, witness, discrepancy };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('shift', { label: words.shift }),
      slider('spread', { label: words.spread, log: true }),
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('gamma', { label: words.gamma, symbol: 'γ', log: true }),
      seedKnob(),
    ];
  }

  private series({ result }: Shown<Values, Answer>): readonly Series[] {
    const { dark, ghost } = this;
    const line = (id: 'first' | 'second' | 'witness', color: number): Series => ({
      ...{ id, label: words.lines[id], color: colorAt(color, dark), mark: 'circle', bare: true },
      ...{ width: 2.5, model: id === 'witness' },
      points: pointsAlong(grid.data, result[id].data),
    });
    // Each number of a sample stands on the axis, the second sample's a little below the first's.
    const places = (id: 'x' | 'y', color: number, mark: Series['mark'], at: number): Series => ({
      ...{
        id,
        label: words.lines[id],
        color: colorAt(color, dark),
        mark,
        line: 'none',
        unnamed: true,
      },
      points: Array.from(result.samples[id].data, (x) => chartPoint(x, at)),
    });
    return [
      ...(ghost
        ? [lineBefore('witness', pointsAlong(grid.data, ghost.result.witness.data), dark)]
        : []),
      line('first', 1),
      line('second', 3),
      line('witness', 4),
      places('x', 1, 'circle', 0),
      places('y', 3, 'square', -0.04),
    ];
  }

  protected override resultLine({ result: { discrepancy } }: Shown<Values, Answer>): string {
    return words.verdict(formatNumber(discrepancy.biased), formatNumber(discrepancy.unbiased));
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    result: { discrepancy },
  }: Shown<Values, Answer>): readonly KeyNumber[] {
    return [
      { label: words.biased, value: discrepancy.biased },
      { label: words.unbiased, value: discrepancy.unbiased },
    ];
  }

  protected override renderDetails(shown: Shown<Values, Answer>): unknown {
    return numbers(this.keyNumbers(shown).map(({ label, value }) => [label, formatNumber(value)]));
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.series(shown),
      x: { linear: true, low: -REACH, high: REACH },
      y: { linear: true },
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override caption({ values }: Shown<Values, Answer>): string {
    const { n, shift, spread, gamma, seed: from } = values;
    return words.caption(
      ...([n, formatNumber(shift), formatNumber(spread), formatNumber(gamma), from] as const),
    );
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: Array.from(grid.data, (x, i) => [
        x,
        result.first.data[i] ?? null,
        result.second.data[i] ?? null,
        result.witness.data[i] ?? null,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-discrepancy': AttnKernelDiscrepancy;
  }
}
