import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { useWords } from '../../words/use.ts';
import { modelNamed } from '../shared/reader.ts';
import { MOST_KEPT, ordinaryLoss, RUN, type Saved, savedByFact } from './measure.ts';
import { between, LENGTH, NAMES } from './plant.ts';

const { fact: words } = useWords.now;

const GAPS = [0, 8, 16, 32, 48, 64, 80] as const;
const KEPT = [8, 16, 32, 48, 64, 96, 120] as const;

const table = {
  gap: integer({ key: 'gap', min: 0, max: 80, default: 32 }),
  kept: integer({ key: 'kept', min: 8, max: MOST_KEPT, default: MOST_KEPT }),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface AtKept extends Saved {
  readonly kept: number;
  readonly ordinary: number;
}
interface Answer {
  /** What the fact saves over each gap, with all tokens and with those that are kept. */
  readonly gaps: readonly { readonly gap: number; readonly whole: Saved; readonly few: Saved }[];
  /** At the knob's gap, for each number of kept tokens; and for the knob's own. */
  readonly kept: readonly AtKept[];
  readonly own: AtKept;
  readonly all: AtKept;
  readonly here: Saved;
}
type ShownAnswer = Shown<Values, Answer>;

const saves = ({ told, other }: Saved): number => other - told;

/**
 * What a planted fact saves of the loss of its question, over the distance, and with a cache that evicts it.
 *
 * @element attn-long-use
 */
@customElement('attn-long-use')
export class AttnLongUse extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['gap', 'kept'] as const;
  private readonly measured = this.recentAnswers<Saved>(400);
  private readonly ordinary = this.recentAnswers<number>(200);

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute({ gap, kept }: Values, ask: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { signal, onProgress } = ask;
    const trained = await modelNamed(client, 'reader', {
      signal,
      onProgress: (part) => onProgress(part / 4),
    });
    const text = await between(trained);
    const saved = (at: number, only: number): Promise<Saved> =>
      this.measured.of({ at, only }, () => savedByFact(client, trained, at, only, signal));
    const atKept = async (only: number): Promise<AtKept> => {
      const ordinary = await this.ordinary.of({ only }, () =>
        ordinaryLoss(client, trained, text, only, signal),
      );
      return { kept: only, ordinary, ...(await saved(gap, only)) };
    };
    const gaps: Answer['gaps'][number][] = [];
    const steps = GAPS.length + KEPT.length;
    for (const [i, one] of GAPS.entries()) {
      gaps.push({ gap: one, whole: await saved(one, MOST_KEPT), few: await saved(one, kept) });
      onProgress(0.25 + (0.75 * (i + 1)) / steps);
    }
    const rows: AtKept[] = [];
    for (const [i, one] of KEPT.entries()) {
      rows.push(await atKept(one));
      onProgress(0.25 + (0.75 * (GAPS.length + i + 1)) / steps);
    }
    return {
      ...{ gaps, kept: rows, own: await atKept(kept), all: await atKept(MOST_KEPT) },
      here: await saved(gap, MOST_KEPT),
    };
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [slider('gap', { label: words.gap }), slider('kept', { label: words.kept })];
  }

  private line(
    id: keyof typeof words.lines,
    color: number,
    points: Series['points'],
    more: Partial<Series> = {},
  ): Series {
    return {
      ...{ id, label: words.lines[id], color: colorAt(color, this.dark), mark: 'circle', points },
      ...more,
    };
  }

  /** The knob's distance: before a try, and now. */
  protected override renderResult(shown: ShownAnswer): unknown {
    const { result, values } = shown;
    const { ghost } = this;
    return chart([shown, ghost, this.dark], () => ({
      series: [
        this.line(
          'saved',
          1,
          result.gaps.map(({ gap, whole }) => chartPoint(gap, saves(whole))),
        ),
        ...(values.kept < MOST_KEPT
          ? [
              this.line(
                'savedKept',
                3,
                result.gaps.map(({ gap, few }) => chartPoint(gap, saves(few))),
                { mark: 'square' },
              ),
            ]
          : []),
      ],
      x: { linear: true, low: 0, high: table.gap.max },
      y: { linear: true, low: 0 },
      markers: [
        { x: values.gap, label: formatCount(values.gap), strong: true },
        ...(ghost && ghost.values.gap !== values.gap
          ? [{ x: ghost.values.gap, label: formatCount(ghost.values.gap), dashed: true }]
          : []),
      ],
      stretches: [{ from: 0, to: table.gap.max, label: words.reach }],
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  private renderEviction(shown: ShownAnswer): unknown {
    const { result, values } = shown;
    const ordinary: Series['points'] = result.kept.map((row) => chartPoint(row.kept, row.ordinary));
    return chart([shown, this.ghost, this.dark, 'kept'], () => ({
      series: [
        this.line('ordinary', 0, ordinary),
        this.line(
          'name',
          1,
          result.kept.map((row) => chartPoint(row.kept, row.told)),
          { mark: 'square' },
        ),
        this.line(
          'other',
          2,
          result.kept.map((row) => chartPoint(row.kept, row.other)),
          { mark: 'triangle', model: true },
        ),
      ],
      x: { linear: true, low: 0, high: LENGTH },
      y: { linear: true },
      markers: [{ x: values.kept, label: formatCount(values.kept), strong: true }],
      ...{ xLabel: words.keptX, yLabel: words.keptY, summary: this.evictionLine(shown) },
    }));
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { eviction: words.evictionTitle };
  }

  protected override pictures() {
    return { eviction: (shown: ShownAnswer) => this.renderEviction(shown) };
  }

  private evictionLine({ result: { own, all } }: ShownAnswer): string {
    return words.evictionLine(
      formatCount(own.kept),
      formatNumber(saves(own)),
      formatNumber(own.ordinary - all.ordinary),
    );
  }

  protected override resultLine(shown: ShownAnswer): string {
    const { values, result } = shown;
    if (!this.whole || values.kept < MOST_KEPT) return this.evictionLine(shown);
    const [first] = result.gaps;
    if (!first) return '';
    return words.line(
      formatCount(values.gap),
      formatNumber(saves(result.here)),
      formatNumber(saves(first.whole)),
      formatCount(first.gap),
    );
  }

  protected override summary(shown: ShownAnswer): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result: { own } }: ShownAnswer): readonly KeyNumber[] {
    return [
      { label: words.saved, value: saves(own), text: formatNumber(saves(own)) },
      { label: words.lines.ordinary, value: own.ordinary, text: formatNumber(own.ordinary) },
    ];
  }

  protected override renderWaiting(): unknown {
    return html`<p class="waiting" aria-busy="true">${useWords.now.loading}</p>`;
  }

  protected override caption(): string {
    return words.caption(NAMES.join(', '), LENGTH, RUN);
  }

  protected override data({ result }: ShownAnswer): FigureData {
    return {
      columns: words.columns,
      rows: [
        ...result.gaps.map(({ gap, whole }) => ['saved_over_gap', gap, saves(whole)] as const),
        ...result.kept.flatMap(
          ({ kept, ordinary, told, other }) =>
            [
              ['ordinary_text', kept, ordinary],
              ['name_told', kept, told],
              ['name_not_told', kept, other],
            ] as const,
        ),
      ],
    };
  }

  protected override svg(shown: ShownAnswer): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-use': AttnLongUse;
  }
}
