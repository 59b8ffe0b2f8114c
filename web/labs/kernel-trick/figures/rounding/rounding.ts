import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { AssociativityErrors, AssociativityPrecision } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import {
  type ChartPoint,
  chartPoint,
  type Series,
  seriesColors,
} from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { chartFile, table as numbers, percent } from '../../draw/figure-parts.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/rounding.ts';

adopt(css);

/** A chart draws this many marks without a noticeable pause. */
const MOST_MARKS = 400;
/** 2⁻²⁴: a float32 result is off by at most this share of itself. */
const ROUNDOFF = 2 ** -24;

const table = {
  n: integer({ key: 'n', default: 100, min: 2, max: 512 }),
  d: integer({ key: 'd', default: 64, min: 1, max: 128 }),
  rtol: oneOf({
    key: 'rtol',
    values: ['1e-2', '1e-3', '1e-4', '1e-5', '1e-6', '1e-7', '0'],
    default: '1e-5',
  }),
  atol: oneOf({
    key: 'atol',
    values: ['1e-2', '1e-3', '1e-4', '1e-5', '1e-6', '1e-12', '0'],
    default: '0',
  }),
  draws: integer({ key: 'draws', default: 20, min: 1, max: 50 }),
  seed: seed({ default: 0 }),
} as const;
type Values = StateOf<typeof table>;
type Result = AssociativityPrecision;

interface Points {
  readonly passed: readonly ChartPoint[];
  readonly failed: readonly ChartPoint[];
  /** One of so many is drawn. */
  readonly every: number;
  readonly everyBad: number;
}

const same = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]));

/**
 * (QKᵀ)V against Q(KᵀV) in float32 and in float64.
 *
 * @element attn-kt-rounding
 */
@customElement('attn-kt-rounding')
export class AttnKtRounding extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  private readonly answers = this.recentAnswers<Result>(8);

  protected async compute(values: Values, ask: Ask): Promise<Result> {
    const { n, d, rtol, atol, draws, seed } = values;
    const input = { n, dK: d, dV: d, seed, draws, rtol: Number(rtol), atol: Number(atol) };
    return this.answers.of(input, () => this.tools.client.associativityPrecision(input, ask));
  }

  protected override readonly firstKnobs = ['rtol', 'atol'] as const;
  protected override get controls() {
    return [
      slider('n', { label: words.n, symbol: 'n', log: true }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      choice('rtol', { label: words.rtol, options: same(table.rtol.values) }),
      choice('atol', { label: words.atol, options: same(table.atol.values) }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
  }

  private drawn: { readonly of: Shown<Values, Result>; readonly points: Points } | undefined;

  /** Entries of the first draw: which of them, and whether they pass. A caption and a chart ask for the same ones. */
  private points(shown: Shown<Values, Result>): Points {
    if (this.drawn?.of !== shown) this.drawn = { of: shown, points: this.choose(shown) };
    return this.drawn.points;
  }

  private choose({ values, result: { first } }: Shown<Values, Result>): Points {
    const [rtol, atol] = [Number(values.rtol), Number(values.atol)];
    const { size, difference, relativeDifference, condition } = first;
    const all = difference.data.length;
    const fails = (i: number): boolean =>
      (difference.data[i] as number) > atol + rtol * (size.data[i] as number);
    let bad = 0;
    for (let i = 0; i < all; i++) if (fails(i)) bad++;
    const every = Math.max(1, Math.ceil((all - bad) / MOST_MARKS));
    const everyBad = Math.max(1, Math.ceil(bad / MOST_MARKS));
    const passed: ChartPoint[] = [];
    const failed: ChartPoint[] = [];
    let [good, wrong] = [0, 0];
    for (let i = 0; i < all; i++) {
      const failing = fails(i);
      const drawn = failing ? wrong++ % everyBad === 0 : good++ % every === 0;
      if (!drawn || difference.data[i] === 0) continue;
      const point = chartPoint(condition.data[i] as number, relativeDifference.data[i] as number);
      (failing ? failed : passed).push(point);
    }
    return { passed, failed, every, everyBad };
  }

  private series(shown: Shown<Values, Result>): Series[] {
    const [ink = '', bad = '', , cold = ''] = seriesColors[this.dark ? 'dark' : 'light'];
    const { passed, failed } = this.points(shown);
    const reach = [...passed, ...failed].map(({ x }) => x);
    const ends = reach.length > 0 ? [Math.min(...reach), Math.max(...reach)] : [];
    return [
      {
        id: 'passed',
        label: words.passed,
        color: cold,
        mark: 'circle',
        hollow: true,
        line: 'none',
        points: passed,
      },
      {
        id: 'failed',
        label: words.failed,
        color: bad,
        mark: 'cross',
        line: 'none',
        points: failed,
      },
      {
        id: 'roundoff',
        label: words.roundoff,
        color: ink,
        mark: 'plus',
        model: true,
        points: ends.map((x) => chartPoint(x, ROUNDOFF * x)),
      },
    ];
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    const before = this.ghost?.values.rtol;
    const levels = [before === shown.values.rtol ? undefined : before, shown.values.rtol].flatMap(
      (rtol) =>
        rtol && rtol !== '0' ? [{ y: Number(rtol), label: `rtol = ${rtol}`, dashed: true }] : [],
    );
    return html`<attn-line-chart
      .heading=${words.scatter}
      .level=${4}
      .series=${this.series(shown)}
      .levels=${levels}
      .x=${{ count: 'decimal' }}
      .xLabel=${words.condition}
      .yLabel=${words.relative}
      .dark=${this.dark}
    ></attn-line-chart>`;
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    const { float32, float64, draws } = result;
    const { rows, of } = words;
    const pick = (name: string, read: (errors: AssociativityErrors) => string) =>
      [name, read(float32), read(float64)] as const;
    return html`<p class="fine">${rich(words.test)}</p>
      ${numbers(words.table, words.columns, [
        pick(rows.draws, ({ failedDraws }) => of(failedDraws, draws)),
        pick(rows.entries, ({ failedShare }) => percent(failedShare)),
        pick(rows.difference, ({ maxDifference }) => formatNumber(maxDifference)),
        pick(rows.relative, ({ maxRelativeDifference }) => formatNumber(maxRelativeDifference)),
        pick(rows.standard, ({ worst }) => formatNumber(worst.standard, 9)),
        pick(rows.linear, ({ worst }) => formatNumber(worst.linear, 9)),
        pick(rows.terms, ({ worst }) => formatNumber(worst.terms)),
        pick(rows.condition, ({ worst }) => formatNumber(worst.condition)),
      ])}`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    const { float32, draws } = result;
    return [
      {
        ...{ label: words.failing, value: float32.failedDraws },
        text: words.of(float32.failedDraws, draws),
      },
      {
        ...{ label: words.entries, value: float32.failedShare },
        text: percent(float32.failedShare),
      },
    ];
  }

  protected caption(shown: Shown<Values, Result>): string {
    const { n, d, seed, draws, rtol, atol } = shown.values;
    const { every, everyBad } = this.points(shown);
    const seeds = draws === 1 ? String(seed) : `${seed}…${seed + draws - 1}`;
    return words.caption({ n, d, seeds, rtol, atol, every, everyBad });
  }

  protected override summary({ result: { float32, draws } }: Shown<Values, Result>): string {
    return words.summary(float32.failedDraws, draws, percent(float32.failedShare));
  }

  protected data({ result: { first } }: Shown<Values, Result>): FigureData {
    const { size, difference, relativeDifference, condition } = first;
    return {
      columns: words.data,
      rows: Array.from(size.data, (value, i) => [
        value,
        difference.data[i] as number,
        relativeDifference.data[i] as number,
        condition.data[i] as number,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-rounding': AttnKtRounding;
  }
}
