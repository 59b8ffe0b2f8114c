import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { nameOf } from '../../../../src/plot/names.ts';
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

  protected override get controls(): readonly Knob<keyof Table>[] {
    return [
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      slider('dTaylor', { label: words.dTaylor, symbol: 'd′', log: true }),
    ];
  }

  /** A bar for each variant, in one scale; the reader's guess and what was before a try are lines across them. */
  protected override renderResult({
    values,
    result,
  }: Shown<StateOf<Table>, readonly Gain[]>): unknown {
    const { guess } = this.bothAnswers;
    const { ghost } = this;
    const all = [...result, ...(ghost?.result ?? [])].map(({ ratio }) => ratio);
    const most = Math.max(...all, guess ?? 1, 1);
    const wide = (ratio: number): string => `inline-size:${(100 * ratio) / most}%`;
    return html`<dl class="gain-bars">
        ${result.map(({ id, ratio }) => {
          const before = ghost?.result.find((one) => one.id === id)?.ratio;
          return html`<div class="gain-${id}">
            <dt>${this.name(id, values)}</dt>
            <dd>
              <span class="track" aria-hidden="true"
                ><span class="bar" .style=${wide(ratio)}></span>${
                  before === undefined
                    ? nothing
                    : html`<span class="before" .style=${wide(before)}></span>`
                }${
                  guess === undefined
                    ? nothing
                    : html`<span class="guess" .style=${`inset-inline-start:${(100 * guess) / most}%`}></span>`
                }</span
              >
              <strong>${words.times(formatPlain(ratio))}</strong>
            </dd>
          </div>`;
        })}
      </dl>
      ${
        guess === undefined
          ? nothing
          : html`<p class="fine gain-guess">${nameOf('guess')}: ${words.times(formatPlain(guess))}</p>`
      }`;
  }

  protected override renderDetails({
    values,
    result,
  }: Shown<StateOf<Table>, readonly Gain[]>): unknown {
    return html`<div class="table-scroll" tabindex="0">
      <table class="figure-table counts">
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
              <td>${formatPlain(ratio)}</td>
              <td>${formatPlain(crossover)}</td>
              <td>${formatCount(standard)}</td>
              <td>${formatCount(linear)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  protected override resultLine({
    values,
    result,
  }: Shown<StateOf<Table>, readonly Gain[]>): string {
    const of = (id: GainId): string =>
      formatPlain(result.find((gain) => gain.id === id)?.ratio ?? Number.NaN);
    return words.line(values.n, of('plain'), of('causal'), of('taylor'));
  }

  protected override keyNumbers({
    values,
    result,
  }: Shown<StateOf<Table>, readonly Gain[]>): readonly KeyNumber[] {
    return result
      .filter(({ id }) => id === 'plain' || id === 'causal' || id === 'taylor')
      .map(({ id, ratio }) => ({
        ...{ label: this.name(id, values), value: ratio },
        text: words.times(formatPlain(ratio)),
      }));
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
