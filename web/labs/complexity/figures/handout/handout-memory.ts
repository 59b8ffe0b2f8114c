import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { MemoryRow, MemoryTable } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { quotedMemory } from '../../course-quotes.ts';
import { figureWords } from '../../words/figures.ts';
import { formatBytes, formatPlain } from '../format.ts';

const { handoutMemory: words } = figureWords.now;

const table = {
  heads: integer({ key: 'h', min: 1, max: 128, default: 8 }),
  batch: integer({ key: 'b', min: 1, max: 256, default: 1 }),
  window: integer({ key: 'w', min: 1, max: 4096, default: quotedMemory.window }),
};
type Table = typeof table;
type ShownTable = Shown<StateOf<Table>, MemoryTable>;

/**
 * The handout's table of memory beside what the core counts for the same lengths.
 *
 * @element attn-handout-memory
 */
@customElement('attn-handout-memory')
export class AttnHandoutMemory extends LabFigure<MemoryTable, Table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: StateOf<Table>, { signal }: Ask): Promise<MemoryTable> {
    return this.tools.client.memoryTable({ ...values }, { signal });
  }

  protected override get controls(): readonly Knob<keyof Table>[] {
    return [
      slider('heads', { label: words.heads, symbol: 'h', log: true }),
      slider('batch', { label: words.batch, log: true }),
      slider('window', { label: words.window, symbol: 'w', log: true }),
    ];
  }

  private quoteOf({ n }: MemoryRow): { readonly standard: string; readonly local: string } {
    return quotedMemory.rows[n as keyof typeof quotedMemory.rows];
  }

  private cells(row: MemoryRow): readonly string[] {
    const { standard, local, claimedStandard, claimedLocal } = row;
    const times = (claimed: number, counted: number): string =>
      words.times(formatPlain(claimed / counted));
    return [
      formatBytes(standard),
      times(claimedStandard, standard),
      formatBytes(local),
      times(claimedLocal, local),
    ];
  }

  private verdict({ rows }: MemoryTable): string {
    const ratios = rows.map(({ claimedStandard, standard }) => claimedStandard / standard);
    const [first = Number.NaN] = ratios;
    return ratios.every((ratio) => ratio === first)
      ? words.verdict(formatPlain(first))
      : words.mixed(formatPlain(Math.min(...ratios)), formatPlain(Math.max(...ratios)));
  }

  protected override summary({ result }: ShownTable): string {
    return this.verdict(result).replaceAll('*', '');
  }

  protected override resultLine({ result }: ShownTable): string {
    return this.verdict(result);
  }

  protected override keyNumbers({ result: { rows } }: ShownTable): readonly KeyNumber[] {
    const [first] = rows;
    if (!first) return [];
    const times = first.claimedStandard / first.standard;
    return [{ label: words.columns[1] ?? '', value: times, text: words.times(formatPlain(times)) }];
  }

  /** The columns from `from` on, of all keys or of the local window, beside the lengths. */
  private renderColumns({ rows }: MemoryTable, which: 'standard' | 'local'): unknown {
    const from = which === 'standard' ? 1 : 4;
    const { columns } = words;
    return html`<table class="figure-table counts ${which}">
      <thead>
        <tr>
          ${[columns[0], ...columns.slice(from, from + 3)].map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => {
          const [counted, times] = this.cells(row).slice(which === 'standard' ? 0 : 2);
          return html`<tr>
            <th scope="row">${row.n}</th>
            <td><q lang="en">${this.quoteOf(row)[which]}</q></td>
            <td>${counted}</td>
            <td><strong>${times}</strong></td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  protected override renderResult({ result }: ShownTable): unknown {
    return this.renderColumns(result, 'standard');
  }

  protected override renderDetails({ result }: ShownTable): unknown {
    return this.renderColumns(result, 'local');
  }

  protected override caption({ values }: ShownTable): string {
    const { heads, batch, window } = values;
    return words.caption(
      heads,
      batch,
      window,
      `${quotedMemory.source}, ${words.quote(quotedMemory.heading)}`,
    );
  }

  protected override data({ result }: ShownTable): FigureData {
    return {
      columns: ['n', 'says_standard', 'standard_bytes', 'says_local', 'local_bytes'],
      rows: result.rows.map((row) => {
        const says = this.quoteOf(row);
        return [row.n, says.standard, row.standard, says.local, row.local];
      }),
    };
  }

  protected override svg(shown: ShownTable): string {
    const cells = shown.result.rows.map((row) => {
      const says = this.quoteOf(row);
      const [standard = '', timesStandard = '', local = '', timesLocal = ''] = this.cells(row);
      return [
        ...[String(row.n), words.quote(says.standard), standard, timesStandard],
        ...[words.quote(says.local), local, timesLocal],
      ].map((words) => ({ words }));
    });
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-handout-memory': AttnHandoutMemory;
  }
}
