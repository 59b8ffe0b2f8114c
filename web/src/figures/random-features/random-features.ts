import { html, nothing, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { SlopeFit, Spread } from '#client';
import { type CoreError, SupersededError } from '#client';
import '../../components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../components/line-chart/line-chart.ts';
import { rich } from '../../components/rich-text/rich-text.ts';
import { LabExperiment, type Run } from '../../lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider, toggle } from '../../lab/figure/knob.ts';
import type { Ask, FigureData } from '../../lab/types';
import { chartPoint, type Marker, type Series, seriesColors } from '../../plot/chart.ts';
import { decimal, formatNumber, formatTick } from '../../plot/format.ts';
import type { Mark } from '../../plot/point-marks.ts';
import { type StateOf, seed } from '../../state/url.ts';
import { language } from '../../strings/language.ts';
import { adopt } from '../../styles/adopt.ts';
import css from '../table.css?inline';
import {
  beatsBaseline,
  effort,
  isRow,
  type Kind,
  kinds,
  pointsOf,
  type Row,
  rootUnit,
  type Stretch,
  type Variant,
} from './run-rows.ts';
import { words as lazy } from './words.ts';

adopt(css);

const words = lazy.now;

const table = {
  over: { kind: 'enum', key: 'over', default: 'm', values: ['m', 'scale'] },
  show: {
    kind: 'enum',
    key: 'show',
    default: 'relative',
    values: ['relative', 'median', 'mse', 'correlation', 'output', 'negative'],
  },
  positive: { kind: 'boolean', key: 'pos', default: true },
  trigonometric: { kind: 'boolean', key: 'trig', default: true },
  hyperbolic: { kind: 'boolean', key: 'hyp', default: true },
  rows: { kind: 'enum', key: 'rows', default: 'both', values: ['both', 'iid', 'orthogonal'] },
  d: { kind: 'integer', key: 'd', default: 16, min: 2, max: 64 },
  n: { kind: 'integer', key: 'n', default: 64, min: 4, max: 256 },
  inputScale: { kind: 'number', key: 'times', default: 0.5, min: 0.05, max: 2 },
  m: { kind: 'integer', key: 'm', default: 256, min: 16, max: 4096 },
  mostM: { kind: 'enum', key: 'most', default: '1024', values: ['256', '1024', '4096'] },
  draws: { kind: 'integer', key: 'draws', default: 10, min: 1, max: 100 },
  seed: seed(),
} as const;

type Values = StateOf<typeof table>;
type Seen = Shown<Values, readonly Row[]>;
type What = Values['show'];

const looks: Readonly<Record<Kind, { readonly color: number; readonly mark: Mark }>> = {
  positive: { color: 1, mark: 'circle' },
  trigonometric: { color: 3, mark: 'square' },
  hyperbolic: { color: 4, mark: 'triangle' },
};

const percents = (share: number): string => `${formatTick(100 * share)}\u00a0%`;

const none: Spread = { low: Number.NaN, median: Number.NaN, high: Number.NaN };

/** The values of a row that are drawn: one with its quantiles over the draws. */
function measured(row: Row, what: What): Spread {
  switch (what) {
    case 'relative':
      return { ...row.relativeRmsByDraw, median: row.relativeRms };
    case 'median':
      return row.medianError;
    case 'mse':
      return row.mse;
    case 'correlation':
      return row.correlation;
    case 'output':
      return row.outputError;
    case 'negative':
      return { low: row.negativeShare, median: row.negativeShare, high: row.negativeShare };
    default:
      return none;
  }
}

/** They shrink as features are added; others have no line to fall along. */
const falls = (what: What): boolean => ['relative', 'median', 'mse'].includes(what);
const isShare = (what: What): boolean => what === 'correlation' || what === 'negative';

interface Line extends Variant {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly Row[];
}

/**
 * How far random features err: over their number, or over the size of the inputs.
 *
 * @element attn-random-features
 */
@customElement('attn-random-features')
export class AttnRandomFeatures extends LabExperiment<Row, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['show', 'inputScale', 'm'] as const;
  /** These knobs only change how a run is drawn. */
  protected override readonly viewKnobs: readonly string[] = ['show'];

  /** By the line's id. */
  @state() private fits: Readonly<Record<string, SlopeFit & { readonly x: readonly number[] }>> =
    {};

  protected override get wordsLang() {
    return lazy.lang;
  }

  override get heading(): string {
    const { over, show } = this.values;
    return words.headings[over === 'scale' && show === 'negative' ? show : over];
  }

  private variants(values: Values): Variant[] {
    const { rows } = values;
    return kinds
      .filter((kind) => values[kind])
      .flatMap((kind) => [
        ...(rows === 'orthogonal' ? [] : [{ kind, orthogonal: false }]),
        ...(rows === 'iid' ? [] : [{ kind, orthogonal: true }]),
      ]);
  }

  protected override async *sweep(
    values: Values,
    ask: Ask,
  ): AsyncIterable<{ readonly row: Row; readonly fraction: number }> {
    const { client } = this.tools;
    const { over, d, n, draws, seed, m, inputScale } = values;
    const points = pointsOf({
      ...{ over, m, inputScale, mostM: Number(values.mostM) },
      variants: this.variants(values),
    });
    const whole = points.reduce((sum, point) => sum + effort(point), 0);
    let done = 0;
    for (const point of points) {
      const before = done;
      const part = effort(point);
      const { rows } = await client.randomFeatureErrors(
        {
          ...{ kind: point.kind, orthogonal: point.orthogonal, m: [point.m] },
          ...{ d, n, draws, seed, inputScale: point.inputScale },
        },
        { ...ask, onProgress: (share) => ask.onProgress((before + part * share) / whole) },
      );
      done += part;
      const [row] = rows;
      if (!row) continue;
      const { kind, orthogonal, inputScale: scale } = point;
      yield { row: { ...row, kind, orthogonal, inputScale: scale }, fraction: done / whole };
    }
  }

  protected override isRow(row: unknown): row is Row {
    return isRow(row);
  }

  protected override knobOf(error: CoreError): string {
    if (error.argument === 'm') return this.values.over === 'm' ? 'mostM' : 'm';
    return super.knobOf(error);
  }

  protected override get controls(): readonly Knob<keyof Values>[] {
    const overM = this.values.over === 'm';
    return [
      choice('over', { label: words.over, options: words.overs }),
      choice('show', { label: words.show, options: words.shows, list: true }),
      slider('inputScale', { label: words.inputScale, log: true, step: 0.05 }, { when: overM }),
      slider('m', { symbol: 'm', label: words.m, log: true }, { when: !overM }),
      ...kinds.map((kind) => toggle(kind, { label: words.kinds[kind] })),
      choice('rows', { label: words.rows, options: words.rowsOptions }),
      choice(
        'mostM',
        {
          label: words.mostM,
          options: Object.fromEntries(table.mostM.values.map((m) => [m, m])),
        },
        { when: overM },
      ),
      slider('d', { symbol: 'd', label: words.d }),
      slider('n', { symbol: 'n', label: words.n, log: true }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
  }

  // ---- what is drawn ----

  private at(row: Row, { over }: Values): number {
    return over === 'm' ? row.m : row.inputScale;
  }

  private lines(rows: readonly Row[]): Line[] {
    return kinds.flatMap((kind) =>
      [false, true].flatMap((orthogonal) => {
        const own = rows.filter((row) => row.kind === kind && row.orthogonal === orthogonal);
        const name = words.kinds[kind];
        const label = orthogonal ? words.orthogonal(name) : name;
        return own.length > 0
          ? [{ kind, orthogonal, label, rows: own, id: `${kind}-${orthogonal}` }]
          : [];
      }),
    );
  }

  private series({ result, values }: Seen): Series[] {
    const { show } = this.values;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const color = (kind: Kind): string => colors[looks[kind].color] ?? '';
    const lines = this.lines(result);
    const found = lines.map((line): Series => {
      const fit = this.fits[line.id];
      return {
        ...{ id: line.id, label: line.label, color: color(line.kind) },
        ...{ mark: looks[line.kind].mark, hollow: line.orthogonal },
        points: line.rows.map((row) => {
          const { low, median, high } = measured(row, show);
          return chartPoint(this.at(row, values), median, low, high);
        }),
        ...(fit
          ? { fit: { x: fit.x, y: [...fit.line], low: [...fit.low], high: [...fit.high] } }
          : {}),
      };
    });
    return [...found, ...this.models(lines, values, colors), ...this.others(colors)];
  }

  /** The lines that are not measured: lemma 2, equal weights, 1/√m. */
  private models(lines: readonly Line[], values: Values, colors: readonly string[]): Series[] {
    const { show } = this.values;
    const model = (
      id: string,
      label: string,
      color: number,
      points: readonly (readonly [number, number])[],
    ) =>
      ({
        ...{ id, label, color: colors[color] ?? '', mark: 'circle', model: true, unnamed: true },
        points: points.map(([x, y]) => chartPoint(x, y)),
      }) satisfies Series;
    const [first] = lines;
    if (!first) return [];
    if (show === 'mse') {
      const baseline = first.rows.map(
        (row) => [this.at(row, values), row.uniformMse.median] as const,
      );
      return [{ ...model('uniform', words.uniform, 0, baseline), unnamed: false }];
    }
    const models: Series[] = [];
    if (show === 'relative') {
      for (const kind of kinds) {
        const line = lines.find((one) => one.kind === kind);
        if (!line) continue;
        const points = line.rows.map((row) => [this.at(row, values), row.predictedRms] as const);
        models.push(
          model(`lemma-${kind}`, words.lemma(words.kinds[kind]), looks[kind].color, points),
        );
      }
    }
    // The line of lemma 2 falls at the same rate, so 1/√m is not drawn beside it.
    if (values.over === 'm' && show === 'median') {
      const unit = rootUnit(first.rows.map((row) => ({ m: row.m, y: measured(row, show).median })));
      if (unit !== undefined) {
        const points = first.rows.map(({ m }) => [m, unit / Math.sqrt(m)] as const);
        models.push(model('reference', words.reference, 2, points));
      }
    }
    return models;
  }

  /** Runs that are compared with the shown one. */
  private others(colors: readonly string[]): Series[] {
    const { show } = this.values;
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    return this.compared.flatMap((run: Run<Row>) => {
      const values = this.valuesOf(run);
      return this.lines(run.rows).map(({ id, kind, orthogonal, label, rows }) => ({
        ...{ id: `${id}-${run.time}`, width: 1, hollow: orthogonal, unnamed: true },
        ...{ color: colors[looks[kind].color] ?? '', mark: looks[kind].mark },
        label: words.compared(label, time.format(new Date(run.time))),
        points: rows.map((row) => chartPoint(this.at(row, values), measured(row, show).median)),
      }));
    });
  }

  private beats({ rows }: Line, values: Values): readonly Stretch[] {
    return beatsBaseline(
      rows.map((row) => ({
        x: this.at(row, values),
        ratio: row.finiteDraws > 0 ? row.mse.median / row.uniformMse.median : Infinity,
      })),
    );
  }

  private markers({ result, values }: Seen): Marker[] {
    if (this.values.show !== 'mse') return [];
    const lines = this.lines(result);
    // Labels for all lines would overlap; the table names them all.
    const independent = lines.filter(({ orthogonal }) => !orthogonal);
    return (independent.length > 0 ? independent : lines).flatMap((line) =>
      this.beats(line, values)
        .flatMap(({ from, to }) => [from, to])
        .filter((x) => x !== undefined)
        .map((x) => ({ x, label: words.collapses(line.label, formatNumber(x)), dashed: true })),
    );
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const shown = this.shown;
    if (!shown) return;
    const rows = shown.result.length;
    const key = `${this.values.show} ${rows} ${this.running} ${JSON.stringify(shown.values)}`;
    if (key === this.fitted) return;
    this.fitted = key;
    this.fits = {};
    // While rows arrive the lines change with each.
    if (!this.running) void this.fit(shown, key);
  }

  private fitted = '';

  /** The slopes, by the core. */
  private async fit({ result, values }: Seen, key: string): Promise<void> {
    const { show } = this.values;
    if (values.over !== 'm' || !falls(show)) return;
    const { client } = this.tools;
    const fits: Record<string, SlopeFit & { x: readonly number[] }> = {};
    for (const { id, rows } of this.lines(result)) {
      const points = rows
        .map((row) => ({ x: row.m, y: measured(row, show).median }))
        .filter(({ y }) => y > 0 && Number.isFinite(y));
      if (points.length < 3) continue;
      const x = points.map((point) => point.x);
      try {
        fits[id] = { ...(await client.fitSlope({ x, y: points.map(({ y }) => y), at: x })), x };
      } catch (error) {
        if (error instanceof SupersededError) return;
        throw error;
      }
    }
    if (key === this.fitted) this.fits = fits;
  }

  protected override get axes() {
    const { over, show } = this.values;
    return { x: over === 'm' ? words.axisM : words.axisScale, y: words.axes[show] };
  }

  protected override renderResult(shown: Seen): unknown {
    const { show } = this.values;
    const { over } = shown.values;
    return html`<attn-line-chart
        .series=${this.series(shown)}
        .markers=${this.markers(shown)}
        .x=${over === 'm' ? {} : { count: 'decimal' }}
        .y=${isShare(show) ? { linear: true, ...(show === 'negative' ? { low: 0 } : { high: 1 }) } : {}}
        .formatY=${show === 'negative' ? percents : undefined}
        .xLabel=${over === 'm' ? words.axisM : words.axisScale}
        .yLabel=${words.axes[show]}
        .summary=${this.summary(shown)}
      ></attn-line-chart>`;
  }

  protected override renderDetails(shown: Seen): unknown {
    const { show } = this.values;
    return html`${this.renderTable(shown)}
      <p class="fine">
        ${show === 'relative' ? rich(`${words.lemmaNote} `) : nothing}${rich(words.beatsNote)}
      </p>`;
  }

  private renderTable(shown: Seen): unknown {
    const { show } = this.values;
    const { values, result } = shown;
    const lines = this.lines(result);
    const head = words.columns;
    const last = Math.max(...result.map((row) => this.at(row, values)));
    const at = `${values.over === 'm' ? 'm =' : '×'} ${formatTick(last)}`;
    const predicted = show === 'relative';
    const fits = values.over === 'm' && falls(show);
    // A lab may show this figure several times, so ids hold the place's id.
    const name = `${words.table}: ${this.heading}`;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}>
      <table class="figure-table" aria-label=${words.table}>
        <thead>
          <tr>
            <th scope="col">${head.variant}</th>
            <th scope="col">${head.last(at)}</th>
            ${predicted ? html`<th scope="col">${head.predicted}</th>` : nothing}
            ${fits ? html`<th scope="col">${head.slope}</th>` : nothing}
            <th scope="col">${head.negative}</th>
            <th scope="col">${head.beats}</th>
          </tr>
        </thead>
        <tbody>
          ${lines.map((line) => {
            const row = line.rows.find((one) => this.at(one, values) === last);
            return html`<tr>
              <th scope="row">${line.label}</th>
              <td>${row ? formatNumber(measured(row, show).median) : words.none}</td>
              ${
                predicted
                  ? html`<td>
                      ${row && !line.orthogonal ? formatNumber(row.predictedRms) : words.none}
                    </td>`
                  : nothing
              }
              ${fits ? html`<td>${this.slopeText(line.id)}</td>` : nothing}
              <td>${row ? percents(row.negativeShare) : words.none}</td>
              <td>${this.beatsText(this.beats(line, values))}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  private slopeText(id: string): unknown {
    const fit = this.fits[id];
    if (!fit) return words.none;
    const fixed = (value: number): string => decimal(value.toFixed(2).replace('-', '−'));
    const { low, high } = fit.slopeInterval;
    return html`${fixed(fit.slope)} <span class="spread">${fixed(low)} … ${fixed(high)}</span>`;
  }

  private beatsText(found: readonly Stretch[]): string {
    const said = words.beats;
    // The number of rows of the projection is a whole number.
    const whole = this.shown?.values.over === 'm';
    const stretch = ({ from, to }: Stretch): string => {
      const first = from === undefined ? '' : whole ? String(Math.ceil(from)) : formatNumber(from);
      const last = to === undefined ? '' : whole ? String(Math.floor(to)) : formatNumber(to);
      if (first && last) return said.between(first, last);
      return first ? said.from(first) : last ? said.until(last) : said.always;
    };
    return found.map(stretch).join(', ') || said.never;
  }

  // ---- in words and files ----

  private sweepText({ over, mostM, inputScale, m }: Values): string {
    return over === 'm' ? words.sweepM(mostM, formatTick(inputScale)) : words.sweepScale(m);
  }

  protected override describe(values: Values): string {
    const { d, n, draws, seed } = values;
    return words.describe(this.sweepText(values), d, n, draws, seed);
  }

  protected override caption({ values }: Seen): string {
    const { d, n, draws, seed } = values;
    return words.caption(this.sweepText(values), d, n, draws, seed);
  }

  protected override summary({ result }: Seen): string {
    const { show } = this.values;
    const ends = this.lines(result).flatMap(({ label, rows }) => {
      const last = rows.at(-1);
      return last ? [{ label, value: measured(last, show).median }] : [];
    });
    const sign = show === 'correlation' ? -1 : 1;
    const [best] = ends
      .filter(({ value }) => Number.isFinite(value))
      .sort((a, b) => sign * (a.value - b.value));
    if (!best) return '';
    const say = sign < 0 ? words.summaryLargest : words.summary;
    return say(ends.length, best.label, formatNumber(best.value));
  }

  /** Over the size of the inputs: up to where each kind is worth anything, those with independent rows. */
  protected override resultLine(shown: Seen): string {
    const { values, result } = shown;
    if (this.values.show !== 'mse' || values.over !== 'scale') return this.summary(shown);
    const lines = this.lines(result);
    const independent = lines.filter(({ orthogonal }) => !orthogonal);
    return words.better(
      (independent.length > 0 ? independent : lines)
        .map((line) => `${line.label} ${this.beatsText(this.beats(line, values))}`)
        .join(', '),
    );
  }

  /** The last value of each line. */
  protected override keyNumbers({ result }: Seen): readonly KeyNumber[] {
    const { show } = this.values;
    return this.lines(result).flatMap(({ label, rows }) => {
      const last = rows.at(-1);
      return last ? [{ label, value: measured(last, show).median }] : [];
    });
  }

  protected override data({ result }: Seen): FigureData {
    const finite = (value: number) => (Number.isFinite(value) ? value : null);
    const spreads = [
      'relativeRmsByDraw',
      'medianError',
      'mse',
      'correlation',
      'outputError',
      'uniformMse',
    ] as const;
    const ends = ['low', 'median', 'high'] as const;
    const single = [
      'featureDimension',
      'relativeRms',
      'predictedRms',
      'negativeShare',
      'finiteDraws',
    ] as const;
    return {
      columns: [
        ...['kind', 'orthogonal', 'm', 'inputScale', ...single],
        ...spreads.flatMap((name) => ends.map((end) => `${name}_${end}`)),
      ],
      rows: result.map((row) => [
        ...[row.kind, String(row.orthogonal), row.m, row.inputScale],
        ...single.map((name) => finite(row[name])),
        ...spreads.flatMap((name) => ends.map((end) => finite(row[name][end]))),
      ]),
    };
  }

  protected override svg(shown: Seen): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-random-features': AttnRandomFeatures;
  }
}
