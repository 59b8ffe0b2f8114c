import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import { chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatBytes } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { words as all } from '../../words/bits.ts';
import { BATCH, type Losses, type Rounded, roundedLosses, WAYS } from './weights-losses.ts';

const words = all.weights;

const table = {
  sequences: integer({ key: 'sequences', default: BATCH, min: 1, max: BATCH }),
};
type Values = StateOf<typeof table>;

/**
 * The loss of a trained model whose matrices have fewer and fewer bits.
 *
 * @element attn-heads-bits-weights
 */
@customElement('attn-heads-bits-weights')
export class AttnHeadsBitsWeights extends LabFigure<Losses, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected compute({ sequences }: Values, ask: Ask): Promise<Losses> {
    return roundedLosses(this.tools.client, WAYS, ask, sequences);
  }

  protected override get controls() {
    return [slider('sequences', { label: words.sequences })];
  }

  private of(result: Losses, kind: Rounded['kind'], bits?: number): number {
    return (
      result.rows.find((row) => row.kind === kind && (bits === undefined || row.bits === bits))
        ?.loss ?? Number.NaN
    );
  }

  private levels(result: Losses): readonly Level[] {
    const { guess, truth } = this.bothAnswers;
    const exact = this.of(result, 'float32');
    return [
      { y: exact, label: words.exact, dashed: true },
      // What is asked is how much is added.
      ...(guess === undefined ? [] : [{ y: exact + guess, label: nameOf('guess'), dashed: true }]),
      ...(truth === undefined ? [] : [{ y: exact + truth, label: nameOf('truth') }]),
    ];
  }

  protected renderResult(shown: Shown<Values, Losses>): unknown {
    const { result } = shown;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const series: readonly Series[] = (['row', 'column'] as const).map((kind, i) => ({
      ...{ id: kind, label: words.lines[kind], color: colors[i === 0 ? 1 : 3] ?? '' },
      mark: i === 0 ? 'circle' : 'square',
      points: result.rows
        .filter((row) => row.kind === kind)
        .sort((a, b) => a.bits - b.bits)
        .map(({ bits, loss }) => chartPoint(bits, loss)),
    }));
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .levels=${this.levels(result)}
      .x=${{ linear: true, whole: true, low: 2, high: 8 }}
      .y=${{ linear: true }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  private name({ kind, bits }: Rounded): string {
    return kind === 'row' || kind === 'column' ? words.rows[kind](bits) : words.rows[kind];
  }

  protected override renderDetails({ result }: Shown<Values, Losses>): unknown {
    const exact = this.of(result, 'float32');
    return sheetTable({
      ...{ label: this.heading, columns: words.columns },
      rows: result.rows.map((row) => [
        this.name(row),
        formatBytes(row.bytes),
        formatNumber(row.loss, 5),
        formatNumber(row.loss - exact, 2),
      ]),
    });
  }

  protected override keyNumbers({ result }: Shown<Values, Losses>): readonly KeyNumber[] {
    return [4, 2].map((bits) => ({
      label: words.numbers(bits),
      value: this.of(result, 'row', bits),
    }));
  }

  protected override resultLine({ result }: Shown<Values, Losses>): string {
    const [four = '', three = '', two = ''] = [4, 3, 2].map((bits) =>
      formatNumber(this.of(result, 'row', bits)),
    );
    return words.result(formatNumber(this.of(result, 'float32')), four, three, two);
  }

  protected override summary(shown: Shown<Values, Losses>): string {
    return this.resultLine(shown);
  }

  protected caption({ result }: Shown<Values, Losses>): string {
    return words.caption(result.tokens, result.chapter);
  }

  protected data({ result }: Shown<Values, Losses>): FigureData {
    return {
      columns: ['kind', 'bits', 'bytes', 'loss'],
      rows: result.rows.map(({ kind, bits, bytes, loss }) => [kind, bits, bytes, loss]),
    };
  }

  protected override svg(shown: Shown<Values, Losses>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-bits-weights': AttnHeadsBitsWeights;
  }
}
