import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { MixerSizes, SequenceMixerInfo } from '#client';
import tableCss from '../../../../src/figures/table.css?inline';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { boolean, integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { type Column, words } from '../../words/registry.ts';
import { looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { mixersOf } from '../mixers.ts';
import { rowChart } from '../row-chart.ts';

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
] as const satisfies readonly Column[];

/** Hyena makes its filters for a length, so that there is a longest text. */
const LONGEST = 4096;

const table = {
  n: integer({ key: 'n', default: 1024, min: 16, max: LONGEST }),
  dModel: oneOf({ key: 'd', values: ['32', '64', '128', '256'], default: '64' }),
  heads: oneOf({ key: 'h', values: ['1', '2', '4', '8'], default: '1' }),
  /** Nothing here is random any more; older links have it, and another order. */
  seed: seed(),
  /** At first the rows stand in the order of the registry, which no column explains. */
  sort: oneOf({ key: 'sort', values: ['registry', ...COLUMNS, 'filter'], default: 'registry' }),
  turned: boolean({ key: 'turned', default: false }),
} as const;
type Values = StateOf<typeof table>;

interface Row {
  readonly info: SequenceMixerInfo;
  readonly place: number;
  readonly sizes: MixerSizes;
  readonly costPerToken: number;
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

  protected async compute(values: Values, ask: Ask): Promise<readonly Row[]> {
    const { client } = this.tools;
    const { n } = values;
    const [dModel, heads] = [Number(values.dModel), Number(values.heads)];
    const infos = await mixersOf(client);
    const rows: Row[] = [];
    for (const [place, info] of infos.entries()) {
      const { id } = info;
      const mixer = { id, dModel, heads, length: LONGEST };
      const sizes = await client.mixerSizes({ mixer, n }, { signal: ask.signal });
      rows.push({ info, place, sizes, costPerToken: sizes.multiplyAdds / n });
      ask.onProgress((place + 1) / infos.length);
    }
    return rows;
  }

  protected override get controls() {
    const same = (values: readonly string[]) =>
      Object.fromEntries(values.map((value) => [value, value]));
    return [
      slider('n', { label: words.n, symbol: 'n', log: true }),
      choice('dModel', { label: words.dModel, options: same(table.dModel.values) }),
      choice('heads', { label: words.heads, options: same(table.heads.values) }),
    ];
  }

  private name({ info }: Pick<Row, 'info'>): string {
    return modelName(info.id, info.label);
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
        return this.name(row).toLowerCase();
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
    }
  }

  private sorted(rows: readonly Row[]): readonly Row[] {
    const { sort, turned } = this.values;
    if (sort === 'registry' || sort === 'filter') return rows;
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
    ];
  }

  protected renderResult({ result }: Shown<Values, readonly Row[]>): unknown {
    const rows = this.sorted(result);
    const looks = looksOf(
      rows.map(({ info }) => info.id),
      this.dark,
    );
    const numbers = rows.map(({ sizes }) => sizes.stateNumbers).filter((size) => size > 0);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    return html`${rowChart({
      label: words.picture,
      rows: rows.map((row) => ({
        ...{ name: this.name(row), at: row.sizes.stateNumbers || Number.NaN },
        look: looks.get(row.info.id) as Look,
        text: html`${formatCount(row.sizes.stateNumbers)}${
          row.info.constantState ? '' : html` <span class="st-grows">${words.grows}</span>`
        }`,
      })),
      ...{ low, high, log: true, ends: [formatCount(low), formatCount(high)] },
      dark: this.dark,
    })}`;
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    return html`${modelTable(
      this.heading,
      COLUMNS.map((column) => this.header(column)),
      this.sorted(result).map((row) =>
        modelRow(
          html`<a
              href=${row.info.paper.url}
              rel="noopener"
              title=${words.paper(`${row.info.paper.title}, ${row.info.paper.where}`)}
              >${this.name(row)}</a
            >`,
          this.texts(row),
        ),
      ),
    )}
      <p class="fine">${words.note}</p>`;
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return result
      .filter(({ info }) => info.id === 'softmax' || info.id === 'linear_sum')
      .map((row) => ({
        ...{ label: this.name(row), value: row.sizes.stateNumbers },
        text: words.numbers(formatCount(row.sizes.stateNumbers)),
      }));
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    return words.caption(values.n, Number(values.dModel), Number(values.heads));
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const steady = result.filter(({ info }) => info.constantState);
    const least = [...steady].sort((a, b) => a.sizes.stateNumbers - b.sizes.stateNumbers)[0];
    if (!least) return '';
    const growing = result.length - steady.length;
    const numbers = formatCount(least.sizes.stateNumbers);
    return words.summary(this.name(least), numbers, growing, result.length);
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    const digit = (yes: boolean): number => (yes ? 1 : 0);
    return {
      columns: words.data,
      rows: this.sorted(result).map(({ info, sizes, costPerToken }) => [
        ...[info.id, info.label, sizes.stateNumbers, digit(info.constantState), costPerToken],
        ...[sizes.parameters, digit(info.parallel), digit(info.recurrent), digit(info.chunked)],
        ...[digit(info.forgets), digit(info.overwrites)],
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    const head = COLUMNS.map((column) => words.columns[column]);
    const cells = this.sorted(shown.result).map((row) =>
      [this.name(row), ...this.texts(row)].map((text) => ({ words: text })),
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
