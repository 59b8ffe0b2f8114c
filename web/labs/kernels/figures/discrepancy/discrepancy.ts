import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { Matrix, MeanDiscrepancy, TwoSamples } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { lineGrid } from '../line-grid.ts';
import { numbers } from '../shared/numbers.ts';

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

  protected override renderKnobs(): unknown {
    return html`${this.slider('shift', { label: words.shift })}
    ${this.slider('gamma', { label: words.gamma, symbol: 'γ', log: true })}
    ${this.slider('n', { label: words.n, symbol: 'n', log: true })}
    ${this.slider('spread', { label: words.spread, log: true })} ${this.seed()}`;
  }

  private series({ result }: Shown<Values, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const line = (id: 'first' | 'second' | 'witness', color: number): Series => ({
      ...{ id, label: words.lines[id], color: colors[color] ?? '', mark: 'circle', bare: true },
      ...{ width: 2.5, model: id === 'witness' },
      points: Array.from(grid.data, (x, i) => chartPoint(x, result[id].data[i] ?? 0)),
    });
    // Each number of a sample stands on the axis, the second sample's a little below the first's.
    const places = (id: 'x' | 'y', color: number, mark: Series['mark'], at: number): Series => ({
      ...{
        id,
        label: words.lines[id],
        color: colors[color] ?? '',
        mark,
        line: 'none',
        unnamed: true,
      },
      points: Array.from(result.samples[id].data, (x) => chartPoint(x, at)),
    });
    return [
      line('first', 1),
      line('second', 3),
      line('witness', 4),
      places('x', 1, 'circle', 0),
      places('y', 3, 'square', -0.04),
    ];
  }

  private verdict({ result: { discrepancy } }: Shown<Values, Answer>): string {
    return words.verdict(formatNumber(discrepancy.biased), formatNumber(discrepancy.unbiased));
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.verdict(shown);
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { biased, unbiased } = shown.result.discrepancy;
    return html`<attn-line-chart
        .level=${4}
        .series=${this.series(shown)}
        .x=${{ linear: true, low: -REACH, high: REACH }}
        .y=${{ linear: true }}
        .xLabel=${words.x}
        .yLabel=${words.y}
        .summary=${this.summary(shown)}
      ></attn-line-chart>
      ${numbers([
        [words.biased, formatNumber(biased)],
        [words.unbiased, formatNumber(unbiased)],
      ])}
      <p class="verdict">${this.verdict(shown)}</p>`;
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
