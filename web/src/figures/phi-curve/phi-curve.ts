import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FeatureMapCurve, FeatureMapInfo } from '#client';
import '../../components/line-chart/line-chart.ts';
import type { AttnLineChart, HeldPoint } from '../../components/line-chart/line-chart.ts';
import { rich } from '../../components/rich-text/rich-text.ts';
import type { KeyNumber, Shown } from '../../lab/figure/figure.ts';
import { keptGaussian } from '../../lab/figure/kept-inputs.ts';
import { choice, type Knob, seedKnob, slider, toggle } from '../../lab/figure/knob.ts';
import type { Ask, FigureData } from '../../lab/types';
import type { Axis } from '../../plot/axis.ts';
import { chartPoint, type Series, seriesColors } from '../../plot/chart.ts';
import { formatNumber, formatTick, subscript } from '../../plot/format.ts';
import { lookOf, nameOf } from '../../plot/names.ts';
import { type StateOf, seed } from '../../state/url.ts';
import { adopt } from '../../styles/adopt.ts';
import { MapFigure } from '../map-figure.ts';
import { parametersOf, parameterText, readParameters } from '../map-parameters.ts';
import css from '../table.css?inline';
import {
  differentColumns,
  type FeatureZones,
  featureZones,
  type Zone,
  zones,
} from './curve-zones.ts';
import { words as lazy } from './words.ts';

adopt(css);

const words = lazy.now;

/** Odd, so that t = 0 is one of them: where most maps have their kink. More would be refused for Taylor at d = 32. */
const POINTS = 201;
/** More curves than this could not be told apart. */
const CURVES = 6;
const LENGTH = 16;
/** On the axis for both signs: below it differences count. */
const NEAR_ZERO = 0.01;

const table = {
  map: { kind: 'text', key: 'map', default: 'elu_plus_one', maxLength: 60 },
  parameters: { kind: 'text', key: 'par', default: '', maxLength: 200 },
  d: { kind: 'integer', key: 'd', default: 4, min: 1, max: 32 },
  along: { kind: 'enum', key: 'along', default: 'first', values: ['first', 'all', 'random'] },
  reach: { kind: 'number', key: 'reach', default: 4, min: 0.5, max: 120 },
  slope: { kind: 'boolean', key: 'slope', default: true },
  scale: { kind: 'enum', key: 'axis', default: 'linear', values: ['linear', 'log', 'symlog'] },
  first: { kind: 'integer', key: 'first', default: 1, min: 1, max: 4096 },
  position: { kind: 'integer', key: 'pos', default: 1, min: 1, max: LENGTH },
  seed: seed(),
} as const;

type Values = StateOf<typeof table>;

interface Result {
  readonly map: FeatureMapInfo;
  readonly curve: FeatureMapCurve;
  /** Columns that are not equal to an earlier one. */
  readonly different: readonly number[];
}

/**
 * φ of any registered map along a line through the origin, with its derivative, and where it is
 * zero, flat or out of float32's range.
 *
 * @element attn-phi-curve
 */
@customElement('attn-phi-curve')
export class AttnPhiCurve extends MapFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['map', 'reach'] as const;

  protected override get wordsLang() {
    return lazy.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    if (!this.hasMaps) await this.readMaps(client);
    const { d, along, reach, seed, position } = values;
    const map = this.mapOf(values.map);
    const parameters = map
      ? parametersOf(values.parameters, map)
      : readParameters(values.parameters);
    const rows = { rows: 1, cols: d };
    const direction =
      along === 'all'
        ? { ...rows, data: new Float32Array(d).fill(1) }
        : along === 'random'
          ? (await keptGaussian(client, { n: 1, dK: d, dV: 1, seed }, ask)).q
          : undefined;
    const curve = await client.featureMapCurve(
      {
        ...{ d, from: -reach, to: reach, points: POINTS, offset: position - 1, length: LENGTH },
        featureMap: { id: values.map, parameters, seed },
        ...(direction ? { direction } : {}),
      },
      ask,
    );
    // The core refuses ids it does not know, so that the map is there.
    return { map: map as FeatureMapInfo, curve, different: differentColumns(curve.phi) };
  }

  protected override readonly argumentKnobs = {
    featureMap: 'map',
    from: 'reach',
    to: 'reach',
    points: 'd',
  };

  protected override get controls(): readonly Knob<keyof Values>[] {
    const { map, values } = this;
    const different = this.shown?.result.different.length ?? 0;
    const along = choice('along', { label: words.along, options: words.alongs });
    return [
      ...this.mapKnobs(words.map),
      slider('reach', { symbol: 't', label: words.reach, log: true, step: 0.5 }),
      slider('d', { symbol: 'd', label: words.d }),
      {
        ...along,
        draw: (state) => html`<div class="choice with-note">
          ${along.draw(state)}
          <p class="fine">${rich(words.alongNote)}</p>
        </div>`,
      },
      choice('scale', { label: words.scale, options: words.scales }),
      toggle('slope', { label: words.slope }),
      slider(
        'first',
        { label: words.first, max: Math.max(1, different - CURVES + 1) },
        { when: different > CURVES },
      ),
      slider(
        'position',
        { symbol: 'i', label: words.position },
        { when: map?.positional ?? false },
      ),
      seedKnob('seed', { when: map?.random || values.along === 'random' }),
    ];
  }

  private columns({ result, values }: Shown<Values, Result>): readonly number[] {
    const { different } = result;
    const first = Math.max(0, Math.min(values.first - 1, different.length - CURVES));
    return different.slice(first, first + CURVES);
  }

  private series(shown: Shown<Values, Result>): Series[] {
    const { t, phi, slope } = shown.result.curve;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const columns = this.columns(shown);
    const line = (matrix: FeatureMapCurve['phi'], column: number) =>
      Array.from(t, (at, i) => chartPoint(at, matrix.data[i * matrix.cols + column] ?? Number.NaN));
    const look = (i: number) => ({ color: colors[i] ?? '', mark: 'circle' as const });
    const values = columns.map((column, i) => ({
      ...look(i),
      ...{ id: `phi-${column}`, label: words.feature(subscript(column + 1)), bare: true },
      points: line(phi, column),
    }));
    const all = [...this.linesBefore(), ...values];
    if (!shown.values.slope) return all;
    return [
      ...all,
      ...columns.map((column, i) => ({
        ...look(i),
        ...{ id: `slope-${column}`, label: words.derivative(subscript(column + 1)), model: true },
        points: line(slope, column),
      })),
    ];
  }

  /** The first feature before a try. */
  private linesBefore(): Series[] {
    const { ghost } = this;
    if (!ghost) return [];
    const { t, phi } = ghost.result.curve;
    const { color } = lookOf('ghost', this.dark);
    return [
      {
        ...{ id: 'before', label: nameOf('ghost'), color, mark: 'circle', model: true },
        points: Array.from(t, (at, i) => chartPoint(at, phi.data[i * phi.cols] ?? Number.NaN)),
      },
    ];
  }

  private zonesOf({ curve }: Result, column: number): FeatureZones {
    const { t, phi, slope } = curve;
    const at = ({ data, cols }: FeatureMapCurve['phi']) => {
      return (i: number): number => data[i * cols + column] ?? Number.NaN;
    };
    return featureZones(t, at(phi), at(slope));
  }

  /** The zone in which a token would get no weights at all. */
  private dead({ curve: { t, phi } }: Result): Zone[] {
    return zones(t, (i) => {
      for (let column = 0; column < phi.cols; column++) {
        if (phi.data[i * phi.cols + column] !== 0) return false;
      }
      return true;
    });
  }

  private zoneText(all: readonly Zone[]): string {
    return (
      all.map(({ from, to }) => words.zone(formatTick(from), formatTick(to))).join(', ') ||
      words.nowhere
    );
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { result, values } = shown;
    const axes: Readonly<Record<Values['scale'], Axis>> = {
      linear: { linear: true },
      log: {},
      symlog: { symlog: NEAR_ZERO },
    };
    const series = this.series(shown);
    return html`<attn-line-chart
        .series=${series}
        .describe=${({ series: id, point }: HeldPoint): string => {
          const curve = series.find((one) => one.id === id);
          const at = curve?.points[point];
          return curve && at
            ? words.point(curve.label, formatNumber(at.x), formatNumber(at.y, 4))
            : '';
        }}
        .x=${{ linear: true, low: -values.reach, high: values.reach }}
        .y=${axes[values.scale]}
        .xLabel=${words.t}
        .yLabel=${words.value}
        .stretches=${this.dead(result).map((zone) => ({ ...zone, label: words.dead }))}
        .summary=${this.summary(shown)}
      ></attn-line-chart>`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    const { result } = shown;
    const columns = this.columns(shown);
    const { length } = result.different;
    return html`<p class="fine">${words.shown(columns.length, length, result.curve.featureDimension)}</p>
      ${this.renderZones(result, columns)}`;
  }

  /** Where the first feature is 0 to the digit, as a share of what is drawn. */
  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    const { t, phi } = result.curve;
    const column = Array.from(t, (_, i) => phi.data[i * phi.cols] ?? Number.NaN);
    const zero = column.filter((value) => value === 0).length / column.length;
    const largest = Math.max(...column.filter(Number.isFinite));
    return [
      { label: words.zeroShare, value: zero, text: `${formatTick(100 * zero)} %` },
      { label: words.largest, value: largest },
    ];
  }

  private renderZones(result: Result, columns: readonly number[]): unknown {
    const { phi } = result.curve;
    const head = words.columns;
    const rows = columns.map((column) => {
      const values = Array.from(
        { length: phi.rows },
        (_, i) => phi.data[i * phi.cols + column] ?? 0,
      );
      return {
        column,
        low: Math.min(...values),
        high: Math.max(...values),
        zones: this.zonesOf(result, column),
      };
    });
    const overflows = rows.some(({ zones: { notFinite } }) => notFinite.length > 0);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.zones}>
        <table class="figure-table" aria-label=${words.zones}>
          <thead>
            <tr>
              <th scope="col">${head.feature}</th>
              <th scope="col">${head.range}</th>
              <th scope="col">${head.zero}</th>
              <th scope="col">${head.flat}</th>
              <th scope="col">${head.tiny}</th>
              ${overflows ? html`<th scope="col">${head.notFinite}</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ column, low, high, zones: { zero, flat, tiny, notFinite } }) => html`<tr>
                <th scope="row">${words.feature(subscript(column + 1))}</th>
                <td>
                  ${low === high ? formatNumber(low) : `${formatNumber(low)} … ${formatNumber(high)}`}
                </td>
                <td>${this.zoneText(zero)}</td>
                <td>${this.zoneText(flat)}</td>
                <td>${this.zoneText(tiny)}</td>
                ${overflows ? html`<td>${this.zoneText(notFinite)}</td>` : nothing}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="fine">${rich(words.zonesNote)}</p>`;
  }

  protected override summary(shown: Shown<Values, Result>): string {
    const { map } = shown.result;
    const dead = this.dead(shown.result);
    const where = dead.length > 0 ? words.deadAt(this.zoneText(dead)) : words.deadNowhere;
    return words.summary(map.label, this.columns(shown).length, where);
  }

  protected override caption({ values, result }: Shown<Values, Result>): string {
    const { map, curve } = result;
    const { d, along, reach, seed, position } = values;
    return [
      words.caption(
        ...([map.label, parameterText(values.parameters, map), d] as const),
        ...([curve.featureDimension, words.direction[along](seed), curve.t.length] as const),
        ...([formatTick(-reach), formatTick(reach)] as const),
      ),
      map.random ? words.drawn(seed) : '',
      map.positional ? words.at(position, LENGTH) : '',
    ]
      .filter(Boolean)
      .join(' ');
  }

  protected override data(shown: Shown<Values, Result>): FigureData {
    const { t, phi, slope } = shown.result.curve;
    const columns = this.columns(shown);
    const finite = (value: number | undefined) =>
      value !== undefined && Number.isFinite(value) ? value : null;
    return {
      columns: [
        't',
        ...columns.flatMap((column) => [`phi_${column + 1}`, `dphi_dt_${column + 1}`]),
      ],
      rows: Array.from(t, (at, i) => [
        at,
        ...columns.flatMap((column) => [
          finite(phi.data[i * phi.cols + column]),
          finite(slope.data[i * slope.cols + column]),
        ]),
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
    'attn-phi-curve': AttnPhiCurve;
  }
}
