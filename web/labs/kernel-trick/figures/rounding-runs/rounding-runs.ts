import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { AssociativityErrors } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series, seriesColors } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { chartFile } from '../../draw/figure-parts.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/rounding-runs.ts';

adopt(css);

/** Seeds averaged over at each n. */
const PER_LENGTH = 3;
const RTOL = 1e-5;

const table = {
  over: oneOf({ key: 'over', values: ['seeds', 'n'], default: 'seeds' }),
  what: oneOf({ key: 'what', values: ['relative', 'absolute'], default: 'relative' }),
  n: integer({ key: 'n', default: 100, min: 4, max: 1024 }),
  d: integer({ key: 'd', default: 64, min: 1, max: 128 }),
  seeds: integer({ key: 'seeds', default: 20, min: 1, max: 50 }),
  seed: seed({ default: 0 }),
} as const;
type Values = StateOf<typeof table>;

interface Errors {
  readonly difference: number;
  readonly relative: number;
  readonly medianDifference: number;
  readonly medianRelative: number;
  readonly failedShare: number;
}

interface Row {
  readonly n: number;
  readonly seed: number;
  readonly float32: Errors;
  readonly float64: Errors;
}

const errorsOf = (errors: AssociativityErrors, median: number): Errors => ({
  difference: errors.maxDifference,
  relative: errors.maxRelativeDifference,
  medianDifference: errors.differences[median] ?? Number.NaN,
  medianRelative: errors.relativeDifferences[median] ?? Number.NaN,
  failedShare: errors.failedShare,
});

/**
 * How far the two orders are apart over many seeds, or over n.
 *
 * @element attn-kt-rounding-runs
 */
@customElement('attn-kt-rounding-runs')
export class AttnKtRoundingRuns extends LabExperiment<Row, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async *sweep(values: Values, { signal }: Ask) {
    const { client } = this.tools;
    const { over, n, d, seeds, seed } = values;
    const lengths: number[] = [];
    for (let length = 4; length < n; length *= 2) lengths.push(length);
    lengths.push(n);
    const runs =
      over === 'seeds'
        ? Array.from({ length: seeds }, (_, i) => ({ n, seed: seed + i, draws: 1 }))
        : lengths.map((length) => ({ n: length, seed, draws: PER_LENGTH }));
    for (const [i, run] of runs.entries()) {
      const { float32, float64, probabilities } = await client.associativityPrecision(
        { ...run, dK: d, dV: d, rtol: RTOL, atol: 0 },
        { signal },
      );
      const median = probabilities.indexOf(0.5);
      const row: Row = {
        n: run.n,
        seed: run.seed,
        float32: errorsOf(float32, median),
        float64: errorsOf(float64, median),
      };
      yield { row, fraction: (i + 1) / runs.length };
    }
  }

  /** This knob only changes how the rows are drawn, so it starts no run. */
  protected readonly viewKnobs: readonly string[] = ['what'];

  protected describe({ over, n, d, seed }: Values): string {
    return words.describe(over, n, d, seed);
  }

  protected override readonly firstKnobs = ['over', 'what'] as const;
  protected override get controls() {
    return [
      choice('over', { label: words.over, options: words.overs }),
      choice('what', { label: words.what, options: words.whats }),
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      slider('seeds', { label: words.seeds }, { when: this.values.over === 'seeds' }),
      seedKnob(),
    ];
  }

  private lines(rows: readonly Row[], values: Values, other = ''): Series[] {
    const [, warm = '', , cold = ''] = seriesColors[this.dark ? 'dark' : 'light'];
    const absolute = this.values.what === 'absolute';
    const x = ({ n, seed }: Row): number => (values.over === 'seeds' ? seed : n);
    const line = (precision: 'float32' | 'float64', worst: boolean): Series => ({
      id: `${precision}-${worst}${other}`,
      label: `${precision}, ${worst ? words.worst : words.typical}${other}`,
      color: precision === 'float32' ? warm : cold,
      mark: worst ? 'down' : 'circle',
      hollow: other !== '',
      line: values.over === 'seeds' ? 'none' : 'straight',
      points: rows.map((row) => {
        const { difference, relative, medianDifference, medianRelative } = row[precision];
        const [top, middle] = absolute
          ? [difference, medianDifference]
          : [relative, medianRelative];
        return chartPoint(x(row), worst ? top : middle);
      }),
    });
    return [
      line('float32', true),
      line('float32', false),
      line('float64', true),
      line('float64', false),
    ];
  }

  protected renderResult({ values, result }: Shown<Values, readonly Row[]>): unknown {
    const others = this.compared.filter((run) => this.valuesOf(run).over === values.over);
    const series = [
      ...this.lines(result, values),
      ...others.flatMap((run, i) => this.lines(run.rows, this.valuesOf(run), ` (${i + 1})`)),
    ];
    const relative = this.values.what === 'relative';
    return html`<attn-line-chart
      .heading=${''}
      .summary=${this.heading}
      .level=${4}
      .series=${series}
      .levels=${relative ? [{ y: RTOL, label: `rtol = 1e-5`, dashed: true }] : []}
      .x=${values.over === 'seeds' ? { linear: true, whole: true } : { count: 'binary' }}
      .xLabel=${values.over === 'seeds' ? words.seedAxis : words.nAxis}
      .yLabel=${relative ? '|a − b| / |b|' : '|a − b|'}
      .dark=${this.dark}
    ></attn-line-chart>`;
  }

  protected override resultLine({ values, result }: Shown<Values, readonly Row[]>): string {
    const relative = result.map(({ float32 }) => float32.relative);
    const typical = result.map(({ float32 }) => float32.medianRelative);
    const range = (all: readonly number[]): readonly [string, string] => [
      formatNumber(Math.min(...all), 2),
      formatNumber(Math.max(...all), 2),
    ];
    return words.line(values.over, range(relative), range(typical));
  }

  protected caption({ values, result }: Shown<Values, readonly Row[]>): string {
    const { over, n, d } = values;
    const seeds = result.map(({ seed }) => seed);
    const lengths = result.map((row) => row.n);
    const [first = values.seed, last = first] = [seeds[0], seeds[seeds.length - 1]];
    const top = over === 'n' ? first + PER_LENGTH - 1 : last;
    return words.caption({
      over: words.overs[over],
      n: over === 'n' ? lengths.join(', ') : String(n),
      d,
      seeds: first === top ? String(first) : `${first}…${top}`,
      runs: this.compared.length,
    });
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.columns,
      rows: result.map(({ n, seed, float32, float64 }) => [
        n,
        seed,
        float32.difference,
        float32.relative,
        float32.medianRelative,
        float32.failedShare,
        float64.difference,
        float64.relative,
        float64.medianRelative,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-rounding-runs': AttnKtRoundingRuns;
  }
}
