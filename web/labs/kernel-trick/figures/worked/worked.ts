import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { AssociativityTrace, Matrix } from '#client';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { colorOf, inkOn } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { type Cell, fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { number, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { type BarRow, barRows } from '../../draw/bar-rows.ts';
import { table as numbers, type Row } from '../../draw/figure-parts.ts';
import { signedScale } from '../../draw/matrices.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/worked.ts';

adopt(css);

const entry = (key: string, start: number) => number({ key, default: start, min: -3, max: 3 });
const table = {
  map: oneOf({
    key: 'map',
    values: ['identity', 'taylor', 'taylor_compact', 'elu_plus_one', 'exp'],
    default: 'taylor',
  }),
  q1: entry('q1', 1),
  q2: entry('q2', 0.5),
  k1: entry('k1', 0.8),
  k2: entry('k2', -0.6),
} as const;
type Values = StateOf<typeof table>;

interface Result {
  readonly trace: AssociativityTrace;
  /** s and e^s. */
  readonly score: number;
  readonly target: number;
}

type Painted = Required<Cell>;

/** The meaning of each feature, for maps whose features have one. */
const FEATURES: Readonly<Partial<Record<Values['map'], readonly string[]>>> = {
  identity: ['x₁', 'x₂'],
  elu_plus_one: ['ELU(x₁) + 1', 'ELU(x₂) + 1'],
  exp: ['e^{x₁}', 'e^{x₂}'],
  taylor: [
    '1',
    'x₁\u00a0/\u00a0d^{1/4}',
    'x₂\u00a0/\u00a0d^{1/4}',
    'x₁x₁\u00a0/\u00a0√(2d)',
    'x₁x₂\u00a0/\u00a0√(2d)',
    'x₂x₁\u00a0/\u00a0√(2d)',
    'x₂x₂\u00a0/\u00a0√(2d)',
  ],
};

const signed = (...entries: readonly number[]): string =>
  entries.map((value) => String(value).replace('-', '−')).join(', ');

const row = (...entries: readonly number[]): Matrix => ({
  rows: 1,
  cols: entries.length,
  data: Float32Array.from(entries),
});

/**
 * The similarity φ(q)·φ(k) of two vectors, worked out.
 *
 * @element attn-kt-worked
 */
@customElement('attn-kt-worked')
export class AttnKtWorked extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute({ map, q1, q2, k1, k2 }: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const [q, k, v] = [row(q1, q2), row(k1, k2), row(1)];
    const phi = (x: Matrix, role: 'query' | 'key') =>
      client.applyFeatureMap({ x, role, featureMap: { id: map } }, { signal });
    const [phiQ, phiK, cell] = await Promise.all([
      phi(q, 'query'),
      phi(k, 'key'),
      client.explainCell({ q, k, featureMap: { id: map }, query: 0, key: 0 }, { signal }),
    ]);
    const [trace, target] = await Promise.all([
      client.associativityTrace(
        { q: phiQ, k: phiK, v, order: 'standard', step: phiQ.cols },
        { signal },
      ),
      client.applyFeatureMap({ x: row(cell.logit), featureMap: { id: 'exp' } }, { signal }),
    ]);
    return { trace, score: cell.logit, target: target.data[0] ?? Number.NaN };
  }

  protected override readonly firstKnobs = ['map', 'q1'] as const;
  protected override get controls() {
    const entryOf = (name: 'q1' | 'q2' | 'k1' | 'k2') => {
      const [letter, i] = name as unknown as [string, string];
      const label = letter === 'q' ? words.q(Number(i)) : words.k(Number(i));
      return slider(name, { label, step: 0.1 });
    };
    return [
      choice('map', { label: words.map, options: words.maps }),
      ...[entryOf('q1'), entryOf('q2'), entryOf('k1'), entryOf('k2')],
    ];
  }

  private dot({ trace }: Result): number {
    return trace.terms[trace.terms.length - 1]?.sum ?? Number.NaN;
  }

  /** A row for each feature: its name, then numbers with their colours. */
  private rows({
    values,
    result,
  }: Shown<Values, Result>): readonly (readonly [string, ...Painted[]])[] {
    const { terms } = result.trace;
    const scale = signedScale(
      row(...terms.flatMap(({ a, b, product, sum }) => [a, b, product, sum])),
    );
    const painted = (value: number): Painted => ({
      words: formatNumber(value),
      fill: colorOf(scale, value, this.dark),
    });
    return terms.map(({ a, b, product, sum }, i) => [
      FEATURES[values.map]?.[i] ?? words.feature(i + 1),
      ...[a, b, product, sum].map(painted),
    ]);
  }

  private facts(result: Result): readonly (readonly [string, string])[] {
    return [
      [words.dot, formatNumber(this.dot(result), 4)],
      [words.target, formatNumber(result.target, 4)],
      [words.score, formatNumber(result.score, 4)],
    ];
  }

  /** Each product begins where the sum so far ends, and below stand the sum and what softmax takes. */
  protected renderResult({ values, result }: Shown<Values, Result>): unknown {
    const before = this.ghost?.result;
    const rows: BarRow[] = result.trace.terms.map(({ product, sum }, i) => ({
      name: FEATURES[values.map]?.[i] ?? words.feature(i + 1),
      bars: [{ from: sum - product, to: sum, text: formatNumber(product) }],
    }));
    const dot = this.dot(result);
    rows.push(
      {
        name: words.sum,
        bars: [
          {
            ...{ to: dot, text: formatNumber(dot, 4), kind: 'sum' },
            before: before && this.dot(before),
          },
        ],
      },
      {
        name: words.target,
        bars: [
          {
            ...{ to: result.target, text: formatNumber(result.target, 4), kind: 'other' },
            before: before?.target,
          },
        ],
      },
    );
    return barRows({ label: words.table, rows });
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    const cell = ({ words, fill }: Painted) =>
      html`<span class="kt-cell" .style=${`background:rgb(${fill.join(' ')});color:${inkOn(fill)}`}
        >${words}</span
      >`;
    return html`${numbers(
      words.table,
      words.columns,
      this.rows(shown).map(([name, ...cells]): Row => [name, ...cells.map(cell)]),
    )}
      <dl class="kt-facts">
        ${this.facts(result).map(
          ([name, value]) =>
            html`<div>
              <dt>${rich(name)}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${values.map.startsWith('taylor') ? html`<p class="fine">${rich(words.taylor)}</p>` : ''}`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    const dot = this.dot(result);
    return [
      { label: words.dot, value: dot, text: formatNumber(dot, 4) },
      { label: words.exact, value: result.target, text: formatNumber(result.target, 4) },
    ];
  }

  protected override resultLine({ result }: Shown<Values, Result>): string {
    const [dot, target] = [this.dot(result), result.target].map((value) => formatNumber(value, 4));
    return words.line(dot ?? '', target ?? '', formatNumber(result.score));
  }

  protected caption({ values: { map, q1, q2, k1, k2 }, result }: Shown<Values, Result>): string {
    return words.caption({
      map: words.maps[map],
      features: result.trace.terms.length,
      q: signed(q1, q2),
      k: signed(k1, k2),
    });
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    return words.summary(formatNumber(this.dot(result), 4), formatNumber(result.target, 4));
  }

  protected data({ values, result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: result.trace.terms.map(({ a, b, product, sum }, i) => [
        FEATURES[values.map]?.[i] ?? words.feature(i + 1),
        a,
        b,
        product,
        sum,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const rows = [
      ...this.rows(shown).map(([words, ...cells]) => [{ words }, ...cells]),
      ...this.facts(shown.result).map(([name, value]) =>
        [name, '', '', '', value].map((words) => ({ words })),
      ),
    ];
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, rows, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-worked': AttnKtWorked;
  }
}
