import { registry as formulas } from 'virtual:formulas';
import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FeatureMapInfo } from '#client';
import { drawnFormula } from '../../../../src/components/rich-text/drawn-formula.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { featureMapsOf } from '../../../../src/core.ts';
import { isTwin } from '../../../../src/figures/map-parameters.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { fileOf, type TallCell, tablePicture } from '../../../../src/plot/picture-file.ts';
import { boolean, integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { inLanguage, langOfMap } from '../../../../src/strings/registry.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../figures.css?inline';
import { type Draw, drawOf, sourceTable } from '../shared/source.ts';
import { sourceKnobs, sourceText } from '../shared/source-knobs.ts';
import { words as all } from '../words.ts';
import { graded, quoted, stars } from './course-quotes.ts';
import { choose, type MapRow, measureQuality, measureTime, troubleOf } from './measure-map.ts';

adopt(css);

const words = all.now.registry;

/** Columns with a number, and whether its largest value comes first when one sorts by it. */
const NUMBERS = {
  dimension: false,
  minWeight: true,
  correlation: true,
  mse: false,
  outputError: false,
  milliseconds: false,
  trouble: false,
} as const;
type NumberColumn = keyof typeof NUMBERS;
type Column = 'map' | NumberColumn;
const COLUMNS = ['map', ...Object.keys(NUMBERS)] as readonly Column[];

const table = {
  // As in the course text.
  ...sourceTable({ n: 100, dK: 64, dV: 64 }),
  draws: integer({ key: 'draws', min: 1, max: 50, default: 20 }),
  scaled: boolean({ key: 'scale', default: true }),
  features: integer({ key: 'm', min: 1, max: 1024, default: 128 }),
  timedN: integer({ key: 'tn', min: 64, max: 4096, default: 1024 }),
  sort: oneOf({
    key: 'sort',
    values: [
      'map',
      'dimension',
      'minWeight',
      'correlation',
      'mse',
      'outputError',
      'milliseconds',
      'trouble',
    ],
    default: 'correlation',
  }),
  turned: boolean({ key: 'turned', default: false }),
  /** Which maps are measured: all of the registry, or those that the course text grades, beside its grades. */
  maps: oneOf({ key: 'maps', values: ['registry', 'handout'], default: 'registry' }),
  /** Whether every map that was measured is shown. */
  every: boolean({ key: 'every', default: false }),
};

/** What one sees at first: the map of the first linear transformer, the cheapest, the expansion, the estimate. */
const FIRST = ['elu_plus_one', 'relu', 'taylor', 'softmax_kernel'];
type Values = StateOf<typeof table>;
type Rows = Shown<Values, readonly MapRow[]>;

const numberOf = (row: MapRow, column: NumberColumn): number =>
  column === 'trouble' ? troubleOf(row) : row[column];

/** The median of the times of softmax attention, one of which was measured beside each map. */
const middle = (rows: readonly MapRow[]): number => {
  const times = rows.map(({ softmaxMilliseconds }) => softmaxMilliseconds).sort((a, b) => a - b);
  return times[times.length >> 1] ?? Number.NaN;
};

const percent = (share: number): string => formatTick(100 * share);

/**
 * Every map of the registry, measured on the same draws; or the four that the course text grades, beside its grades.
 *
 * @element attn-map-registry
 */
@customElement('attn-map-registry')
export class AttnMapRegistry extends LabExperiment<MapRow, typeof table> {
  override readonly table = table;
  protected override readonly viewKnobs = ['sort', 'turned', 'every'];
  protected override readonly measuresTime = true;

  private maps: readonly FeatureMapInfo[] = [];

  override get heading(): string {
    return this.place.values?.maps === 'handout' ? words.gradedHeading : words.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The registry's notes and papers; runs of an earlier visit show them too.
    featureMapsOf(this.tools.client)
      .then(inLanguage)
      .then(
        (maps) => {
          this.maps = maps;
          this.requestUpdate();
        },
        () => undefined,
      );
  }

  protected override async *sweep(values: Values, ask: Ask) {
    const { tools } = this;
    const { client } = tools;
    const quotes = values.maps === 'handout';
    const maps = [...(await featureMapsOf(client))]
      .filter(({ id }) => !quotes || id in quoted)
      .sort((a, b) => Number(FIRST.includes(b.id)) - Number(FIRST.includes(a.id)));
    const { signal } = ask;
    const { features, scaled, draws: count } = values;
    for (const [i, info] of maps.entries()) {
      let sizes = { dK: values.dK, dV: values.dV };
      const draws = async function* (): AsyncGenerator<Draw> {
        for (let index = 0; index < count; index++) {
          const draw = await drawOf(values, index, tools, ask, all.now.source.missing);
          sizes = { dK: draw.qkv.q.cols, dV: draw.qkv.v.cols };
          yield draw;
          // The lab's data stays the same; only a random map has more than one draw on it.
          if (values.source === 'lab' && !info.random) return;
        }
      };
      const quality = await measureQuality(client, info, draws(), { features, scaled, signal });
      const chosen = choose(info, features, values.seed);
      const time = await measureTime(client, chosen, { n: values.timedN, ...sizes }, signal);
      yield { row: { ...quality, ...time }, fraction: (i + 1) / maps.length };
    }
  }

  protected override isRow(row: unknown): row is MapRow {
    const { map, trouble } = (row ?? {}) as Partial<MapRow>;
    return typeof map === 'string' && typeof trouble === 'object';
  }

  protected override describe(values: Values): string {
    const { sourceOf } = this;
    return `${sourceOf(values)}, ${this.scaleOf(values)}, m = ${values.features}`;
  }

  private sourceOf = (values: Values): string => sourceText(values, values.draws, this.tools);

  private scaleOf({ scaled }: Values): string {
    return scaled ? all.now.source.usual : all.now.source.scale('1');
  }

  protected override readonly firstKnobs = ['dK', 'draws'] as const;
  protected override get controls(): readonly Knob<keyof Values>[] {
    return [
      ...sourceKnobs(this.values.source),
      slider('draws', { label: all.now.source.draws, log: true }),
      slider('features', { symbol: 'm', label: all.now.features, log: true }),
      slider('timedN', { label: words.timedN, log: true }),
      toggle('scaled', { label: words.scaled, note: words.scaledNote }),
    ];
  }

  /** The run may have been kept while the page spoke another language. */
  private labelOf({ map, label }: MapRow): string {
    return this.maps.find(({ id }) => id === map)?.label ?? label;
  }

  /** How many maps were measured and are not shown yet. */
  private more({ values, result }: Rows): number {
    if (values.maps === 'handout' || this.values.every) return 0;
    return result.filter(({ map }) => !FIRST.includes(map)).length;
  }

  private sorted(shown: Rows, every = false): readonly MapRow[] {
    const { sort, turned } = this.values;
    const hidden = !every && this.more(shown) > 0;
    const result = shown.result.filter(({ map }) => !hidden || FIRST.includes(map));
    const downward = sort === 'map' ? turned : NUMBERS[sort] !== turned;
    const direction = downward ? -1 : 1;
    return result.sort((a, b) => {
      if (sort === 'map') return direction * this.labelOf(a).localeCompare(this.labelOf(b));
      const [x, y] = [numberOf(a, sort), numberOf(b, sort)];
      // Entries that are not numbers come last in either order.
      if (Number.isNaN(x) || Number.isNaN(y))
        return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
      return direction * (x - y);
    });
  }

  private header(column: Column) {
    const { sort, turned } = this.values;
    const here = sort === column;
    const downward = column === 'map' ? turned : NUMBERS[column] !== turned;
    const order = here ? (downward ? 'descending' : 'ascending') : 'none';
    const label = words.columns[column];
    return html`<th scope="col" aria-sort=${order}>
      <button
        class="plain"
        type="button"
        title=${words.sortBy(label)}
        @click=${() => this.set({ sort: column, turned: here ? !turned : false })}
      >
        ${label}<span aria-hidden="true">${here ? (downward ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>`;
  }

  /** The same number in the runs that are compared with this one. */
  private others({ map }: MapRow, column: NumberColumn) {
    return this.compared.map(({ rows }) => {
      const row = rows.find((one) => one.map === map);
      return row
        ? html`<small class="other" title=${words.before}>${this.number(numberOf(row, column))}</small>`
        : nothing;
    });
  }

  private number(value: number): string {
    return Number.isNaN(value) ? words.undefined : formatNumber(value);
  }

  private quote(text: string | undefined) {
    return text === undefined
      ? nothing
      : html`<small class="quoted" title=${words.quote}><q>${text}</q></small>`;
  }

  /** Stars stand beside the name of the text's own column, which is not always ours. */
  private stars(count: number | undefined, column: keyof typeof graded) {
    const name = graded[column];
    return count === undefined
      ? nothing
      : html`<small class="quoted"
          >${name}
          <span role="img" aria-label="${words.quote}: ${name} ${words.stars(count)}"
            >${stars(count)}</span
          ></small
        >`;
  }

  private troubles({ trouble }: MapRow): readonly string[] {
    return (Object.keys(trouble) as (keyof typeof trouble)[])
      .filter((kind) => trouble[kind] > 0)
      .map((kind) => `${percent(trouble[kind])} % ${words.trouble[kind]}`);
  }

  private cell(row: MapRow, column: NumberColumn, value: unknown, ...more: readonly unknown[]) {
    return html`<td>${value} ${more} ${this.others(row, column)}</td>`;
  }

  private renderRow(row: MapRow, values: Values, twins: readonly MapRow[]) {
    const gaussian = values.source === 'gaussian';
    const said = values.maps === 'handout' ? quoted[row.map] : undefined;
    // The course text's numbers are for Gaussian draws, so they are not shown beside other data.
    const printed = gaussian ? said : undefined;
    const info = this.maps.find(({ id }) => id === row.map);
    const small = (text: string) => html`<small>${text}</small>`;
    const { milliseconds, softmaxMilliseconds } = row;
    const troubles = this.troubles(row);
    return html`<tr data-map=${row.map}>
      <th scope="row">
        <span lang=${langOfMap(row.map) ?? nothing}>${this.labelOf(row)}</span>
        ${twins.length > 0 ? small(words.sameAs(twins.map((twin) => this.labelOf(twin)).join(', '))) : nothing}
        ${
          info
            ? html`<details>
                <summary>
                  ${words.about}<span class="visually-hidden">: ${this.labelOf(row)}</span>
                </summary>
                <p>${drawnFormula(formulas[row.map]?.phi ?? '')}</p>
                <p lang=${langOfMap(row.map) ?? nothing}>${rich(`${info.kernel} ${info.note}`)}</p>
                <p><a href=${info.paper.url} rel="noopener">${info.paper.title}</a></p>
              </details>`
            : nothing
        }
      </th>
      ${this.cell(row, 'dimension', row.dimension)}
      ${this.cell(
        row,
        'minWeight',
        this.number(row.minWeight),
        row.negativeWeights > 0 ? small(words.share(percent(row.negativeWeights))) : nothing,
        this.quote(said?.positivity),
      )}
      ${this.cell(
        row,
        'correlation',
        this.number(row.correlation),
        this.quote(printed?.correlation),
        this.stars(said?.softmax, 'softmax'),
      )}
      ${this.cell(
        row,
        'mse',
        this.number(row.mse),
        small(words.ofUniform(formatTick(row.mse / row.uniformMse))),
        this.quote(printed?.mse),
      )}
      ${this.cell(row, 'outputError', this.number(row.outputError))}
      ${this.cell(
        row,
        'milliseconds',
        Number.isNaN(milliseconds) ? words.untimed : formatNumber(milliseconds),
        Number.isNaN(milliseconds)
          ? nothing
          : small(words.ofSoftmax(formatTick(milliseconds / softmaxMilliseconds))),
        this.stars(said?.speed, 'speed'),
      )}
      ${this.cell(
        row,
        'trouble',
        troubles.length === 0
          ? words.noTrouble
          : troubles.map((trouble) => html`<span class="kind">${trouble}</span>`),
        this.stars(said?.stability, 'stability'),
      )}
    </tr>`;
  }

  /** Maps that measure the same to the digit stand in one row, under the name of the first. */
  private apart(rows: readonly MapRow[]): readonly (readonly [MapRow, readonly MapRow[]])[] {
    const found = new Map<string, MapRow[]>();
    for (const row of rows) {
      const numbers = [row.correlation, row.mse, row.outputError, row.minWeight];
      const key = numbers.map((value) => formatNumber(value)).join(' ');
      const same = found.get(key);
      if (same) same.push(row);
      else found.set(key, [row]);
    }
    return [...found.values()].map(([first, ...twins]) => [first as MapRow, twins]);
  }

  /** The maps of the first sight, by how well they correlate: two bars each, and what the course text prints. */
  protected override renderResult(shown: Rows): unknown {
    const { values } = shown;
    const rows = shown.result
      .filter(({ map }) => values.maps === 'handout' || FIRST.includes(map))
      .sort((a, b) => b.correlation - a.correlation);
    const graded = values.maps === 'handout' && values.source === 'gaussian';
    const bar = (
      value: number,
      of: number,
      mark?: number,
    ) => html`<span class="track" aria-hidden="true"
      ><span .style=${`width:${100 * Math.max(0, Math.min(1, value / of))}%`}></span>${
        mark === undefined
          ? nothing
          : html`<i .style=${`left:${100 * Math.min(1, mark / of)}%`}></i>`
      }</span
    >`;
    const { correlation, outputError } = words.columns;
    const worst = Math.max(1, ...rows.map((row) => row.outputError).filter(Number.isFinite));
    return html`<div class="map-bars" role="table" aria-label=${this.heading}>
        <div role="row" class="head">
          <span role="columnheader">${words.columns.map}</span>
          <span role="columnheader">${correlation}</span>
          <span role="columnheader">${outputError}</span>
        </div>
        ${rows.map((row) => {
          const printed = graded ? quoted[row.map]?.correlation : undefined;
          const was = this.ghost?.result.find(({ map }) => map === row.map);
          return html`<div role="row" data-bar=${row.map}>
            <span role="rowheader" lang=${langOfMap(row.map) ?? nothing}>${this.labelOf(row)}</span>
            <span role="cell"
              ><b>${this.number(row.correlation)}</b> ${this.quote(printed)}
              ${bar(row.correlation, 1, printed === undefined ? was?.correlation : Number(printed))}</span
            >
            <span role="cell"
              ><b>${this.number(row.outputError)}</b> ${bar(row.outputError, worst, was?.outputError)}</span
            >
          </div>`;
        })}
      </div>
      ${this.renderImpossible(shown)}`;
  }

  /** The printed errors that no two averages can have. */
  private renderImpossible({ values, result }: Rows): unknown {
    const [first] = result;
    if (!first || values.maps !== 'handout' || values.source !== 'gaussian') return nothing;
    const lines = Object.entries(quoted).flatMap(([id, { mse }]) => {
      const row = result.find(({ map }) => map === id);
      if (!row || mse === undefined || Number(mse) <= first.mseBound) return [];
      const times = formatTick(Number(mse) / first.mseBound);
      return [words.impossible(this.labelOf(row), mse, times)];
    });
    return html`<ul class="lines">
      ${lines.map((line) => html`<li><strong>${line}</strong></li>`)}
    </ul>`;
  }

  protected override renderDetails(shown: Rows): unknown {
    const [first] = shown.result;
    const { values } = shown;
    const quotes = values.maps === 'handout';
    const more = this.more(shown);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.scroll}>
        <table class="registry" aria-label=${this.heading}>
          <thead>
            <tr>
              ${COLUMNS.map((column) => this.header(column))}
            </tr>
          </thead>
          <tbody>
            ${this.apart(this.sorted(shown)).map(([row, twins]) =>
              this.renderRow(row, values, twins),
            )}
          </tbody>
        </table>
      </div>
      ${
        more > 0 || this.values.every
          ? html`<p>
              <button
                class="button show-all"
                type="button"
                aria-expanded=${String(more === 0)}
                @click=${() => this.set({ every: more > 0 })}
              >
                ${more > 0 ? words.showAll(this.apart(this.sorted(shown, true)).length) : words.showFour}
              </button>
            </p>`
          : nothing
      }
      ${
        first
          ? html`<ul class="lines">
              <li>${words.lines.uniform(formatNumber(first.uniformMse))}</li>
              <li>
                ${words.lines.bound(Math.round(2 / first.mseBound), formatNumber(first.mseBound))}
              </li>
              <li>${words.lines.softmax(formatNumber(middle(shown.result)))}</li>
              ${quotes ? html`<li class="fine">${words.quoted}</li>` : nothing}
            </ul>`
          : nothing
      }`;
  }

  protected override keyNumbers({ result }: Rows): readonly KeyNumber[] {
    return result
      .filter(({ map }) => map in quoted)
      .map((row) => ({ label: this.labelOf(row), value: row.correlation }));
  }

  protected override caption({ values }: Rows): string {
    const { timedN, dK, dV, features, draws } = values;
    return words.caption(
      this.sourceOf(values),
      this.scaleOf(values),
      features,
      draws,
      words.time(timedN, dK, dV),
    );
  }

  protected override summary({ result }: Rows): string {
    // Those that are the same to the digit count once, under the name of the map that others are made from.
    const apart = this.apart(
      [...result].sort((a, b) => Number(isTwin(a.map)) - Number(isTwin(b.map))),
    );
    const [best] = apart
      .map(([row]) => row)
      .filter(({ correlation }) => !Number.isNaN(correlation))
      .sort((a, b) => b.correlation - a.correlation);
    return best && !this.running
      ? words.spoken(apart.length, this.labelOf(best), formatTick(best.correlation))
      : '';
  }

  private pictureRow(row: MapRow, values: Values): readonly TallCell[] {
    const gaussian = values.source === 'gaussian';
    const said = values.maps === 'handout' ? quoted[row.map] : undefined;
    const printed = gaussian ? said : undefined;
    const { milliseconds, softmaxMilliseconds } = row;
    const timed = !Number.isNaN(milliseconds);
    const [first = words.noTrouble, ...others] = this.troubles(row);
    const quote = (text: string | undefined) => (text === undefined ? [] : [words.quotation(text)]);
    const rated = (count: number | undefined, column: keyof typeof graded) =>
      count === undefined ? [] : [`${graded[column]} ${stars(count)}`];
    const cell = (first: string, ...below: readonly string[]): TallCell => ({
      words: first,
      below,
    });
    return [
      cell(this.labelOf(row)),
      cell(String(row.dimension)),
      cell(
        this.number(row.minWeight),
        ...(row.negativeWeights > 0 ? [words.share(percent(row.negativeWeights))] : []),
        ...quote(said?.positivity),
      ),
      cell(
        this.number(row.correlation),
        ...quote(printed?.correlation),
        ...rated(said?.softmax, 'softmax'),
      ),
      cell(
        this.number(row.mse),
        words.ofUniform(formatTick(row.mse / row.uniformMse)),
        ...quote(printed?.mse),
      ),
      cell(this.number(row.outputError)),
      timed
        ? cell(
            formatNumber(milliseconds),
            words.ofSoftmax(formatTick(milliseconds / softmaxMilliseconds)),
            ...rated(said?.speed, 'speed'),
          )
        : cell(words.untimed, ...rated(said?.speed, 'speed')),
      cell(first, ...others, ...rated(said?.stability, 'stability')),
    ];
  }

  protected override svg(shown: Rows): string {
    const quotes = shown.values.maps === 'handout';
    const picture = tablePicture(
      COLUMNS.map((column) => words.columns[column]),
      this.sorted(shown).map((row) => this.pictureRow(row, shown.values)),
      this.dark,
    );
    const caption = [this.fullCaption(shown), ...(quotes ? [words.quoted] : [])].join(' ');
    return fileOf(picture, { title: this.heading, caption }, this.dark);
  }

  protected override data(shown: Rows): FigureData {
    const keys = Object.keys(words.trouble) as (keyof typeof words.trouble)[];
    const quotes = shown.values.maps === 'handout';
    return {
      columns: [
        ...['map', 'dimension', 'draws', 'min_weight', 'negative_weights', 'correlation', 'mse'],
        ...['uniform_mse', 'mse_bound', 'output_error', 'milliseconds', 'softmax_milliseconds'],
        ...keys,
        ...(quotes ? ['course_text_mse', 'course_text_correlation'] : []),
      ],
      rows: this.sorted(shown, true).map((row) => [
        ...[row.map, row.dimension, row.draws, row.minWeight, row.negativeWeights],
        ...[row.correlation, row.mse, row.uniformMse, row.mseBound, row.outputError],
        ...[row.milliseconds, row.softmaxMilliseconds],
        ...keys.map((kind) => row.trouble[kind]),
        ...(quotes ? [quoted[row.map]?.mse ?? null, quoted[row.map]?.correlation ?? null] : []),
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-map-registry': AttnMapRegistry;
  }
}
