import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { OrderCosts, OrderCount } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, withoutZeros } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { quoted } from '../../course-quotes.ts';
import { barRows } from '../../draw/bar-rows.ts';
import { table as numbers, type Row } from '../../draw/figure-parts.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/counts.ts';

adopt(css);

const table = {
  n: integer({ key: 'n', default: quoted.counts.n, min: 1, max: 65536 }),
  dK: integer({ key: 'd', label: 'd_k', default: quoted.counts.d, min: 1, max: 512 }),
  dV: integer({ key: 'dv', label: 'd_v', default: quoted.counts.d, min: 1, max: 512 }),
  D: integer({ key: 'features', label: 'D', default: 0, min: 0, max: 4096 }),
} as const;
type Values = StateOf<typeof table>;

/** The rows of the table that are drawn. */
const DRAWN: readonly number[] = [0, 1, 3];

/**
 * Multiply-adds of both orders beside what the handout says.
 *
 * @element attn-kt-counts
 */
@customElement('attn-kt-counts')
export class AttnKtCounts extends LabFigure<OrderCosts, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected compute({ n, dK, dV, D }: Values, { signal }: Ask): Promise<OrderCosts> {
    const client = this.tools.client;
    return client.orderCosts({ n, dK, dV, ...(D > 0 ? { D } : {}) }, { signal });
  }

  protected override readonly firstKnobs = ['n', 'dK'] as const;
  protected override get controls() {
    return [
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('dK', { label: words.dK, symbol: 'd_k', log: true }),
      slider('dV', { label: words.dV, symbol: 'd_v', log: true }),
      slider('D', { label: words.features, symbol: 'D' }),
    ];
  }

  private counts(costs: OrderCosts): readonly (readonly [string, OrderCount])[] {
    const { standard, linear, plain, normalized, causal, causalNormalized } = costs;
    const [a, b] = [standard.products[0].multiplyAdds, linear.products[0].multiplyAdds];
    const { rows } = words;
    const missing = { standard: Number.NaN, linear: Number.NaN, ratio: Number.NaN, crossover: 0 };
    return [
      [rows.first, { standard: a, linear: b, ratio: a / b, crossover: plain.crossover }],
      [rows.plain, plain],
      [rows.normalized, normalized],
      [rows.causal, causal ?? missing],
      [rows.causalNormalized, causalNormalized ?? missing],
    ];
  }

  /** What the handout says, where the sizes are the handout's. */
  private quote({ n, dK, dV, D }: Values): readonly string[] {
    const { counts } = quoted;
    const same = n === counts.n && dK === counts.d && dV === counts.d && D === 0;
    return same ? [counts.standard, counts.linear, counts.ratio] : [];
  }

  private rows(result: OrderCosts): readonly (readonly [string, string, string, string])[] {
    return this.counts(result).map(([name, { standard, linear, ratio }]) => [
      name,
      formatNumber(standard, 4),
      formatNumber(linear, 4),
      formatNumber(ratio, 3),
    ]);
  }

  /** The first product, both, and both with a causal mask; what else is counted is in the table. */
  protected renderResult({ result }: Shown<Values, OrderCosts>): unknown {
    const before = this.ghost && this.counts(this.ghost.result);
    const rows = this.counts(result).flatMap(([name, { standard, linear }], i) => {
      if (!DRAWN.includes(i)) return [];
      const was = before?.[i]?.[1];
      return [
        {
          name,
          bars: [
            {
              ...{ to: standard, text: formatNumber(standard), kind: 'sum' as const },
              before: was?.standard,
            },
            { to: linear, text: formatNumber(linear), before: was?.linear },
          ],
        },
      ];
    });
    return html`<p class="fine kt-legend">
        <span class="bar sum"></span> (QKᵀ)V <span class="bar"></span> Q(KᵀV)
      </p>
      ${barRows({ label: words.table, rows })}`;
  }

  protected override renderDetails({ values, result }: Shown<Values, OrderCosts>): unknown {
    const quote = this.quote(values).map((words) => html`<q>${words}</q>`);
    const first: Row = [words.rows.handout, ...quote];
    return numbers(words.table, words.columns, [
      ...(quote.length > 0 ? [first] : []),
      ...this.rows(result),
    ]);
  }

  protected override resultLine({ result }: Shown<Values, OrderCosts>): string {
    const { ratio, crossover } = result.plain;
    return words.line(formatNumber(ratio), withoutZeros(formatNumber(crossover)));
  }

  protected override keyNumbers({ result }: Shown<Values, OrderCosts>): readonly KeyNumber[] {
    const { ratio, crossover } = result.plain;
    return [
      { label: words.ratio, value: ratio },
      { label: words.meet, value: crossover, text: withoutZeros(formatNumber(crossover)) },
    ];
  }

  protected caption({ values: { n, dK, dV, D } }: Shown<Values, OrderCosts>): string {
    return words.caption(n, dK, dV, D || dK);
  }

  protected override summary({ result }: Shown<Values, OrderCosts>): string {
    return words.summary(formatNumber(result.plain.ratio));
  }

  protected data({ result }: Shown<Values, OrderCosts>): FigureData {
    return {
      columns: words.columns,
      rows: this.counts(result).map(([name, { standard, linear, ratio }]) => [
        name,
        standard,
        linear,
        ratio,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, OrderCosts>): string {
    const quote = this.quote(shown.values).map((said) => words.quoted(said));
    const rows = [
      ...(quote.length > 0 ? [[words.rows.handout, ...quote]] : []),
      ...this.rows(shown.result),
    ];
    const cells = rows.map((row) => row.map((words) => ({ words })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-counts': AttnKtCounts;
  }
}
