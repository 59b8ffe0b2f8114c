import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FilterProbe, MixerSizes, SequenceMixerInfo } from '#client';
import tableCss from '../../../../src/figures/table.css?inline';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { boolean, integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { type Column, words } from '../../words/registry.ts';
import { filterOf, mixersOf } from '../mixers.ts';

adopt(tableCss);
adopt(css);

const COLUMNS = [
  'model',
  'state',
  'cost',
  'parameters',
  'forms',
  'forgets',
  'overwrites',
  'filter',
] as const satisfies readonly Column[];

/** Hyena makes its filters for a length, so that there is a longest text. */
const LONGEST = 4096;
const PROBE_WIDTH = 8;

const table = {
  n: integer({ key: 'n', default: 1024, min: 16, max: LONGEST }),
  dModel: oneOf({ key: 'd', values: ['32', '64', '128', '256'], default: '64' }),
  heads: oneOf({ key: 'h', values: ['1', '2', '4', '8'], default: '1' }),
  seed: seed(),
  /** At first the rows stand in the order of the registry, which no column explains. */
  sort: oneOf({ key: 'sort', values: ['registry', ...COLUMNS], default: 'registry' }),
  turned: boolean({ key: 'turned', default: false }),
} as const;
type Values = StateOf<typeof table>;

interface Row {
  readonly info: SequenceMixerInfo;
  readonly place: number;
  readonly sizes: MixerSizes;
  readonly costPerToken: number;
  readonly filter: FilterProbe | undefined;
}

/**
 * Every mixer of the core in a table that sorts: the size of its state, its cost, what it can do.
 *
 * @element attn-states-registry
 */
@customElement('attn-states-registry')
export class AttnStatesRegistry extends LabFigure<readonly Row[], typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  private readonly probes = new Map<string, FilterProbe>();

  protected async compute(values: Values, ask: Ask): Promise<readonly Row[]> {
    const { client } = this.tools;
    const { n, seed } = values;
    const [dModel, heads] = [Number(values.dModel), Number(values.heads)];
    const infos = await mixersOf(client);
    const rows: Row[] = [];
    for (const [place, info] of infos.entries()) {
      const { id } = info;
      const mixer = { id, dModel, heads, length: LONGEST };
      const sizes = await client.mixerSizes({ mixer, n }, { signal: ask.signal });
      const key = `${id} ${seed}`;
      if (info.hasMatrix && !this.probes.has(key)) {
        const small = { id, dModel: PROBE_WIDTH, heads: 1, length: 16 };
        this.probes.set(key, await filterOf(client, small, seed, ask));
      }
      const filter = this.probes.get(key);
      rows.push({ info, place, sizes, filter, costPerToken: sizes.multiplyAdds / n });
      ask.onProgress((place + 1) / infos.length);
    }
    return rows;
  }

  protected renderKnobs(): unknown {
    const same = (values: readonly string[]) =>
      Object.fromEntries(values.map((value) => [value, value]));
    return html`${this.slider('n', { label: words.n, symbol: 'n', log: true })}
    ${this.choice('dModel', { label: words.dModel, options: same(table.dModel.values) })}
    ${this.choice('heads', { label: words.heads, options: same(table.heads.values) })}
    ${this.seed()}`;
  }

  private filterWord({ filter }: Row): string {
    if (!filter) return words.filters.none;
    return filter.filterFixed ? words.filters.fixed : words.filters.input;
  }

  private forms({ info }: Row): string {
    return (['parallel', 'recurrent', 'chunked'] as const)
      .filter((form) => info[form])
      .map((form) => words.forms[form])
      .join(', ');
  }

  private key(row: Row, column: Column): number | string {
    const { info, sizes } = row;
    switch (column) {
      case 'model':
        return info.label.toLowerCase();
      case 'state':
        return sizes.stateNumbers;
      case 'cost':
        return row.costPerToken;
      case 'parameters':
        return sizes.parameters;
      case 'forms':
        return -this.forms(row).length;
      case 'forgets':
        return info.forgets ? 0 : 1;
      case 'overwrites':
        return info.overwrites ? 0 : 1;
      case 'filter':
        return this.filterWord(row);
    }
  }

  private sorted(rows: readonly Row[]): readonly Row[] {
    const { sort, turned } = this.values;
    if (sort === 'registry') return rows;
    const way = turned ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [this.key(a, sort), this.key(b, sort)];
      if (x === y) return a.place - b.place;
      return way * (x < y ? -1 : 1);
    });
  }

  private header(column: Column): unknown {
    const { sort, turned } = this.values;
    const here = sort === column;
    const order = here ? (turned ? 'descending' : 'ascending') : 'none';
    const label = words.columns[column];
    return html`<th scope="col" aria-sort=${order}>
      <button
        class="st-sort"
        type="button"
        title=${words.sortBy(label)}
        @click=${() => this.set({ sort: column, turned: here ? !turned : false })}
      >
        ${label} <span aria-hidden="true">${here ? (turned ? '▼' : '▲') : '↕'}</span>
      </button>
    </th>`;
  }

  private texts(row: Row): readonly string[] {
    const { info, sizes, costPerToken } = row;
    const said = (yes: boolean): string => (yes ? words.yes : words.no);
    return [
      `${formatCount(sizes.stateNumbers)}${info.constantState ? '' : ` (${words.grows})`}`,
      formatCount(Math.round(costPerToken)),
      formatCount(sizes.parameters),
      this.forms(row),
      said(info.forgets),
      said(info.overwrites),
      this.filterWord(row),
    ];
  }

  protected renderResult({ result }: Shown<Values, readonly Row[]>): unknown {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${this.heading}>
        <table class="figure-table st-registry" aria-label=${this.heading}>
          <thead>
            <tr>
              ${COLUMNS.map((column) => this.header(column))}
            </tr>
          </thead>
          <tbody>
            ${this.sorted(result).map(
              (row) => html`<tr>
                <th scope="row">
                  <a
                    href=${row.info.paper.url}
                    rel="noopener"
                    title=${words.paper(`${row.info.paper.title}, ${row.info.paper.where}`)}
                    >${row.info.label}</a
                  >
                </th>
                ${this.texts(row).map(
                  (text, i) =>
                    html`<td class=${COLUMNS[i + 1] === 'forms' ? 'st-forms' : ''}>${text}</td>`,
                )}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="fine">${words.note}</p>`;
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    return words.caption(values.n, Number(values.dModel), Number(values.heads), values.seed);
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const steady = result.filter(({ info }) => info.constantState);
    const least = [...steady].sort((a, b) => a.sizes.stateNumbers - b.sizes.stateNumbers)[0];
    if (!least) return '';
    const growing = result.length - steady.length;
    const numbers = formatCount(least.sizes.stateNumbers);
    return words.summary(least.info.label, numbers, growing, result.length);
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    const digit = (yes: boolean): number => (yes ? 1 : 0);
    return {
      columns: words.data,
      rows: this.sorted(result).map(({ info, sizes, costPerToken, filter }) => [
        ...[info.id, info.label, sizes.stateNumbers, digit(info.constantState), costPerToken],
        ...[sizes.parameters, digit(info.parallel), digit(info.recurrent), digit(info.chunked)],
        ...[digit(info.forgets), digit(info.overwrites), filter?.filterChange ?? null],
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    const head = COLUMNS.map((column) => words.columns[column]);
    const cells = this.sorted(shown.result).map((row) =>
      [row.info.label, ...this.texts(row)].map((text) => ({ words: text })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(head, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-registry': AttnStatesRegistry;
  }
}
