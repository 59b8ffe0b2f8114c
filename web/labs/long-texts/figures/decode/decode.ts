import { customElement } from 'lit/decorators.js';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { oneOf, type StateOf } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { type TokenTime, tokenTimes } from './times.ts';

const words = decodingWords.now.decode;

const table = { what: oneOf({ key: 'what', values: ['time', 'rows'], default: 'time' }) };
type Values = StateOf<typeof table>;

/**
 * The time of one more token, with a cache and without, as the trained reader writes.
 *
 * @element attn-long-decode
 */
@customElement('attn-long-decode')
export class AttnLongDecode extends LabExperiment<TokenTime, typeof table> {
  override readonly table = table;
  protected override readonly measuresTime = true;
  protected override readonly viewKnobs = ['what'];
  protected override readonly runsAnswers = true;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is TokenTime {
    const { before, cached, plain, rows } = (row ?? {}) as Partial<TokenTime>;
    return [before, cached, plain, rows].every(Number.isFinite);
  }

  protected override describe(): string {
    return words.describe;
  }

  protected override async *sweep(_values: Values, ask: Ask) {
    const rows = await tokenTimes(this.tools.client, ask);
    for (const [i, row] of rows.entries()) yield { row, fraction: (i + 1) / rows.length };
  }

  protected override get controls() {
    return [choice('what', { label: words.what, options: words.whats })];
  }

  protected renderResult(shown: Shown<Values, readonly TokenTime[]>): unknown {
    const byRows = this.values.what === 'rows';
    return chart([shown, this.dark, byRows], () => ({
      series: (['cached', 'plain'] as const).map((id) => ({
        ...lookOf(id === 'cached' ? 'linear' : 'softmax', this.dark),
        ...{ id, label: words[id] },
        points: shown.result.map((one) => {
          const rows = id === 'cached' ? 1 : one.rows;
          return chartPoint(one.before, byRows ? rows : one[id]);
        }),
      })),
      ...{ xLabel: words.x, yLabel: byRows ? words.rows : words.y, y: { low: 0, linear: true } },
      summary: this.summary(shown),
    }));
  }

  private last({ result }: Shown<Values, readonly TokenTime[]>): TokenTime | undefined {
    return result.at(-1);
  }

  protected override keyNumbers(shown: Shown<Values, readonly TokenTime[]>): readonly KeyNumber[] {
    const last = this.last(shown);
    return last ? [{ label: words.times, value: last.plain / last.cached }] : [];
  }

  protected override resultLine(shown: Shown<Values, readonly TokenTime[]>): string {
    const last = this.last(shown);
    if (!last) return '';
    return words.line(
      ...([last.before, formatNumber(last.cached, 2), formatNumber(last.plain, 2)] as const),
      ...([formatNumber(last.plain / last.cached, 2), last.rows] as const),
    );
  }

  protected override summary(shown: Shown<Values, readonly TokenTime[]>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override renderDetails({ result }: Shown<Values, readonly TokenTime[]>): unknown {
    return sheetTable({
      ...{ label: this.heading, columns: words.heads },
      rows: result.map(({ before, cached, plain, rows }) => [
        before,
        ...[cached, plain].map((one) => formatNumber(one, 3)),
        rows,
      ]),
    });
  }

  protected caption(): string {
    return words.caption;
  }

  protected data({ result }: Shown<Values, readonly TokenTime[]>): FigureData {
    return {
      columns: words.columns,
      rows: result.map(({ before, cached, plain, rows }) => [before, cached, plain, rows]),
    };
  }

  protected override svg(shown: Shown<Values, readonly TokenTime[]>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-decode': AttnLongDecode;
  }
}
