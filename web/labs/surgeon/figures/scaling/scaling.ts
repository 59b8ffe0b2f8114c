import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ScalingCell } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { chartFile, colors, numbers, said } from '../parts.ts';

const words = figureWords.now.scaling;

const WIDTHS = [16, 64, 256, 1024];

/** What a cell says under each measure, with its standard error where it is a mean. */
const MEASURES = {
  rowMax: ({ rowMax }: ScalingCell) => [rowMax.mean, rowMax.standardError],
  entropy: ({ entropy }: ScalingCell) => [entropy.mean, entropy.standardError],
  meanGradient: ({ dqNorm }: ScalingCell) => [dqNorm.mean, dqNorm.standardError],
  medianGradient: ({ medianDqNorm }: ScalingCell) => [medianDqNorm, 0],
  tenthGradient: ({ tenthDqNorm }: ScalingCell) => [tenthDqNorm, 0],
  jacobian: ({ medianJacobianNorm }: ScalingCell) => [medianJacobianNorm, 0],
  smallShare: ({ smallShare }: ScalingCell) => [smallShare.mean, smallShare.standardError],
} as const satisfies Record<string, (cell: ScalingCell) => readonly [number, number]>;
type Measure = keyof typeof MEASURES;
/** Shares and bounded numbers are on a linear axis. */
const LINEAR: readonly Measure[] = ['rowMax', 'entropy', 'smallShare'];

const table = {
  measure: oneOf({
    key: 'measure',
    values: Object.keys(MEASURES) as Measure[],
    default: 'rowMax',
  }),
  n: integer({ key: 'n', min: 2, max: 64, default: 32 }),
  draws: integer({ key: 'draws', min: 1, max: 20, default: 10 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type Result = readonly ScalingCell[];

/**
 * Saturation and gradients with and without 1/√d_k, measured over d_k.
 *
 * @element attn-scaling-factor
 */
@customElement('attn-scaling-factor')
export class AttnScalingFactor extends LabFigure<Result, typeof table> {
  override readonly table = table;
  private readonly answers = this.recentAnswers<Result>(8);

  override get heading(): string {
    return words.heading;
  }

  protected override async compute({ n, draws, seed }: Values, ask: Ask): Promise<Result> {
    // The measure only chooses among the numbers of one run.
    const input = { dK: WIDTHS, n: [n], draws, seed };
    return this.answers.of(
      input,
      async () => (await this.tools.client.scalingExperiment(input, ask)).cells,
    );
  }

  protected override renderKnobs(): unknown {
    return html`${this.choice('measure', { label: words.measure, options: words.measures, list: true })}
    ${this.slider('n', { symbol: 'n', label: words.n, log: true })}
    ${this.slider('draws', { label: words.draws })} ${this.seed()}`;
  }

  private at(cells: Result, dK: number, scaled: boolean): ScalingCell | undefined {
    return cells.find((cell) => cell.dK === dK && cell.scaled === scaled);
  }

  private series({ values, result }: Shown<Values, Result>): readonly Series[] {
    const paint = colors(this.dark);
    const of = MEASURES[values.measure];
    return [false, true].map((scaled) => ({
      id: scaled ? 'scaled' : 'unscaled',
      label: scaled ? words.scaled : words.unscaled,
      color: paint[scaled ? 3 : 1] ?? '',
      mark: scaled ? ('square' as const) : ('circle' as const),
      points: result
        .filter((cell) => cell.scaled === scaled)
        .map((cell) => {
          const [value, error] = of(cell);
          const spread = Number.isFinite(error) ? 2 * error : 0;
          return chartPoint(cell.dK, value, value - spread, value + spread);
        }),
    }));
  }

  private sentences({ values, result }: Shown<Values, Result>): readonly string[] {
    const scaled = result.filter((cell) => cell.scaled).map(({ rowMax }) => rowMax.mean);
    const [first, last] = [this.at(result, 16, false), this.at(result, 1024, false)];
    if (!first || !last) return [];
    return words.sentences(
      values.n,
      formatNumber(Math.min(...scaled)),
      formatNumber(Math.max(...scaled)),
      formatNumber(first.dqNorm.mean),
      formatNumber(last.dqNorm.mean),
      formatNumber(first.medianDqNorm),
      formatNumber(last.medianDqNorm),
    );
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    const series = this.series(shown);
    return html`<attn-line-chart
        .level=${4}
        .series=${series}
        .x=${{ count: 'binary' }}
        .y=${LINEAR.includes(values.measure) ? { linear: true, low: 0 } : {}}
        .xLabel=${words.dK}
        .yLabel=${words.measures[values.measure]}
        .describe=${({ series: id, point }: { series: string; point: number }) => {
          const one = series.find((line) => line.id === id);
          const at = one?.points[point];
          return one && at ? words.point(one.label, at.x, formatNumber(at.y)) : '';
        }}
        .summary=${this.summary(shown)}
      ></attn-line-chart>
      ${numbers(
        words.table,
        words.columns,
        WIDTHS.map((d) => {
          const [off, on] = [this.at(result, d, false), this.at(result, d, true)];
          const pair = (of: (cell: ScalingCell) => number) =>
            [off, on].map((cell) => (cell ? formatNumber(of(cell)) : ''));
          return [
            String(d),
            ...pair(({ rowMax }) => rowMax.mean),
            ...pair(({ medianDqNorm }) => medianDqNorm),
            ...pair(({ dqNorm }) => dqNorm.mean),
          ];
        }),
      )}
      ${said(this.sentences(shown))}`;
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }

  protected override caption({ values: { n, draws, seed } }: Shown<Values, Result>): string {
    return words.caption(n, draws, seed);
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.sentences(shown).join(' ');
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.data,
      rows: result.map((cell) => [
        ...[cell.n, cell.dK, cell.scaled ? 1 : 0, cell.rowMax.mean, cell.rowMax.standardError],
        ...[cell.entropy.mean, cell.dqNorm.mean, cell.medianDqNorm, cell.tenthDqNorm],
        ...[cell.medianJacobianNorm, cell.smallShare.mean],
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-scaling-factor': AttnScalingFactor;
  }
}
