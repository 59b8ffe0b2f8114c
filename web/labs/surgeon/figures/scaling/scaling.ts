import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ScalingCell } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { chartFile, colors, ghostly, numbers, said } from '../parts.ts';

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

  protected override readonly firstKnobs = ['measure', 'n'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('measure', { label: words.measure, options: words.measures, list: true }),
      slider('n', { symbol: 'n', label: words.n, log: true }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
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

  /** The guess of a question as a level of the chart: the truth is the lower line. */
  private levels({ values }: Shown<Values, Result>): readonly Level[] {
    const { guess } = this.bothAnswers;
    if (guess === undefined || values.measure !== 'rowMax') return [];
    return [{ y: guess, label: `${nameOf('guess')}, ${formatTick(guess)}`, dashed: true }];
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { values } = shown;
    const { ghost } = this;
    const series = this.series(shown);
    // Another measure has another axis.
    const before =
      ghost && ghost.values.measure === values.measure
        ? ghostly(this.series(ghost), this.dark)
        : [];
    return html`<attn-line-chart
      .level=${4}
      .series=${[...before, ...series]}
      .levels=${this.levels(shown)}
      .x=${{ count: 'binary' }}
      .y=${LINEAR.includes(values.measure) ? { linear: true, low: 0 } : {}}
      .xLabel=${words.dK}
      .yLabel=${words.measures[values.measure]}
      .describe=${({ series: id, point }: { series: string; point: number }) => {
        const one = [...before, ...series].find((line) => line.id === id);
        const at = one?.points[point];
        return one && at ? words.point(one.label, at.x, formatNumber(at.y)) : '';
      }}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    const { result } = shown;
    return html`${said(this.sentences(shown))}
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
    )}`;
  }

  protected override resultLine({ values, result }: Shown<Values, Result>): string {
    const of = MEASURES[values.measure];
    const say = (dK: number, scaled: boolean): string => {
      const cell = this.at(result, dK, scaled);
      return cell ? formatNumber(of(cell)[0]) : '';
    };
    const [first = 0, last = 0] = [WIDTHS[0], WIDTHS.at(-1)];
    return words.line(
      words.measures[values.measure],
      [first, last],
      [say(first, false), say(last, false)],
      [say(first, true), say(last, true)],
    );
  }

  /** Numbers of two measures are not compared. */
  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    return before.values.measure === now.values.measure
      ? super.difference(before, now)
      : this.resultLine(now);
  }

  protected override keyNumbers({ values, result }: Shown<Values, Result>): KeyNumber[] {
    const of = MEASURES[values.measure];
    return [true, false].flatMap((scaled) => {
      const cell = this.at(result, 64, scaled);
      const name = scaled ? words.scaled : words.unscaled;
      return cell ? [{ label: words.atWidth(name, 64), value: of(cell)[0] }] : [];
    });
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
