import { registry as formulas } from 'virtual:formulas';
import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FeatureMapInfo } from '#client';
import { drawnFormula } from '../../../../src/components/rich-text/drawn-formula.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { featureMapsOf } from '../../../../src/core.ts';
import { LabExperiment } from '../../../../src/lab/experiment.ts';
import type { Shown } from '../../../../src/lab/figure.ts';
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
import { quoted, stars } from './course-quotes.ts';
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
};
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
 * Every map of the registry, measured on the same draws, beside what the course text says of four.
 *
 * @element attn-map-registry
 */
@customElement('attn-map-registry')
export class AttnMapRegistry extends LabExperiment<MapRow, typeof table> {
  override readonly table = table;
  protected override readonly viewKnobs = ['sort', 'turned'];
  protected override readonly measuresTime = true;

  private maps: readonly FeatureMapInfo[] = [];

  override get heading(): string {
    return words.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The registry's notes and papers; runs of an earlier visit show them too.
    featureMapsOf(this.tools.client).then(
      (maps) => {
        this.maps = inLanguage(maps);
        this.requestUpdate();
      },
      () => undefined,
    );
  }

  protected override async *sweep(values: Values, ask: Ask) {
    const { tools } = this;
    const [client, maps] = [tools.client, await featureMapsOf(tools.client)];
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

  protected override renderKnobs(): unknown {
    return html`${sourceKnobs(
      this.values.source,
      (name, options) => this.slider(name, options),
      (name, options) => this.choice(name, options),
    )}
    ${this.values.source === 'gaussian' ? this.seed() : nothing}
    ${this.slider('draws', { label: all.now.source.draws, log: true })}
    ${this.slider('features', { symbol: 'm', label: all.now.features, log: true })}
    ${this.slider('timedN', { label: words.timedN, log: true })}
    ${this.toggle('scaled', { label: words.scaled, note: words.scaledNote })}`;
  }

  /** The run may have been kept while the page spoke another language. */
  private labelOf({ map, label }: MapRow): string {
    return this.maps.find(({ id }) => id === map)?.label ?? label;
  }

  private sorted({ result }: Rows): readonly MapRow[] {
    const { sort, turned } = this.values;
    const downward = sort === 'map' ? turned : NUMBERS[sort] !== turned;
    const direction = downward ? -1 : 1;
    return [...result].sort((a, b) => {
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

  private stars(count: number | undefined) {
    return count === undefined
      ? nothing
      : html`<small class="quoted"
          ><span role="img" aria-label="${words.quote}: ${words.stars(count)}">${stars(count)}</span
        ></small>`;
  }

  private troubles({ trouble }: MapRow): readonly string[] {
    return (Object.keys(trouble) as (keyof typeof trouble)[])
      .filter((kind) => trouble[kind] > 0)
      .map((kind) => `${percent(trouble[kind])} % ${words.trouble[kind]}`);
  }

  private cell(row: MapRow, column: NumberColumn, value: unknown, ...more: readonly unknown[]) {
    return html`<td>${value} ${more} ${this.others(row, column)}</td>`;
  }

  private renderRow(row: MapRow, gaussian: boolean) {
    const said = quoted[row.map];
    // The course text's numbers are for Gaussian draws, so they are not shown beside other data.
    const printed = gaussian ? said : undefined;
    const info = this.maps.find(({ id }) => id === row.map);
    const small = (text: string) => html`<small>${text}</small>`;
    const { milliseconds, softmaxMilliseconds } = row;
    const troubles = this.troubles(row);
    return html`<tr data-map=${row.map}>
      <th scope="row">
        <span lang=${langOfMap(row.map) ?? nothing}>${this.labelOf(row)}</span>
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
        this.stars(said?.softmax),
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
        this.stars(said?.speed),
      )}
      ${this.cell(
        row,
        'trouble',
        troubles.length === 0
          ? words.noTrouble
          : troubles.map((trouble) => html`<span class="kind">${trouble}</span>`),
        this.stars(said?.stability),
      )}
    </tr>`;
  }

  protected override renderResult(shown: Rows): unknown {
    const [first] = shown.result;
    const gaussian = shown.values.source === 'gaussian';
    const label = (id: string): string => {
      const row = shown.result.find(({ map }) => map === id);
      return row ? this.labelOf(row) : id;
    };
    const broken = Object.entries(quoted).filter(
      ([id, { mse }]) =>
        gaussian &&
        mse !== undefined &&
        first !== undefined &&
        Number(mse) > first.mseBound &&
        shown.result.some(({ map }) => map === id),
    );
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.scroll}>
        <table class="registry" aria-label=${this.heading}>
          <thead>
            <tr>
              ${COLUMNS.map((column) => this.header(column))}
            </tr>
          </thead>
          <tbody>
            ${this.sorted(shown).map((row) => this.renderRow(row, gaussian))}
          </tbody>
        </table>
      </div>
      ${
        first
          ? html`<ul class="lines">
              <li>${words.lines.uniform(formatNumber(first.uniformMse))}</li>
              <li>
                ${words.lines.bound(Math.round(2 / first.mseBound), formatNumber(first.mseBound))}
              </li>
              <li>${words.lines.softmax(formatNumber(middle(shown.result)))}</li>
              ${broken.map(
                ([id, { mse = '' }]) => html`<li>
                  <strong
                    >${words.impossible(label(id), mse, formatTick(Number(mse) / first.mseBound))}</strong
                  >
                </li>`,
              )}
              <li class="fine">${words.quoted}</li>
            </ul>`
          : nothing
      }`;
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
    const best = [...result]
      .filter(({ correlation }) => !Number.isNaN(correlation))
      .sort((a, b) => b.correlation - a.correlation)[0];
    return best && !this.running
      ? words.spoken(result.length, this.labelOf(best), formatTick(best.correlation))
      : '';
  }

  private pictureRow(row: MapRow, gaussian: boolean): readonly TallCell[] {
    const said = quoted[row.map];
    const printed = gaussian ? said : undefined;
    const { milliseconds, softmaxMilliseconds } = row;
    const timed = !Number.isNaN(milliseconds);
    const [first = words.noTrouble, ...others] = this.troubles(row);
    const quote = (text: string | undefined) => (text === undefined ? [] : [words.quotation(text)]);
    const graded = (count: number | undefined) => (count === undefined ? [] : [stars(count)]);
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
      cell(this.number(row.correlation), ...quote(printed?.correlation), ...graded(said?.softmax)),
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
            ...graded(said?.speed),
          )
        : cell(words.untimed, ...graded(said?.speed)),
      cell(first, ...others, ...graded(said?.stability)),
    ];
  }

  protected override svg(shown: Rows): string {
    const gaussian = shown.values.source === 'gaussian';
    const picture = tablePicture(
      COLUMNS.map((column) => words.columns[column]),
      this.sorted(shown).map((row) => this.pictureRow(row, gaussian)),
      this.dark,
    );
    const caption = `${this.fullCaption(shown)} ${words.quoted}`;
    return fileOf(picture, { title: this.heading, caption }, this.dark);
  }

  protected override data(shown: Rows): FigureData {
    const keys = Object.keys(words.trouble) as (keyof typeof words.trouble)[];
    return {
      columns: [
        ...['map', 'dimension', 'draws', 'min_weight', 'negative_weights', 'correlation', 'mse'],
        ...['uniform_mse', 'mse_bound', 'output_error', 'milliseconds', 'softmax_milliseconds'],
        ...keys,
        ...['course_text_mse', 'course_text_correlation'],
      ],
      rows: this.sorted(shown).map((row) => [
        ...[row.map, row.dimension, row.draws, row.minWeight, row.negativeWeights],
        ...[row.correlation, row.mse, row.uniformMse, row.mseBound, row.outputError],
        ...[row.milliseconds, row.softmaxMilliseconds],
        ...keys.map((kind) => row.trouble[kind]),
        quoted[row.map]?.mse ?? null,
        quoted[row.map]?.correlation ?? null,
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-map-registry': AttnMapRegistry;
  }
}
