import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { LinePoints, WideTraining } from '#client';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt, lineBefore, pointsAlong } from '../../../../src/figures/chart.ts';
import { lineGrid } from '../../../../src/figures/kernel/line-grid.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import { curveOf } from '../../../../src/lab/questions/answer-scoring.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import { FIRST_STEPS, SWEEP, trainWide } from './train.ts';

const { wide: words } = learningWords.now;

const table = {
  width: integer({ key: 'width', min: 4, max: 4096, default: 32 }),
  layers: integer({ key: 'layers', min: 1, max: 3, default: 1 }),
  steps: integer({ key: 'steps', min: 1, max: 1000, default: FIRST_STEPS }),
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
  /** Whether the picture that is being rendered, which its sentence is about, is that of many widths. */
  private sweeps = false;
  override readonly table = table;
  protected override readonly firstKnobs = ['width', 'steps'] as const;

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
    const { dark, ghost } = this;
    const line = (id: 'start' | 'network' | 'kernel', color: number): Series => ({
      ...{ id, label: words.lines[id], color: colorAt(color, dark), mark: 'circle', bare: true },
      ...{ width: id === 'start' ? 1.25 : 2.5, model: id === 'kernel' },
      points: pointsAlong(grid.data, trained[id].data),
    });
    const before = ghost?.result.trained.network.data;
    return [
      ...(before ? [lineBefore('network', pointsAlong(grid.data, before), dark)] : []),
      line('start', 2),
      line('network', 1),
      line('kernel', 3),
      {
        ...{ id: 'data', label: words.lines.data, color: colorAt(0, dark), mark: 'circle' },
        ...{ line: 'none', unnamed: true },
        points: pointsAlong(points.x.data, points.y.data),
      },
    ];
  }

  private sweepSeries({ result: { sweep } }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const line = (
      id: keyof typeof words.sweep,
      member: 'difference' | 'weightChange' | 'kernelChange',
      color: number,
      mark: Series['mark'],
    ): Series => ({
      ...{ id, label: words.sweep[id], color: colorAt(color, this.dark), mark },
      points: sweep.map(({ width, trained }) => chartPoint(width, trained[member])),
    });
    return [
      line('difference', 'difference', 1, 'circle'),
      line('weights', 'weightChange', 3, 'triangle'),
      line('kernel', 'kernelChange', 4, 'square'),
    ];
  }

  protected override resultLine({
    values,
    result: { trained, sweep },
  }: Shown<StateOf<Table>, Answer>): string {
    const [first, last] = [sweep[0], sweep.at(-1)];
    if (this.sweeps && first && last) {
      const ends = (of: 'kernelChange' | 'weightChange'): readonly string[] =>
        [first, last].map((one) => formatNumber(one.trained[of], 2));
      return words.sweepVerdict(
        ...([first.width, last.width, ends('weightChange'), ends('kernelChange')] as const),
      );
    }
    return words.verdict(this.widthOf(values), formatNumber(trained.difference));
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    result: { trained },
  }: Shown<StateOf<Table>, Answer>): readonly KeyNumber[] {
    return [
      { label: words.sweep.difference, value: trained.difference },
      { label: words.sweep.weights, value: trained.weightChange },
      { label: words.sweep.kernel, value: trained.kernelChange },
    ];
  }

  protected override renderDetails(shown: Shown<StateOf<Table>, Answer>): unknown {
    return numbers(this.keyNumbers(shown).map(({ label, value }) => [label, formatNumber(value)]));
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    const most = this.values.layers > 1 ? MOST_DEEP : table.width.max;
    return [
      slider('width', { label: words.width, log: true, max: most }),
      slider('layers', { label: words.layers }),
      slider('steps', { label: words.steps, log: true }),
      seedKnob(),
    ];
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { sweep: words.sweepTitle };
  }

  protected override pictures() {
    return {
      sweep: (shown: Shown<StateOf<Table>, Answer>) => {
        this.sweeps = true;
        return this.renderSweep(shown);
      },
    };
  }

  private renderSweep(shown: Shown<StateOf<Table>, Answer>): unknown {
    if (shown.result.sweep.length === 0) return html`<p class="fine">${words.noSweep}</p>`;
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.sweepSeries(shown),
      ...{ xLabel: words.sweepX, yLabel: words.sweepY, summary: this.summary(shown) },
    }));
  }

  /** The reader's curve and the true one, until a knob is moved. */
  private renderBoth(asked: Question, shown: Shown<StateOf<Table>, Answer>): unknown {
    const { answer, guess, truth } = asked;
    const along = (said: Question['guess']): Series['points'] =>
      answer.kind === 'curve'
        ? (curveOf(said, answer) ?? []).map((y, i) => chartPoint(answer.x[i] ?? Number.NaN, y))
        : [];
    return chart([guess, truth, shown, this.dark], () => ({
      series: [
        {
          ...{ ...lookOf('guess', this.dark), id: 'guess', label: nameOf('guess'), model: true },
          points: along(guess),
        },
        {
          ...{ id: 'truth', label: words.sweep.difference, color: colorAt(1, this.dark) },
          ...{ mark: 'circle', points: along(truth) },
        },
      ],
      ...{ xLabel: words.sweepX, yLabel: words.distance, summary: this.summary(shown) },
    }));
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    this.sweeps = false;
    const asked = this.answeredHere;
    if (asked) return this.renderBoth(asked, shown);
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.series(shown),
      x: { linear: true, low: -3.2, high: 3.2 },
      y: { linear: true },
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
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
