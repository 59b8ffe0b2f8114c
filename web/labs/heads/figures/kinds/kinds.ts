import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import { chartFile, colorAt } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { meaningWords } from '../../words/meaning.ts';
import { PIECE } from '../shared/book-pieces.ts';
import { percent } from '../shared/chart.ts';
import { controlOf, heightOf, KINDS, passing, type Tested, testKind, wantedOf } from './tested.ts';

const { kinds: words, names } = meaningWords.now;

export const FIRST = { pieces: 6, seed: 0 } as const;
const HEADS = 4;

const table = {
  kind: oneOf({ key: 'kind', values: KINDS, default: 'positional' }),
  pieces: integer({ key: 'pieces', min: 2, max: 12, default: FIRST.pieces }),
  seed: seed({ default: FIRST.seed }),
};
type Table = typeof table;
type Values = StateOf<Table>;

const headAt = (i: number): string => names.head(Math.floor(i / HEADS) + 1, (i % HEADS) + 1);
const percentOrNone = (share: number): string => (Number.isFinite(share) ? percent(share) : '–');

/**
 * The four kinds of heads that the course names, each put to the test on two halves of text.
 *
 * @element attn-head-kinds
 */
@customElement('attn-head-kinds')
export class AttnHeadKinds extends LabFigure<Tested, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['kind', 'pieces'] as const;
  private readonly answers = this.recentAnswers<Tested>(12);

  protected override get wordsLang(): 'en' | undefined {
    return meaningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, ask: Ask): Promise<Tested> {
    return this.answers.of(values, () => testKind(this.tools.client, values, ask));
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      choice('kind', { label: words.kind, options: words.kinds, list: true }),
      slider('pieces', { label: words.pieces }),
      seedKnob(),
    ];
  }

  private readonly nameOf = (x: number): string =>
    Number.isInteger(x) && x >= 1 && x <= 16
      ? `${Math.floor((x - 1) / HEADS) + 1}.${((x - 1) % HEADS) + 1}`
      : '';

  private line(
    id: 'chosen' | 'decides',
    { values, result }: Shown<Values, Tested>,
    color: string,
  ): Series {
    const scores = id === 'chosen' ? result.reader.choosing : result.reader.deciding;
    return {
      ...{ id, label: words[id], color, line: 'none', hollow: id === 'chosen' },
      mark: id === 'chosen' ? 'circle' : 'square',
      points: scores.map((one, i) => chartPoint(i + 1, 100 * heightOf(values.kind, one))),
    };
  }

  protected override renderResult(shown: Shown<Values, Tested>): unknown {
    const { values, result } = shown;
    const { dark } = this;
    const { kind } = values;
    const which = kind === 'positional' ? 'positional' : 'other';
    const values_ = [...result.reader.choosing, ...result.reader.deciding]
      .map((one) => 100 * heightOf(kind, one))
      .filter(Number.isFinite);
    const high = kind === 'positional' ? 100 : Math.max(20, 1.1 * Math.max(0, ...values_));
    const low = Math.min(0, 1.1 * Math.min(0, ...values_));
    return html`<attn-line-chart
      .series=${[
        this.line('chosen', shown, colorAt(0, dark)),
        this.line('decides', shown, colorAt(1, dark)),
      ]}
      .levels=${[
        { y: 100 * wantedOf(kind), label: words.bar[which] },
        { y: 100 * controlOf(kind, result), label: words.control, dashed: true },
      ]}
      .x=${{ linear: true, low: 0, high: 17 }}
      .y=${{ linear: true, low, high }}
      .formatX=${this.nameOf}
      .xLabel=${words.x}
      .yLabel=${words.y[which]}
      .dark=${dark}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  private best({ values, result }: Shown<Values, Tested>): readonly [number, number] {
    return result.reader.deciding.reduce<readonly [number, number]>(
      (best, one, i) => {
        const value = heightOf(values.kind, one);
        return value > best[1] ? [i, value] : best;
      },
      [0, Number.NEGATIVE_INFINITY],
    );
  }

  protected override resultLine(shown: Shown<Values, Tested>): string {
    const { values, result } = shown;
    const [at, value] = this.best(shown);
    return words.verdict({
      kind: words.kinds[values.kind],
      passed: passing(values.kind, result).length,
      all: result.reader.deciding.length,
      best: percent(value),
      head: headAt(at),
      control: percent(controlOf(values.kind, result)),
    });
  }

  protected override summary(shown: Shown<Values, Tested>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: Shown<Values, Tested>): readonly KeyNumber[] {
    const [, value] = this.best(shown);
    const passed = passing(shown.values.kind, shown.result).length;
    return [
      { label: words.passed, value: passed, text: String(passed) },
      { label: words.best, value, text: percent(value) },
    ];
  }

  /** Another kind is another question: its sentence says more than what became of the numbers. */
  protected override difference(before: Shown<Values, Tested>, now: Shown<Values, Tested>): string {
    return before.values.kind === now.values.kind
      ? super.difference(before, now)
      : this.resultLine(now);
  }

  protected override renderDetails({ result }: Shown<Values, Tested>): unknown {
    return sheetTable({
      ...{ label: this.heading, caption: words.table, columns: words.tableColumns },
      rows: result.reader.deciding.map(
        ({ score, elsewhere, uniform, rows, offset, offsetShare }, i) => [
          headAt(i),
          ...[score, elsewhere, uniform].map(percentOrNone),
          ...[rows, offset, percent(offsetShare)],
        ],
      ),
    });
  }

  protected override caption({ values }: Shown<Values, Tested>): string {
    const { kind, pieces, seed: drawn } = values;
    const test = words.tests[kind];
    return words.caption({
      test: test.charAt(0).toUpperCase() + test.slice(1),
      ...{ pieces, tokens: PIECE, seed: drawn },
    });
  }

  protected override data({ values, result }: Shown<Values, Tested>): FigureData {
    const { choosing, deciding } = result.reader;
    return {
      columns: words.columns,
      rows: deciding.map((one, i) => {
        const other = choosing[i];
        return [
          ...[headAt(i), other ? heightOf(values.kind, other) : null, heightOf(values.kind, one)],
          ...[one.elsewhere, one.rows, one.offset, one.offsetShare],
        ];
      }),
    };
  }

  protected override svg(shown: Shown<Values, Tested>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-kinds': AttnHeadKinds;
  }
}
