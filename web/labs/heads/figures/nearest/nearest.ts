import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import { chartFile, colorAt } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { anatomyWords } from '../../words/anatomy.ts';
import { percent } from '../shared/chart.ts';
import { SmallWindow, STACKED } from '../shared/small-window.ts';
import { D_MODEL, FIRST, type Found, foundBy, HEADS } from './found.ts';

const { nearest: words } = anatomyWords.now;

const table = {
  keys: integer({ key: 'keys', min: 4, max: 32, default: FIRST.keys }),
  steps: integer({ key: 'steps', min: 100, max: 1000, default: FIRST.steps }),
  seed: seed({ default: FIRST.seed }),
};
type Table = typeof table;
type Values = StateOf<Table>;

/**
 * How many nearest keys layers of equal size find, by the number of their heads.
 *
 * @element attn-nearest-key
 */
@customElement('attn-nearest-key')
export class AttnNearestKey extends LabFigure<Found, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['keys', 'steps'] as const;
  private readonly answers = this.recentAnswers<Found>(8);
  /** Where there is little height the answered curve above the picture is the same one, and numbers take its place. */
  private readonly small = new SmallWindow(this, STACKED);

  protected override get wordsLang(): 'en' | undefined {
    return anatomyWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, ask: Ask): Promise<Found> {
    return this.answers.of(values, () => foundBy(this.tools.client, values, ask));
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      slider('keys', { label: words.keys }),
      slider('steps', { label: words.steps, step: 100 }),
      seedKnob(),
    ];
  }

  private line(id: string, label: string, shares: readonly number[], color: string): Series {
    return {
      ...{ id, label, color, mark: 'circle' },
      points: HEADS.map((heads, i) => chartPoint(heads, 100 * (shares[i] ?? Number.NaN))),
    };
  }

  private chart(series: readonly Series[], chance: number, summary: string): unknown {
    return html`<attn-line-chart
      .series=${series}
      .levels=${[{ y: 100 * chance, label: words.chance, dashed: true }]}
      .x=${{ count: 'binary', low: HEADS[0], high: HEADS.at(-1) }}
      .y=${{ linear: true, low: 0, high: 100 }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${summary}
    ></attn-line-chart>`;
  }

  protected override renderResult(shown: Shown<Values, Found>): unknown {
    const { result } = shown;
    const shares = (found: Found) => found.map(({ heldOutAccuracy }) => heldOutAccuracy);
    if (this.small.matches && this.answeredHere) {
      return html`<p class="hd-few">
        ${HEADS.map((heads, i) => html`<span>${words.share(heads)}: <b>${percent(shares(result)[i] ?? Number.NaN)}</b></span>`)}
      </p>`;
    }
    const { dark, ghost } = this;
    return this.chart(
      [
        this.line('learned', words.learned, shares(result), colorAt(1, dark)),
        ...(ghost
          ? [
              {
                ...this.line('before', words.before, shares(ghost.result), colorAt(0, dark)),
                ...{ model: true, unnamed: true, width: 1 },
              },
            ]
          : []),
      ],
      result[0]?.chance ?? 0,
      this.summary(shown),
    );
  }

  protected override resultLine({ result }: Shown<Values, Found>): string {
    const [first, last] = [result[0], result.at(-1)];
    if (!first || !last) return '';
    return words.verdict(
      percent(first.heldOutAccuracy),
      HEADS.at(-1) ?? 0,
      percent(last.heldOutAccuracy),
      percent(first.chance),
    );
  }

  protected override summary(shown: Shown<Values, Found>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, Found>): readonly KeyNumber[] {
    return [0, HEADS.length - 1].map((i) => {
      const value = result[i]?.heldOutAccuracy ?? Number.NaN;
      return { label: words.share(HEADS[i] ?? 0), value, text: percent(value) };
    });
  }

  protected override renderDetails({ result }: Shown<Values, Found>): unknown {
    return sheetTable({
      ...{ label: this.heading, caption: words.table, columns: words.tableColumns },
      rows: result.map((one, i) => [
        HEADS[i],
        D_MODEL / (HEADS[i] ?? 1),
        ...[one.heldOutAccuracy, one.weightOnNearest].map(percent),
        formatNumber(one.heldOutLoss),
      ]),
    });
  }

  protected override caption({ values, result }: Shown<Values, Found>): string {
    return words.caption({ ...values, parameters: formatCount(result[0]?.parameters ?? 0) });
  }

  protected override data({ result }: Shown<Values, Found>): FigureData {
    return {
      columns: words.columns,
      rows: result.map((one, i) => [
        ...[HEADS[i] ?? 0, one.heldOutAccuracy, one.weightOnNearest, one.heldOutLoss],
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Found>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-nearest-key': AttnNearestKey;
  }
}
