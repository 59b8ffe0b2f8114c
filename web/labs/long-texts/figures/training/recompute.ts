import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt, lineBefore } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { trainingWords } from '../../words/training.ts';
import { byteAxis } from '../shared/byte-axis.ts';
import { BATCH, type OneStep, type Stack, trainStack, WIDTH } from './stack.ts';

const { recompute: words } = trainingWords.now;

const BYTES = 4;

const table = {
  segment: integer({ key: 'segment', min: 1, max: 16, default: 2 }),
  layers: integer({ key: 'l', min: 2, max: 16, default: 8 }),
  length: integer({ key: 'n', min: 16, max: 128, default: 64 }),
};
type Table = typeof table;
type Values = StateOf<Table>;
type ShownStack = Shown<Values, Stack>;

/**
 * What a training keeps when its layers are run again in segments: counted while it trains, and by formula.
 *
 * @element attn-long-recompute
 */
@customElement('attn-long-recompute')
export class AttnLongRecompute extends LabFigure<Stack, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['segment', 'layers'] as const;
  private readonly trained = this.recentAnswers<Stack>(12);

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ layers, length }: Values, ask: Ask): Promise<Stack> {
    return this.trained.of({ layers, length }, () =>
      trainStack(this.tools.client, layers, length, ask),
    );
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      slider('segment', { label: words.segment, max: this.values.layers }),
      slider('layers', { label: words.layers, symbol: 'L' }),
      slider('length', { label: words.length, symbol: 'n', step: 16 }),
    ];
  }

  /** Of `per` bytes each. */
  private points({ steps }: Stack, per: number): Series['points'] {
    return steps
      .filter(({ segment }) => segment > 0)
      .map(({ segment, work }) => chartPoint(segment, (BYTES * work.keptNumbers) / per));
  }

  private at({ values, result }: ShownStack): OneStep | undefined {
    return result.steps[Math.min(values.segment, values.layers)];
  }

  protected override renderResult(shown: ShownStack): unknown {
    const { ghost, dark } = this;
    const { values, result } = shown;
    const [whole] = result.steps;
    const most = Math.max(...result.steps.map(({ work }) => BYTES * work.keptNumbers));
    const { per, formatY } = byteAxis(most);
    return chart([shown, ghost, dark], () => ({
      series: [
        ...(ghost ? [lineBefore('counted', this.points(ghost.result, per), dark)] : []),
        {
          ...{ id: 'formula', label: words.lines.formula, color: colorAt(2, dark), mark: 'circle' },
          model: true,
          points: result.plan.peakBySegment.map((peak, i) =>
            chartPoint(i + 1, (BYTES * peak) / per),
          ),
        },
        {
          ...{ id: 'counted', label: words.lines.counted, color: colorAt(1, dark), mark: 'circle' },
          points: this.points(result, per),
        },
      ],
      x: { linear: true, low: 1, high: values.layers },
      y: { linear: true, low: 0 },
      formatY,
      levels: whole
        ? [{ y: (BYTES * whole.work.keptNumbers) / per, label: words.all, dashed: true }]
        : [],
      markers: [
        {
          x: Math.min(values.segment, values.layers),
          label: formatCount(Math.min(values.segment, values.layers)),
          strong: true,
        },
      ],
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override resultLine(shown: ShownStack): string {
    const one = this.at(shown);
    const [whole] = shown.result.steps;
    if (!one || !whole) return '';
    return words.line(
      formatCount(one.segment),
      formatBytes(BYTES * one.work.keptNumbers),
      formatBytes(BYTES * whole.work.keptNumbers),
      formatCount(one.work.layerForwards),
      formatCount(whole.work.layerForwards),
    );
  }

  protected override summary(shown: ShownStack): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: ShownStack): readonly KeyNumber[] {
    const one = this.at(shown);
    if (!one) return [];
    const bytes = BYTES * one.work.keptNumbers;
    const { layerForwards } = one.work;
    return [
      { label: words.kept, value: bytes, text: formatBytes(bytes) },
      { label: words.forwards, value: layerForwards, text: formatCount(layerForwards) },
    ];
  }

  private formulaAt({ plan }: Stack, segment: number): number | undefined {
    return segment === 0 ? plan.peakWithout : plan.peakBySegment[segment - 1];
  }

  protected override renderDetails({ result }: ShownStack): unknown {
    const same = result.steps.every(({ loss }) => loss === result.steps[0]?.loss);
    return html`<p>${same ? words.same : words.differs}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${this.heading}><table class="figure-table counts">
        <thead>
          <tr>${words.head.map((column) => html`<th scope="col">${column}</th>`)}</tr>
        </thead>
        <tbody>
          ${result.steps.map(
            ({ segment, work, milliseconds, loss }) => html`<tr>
              <th scope="row">${segment === 0 ? words.everything : segment}</th>
              <td>${formatBytes(BYTES * work.keptNumbers)}</td>
              <td>${formatBytes(BYTES * (this.formulaAt(result, segment) ?? Number.NaN))}</td>
              <td>${work.layerForwards}</td>
              <td>${formatNumber(milliseconds)}</td>
              <td>${formatNumber(loss, 6)}</td>
            </tr>`,
          )}
        </tbody>
      </table></div>`;
  }

  protected override caption({ values }: ShownStack): string {
    return words.caption(values.layers, values.length, BATCH, WIDTH);
  }

  protected override data({ result }: ShownStack): FigureData {
    return {
      columns: words.columns,
      rows: result.steps.map(({ segment, work, milliseconds, loss }) => [
        ...[segment, BYTES * work.keptNumbers],
        BYTES * (this.formulaAt(result, segment) ?? Number.NaN),
        ...[work.layerForwards, milliseconds, loss],
      ]),
    };
  }

  protected override svg(shown: ShownStack): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-recompute': AttnLongRecompute;
  }
}
