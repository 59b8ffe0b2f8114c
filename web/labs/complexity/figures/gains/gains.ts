import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { formatCount, formatPlain } from '../format.ts';
import { type Gain, type GainId, gainsOf } from './variant-counts.ts';

const { gains: words } = figureWords.now;

const table = {
  n: integer({ key: 'n', min: 16, max: 65536, default: 4096 }),
  d: integer({ key: 'd', min: 2, max: 128, default: 64 }),
  dTaylor: integer({ key: 'dt', min: 2, max: 64, default: 16 }),
};
type Table = typeof table;

/**
 * How many times fewer multiply-adds the linear order takes, by variant.
 *
 * @element attn-order-gains
 */
@customElement('attn-order-gains')
export class AttnOrderGains extends LabFigure<readonly Gain[], Table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: StateOf<Table>, ask: Ask): Promise<readonly Gain[]> {
    return gainsOf(this.tools, values, ask);
  }

  protected override renderKnobs(): unknown {
    return html`${this.slider('n', { label: words.n, symbol: 'n', log: true })}
    ${this.slider('d', { label: words.d, symbol: 'd', log: true })}
    ${this.slider('dTaylor', { label: words.dTaylor, symbol: 'd′', log: true })}`;
  }

  protected override renderResult({
    values,
    result,
  }: Shown<StateOf<Table>, readonly Gain[]>): unknown {
    const most = Math.max(...result.map(({ ratio }) => ratio), 1);
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${this.heading}>
      <table class="figure-table counts gains">
        <thead>
          <tr>
            <th scope="col">${words.variant}</th>
            <th scope="col">${words.ratio}</th>
            <th scope="col">${words.crossover}</th>
            <th scope="col">${words.standard}</th>
            <th scope="col">${words.linear}</th>
          </tr>
        </thead>
        <tbody>
          ${result.map(
            ({ id, standard, linear, ratio, crossover }) => html`<tr>
              <th scope="row">${this.name(id, values)}</th>
              <td class="bar-cell">
                <div>
                  <span class="track"
                    ><span class="bar" .style=${`inline-size:${(100 * ratio) / most}%`}></span
                  ></span>
                  <strong>${formatPlain(ratio)}</strong>
                </div>
              </td>
              <td>${formatPlain(crossover)}</td>
              <td>${formatCount(standard)}</td>
              <td>${formatCount(linear)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private name(id: GainId, { dTaylor }: StateOf<Table>): string {
    return words.names[id](dTaylor);
  }

  protected override summary({ result, values }: Shown<StateOf<Table>, readonly Gain[]>): string {
    const said = result.map(({ id, ratio }) => `${this.name(id, values)}: ${formatPlain(ratio)}`);
    return `${words.ratio}. ${said.join('; ')}.`;
  }

  protected override caption({ values }: Shown<StateOf<Table>, readonly Gain[]>): string {
    return words.caption(values.n, values.d, values.dTaylor);
  }

  protected override data({ values, result }: Shown<StateOf<Table>, readonly Gain[]>): FigureData {
    return {
      columns: ['variant', 'D', 'standard', 'linear', 'ratio', 'crossover'],
      rows: result.map(({ id, D, standard, linear, ratio, crossover }) => [
        this.name(id, values),
        D,
        standard,
        linear,
        ratio,
        crossover,
      ]),
    };
  }

  protected override svg(shown: Shown<StateOf<Table>, readonly Gain[]>): string {
    const { values, result } = shown;
    const head = [words.variant, words.ratio, words.crossover, words.standard, words.linear];
    const rows = result.map(({ id, standard, linear, ratio, crossover }) => [
      this.name(id, values),
      formatPlain(ratio),
      formatPlain(crossover),
      formatCount(standard),
      formatCount(linear),
    ]);
    const cells = rows.map((row) => row.map((words) => ({ words })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(head, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-order-gains': AttnOrderGains;
  }
}
