import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { LinePoints, Matrix, WideTraining } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import { lineGrid } from '../line-grid.ts';
import { SWEEP, trainWide } from './train.ts';

const { wide: words } = learningWords.now;

const table = {
  width: integer({ key: 'width', min: 4, max: 4096, default: 32 }),
  layers: integer({ key: 'layers', min: 1, max: 3, default: 1 }),
  steps: integer({ key: 'steps', min: 1, max: 1000, default: 200 }),
  seed: seed(),
};
type Table = typeof table;

interface Answer {
  readonly points: LinePoints;
  readonly trained: WideTraining;
  /** The same at other widths; only of one hidden layer, whose wide networks are quick. */
  readonly sweep: readonly { readonly width: number; readonly trained: WideTraining }[];
}

const grid = lineGrid(-Math.PI, Math.PI, 145);
/** The widest network of several layers, whose weights grow with the square of it. */
const MOST_DEEP = 512;

/**
 * A finite network after training, and what the infinitely wide one would be then.
 *
 * @element attn-wide-network
 */
@customElement('attn-wide-network')
export class AttnWideNetwork extends LabFigure<Answer, Table> {
  override readonly table = table;

  @query('attn-line-chart') private chart!: AttnLineChart;

  protected override get wordsLang(): 'en' | undefined {
    return learningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  private readonly trainings = this.recentAnswers<Awaited<ReturnType<typeof trainWide>>>(16);

  private widthOf({ width, layers }: StateOf<Table>): number {
    return layers > 1 ? Math.min(width, MOST_DEEP) : width;
  }

  protected override async compute(values: StateOf<Table>, ask: Ask): Promise<Answer> {
    const { layers, steps, seed: from } = values;
    const train = (width: number) => {
      const how = { layers, steps, seed: from, width };
      return this.trainings.of(how, () => trainWide(this.tools.client, how, grid, ask));
    };
    const { points, trained } = await train(this.widthOf(values));
    const sweep: { width: number; trained: WideTraining }[] = [];
    for (const width of layers === 1 ? SWEEP : []) {
      sweep.push({ width, trained: (await train(width)).trained });
    }
    return { points, trained, sweep };
  }

  private series({
    result: { points, trained },
  }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const along = (values: Matrix) =>
      Array.from(grid.data, (x, i) => chartPoint(x, values.data[i] ?? Number.NaN));
    const line = (id: 'start' | 'network' | 'kernel', color: string | undefined): Series => ({
      ...{ id, label: words.lines[id], color: color ?? '', mark: 'circle', bare: true },
      ...{ width: id === 'start' ? 1.25 : 2.5, model: id === 'kernel', points: along(trained[id]) },
    });
    return [
      line('start', colors[2]),
      line('network', colors[1]),
      line('kernel', colors[3]),
      {
        ...{ id: 'data', label: words.lines.data, color: colors[0] ?? '', mark: 'circle' },
        ...{ line: 'none', unnamed: true },
        points: Array.from(points.x.data, (x, i) => chartPoint(x, points.y.data[i] ?? 0)),
      },
    ];
  }

  private sweepSeries({ result: { sweep } }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const line = (
      id: keyof typeof words.sweep,
      member: 'difference' | 'weightChange' | 'kernelChange',
      color: string | undefined,
      mark: Series['mark'],
    ): Series => ({
      ...{ id, label: words.sweep[id], color: color ?? '', mark },
      points: sweep.map(({ width, trained }) => chartPoint(width, trained[member])),
    });
    return [
      line('difference', 'difference', colors[1], 'circle'),
      line('weights', 'weightChange', colors[3], 'triangle'),
      line('kernel', 'kernelChange', colors[4], 'square'),
    ];
  }

  private verdict({ values, result: { trained } }: Shown<StateOf<Table>, Answer>): string {
    const { difference, weightChange, kernelChange } = trained;
    return words.verdict(
      this.widthOf(values),
      formatNumber(difference),
      formatNumber(weightChange),
      formatNumber(kernelChange),
    );
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.verdict(shown).replaceAll('*', '');
  }

  protected override renderKnobs(): unknown {
    const most = this.values.layers > 1 ? MOST_DEEP : table.width.max;
    return html`${this.slider('width', { label: words.width, log: true, max: most })}
      ${this.slider('layers', { label: words.layers })}
      ${this.slider('steps', { label: words.steps, log: true })}
      ${this.seed()}`;
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    const { sweep } = shown.result;
    return html`<div class="learning-pair"><attn-line-chart
          .level=${4}
          .series=${this.series(shown)}
          .x=${{ linear: true, low: -3.2, high: 3.2 }}
          .y=${{ linear: true }}
          .xLabel=${words.x}
          .yLabel=${words.y}
          .summary=${this.summary(shown)}
        ></attn-line-chart>
        ${
          sweep.length > 0
            ? html`<attn-line-chart
                .level=${4}
                .heading=${words.sweepTitle}
                .series=${this.sweepSeries(shown)}
                .xLabel=${words.sweepX}
                .yLabel=${words.sweepY}
              ></attn-line-chart>`
            : ''
        }
      </div>
      <p class="verdict">${rich(this.verdict(shown))}</p>`;
  }

  protected override caption({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const { layers, steps, seed: from } = values;
    const { points, trained } = result;
    return words.caption(points.x.rows, layers, steps, from, trained.weightCount);
  }

  protected override data({ result: { trained } }: Shown<StateOf<Table>, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: Array.from(grid.data, (x, i) => [
        x,
        trained.start.data[i] ?? null,
        trained.network.data[i] ?? null,
        trained.kernel.data[i] ?? null,
      ]),
    };
  }

  protected override svg(shown: Shown<StateOf<Table>, Answer>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-wide-network': AttnWideNetwork;
  }
}
