import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { MemoryParts, MemoryTable, ModelMemory } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatBytes, formatCount, formatPlain } from '../../../../src/plot/counts.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { boolean, integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { memoryWords } from '../../words/memory.ts';
import css from '../below.css?inline';
import { percent } from '../shared/percent.ts';

adopt(css);

const words = memoryWords.now;

const table = {
  phase: oneOf({
    key: 'phase',
    values: ['training', 'reading', 'decoding'],
    default: 'training',
  }),
  n: integer({ key: 'n', min: 64, max: 131072, default: 2048 }),
  batch: integer({ key: 'b', min: 1, max: 256, default: 1 }),
  layers: integer({ key: 'l', min: 1, max: 128, default: 1 }),
  heads: integer({ key: 'h', min: 1, max: 128, default: 8 }),
  d: integer({ key: 'd', min: 8, max: 256, default: 64 }),
  precision: oneOf({
    key: 'numbers',
    values: ['float32', 'float16', 'autocast'],
    default: 'float32',
  }),
  dropout: boolean({ key: 'dropout', default: true }),
  flash: boolean({ key: 'tiles', default: false }),
  every: integer({ key: 'every', min: 0, max: 128, default: 0 }),
};
type Table = typeof table;
type Values = StateOf<Table>;

/** In the order in which they are drawn: what grows with n² first. */
const SQUARE = ['scores', 'weights', 'dropoutMask', 'droppedWeights'] as const;
const OTHERS = ['activations', 'cache', 'parameters', 'gradients', 'optimizer'] as const;
const PARTS = [...SQUARE, ...OTHERS] as const satisfies readonly (keyof MemoryParts)[];
type Part = (typeof PARTS)[number];

interface Answer {
  readonly memory: ModelMemory;
  readonly table: MemoryTable;
}
type ShownAnswer = Shown<Values, Answer>;

/**
 * What a transformer keeps while it is trained, reads, or says one token more, drawn to scale; and the table of the
 * course text beside the count.
 *
 * @element attn-long-memory
 */
@customElement('attn-long-memory')
export class AttnLongMemory extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['phase', 'n'] as const;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { n, batch, layers, heads, d, precision, dropout, flash, every } = values;
    const [memory, counted] = await Promise.all([
      client.modelMemory(
        {
          ...{ n, batch, layers, heads, d, precision, dropout, flash },
          checkpointEvery: Math.min(every, layers),
        },
        { signal },
      ),
      client.memoryTable({ heads, batch, copies: layers }, { signal }),
    ]);
    return { memory, table: counted };
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      choice('phase', { label: words.phase, options: words.phases }),
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('batch', { label: words.batch, symbol: 'B', log: true }),
      slider('layers', { label: words.layers, symbol: 'L', log: true }),
      slider('heads', { label: words.heads, symbol: 'H', log: true }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      choice('precision', { label: words.precision, options: words.precisions }),
      toggle('dropout', { label: words.dropout }),
      toggle('flash', { label: words.flash }),
      slider('every', { label: words.every, max: this.values.layers }),
    ];
  }

  private partsOf({ values, result }: ShownAnswer): MemoryParts {
    return result.memory[values.phase];
  }

  /** A bar for each part, all in one scale; what was before a try is an outline. */
  private renderParts(shown: ShownAnswer): unknown {
    const parts = this.partsOf(shown);
    const before = this.ghost && this.partsOf(this.ghost);
    const there = PARTS.filter((part) => parts[part] > 0 || (before?.[part] ?? 0) > 0);
    const most = Math.max(...there.map((part) => Math.max(parts[part], before?.[part] ?? 0)), 1);
    const wide = (bytes: number): string => `inline-size:${(100 * bytes) / most}%`;
    const list = there.map((part) => `${words.parts[part]} ${formatBytes(parts[part])}`).join(', ');
    return html`<dl class="long-bars" aria-label=${words.alt(list)}>
        ${there.map(
          (part) => html`<div data-part=${part} class=${this.isSquare(part) ? 'square' : ''}>
            <dt>${words.parts[part]}${this.isSquare(part) ? html` <small>${words.square}</small>` : nothing}</dt>
            <dd>
              <span class="track" aria-hidden="true"
                ><span class="bar" .style=${wide(parts[part])}></span>${
                  before === undefined
                    ? nothing
                    : html`<span class="before" .style=${wide(before[part])}></span>`
                }</span
              >
              <strong>${formatBytes(parts[part])}</strong>
            </dd>
          </div>`,
        )}
      </dl>`;
  }

  private isSquare(part: Part): boolean {
    return (SQUARE as readonly Part[]).includes(part);
  }

  private squareShare(parts: MemoryParts): number {
    return SQUARE.reduce((sum, part) => sum + parts[part], 0) / parts.total;
  }

  private product({ batch, heads, layers }: Values): number {
    return batch * heads * layers;
  }

  private factor({ table: counted }: Answer): number {
    const [row] = counted.rows;
    return row ? row.claimedStandard / row.standard : Number.NaN;
  }

  private renderTable({ result }: ShownAnswer): unknown {
    const before = this.ghost?.result.table.rows;
    return html`<table class="figure-table counts">
      <thead>
        <tr>${words.tableColumns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
      </thead>
      <tbody>
        ${result.table.rows.map(
          ({ n, claimedStandard, standard }, i) => html`<tr>
            <th scope="row">${formatCount(n)}</th>
            <td>${formatBytes(claimedStandard)}</td>
            <td>${formatBytes(standard)}${
              before?.[i] && before[i].standard !== standard
                ? html` <s class="fine">${formatBytes(before[i].standard)}</s>`
                : nothing
            }</td>
            <td><strong>${words.times(formatPlain(claimedStandard / standard))}</strong></td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private tableLine({ values, result }: ShownAnswer): string {
    const [product, factor] = [formatCount(this.product(values)), this.factor(result)];
    return factor === 1 ? words.tableRight(product) : words.tableLine(product, formatPlain(factor));
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { table: words.tableTitle };
  }

  protected override pictures() {
    return { table: (shown: ShownAnswer) => this.renderTable(shown) };
  }

  protected override renderResult(shown: ShownAnswer): unknown {
    return this.renderParts(shown);
  }

  protected override resultLine(shown: ShownAnswer): string {
    if (this.place.show === 'table') return this.tableLine(shown);
    const parts = this.partsOf(shown);
    const [largest] = [...PARTS].sort((a, b) => parts[b] - parts[a]);
    if (!largest) return '';
    return words.line(
      formatBytes(parts.total),
      words.phases[shown.values.phase],
      words.parts[largest],
      percent(parts[largest] / parts.total),
    );
  }

  protected override summary(shown: ShownAnswer): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: ShownAnswer): readonly KeyNumber[] {
    const parts = this.partsOf(shown);
    const share = this.squareShare(parts);
    return [
      { label: words.total, value: parts.total, text: formatBytes(parts.total) },
      { label: words.squareShare, value: share, text: percent(share) },
    ];
  }

  protected override renderDetails(shown: ShownAnswer): unknown {
    const { memory, table: counted } = shown.result;
    const { training, reading, decoding } = memory;
    return html`<p>${words.three(...([training, reading, decoding].map(({ total }) => formatBytes(total)) as [string, string, string]))}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${this.heading}><table class="figure-table counts">
        <thead>
          <tr><td></td>${Object.values(words.phases).map((phase) => html`<th scope="col">${phase}</th>`)}</tr>
        </thead>
        <tbody>
          ${PARTS.map(
            (part) => html`<tr>
              <th scope="row">${words.parts[part]}</th>
              ${[training, reading, decoding].map((one) => html`<td>${formatBytes(one[part])}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table></div>
      <p class="fine">${words.tableNote(counted.claimSource)}</p>`;
  }

  protected override caption({ values }: ShownAnswer): string {
    const { n, batch, layers, heads, d, precision, dropout, flash, every } = values;
    return words.caption(
      `B = ${batch}, H = ${heads}, L = ${layers}, n = ${n}, d = ${d}`,
      ...([words.precisions[precision], dropout, flash, Math.min(every, layers)] as const),
    );
  }

  protected override data({ result: { memory } }: ShownAnswer): FigureData {
    return {
      columns: words.columns,
      rows: [...PARTS, 'total' as const].map((part) => [
        ...[part, memory.training[part], memory.reading[part], memory.decoding[part]],
      ]),
    };
  }

  protected override svg(shown: ShownAnswer): string {
    const { training, reading, decoding } = shown.result.memory;
    const cells = PARTS.map((part) =>
      [
        words.parts[part],
        ...[training, reading, decoding].map((one) => formatBytes(one[part])),
      ].map((text) => ({ words: text })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(
      tablePicture([words.heading, ...Object.values(words.phases)], cells, this.dark),
      about,
      this.dark,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-memory': AttnLongMemory;
  }
}
