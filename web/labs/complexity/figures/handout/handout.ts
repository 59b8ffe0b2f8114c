import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type OrderCosts, withTrick } from '#client/trick';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { quoted } from '../../quoted.ts';
import { figureWords } from '../../words/figures.ts';
import { formatCount, formatPlain } from '../format.ts';

const { handout: words } = figureWords.now;

const table = {
  n: integer({ key: 'n', min: 1, max: 65536, default: quoted.n }),
  d: integer({ key: 'd', min: 1, max: 256, default: quoted.d }),
};
type Table = typeof table;

const ORDERS = ['standard', 'linear'] as const;

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
    return withTrick(this.tools.client).orderCosts({ n, dK: d, dV: d }, { signal });
  }

  protected override renderKnobs(): unknown {
    return html`${this.slider('n', { label: words.n, symbol: 'n', log: true })}
    ${this.slider('d', { label: words.d, symbol: 'd', log: true })}`;
  }

  private isQuoted({ n, d }: StateOf<Table>): boolean {
    return n === quoted.n && d === quoted.d;
  }

  protected override renderResult({ values, result }: Shown<StateOf<Table>, OrderCosts>): unknown {
    const here = this.isQuoted(values);
    const { plain, normalized } = result;
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
            ${ORDERS.map((order) => {
              const [first, second] = result[order].products;
              return html`<tr>
                <th scope="row">${words.orders[order]}</th>
                <td>${here ? html`<q>${quoted[order].text}</q>` : words.noQuote}</td>
                <td>${formatCount(first.multiplyAdds)}</td>
                <td>${formatCount(second.multiplyAdds)}</td>
                <td><strong>${formatCount(plain[order])}</strong></td>
                <td>${formatCount(normalized[order])}</td>
              </tr>`;
            })}
            <tr class="sum">
              <th scope="row">${words.ratio}</th>
              <td>${here ? html`<q>${quoted.speedup.text}</q>` : words.noQuote}</td>
              <td>
                ${formatPlain(
                  result.standard.products[0].multiplyAdds / result.linear.products[0].multiplyAdds,
                )}
              </td>
              <td>
                ${formatPlain(
                  result.standard.products[1].multiplyAdds / result.linear.products[1].multiplyAdds,
                )}
              </td>
              <td><strong>${formatPlain(plain.ratio)}</strong></td>
              <td>${formatPlain(normalized.ratio)}</td>
            </tr>
          </tbody>
        </table>
      </div>
      ${here ? html`<p class="verdict">${rich(this.verdict(result))}</p>` : ''}`;
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
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-handout-count': AttnHandoutCount;
  }
}
