import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { OrderCosts } from '#client';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
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
  readonly last?: true;
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

  protected override renderKnobs(): unknown {
    return html`${this.slider('n', { label: words.n, symbol: 'n', log: true })}
    ${this.slider('d', { label: words.d, symbol: 'd', log: true })}`;
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
        last: true,
      },
    ];
  }

  protected override renderResult(shown: Shown<StateOf<Table>, OrderCosts>): unknown {
    const { values, result } = shown;
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${this.heading}>
        <table class="figure-table counts">
          <thead>
            <tr>
              <th scope="col">${words.order}</th>
              <th scope="col">${words.says}</th>
              <th scope="col">${words.first}</th>
              <th scope="col">${words.second}</th>
              <th scope="col">${words.both}</th>
              <th scope="col">${words.normalized}</th>
            </tr>
          </thead>
          <tbody>
            ${this.rows(shown).map(
              ({ name, says, cells: [first, second, both, normalized], last }) => html`<tr
                class=${last ? 'sum' : ''}
              >
                <th scope="row">${name}</th>
                <td>${says === undefined ? words.noQuote : html`<q>${says}</q>`}</td>
                <td>${first}</td>
                <td>${second}</td>
                <td><strong>${both}</strong></td>
                <td>${normalized}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.isQuoted(values) ? html`<p class="verdict">${rich(this.verdict(result))}</p>` : ''}`;
  }

  private verdict({ standard, linear, plain, normalized }: OrderCosts): string {
    return words.verdict(
      formatPlain(plain.standard / quoted.standard.operations),
      formatPlain(plain.linear / quoted.linear.operations),
      formatCount(standard.products[0].multiplyAdds),
      formatCount(linear.products[0].multiplyAdds),
      formatPlain(plain.ratio),
      formatPlain(normalized.ratio),
    );
  }

  protected override summary({ values, result }: Shown<StateOf<Table>, OrderCosts>): string {
    return this.isQuoted(values) ? this.verdict(result).replaceAll('*', '') : '';
  }

  protected override caption({ values }: Shown<StateOf<Table>, OrderCosts>): string {
    return words.caption(values.n, values.d, this.isQuoted(values) ? quoted.source : '');
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
