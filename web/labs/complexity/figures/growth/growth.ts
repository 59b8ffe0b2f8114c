import { html, nothing } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { OrderCosts } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { formatBytes, formatCount, formatPlain } from '../format.ts';
import { longestFitting } from '../longest-fitting.ts';

const { growth: words } = figureWords.now;

/** The length at which counts are compared. */
const COMPARED = 4096;
const LENGTHS = Array.from({ length: 14 }, (_, i) => 2 ** (i + 4));

const table = {
  show: oneOf({ key: 'show', values: ['adds', 'bytes'], default: 'adds' }),
  count: oneOf({
    key: 'count',
    values: ['plain', 'normalized', 'causal', 'causalNormalized'],
    default: 'plain',
  }),
  d: integer({ key: 'd', min: 1, max: 256, default: 64 }),
  dV: integer({ key: 'dv', min: 1, max: 256, default: 64 }),
  D: integer({ key: 'D', min: 1, max: 4096, default: 64 }),
};
type Table = typeof table;

interface Answer {
  readonly costs: readonly OrderCosts[];
  /** The limit of the page's memory, and the length of the largest n×n matrix below it; only when bytes are shown. */
  readonly wall:
    | {
        readonly limit: number;
        readonly n: number;
        /** How long softmax attention would take at that length, at the rate that was measured. */
        readonly seconds: number;
      }
    | undefined;
}

/** Softmax attention that keeps its weights, timed once to estimate how long it takes at the wall. */
const TIMED = { mechanism: 'fused_weights', n: 1024, dK: 64, dV: 64 } as const;
const TIMED_MILLISECONDS = 20;

/**
 * Counted multiply-adds, or bytes between the products, of both orders over the length.
 *
 * @element attn-order-growth
 */
@customElement('attn-order-growth')
export class AttnOrderGrowth extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['d', 'dV', 'D'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  /** Measured once, when it is first asked for. */
  private nanoseconds: number | undefined;

  override get heading(): string {
    return words.headings[this.values.show];
  }

  protected override async compute(values: StateOf<Table>, { signal }: Ask): Promise<Answer> {
    const client = this.tools.client;
    const { d, dV, D, show } = values;
    const costs = await Promise.all(
      LENGTHS.map((n) => client.orderCosts({ n, dK: d, dV, D }, { signal })),
    );
    if (show === 'adds') return { costs, wall: undefined };
    const { limit } = await client.memoryInfo(undefined, { signal });
    const n = await longestFitting(client, limit, { signal });
    this.nanoseconds ??= await this.timed({ signal });
    const nanoseconds = await client.predictedNanoseconds(
      {
        mechanism: TIMED.mechanism,
        shape: { n, dK: d, dV },
        rates: { multiplyAdd: this.nanoseconds, exp: 0, byte: 0, call: 0 },
      },
      { signal },
    );
    return { costs, wall: { limit, n, seconds: nanoseconds / 1e9 } };
  }

  /** The nanoseconds that a multiply-add takes here, with everything else that there is to do. */
  private async timed({ signal }: Pick<Ask, 'signal'>): Promise<number> {
    const { client } = this.tools;
    const { mechanism, ...shape } = TIMED;
    const { multiplyAdds } = await client.costOf({ mechanism, shape }, { signal });
    const { samples } = await client.timeRound(
      { trials: [TIMED], milliseconds: TIMED_MILLISECONDS },
      { signal },
    );
    // The trial's memory is given back.
    await client.timeRound({ trials: [], milliseconds: 1 }, { signal });
    return (1e6 * (samples[0]?.milliseconds ?? Number.NaN)) / multiplyAdds;
  }

  private counts({ values, result }: Shown<StateOf<Table>, Answer>) {
    return result.costs.map((costs, i) => {
      const n = LENGTHS[i] ?? 0;
      if (values.show === 'bytes') {
        const { standard, linear } = costs;
        return { n, standard: standard.intermediate.bytes, linear: linear.intermediate.bytes };
      }
      const { standard, linear } = costs[values.count] ?? costs.plain;
      return { n, standard, linear };
    });
  }

  private series(shown: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const { dark, ghost } = this;
    const line = (id: 'standard' | 'linear', of = shown): Series => ({
      ...{ id, label: words.lines[shown.values.show][id] },
      ...lookOf(id === 'standard' ? 'softmax' : 'linear', dark),
      points: this.counts(of).map((count) => chartPoint(count.n, count[id])),
    });
    const before = ghost
      ? (['standard', 'linear'] as const).map(
          (id, i): Series => ({
            ...{ ...line(id, ghost), ...lookOf('ghost', dark), id: `before ${id}` },
            ...{ label: nameOf('ghost'), model: true, unnamed: i > 0 },
          }),
        )
      : [];
    return [...before, line('standard'), line('linear')];
  }

  private crossover({ values, result }: Shown<StateOf<Table>, Answer>): number {
    const [first] = result.costs;
    return (first?.[values.count] ?? first?.plain)?.crossover ?? Number.NaN;
  }

  private markers(shown: Shown<StateOf<Table>, Answer>): readonly Marker[] {
    const { wall } = shown.result;
    const { guess } = this.bothAnswers;
    const guessed: readonly Marker[] =
      guess === undefined || !wall ? [] : [{ x: guess, label: nameOf('guess'), dashed: true }];
    if (wall) return [...guessed, { x: wall.n, label: words.wall(wall.n), strong: true }];
    if (shown.values.show === 'bytes') return [];
    const { ghost } = this;
    const before: readonly Marker[] = ghost
      ? [{ x: this.crossover(ghost), label: nameOf('ghost'), dashed: true }]
      : [];
    const at = this.crossover(shown);
    return [...before, { x: at, label: words.crossover(formatPlain(at)), strong: true }];
  }

  private levels({ result: { wall } }: Shown<StateOf<Table>, Answer>): readonly Level[] {
    return wall ? [{ y: wall.limit, label: words.limit(formatBytes(wall.limit)) }] : [];
  }

  /** What one doubling does at the end of the axis, and where the lines meet or end. */
  protected override resultLine(shown: Shown<StateOf<Table>, Answer>): string {
    const { wall } = shown.result;
    if (wall) return words.walled(formatBytes(wall.limit), formatCount(wall.n));
    const [before, last] = this.counts(shown).slice(-2);
    if (!before || !last) return '';
    return words.doubled(
      ...([formatCount(before.n), formatCount(last.n)] as const),
      ...([
        formatPlain(last.standard / before.standard),
        formatPlain(last.linear / before.linear),
      ] as const),
      formatPlain(this.crossover(shown)),
    );
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: Shown<StateOf<Table>, Answer>): readonly KeyNumber[] {
    // Of bytes the wall counts, and its own sentence says it.
    if (shown.values.show === 'bytes') return [];
    const at = this.counts(shown).find(({ n }) => n === COMPARED);
    const star = this.crossover(shown);
    const ratio = at ? at.standard / at.linear : Number.NaN;
    return [
      { label: words.crossing, value: star, text: formatPlain(star) },
      { label: words.gainAt(COMPARED), value: ratio, text: words.times(formatPlain(ratio)) },
    ];
  }

  /** How long softmax attention would take at the wall: an estimate, apart from what was counted. */
  protected override renderDetails({ result: { wall } }: Shown<StateOf<Table>, Answer>): unknown {
    if (!wall) return nothing;
    const rate = formatNumber(1e9 / (this.nanoseconds ?? Number.NaN));
    return html`<p class="wall-time">
      ${rich(words.wallTime(formatPlain(wall.seconds), formatCount(TIMED.n), rate))}
    </p>`;
  }

  protected override get controls(): readonly Knob<keyof Table>[] {
    return [
      choice('show', { label: words.show, options: words.shows }),
      choice(
        'count',
        { label: words.count, options: words.counts, list: true },
        { when: this.values.show === 'adds' },
      ),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      slider('dV', { label: words.dV, symbol: 'd_v', log: true }),
      slider('D', { label: words.D, symbol: 'D', log: true }),
    ];
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    const { show } = shown.values;
    return html`<attn-line-chart
        .level=${4}
        .series=${this.series(shown)}
        .markers=${this.markers(shown)}
        .levels=${this.levels(shown)}
        .xLabel=${words.x}
        .yLabel=${words.y[show]}
        .y=${show === 'bytes' ? { count: 'binary' } : {}}
        .formatY=${show === 'bytes' ? formatBytes : undefined}
        .summary=${this.summary(shown)}
      ></attn-line-chart>`;
  }

  protected override caption({ values }: Shown<StateOf<Table>, Answer>): string {
    const { d, dV, D, show, count } = values;
    return words.caption(
      d,
      dV,
      D,
      show === 'bytes' ? words.bytesNote : (words.countNotes[count] ?? ''),
    );
  }

  protected override data(shown: Shown<StateOf<Table>, Answer>): FigureData {
    const { show } = shown.values;
    return {
      columns: ['n', `standard_${show}`, `linear_${show}`],
      rows: this.counts(shown).map(({ n, standard, linear }) => [n, standard, linear]),
    };
  }

  protected override svg(shown: Shown<StateOf<Table>, Answer>): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-order-growth': AttnOrderGrowth;
  }
}
