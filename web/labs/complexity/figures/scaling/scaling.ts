import { html, nothing, type PropertyValues } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { MeasuredCrossing, SlopeFit } from '#client';
import { fittedLengths } from '../../../../pages/speed/measurement.ts';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart, HeldPoint } from '../../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import {
  AT_FIGURE,
  type KeyNumber,
  type Shown,
  sentence,
} from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { Axis } from '../../../../src/plot/axis.ts';
import { chartPoint, type Level, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { decimal, formatNumber } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import { boolean, integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { formatBytes, formatPlain } from '../format.ts';
import { longestFitting } from '../longest-fitting.ts';
import { lookOf } from './looks.ts';
import { measure } from './measure.ts';
import { countsOf, crossingIn, endsOf, isRow, type Row, timesOf } from './measured-rows.ts';
import { type Recorded, recordedRun } from './recorded-run.ts';
import { type Contender, contenders, type Plan, variants } from './trial-plan.ts';

const { scaling: words } = figureWords.now;

const table = {
  variant: oneOf({ key: 'variant', values: variants, default: 'full' }),
  largest: oneOf({
    key: 'n',
    values: ['1024', '2048', '4096', '8192', '16384', '32768'],
    default: '4096',
  }),
  rounds: oneOf({ key: 'rounds', values: ['3', '5', '9'], default: '5' }),
  d: integer({ key: 'd', min: 4, max: 128, default: 64 }),
  dV: integer({ key: 'dv', min: 4, max: 128, default: 64 }),
  show: oneOf({ key: 'show', values: ['time', 'adds', 'bytes'], default: 'time' }),
  recorded: boolean({ key: 'rec', default: false }),
};
type Table = typeof table;
type Values = StateOf<Table>;

const planOf = ({ variant, largest, rounds, d, dV }: Values): Plan => ({
  ...{ variant, d, dV },
  largest: Number(largest),
  rounds: Number(rounds),
});

/** What the core computes from a run. */
interface Findings {
  readonly of: readonly Row[];
  readonly fits: Readonly<Record<string, SlopeFit & { readonly x: readonly number[] }>>;
  readonly crossing: MeasuredCrossing | undefined;
  /** n* by the formula that counts only the two products. */
  readonly star: number;
  /** n* computed from all multiply-adds of the code that runs. */
  readonly predicted: number | undefined;
  readonly wall: { readonly limit: number; readonly n: number } | undefined;
}

/**
 * Time over length, measured here: softmax and linear attention, with fitted slopes, the crossing and
 * what was counted.
 *
 * @element attn-scaling-experiment
 */
@customElement('attn-scaling-experiment')
export class AttnScalingExperiment extends LabExperiment<Row, Table> {
  override readonly table = table;
  protected override readonly measuresTime = true;
  protected override readonly viewKnobs: readonly string[] = ['show', 'recorded'];

  @state() private findings: Findings | undefined;
  @state() private record: Recorded | undefined;
  /** The reader's answer to the question before the run: it stays in the chart when the question is over. */
  private guessed: number | undefined;
  private finding: readonly Row[] | undefined;
  private reading: Promise<void> | undefined;

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.headings[this.values.show];
  }

  protected override isRow(row: unknown): row is Row {
    return isRow(row);
  }

  protected override describe({ variant, largest, rounds, d, dV }: Values): string {
    return words.describe(words.variants[variant], Number(largest), Number(rounds), d, dV);
  }

  /** A run ends the question before it, whose numbers make room for the chart. */
  protected override run(): Promise<void> {
    if (!this.trying && !this.running) this.set({});
    return super.run();
  }

  private get guess(): number | undefined {
    this.guessed = this.bothAnswers.guess ?? this.guessed;
    return this.guessed;
  }

  protected override async *sweep(values: Values, ask: Ask) {
    yield* measure(this.tools.client, planOf(values), ask);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const rows = this.shown?.result;
    if (rows && !this.running && this.finding !== rows) {
      this.finding = rows;
      this.find(rows, this.shown?.values ?? this.values).catch((error: unknown) => {
        // If this fails, the measured points are shown without it.
        const message = error instanceof Error ? error.message : String(error);
        this.problem = { at: AT_FIGURE, message: sentence(message) };
      });
    }
    if (this.values.recorded) {
      this.reading ??= recordedRun().then(
        (record) => {
          this.record = record;
        },
        () => {
          this.reading = undefined;
          this.problem = { at: 'recorded', message: words.recordedMissing };
        },
      );
    }
  }

  private pair({ variant }: Values): readonly [Contender, Contender] {
    const all = contenders[variant];
    const first = (kind: Contender['kind']) => all.find((one) => one.kind === kind) as Contender;
    return [first('softmax'), first('linear')];
  }

  private async find(rows: readonly Row[], values: Values): Promise<void> {
    const { client } = this.tools;
    const fits: Record<string, SlopeFit & { readonly x: readonly number[] }> = {};
    for (const { id } of contenders[values.variant]) {
      const times = timesOf(rows, id);
      const x = fittedLengths(times.map(({ n }) => n));
      const points = times.filter(({ n }) => x.includes(n));
      if (points.length < 3) continue;
      const fit = await client.fitSlope({ x, y: points.map(({ median }) => median), at: x });
      fits[id] = { ...fit, x };
    }
    const [a, b] = this.pair(values);
    const predicted = await client.crossover({
      a: a.mechanism,
      b: b.mechanism,
      shape: { ...b.shape, dK: values.d, dV: values.dV },
    });
    const { d, dV, variant } = values;
    const D = b.taylor ? await client.taylorDimension({ d, compact: b.taylor === 'compact' }) : d;
    const { plain, causal = plain } = await client.orderCosts({ n: 1, dK: d, dV, D });
    const found: Findings = {
      star: (variant === 'causal' ? causal : plain).crossover,
      ...{ of: rows, fits, predicted: predicted ?? undefined, wall: undefined },
      crossing: await crossingIn(client, rows, a.id, b.id),
    };
    if (this.finding !== rows) return;
    this.findings = found;
    const { limit } = await client.memoryInfo();
    const n = await longestFitting(client, limit, { signal: new AbortController().signal });
    if (this.finding === rows) this.findings = { ...found, wall: { limit, n } };
  }

  private found(rows: readonly Row[]): Findings | undefined {
    return this.findings?.of === rows ? this.findings : undefined;
  }

  // ---- the picture ----

  private series({ values, result }: Shown<Values, readonly Row[]>): readonly Series[] {
    const { show, recorded } = this.values;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const fits = this.found(result)?.fits ?? {};
    const all = contenders[values.variant];
    const lines = all.map((one, i): Series => {
      const { color, mark } = lookOf(i);
      const fit = fits[one.id];
      return {
        ...{ id: one.id, label: words.contenders[one.id] ?? one.id, mark },
        ...{ color: colors[color] ?? '', hollow: one.kind === 'linear' },
        points: this.points(result, one.id),
        ...(show === 'time' && fit
          ? { fit: { x: fit.x, y: [...fit.line], low: [...fit.low], high: [...fit.high] } }
          : {}),
      };
    });
    if (show !== 'time') return lines;
    const others = this.compared.flatMap((run, k) =>
      contenders[this.valuesOf(run).variant].map((one, i): Series => {
        const { color, mark } = lookOf(i, k);
        return {
          ...{ id: `${run.time} ${one.id}`, mark, color: colors[color] ?? '', width: 0.75 },
          label: words.other(words.contenders[one.id] ?? one.id, k + 1),
          hollow: one.kind === 'linear',
          points: this.points(run.rows, one.id),
        };
      }),
    );
    const from = recorded ? this.record : undefined;
    const kept = all.flatMap((one, i): Series[] => {
      const { color, mark } = lookOf(i);
      const points = one.recorded ? from?.times(one.recorded) : undefined;
      if (!points) return [];
      return [
        {
          ...{ id: `recorded ${one.id}`, mark, color: colors[color] ?? '', model: true },
          label: words.recordedLine(words.contenders[one.id] ?? one.id),
          points: points.map(({ n, median }) => chartPoint(n, median)),
        },
      ];
    });
    return [...lines, ...others, ...kept];
  }

  private points(rows: readonly Row[], id: string) {
    const { show } = this.values;
    if (show === 'time') {
      return timesOf(rows, id).map(({ n, median, low, high }) => chartPoint(n, median, low, high));
    }
    return countsOf(rows, id).map(({ n, multiplyAdds, peakBytes }) =>
      chartPoint(n, show === 'adds' ? multiplyAdds : peakBytes),
    );
  }

  private markers({ result }: Shown<Values, readonly Row[]>): readonly Marker[] {
    const found = this.found(result);
    if (!found) return [];
    const { show } = this.values;
    const { crossing, star, wall } = found;
    if (show === 'bytes')
      return !wall ? [] : [{ x: wall.n, label: words.wall(wall.n), strong: true }];
    const { guess } = this;
    const guessed: readonly Marker[] =
      guess === undefined ? [] : [{ x: guess, label: nameOf('guess'), dashed: true }];
    const counted: Marker[] = [{ x: star, label: words.star(formatPlain(star)), dashed: true }];
    if (show === 'adds') return counted;
    const measured: Marker[] =
      crossing?.kind === 'between'
        ? [
            {
              x: crossing.x,
              label: words.measured(String(Math.round(crossing.x))),
              strong: true,
              interval: crossing.interval ?? undefined,
            },
          ]
        : [];
    const ends = endsOf(result).map(({ n, id }) => ({
      x: n,
      label: words.ends(words.contenders[id] ?? id, n),
    }));
    return [...guessed, ...measured, ...counted, ...ends];
  }

  private levels({ result }: Shown<Values, readonly Row[]>): readonly Level[] {
    const limit = this.found(result)?.wall?.limit;
    return this.values.show === 'bytes' && limit
      ? [{ y: limit, label: words.limit(formatBytes(limit)) }]
      : [];
  }

  /** The picture includes the memory limit, even if it lies far above the measured values. */
  private axis(shown: Shown<Values, readonly Row[]>): Axis {
    if (this.values.show !== 'bytes') return {};
    const limit = this.found(shown.result)?.wall?.limit;
    if (!limit) return { count: 'binary' };
    const most = Math.max(...shown.result.map((row) => (row.kind === 'count' ? row.peakBytes : 0)));
    return { count: 'binary', high: 2 * Math.max(limit, most) };
  }

  private pointWords({ result }: Shown<Values, readonly Row[]>): (held: HeldPoint) => string {
    return ({ series, point }) => {
      const line = this.series(this.shown as Shown<Values, readonly Row[]>).find(
        ({ id }) => id === series,
      );
      const at = line?.points[point];
      if (!line || !at) return '';
      const name = line.label;
      const count = countsOf(result, series).find(({ n }) => n === at.x);
      if (this.values.show !== 'time' || !count) {
        const value = this.values.show === 'bytes' ? formatBytes(at.y) : formatNumber(at.y);
        return words.point(name, at.x, `${value}${words.units[this.values.show]}`);
      }
      return words.pointTimed(
        name,
        at.x,
        ...([at.y, at.low, at.high].map((one) => formatNumber(one)) as [string, string, string]),
        formatNumber(count.multiplyAdds),
        formatBytes(count.peakBytes),
      );
    };
  }

  // ---- words ----

  /** The fitted slopes, in the order of the contenders. */
  private slopes({ values, result }: Shown<Values, readonly Row[]>) {
    const fits = this.found(result)?.fits ?? {};
    return contenders[values.variant].flatMap(({ id }, i) => {
      const fit = fits[id];
      return fit ? [{ i, id, name: words.contenders[id] ?? id, fit }] : [];
    });
  }

  private slopeWords(shown: Shown<Values, readonly Row[]>): readonly string[] {
    return this.slopes(shown).map(({ name, fit: { slope, slopeInterval, x } }) => {
      const [at, low, high] = [slope, slopeInterval.low, slopeInterval.high].map((one) =>
        decimal(one.toFixed(2)),
      ) as [string, string, string];
      return words.slope(name, at, low, high, x[0] ?? 0);
    });
  }

  /** What was measured of the crossing, and what was counted, in one sentence. */
  private crossingWords({ values, result }: Shown<Values, readonly Row[]>): string {
    const found = this.found(result);
    if (!found?.crossing) return '';
    const { crossing, star } = found;
    const [a, b] = this.pair(values).map(({ id }) => words.contenders[id] ?? id);
    const at = String(Math.round(crossing.x));
    return words.crossings[crossing.kind](b ?? '', a ?? '', at, formatPlain(star));
  }

  /** What else is to say of the crossing. */
  private countedWords({ values, result }: Shown<Values, readonly Row[]>): string {
    const found = this.found(result);
    if (!found?.crossing) return '';
    const { crossing, predicted, star } = found;
    const counted =
      predicted === undefined ? words.neverCounted : words.countedCrossing(String(predicted));
    const starred = words.starred(formatPlain(star), values.variant === 'causal');
    return [starred, counted, this.agreement(crossing, star)].filter(Boolean).join(' ');
  }

  /** Whether the measurement contradicts the count, and what the difference is. */
  private agreement({ kind, interval, x }: MeasuredCrossing, star: number): string {
    if (kind === 'below') return x < star ? words.agreement.earlier : '';
    if (kind === 'never') return x > star ? words.agreement.later : '';
    if (!interval) return '';
    if (interval.high < star) return words.agreement.earlier;
    return interval.low > star ? words.agreement.later : words.agreement.covered;
  }

  /** How sure the crossing is. */
  private crossingLine({ result }: Shown<Values, readonly Row[]>): readonly string[] {
    const crossing = this.found(result)?.crossing;
    if (crossing?.kind !== 'between') return [];
    const { x, interval, rounds, crossingRounds } = crossing;
    const at = String(Math.round(x));
    return [
      interval
        ? words.crossingInterval(
            at,
            String(Math.round(interval.low)),
            String(Math.round(interval.high)),
            rounds,
          )
        : words.crossingAlone(at, crossingRounds, rounds),
    ];
  }

  private endWords({ result }: Shown<Values, readonly Row[]>): readonly string[] {
    return endsOf(result).map(({ id, n, why }) => words.ended(words.contenders[id] ?? id, n, why));
  }

  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    return this.crossingWords(shown);
  }

  protected override summary(shown: Shown<Values, readonly Row[]>): string {
    if (this.running) return '';
    return [
      this.crossingWords(shown),
      this.countedWords(shown),
      ...this.crossingLine(shown),
      ...this.slopeWords(shown),
      ...this.endWords(shown),
    ]
      .join(' ')
      .replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    const crossing = this.found(result)?.crossing;
    if (crossing?.kind !== 'between') return [];
    const text = String(Math.round(crossing.x));
    return [{ label: words.crossingLabel, value: crossing.x, text }];
  }

  protected override get controls(): readonly Knob<keyof Table>[] {
    return [
      choice('variant', { label: words.variant, options: words.variants, list: true }),
      choice('largest', { label: words.largest, options: words.lengths, list: true }),
      choice('rounds', { label: words.rounds, options: { 3: '3', 5: '5', 9: '9' } }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      slider('dV', { label: words.dV, symbol: 'd_v', log: true }),
      choice('show', { label: words.show, options: words.shows }),
      toggle('recorded', { label: words.recorded, note: words.recordedNote }),
    ];
  }

  protected override renderBelowKnobs(): unknown {
    return Number(this.values.largest) > 4096 ? html`<p class="fine">${words.slow}</p>` : nothing;
  }

  protected override renderWaiting(): unknown {
    const { recorded } = this.values;
    this.guessed = this.bothAnswers.guess ?? this.guessed;
    return recorded && this.record
      ? this.renderResult({ values: this.values, result: [] })
      : html`<p class="waiting">${words.nothing}</p>`;
  }

  protected override renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    const { show } = this.values;
    return html`<attn-line-chart
      .level=${4}
      .series=${this.series(shown)}
      .markers=${this.markers(shown)}
      .levels=${this.levels(shown)}
      .xLabel=${words.x}
      .yLabel=${words.y[show]}
      .y=${this.axis(shown)}
      .formatY=${show === 'bytes' ? formatBytes : undefined}
      .describe=${this.pointWords(shown)}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  protected override pictures() {
    return { slopes: (shown: Shown<Values, readonly Row[]>) => this.renderSlopes(shown) };
  }

  protected override get titles() {
    return { slopes: words.slopesTitle };
  }

  /** Each slope with its interval on one axis, where 1 and 2 are marked. */
  private renderSlopes(shown: Shown<Values, readonly Row[]>): unknown {
    const slopes = this.slopes(shown);
    if (slopes.length === 0) return this.renderWaiting();
    const highest = Math.max(2.5, ...slopes.map(({ fit }) => fit.slopeInterval.high));
    const lowest = Math.min(0, ...slopes.map(({ fit }) => fit.slopeInterval.low));
    const at = (value: number): string =>
      `${Number(((100 * (value - lowest)) / (highest - lowest)).toFixed(2))}%`;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    return html`<dl class="slope-dots">
      ${slopes.map(({ i, name, fit: { slope, slopeInterval } }) => {
        const color = colors[lookOf(i).color] ?? '';
        return html`<div>
          <dt>${name}</dt>
          <dd>
            <span class="slope-axis" aria-hidden="true">
              ${[0, 1, 2].map((exponent) => html`<i .style=${`left:${at(exponent)}`}>${exponent}</i>`)}
              <span
                class="slope-interval"
                .style=${`left:${at(slopeInterval.low)};right:calc(100% - ${at(slopeInterval.high)});background:${color}`}
              ></span>
              <span class="slope-dot" .style=${`left:${at(slope)};background:${color}`}></span>
            </span>
            <strong>${decimal(slope.toFixed(2))}</strong>
          </dd>
        </div>`;
      })}
    </dl>`;
  }

  protected override renderDetails(shown: Shown<Values, readonly Row[]>): unknown {
    const { recorded } = this.values;
    const lines = [...this.crossingLine(shown), ...this.slopeWords(shown)];
    const crossings = this.crossingLine(shown).length;
    const counted = this.countedWords(shown);
    return html`${counted ? html`<p class="counted">${rich(counted)}</p>` : nothing}
      ${
        lines.length > 0
          ? html`<ul class="slopes">
              ${lines.map((line, i) => html`<li class=${i < crossings ? 'crossing' : ''}>${rich(line)}</li>`)}
            </ul>`
          : nothing
      }
      ${this.endWords(shown).map((line) => html`<p class="ended">${rich(line)}</p>`)}
      ${
        recorded && this.record
          ? html`<p class="fine recorded-note">${rich(words.recordedFrom(this.record.about))}</p>`
          : nothing
      }`;
  }

  protected override caption({ values, result }: Shown<Values, readonly Row[]>): string {
    const { variant, d, dV, rounds } = values;
    const done = Math.max(0, ...result.map((row) => (row.kind === 'time' ? row.round : 0)));
    return words.caption(words.variants[variant], d, dV, done, Number(rounds));
  }

  protected override data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: [
        'kind',
        'contender',
        'n',
        'round',
        'milliseconds',
        'multiply_adds',
        'exps',
        'peak_bytes',
        'ended_because',
      ],
      rows: result.map((row) => {
        const head = [row.kind, row.id, row.n] as const;
        if (row.kind === 'time')
          return [...head, row.round, row.milliseconds, null, null, null, null];
        if (row.kind === 'end') return [...head, null, null, null, null, null, row.why];
        return [...head, null, null, row.multiplyAdds, row.exps, row.peakBytes, null];
      }),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-scaling-experiment': AttnScalingExperiment;
  }
}
