import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { OrderCosts } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { quoted } from '../../course-quotes.ts';
import { figureWords } from '../../words/figures.ts';
import { formatCount, formatPlain } from '../format.ts';

const { handout: words } = figureWords.now;

const table = {
  n: integer({ key: 'n', min: 1, max: 65536, default: quoted.n }),
  d: integer({ key: 'd', min: 1, max: 256, default: quoted.d }),
};
type Table = typeof table;

const ORDERS = ['standard', 'linear'] as const;

interface Row {
  readonly name: string;
  /** The quotation; undefined if the sizes are not those of the handout. */
  readonly says: string | undefined;
  /** Counts of the first product, the second product, both, and both with the normaliser. */
  readonly cells: readonly string[];
}

/**
 * The handout's two numbers beside what the core counts, product by product.
 *
 * @element attn-handout-count
 */
@customElement('attn-handout-count')
export class AttnHandoutCount extends LabFigure<OrderCosts, Table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ n, d }: StateOf<Table>, { signal }: Ask): Promise<OrderCosts> {
    return this.tools.client.orderCosts({ n, dK: d, dV: d }, { signal });
  }

  protected override get controls(): readonly Knob<keyof Table>[] {
    return [
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
    ];
  }

  private isQuoted({ n, d }: StateOf<Table>): boolean {
    return n === quoted.n && d === quoted.d;
  }

  /** The counts of both orders and their ratio. */
  private rows({ values, result }: Shown<StateOf<Table>, OrderCosts>): readonly Row[] {
    const here = this.isQuoted(values);
    const { plain, normalized, standard, linear } = result;
    const counts = ORDERS.map((order): Row => {
      const made = result[order].products.map(({ multiplyAdds }) => multiplyAdds);
      return {
        name: words.orders[order],
        says: here ? quoted[order].text : undefined,
        cells: [...made, plain[order], normalized[order]].map(formatCount),
      };
    });
    const ratios = standard.products.map(
      ({ multiplyAdds }, i) => multiplyAdds / (linear.products[i]?.multiplyAdds ?? Number.NaN),
    );
    return [
      ...counts,
      {
        name: words.ratio,
        says: here ? quoted.speedup.text : undefined,
        cells: [...ratios, plain.ratio, normalized.ratio].map(formatPlain),
      },
    ];
  }

  /** For each order a bar of its two products, and how far the quoted number reaches. Each bar has its own scale. */
  protected override renderResult({ values, result }: Shown<StateOf<Table>, OrderCosts>): unknown {
    const here = this.isQuoted(values);
    return html`<div class="order-bars">
      ${ORDERS.map((order) => {
        const made = result[order].products.map(({ multiplyAdds }) => multiplyAdds);
        const all = result.plain[order];
        const part = (count: number): string => `inline-size:${(100 * count) / all}%`;
        return html`<section role="group" aria-label=${words.orders[order]}>
          <h4>${words.orders[order]} <span>${words.adds(formatCount(all))}</span></h4>
          ${
            here
              ? html`<p class="quoted" .style=${part(quoted[order].operations)}>
                  <q lang="en">${quoted[order].text}</q>
                </p>`
              : nothing
          }
          <p class="parts">
            ${made.map(
              (count, i) => html`<span class="part" .style=${part(count)}
                >${i === 0 ? words.first : words.second}<br />${formatCount(count)}</span
              >`,
            )}
          </p>
        </section>`;
      })}
    </div>`;
  }

  /** The orders beside each other: that is narrow enough for a phone, whose sheet is as wide as its window. */
  protected override renderDetails(shown: Shown<StateOf<Table>, OrderCosts>): unknown {
    const { says, first, second, both, normalized } = words;
    const rows = this.rows(shown);
    return html`<table class="figure-table counts orders">
      <thead>
        <tr>
          <td></td>
          ${rows.map(({ name }) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">${says}</th>
          ${rows.map(
            ({ says }) =>
              html`<td>${says === undefined ? words.noQuote : html`<q>${says}</q>`}</td>`,
          )}
        </tr>
        ${[first, second, both, normalized].map(
          (name, i) => html`<tr>
            <th scope="row">${name}</th>
            ${rows.map(
              ({ cells }) => html`<td>
                ${name === both ? html`<strong>${cells[i]}</strong>` : cells[i]}
              </td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  protected override resultLine({ values, result }: Shown<StateOf<Table>, OrderCosts>): string {
    if (this.isQuoted(values)) return this.verdict(result);
    const { standard, linear, ratio } = result.plain;
    return words.counted(formatCount(standard), formatCount(linear), formatPlain(ratio));
  }

  protected override keyNumbers({
    result: { plain },
  }: Shown<StateOf<Table>, OrderCosts>): readonly KeyNumber[] {
    return [{ label: words.ratio, value: plain.ratio, text: formatPlain(plain.ratio) }];
  }

  private verdict({ plain }: OrderCosts): string {
    return words.verdict(
      formatPlain(plain.standard / quoted.standard.operations),
      formatPlain(plain.linear / quoted.linear.operations),
      formatPlain(plain.ratio),
    );
  }

  protected override summary(shown: Shown<StateOf<Table>, OrderCosts>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override caption({ values }: Shown<StateOf<Table>, OrderCosts>): string {
    const source = `${quoted.source}, ${words.quote(quoted.heading)}`;
    return words.caption(values.n, values.d, this.isQuoted(values) ? source : '');
  }

  protected override data({ values, result }: Shown<StateOf<Table>, OrderCosts>): FigureData {
    const here = this.isQuoted(values);
    return {
      columns: ['order', 'handout_says', 'first_product', 'second_product', 'both', 'normalized'],
      rows: ORDERS.map((order) => {
        const [first, second] = result[order].products;
        return [
          words.orders[order],
          here ? quoted[order].text : null,
          first.multiplyAdds,
          second.multiplyAdds,
          result.plain[order],
          result.normalized[order],
        ];
      }),
    };
  }

  protected override svg(shown: Shown<StateOf<Table>, OrderCosts>): string {
    const { order, says, first, second, both, normalized } = words;
    const head = [order, says, first, second, both, normalized];
    const cells = this.rows(shown).map((row) =>
      [row.name, row.says === undefined ? words.noQuote : words.quote(row.says), ...row.cells].map(
        (words) => ({ words }),
      ),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(head, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-handout-count': AttnHandoutCount;
  }
}
