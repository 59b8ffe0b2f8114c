import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FeatureMapInfo, KernelCurve } from '#client';
import '../../components/line-chart/line-chart.ts';
import type { AttnLineChart, HeldPoint } from '../../components/line-chart/line-chart.ts';
import { rich } from '../../components/rich-text/rich-text.ts';
import type { Shown } from '../../lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider, toggle } from '../../lab/figure/knob.ts';
import type { Ask, FigureData } from '../../lab/types';
import { chartPoint, type Marker, type Series, seriesColors } from '../../plot/chart.ts';
import { formatNumber, formatTick } from '../../plot/format.ts';
import { lookOf, nameOf } from '../../plot/names.ts';
import { type StateOf, seed } from '../../state/url.ts';
import { adopt } from '../../styles/adopt.ts';
import { MapFigure } from '../map-figure.ts';
import { parametersOf, parameterText, readParameters } from '../map-parameters.ts';
import css from '../table.css?inline';
import { agreement } from './agreement-range.ts';
import { words as lazy } from './words.ts';

adopt(css);

const words = lazy.now;

/** Odd, so that s = 0 is one of them. */
const POINTS = 201;

const table = {
  map: { kind: 'text', key: 'map', default: 'taylor', maxLength: 60 },
  parameters: { kind: 'text', key: 'par', default: '', maxLength: 200 },
  beside: { kind: 'text', key: 'beside', default: '', maxLength: 60 },
  d: { kind: 'integer', key: 'd', default: 16, min: 2, max: 32 },
  reach: { kind: 'number', key: 'reach', default: 4, min: 0.25, max: 16 },
  show: { kind: 'enum', key: 'show', default: 'kernel', values: ['kernel', 'error'] },
  scale: { kind: 'enum', key: 'axis', default: 'linear', values: ['linear', 'log'] },
  matched: { kind: 'boolean', key: 'match', default: false },
  tolerance: { kind: 'number', key: 'tol', default: 0.1, min: 0.01, max: 1 },
  draws: { kind: 'integer', key: 'draws', default: 20, min: 1, max: 100 },
  seed: seed(),
} as const;

type Values = StateOf<typeof table>;

/** The curve of one map. */
interface Drawn {
  readonly map: FeatureMapInfo;
  /** The parameters that are not at their defaults, for the caption. */
  readonly parameters: string;
  readonly curve: KernelCurve;
}

type Result = readonly Drawn[];

/** The values of a curve that are drawn: its median with quantiles, or their distance from e^s. */
interface Lines {
  readonly y: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** |median/e^s − 1| */
  readonly error: readonly number[];
}

const percent = (share: number): string => formatTick(100 * share);

/**
 * φ(q)·φ(k) of one or two maps over s = q·k/√d beside e^s, and how far about 0 they stay close.
 *
 * @element attn-taylor-exp
 */
@customElement('attn-taylor-exp')
export class AttnTaylorExp extends MapFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['map', 'beside'] as const;

  protected override get wordsLang() {
    return lazy.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    if (!this.hasMaps) await this.readMaps(client);
    const { d, reach, draws, seed } = values;
    const chosen = [
      { id: values.map, printed: values.parameters },
      ...(values.beside && values.beside !== values.map
        ? [{ id: values.beside, printed: '' }]
        : []),
    ];
    const drawn: Drawn[] = [];
    for (const [i, { id, printed }] of chosen.entries()) {
      const map = this.mapOf(id);
      const parameters = map ? parametersOf(printed, map) : readParameters(printed);
      const curve = await client.kernelCurve(
        {
          ...{ d, points: POINTS, draws, seed },
          norm: Math.sqrt(reach * Math.sqrt(d)),
          featureMap: { id, parameters, seed },
        },
        {
          ...ask,
          onProgress: (fraction) => ask.onProgress((i + fraction) / chosen.length),
        },
      );
      // The core refuses ids it does not know, so that the map is there.
      const known = map as FeatureMapInfo;
      drawn.push({ map: known, parameters: parameterText(printed, known), curve });
    }
    return drawn;
  }

  protected override readonly argumentKnobs = { featureMap: 'map', norm: 'reach' };

  protected override get controls(): readonly Knob<keyof Values>[] {
    return [
      ...this.mapKnobs(words.map),
      choice('beside', {
        label: words.beside,
        options: { '': words.nothing, ...this.mapChoices(this.values.beside) },
        list: true,
      }),
      choice('show', { label: words.show, options: words.shows }),
      choice('scale', { label: words.scale, options: words.scales }),
      toggle('matched', { label: words.matched, note: words.matchedNote }),
      slider('reach', { symbol: 's', label: words.reach, log: true, step: 0.25 }),
      slider('d', { symbol: 'd', label: words.d }),
      slider('tolerance', { label: words.tolerance, log: true, step: 0.01 }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
  }

  private lines({ curve }: Drawn, { show, matched }: Values): Lines {
    const { s, exact, low, median, high } = curve;
    const unit = matched ? (median[s.length >> 1] ?? 1) : 1;
    const off = (value: number, i: number): number =>
      Math.abs(value / unit / (exact[i] ?? Number.NaN) - 1);
    const error = Array.from(median, off);
    if (show === 'kernel') {
      const scaled = (values: Float64Array) => Array.from(values, (value) => value / unit);
      return { y: scaled(median), low: scaled(low), high: scaled(high), error };
    }
    // The errors at the two quantiles bound those between them only on one side of e^s.
    const ends = Array.from(s, (_, i) => [off(low[i] ?? 0, i), off(high[i] ?? 0, i)] as const);
    const crossed = (i: number): boolean =>
      ((low[i] ?? 0) / unit - (exact[i] ?? 0)) * ((high[i] ?? 0) / unit - (exact[i] ?? 0)) < 0;
    return {
      y: error,
      low: ends.map((pair, i) => (crossed(i) ? 0 : Math.min(...pair))),
      high: ends.map((pair) => Math.max(...pair)),
      error,
    };
  }

  private series({ values, result }: Shown<Values, Result>): Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const drawn = result.map((one, i): Series => {
      const { s } = one.curve;
      const { y, low, high } = this.lines(one, values);
      return {
        ...{ id: one.map.id, label: one.map.label, color: colors[i === 0 ? 1 : 3] ?? '' },
        ...{ mark: 'circle', bare: true, width: 2.25 },
        band: one.curve.draws > 1,
        points: y.map((value, k) => chartPoint(s[k] ?? 0, value, low[k], high[k])),
      };
    });
    const [first] = result;
    const before = this.linesBefore(values);
    if (!first || values.show === 'error') return [...before, ...drawn];
    const { s, exact } = first.curve;
    return [
      ...before,
      {
        ...{ id: 'exact', label: words.exact, color: colors[0] ?? '', mark: 'circle', model: true },
        points: Array.from(s, (at, i) => chartPoint(at, exact[i] ?? Number.NaN)),
      },
      ...drawn,
    ];
  }

  /** The kernels before a try that are gone now. */
  private linesBefore(now: Values): Series[] {
    const { ghost } = this;
    const there = new Set(this.shown?.result.map(({ map }) => map.id));
    const { color } = lookOf('ghost', this.dark);
    return (ghost?.result ?? [])
      .filter(({ map }) => !there.has(map.id))
      .map((one) => ({
        ...{ id: `before-${one.map.id}`, label: `${one.map.label}, ${nameOf('ghost')}`, color },
        ...{ mark: 'circle', model: true },
        points: this.lines(one, now).y.map((y, k) => chartPoint(one.curve.s[k] ?? 0, y)),
      }));
  }

  private agreementOf(one: Drawn, values: Values) {
    return agreement(one.curve.s, this.lines(one, values).error, values.tolerance);
  }

  private markers({ values, result }: Shown<Values, Result>): Marker[] {
    return result.flatMap((one) => {
      const found = this.agreementOf(one, values);
      return [found?.from, found?.to].flatMap((x) =>
        x === undefined
          ? []
          : [
              {
                x,
                label: words.leaves(result.length > 1 ? one.map.label : '', formatNumber(x)),
                dashed: true,
              },
            ],
      );
    });
  }

  private where(one: Drawn, values: Values): string {
    const found = this.agreementOf(one, values);
    if (!found) return words.notEvenAtZero;
    const end = (s: number | undefined, last: number): string =>
      s === undefined ? words.beyond(formatTick(last)) : formatNumber(s);
    return words.within(end(found.from, -values.reach), end(found.to, values.reach));
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { values } = shown;
    const { show, scale, matched, reach, tolerance } = values;
    const labels = {
      kernel: matched ? words.matchedKernel : words.kernel,
      error: matched ? words.matchedError : words.error,
    };
    const percents = (value: number): string => `${percent(value)} %`;
    const series = this.series(shown);
    return html`<attn-line-chart
        .series=${series}
        .describe=${({ series: id, point }: HeldPoint): string => {
          const curve = series.find((one) => one.id === id);
          const at = curve?.points[point];
          if (!curve || !at) return '';
          const spread =
            at.low === at.high ? ['', ''] : [at.low, at.high].map((v) => formatNumber(v));
          const [low = '', high = ''] = spread;
          return words.point(curve.label, formatNumber(at.x), formatNumber(at.y, 4), low, high);
        }}
        .markers=${this.markers(shown)}
        .levels=${
          show === 'error' ? [{ y: tolerance, label: words.level(percent(tolerance)) }] : []
        }
        .x=${{ linear: true, low: -reach, high: reach }}
        .y=${scale === 'log' ? {} : { linear: true }}
        .formatY=${show === 'error' ? percents : undefined}
        .xLabel=${words.s}
        .yLabel=${labels[show]}
        .summary=${this.summary(shown)}
      ></attn-line-chart>`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${this.renderTable(shown)}
      <p class="fine">${rich(words.note)}</p>`;
  }

  private closeWhere({ values, result }: Shown<Values, Result>): string {
    return result.map((one) => `${one.map.label}, ${this.where(one, values)}`).join('; ');
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    return words.closeWhere(percent(shown.values.tolerance), this.closeWhere(shown));
  }

  /** Another map is another line: each is said by its name. */
  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    const there = new Set(now.result.map(({ map }) => map.id));
    const gone = before.result.filter(({ map }) => !there.has(map.id));
    const was = gone.length > 0 ? `${this.closeWhere({ ...before, result: gone })} → ` : '';
    return words.closeWhere(percent(now.values.tolerance), `${was}${this.closeWhere(now)}`);
  }

  private renderTable({ values, result }: Shown<Values, Result>): unknown {
    const head = words.columns;
    const { reach, tolerance } = values;
    const ends = [-reach, reach].map((s) => head.at(formatTick(s)));
    const exact = result[0]?.curve.exact ?? new Float64Array();
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.agreement}>
      <table class="figure-table" aria-label=${words.agreement}>
        <thead>
          <tr>
            <th scope="col">${head.map}</th>
            <th scope="col">${head.dimension}</th>
            <th scope="col">${head.within(percent(tolerance))}</th>
            ${ends.map((end) => html`<th scope="col">${end}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${result.map((one) => {
            const { y } = this.lines(one, { ...values, show: 'kernel' });
            return html`<tr>
              <th scope="row">${one.map.label}</th>
              <td>${one.curve.featureDimension}</td>
              <td>${this.where(one, values)}</td>
              <td>${formatNumber(y[0] ?? Number.NaN)}</td>
              <td>${formatNumber(y.at(-1) ?? Number.NaN)}</td>
            </tr>`;
          })}
          <tr>
            <th scope="row">${words.exact}</th>
            <td>–</td>
            <td>–</td>
            <td>${formatNumber(exact[0] ?? Number.NaN)}</td>
            <td>${formatNumber(exact.at(-1) ?? Number.NaN)}</td>
          </tr>
        </tbody>
      </table>
    </div>`;
  }

  protected override summary({ values, result }: Shown<Values, Result>): string {
    return result.map((one) => words.summary(one.map.label, this.where(one, values))).join(' ');
  }

  protected override caption({ values, result }: Shown<Values, Result>): string {
    const { d, reach, draws, seed, matched } = values;
    const maps = result.map(({ map, parameters }) =>
      parameters ? `${map.label} (${parameters})` : map.label,
    );
    const norm = formatNumber(Math.sqrt(reach * Math.sqrt(d)));
    return [
      words.caption(maps.join(', '), d, norm, formatTick(reach), POINTS),
      words.drawn(draws, seed),
      matched ? words.matchedCaption : '',
    ]
      .filter(Boolean)
      .join(' ');
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    const [first] = result;
    const finite = (value: number | undefined) =>
      value !== undefined && Number.isFinite(value) ? value : null;
    const parts = ['mean', 'low', 'median', 'high'] as const;
    return {
      columns: ['s', 'exp_s', ...result.flatMap(({ map }) => parts.map((p) => `${map.id}_${p}`))],
      rows: Array.from(first?.curve.s ?? [], (s, i) => [
        s,
        finite(first?.curve.exact[i]),
        ...result.flatMap(({ curve }) => parts.map((part) => finite(curve[part][i]))),
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-taylor-exp': AttnTaylorExp;
  }
}
