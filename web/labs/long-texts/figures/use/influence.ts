import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { useWords } from '../../words/use.ts';
import { percent } from '../shared/percent.ts';
import { modelNamed } from '../shared/reader.ts';
import { NAMES, plant } from './plant.ts';

const { influence: words } = useWords.now;

const DRAWS = 1;
/** Less than this is called small. */
const SMALL = 0.01;

const table = {
  gap: integer({ key: 'gap', min: 0, max: 80, default: 48 }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface Answer {
  /** By the tokens between it and the end: the token, and how much it changes what is said next. */
  readonly back: readonly { readonly text: string; readonly influence: number }[];
  readonly fact: readonly [number, number];
}
type ShownAnswer = Shown<Values, Answer>;

/**
 * How much a swap of each earlier token changes what the reader says after the question.
 *
 * @element attn-long-influence
 */
@customElement('attn-long-influence')
export class AttnLongInfluence extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['gap'] as const;
  private readonly measured = this.recentAnswers<Answer>(12);

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, ask: Ask): Promise<Answer> {
    return this.measured.of(values, () => this.measure(values, ask));
  }

  private async measure({ gap, seed: from }: Values, { signal, onProgress }: Ask): Promise<Answer> {
    const trained = await modelNamed(this.tools.client, 'reader', { signal, onProgress });
    const { model, tokenizer } = trained;
    const [name] = NAMES;
    const { tokens, name: end, planted } = await plant(trained, name, name, gap);
    const asked = tokens.slice(0, end);
    const n = asked.length;
    const whole = await model.influence({ tokens: asked, draws: DRAWS, seed: from }, { signal });
    const texts = (await tokenizer.info()).texts;
    const back = Array.from(asked, (_, i) => n - 1 - i).map((j) => ({
      text: texts[asked[j] ?? -1] ?? '',
      influence: whole.data[(n - 1) * n + j] ?? Number.NaN,
    }));
    const cut = tokens.length - n;
    return { back, fact: [planted[0] - cut, planted[1] - cut] };
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [slider('gap', { label: words.gap, step: 8 }), seedKnob()];
  }

  private series({ result: { back, fact } }: ShownAnswer): readonly Series[] {
    const { dark } = this;
    const [first, last] = fact;
    const of = (which: (i: number) => boolean) =>
      back.flatMap(({ influence }, i) => (which(i) ? [chartPoint(i, influence)] : []));
    return [
      {
        ...{
          id: 'influence',
          label: words.lines.influence,
          color: colorAt(3, dark),
          mark: 'circle',
        },
        bare: true,
        points: of(() => true),
      },
      {
        ...{ id: 'fact', label: words.lines.fact, color: colorAt(1, dark), mark: 'square' },
        line: 'none',
        points: of((i) => i <= first && i >= last),
      },
    ];
  }

  protected override renderResult(shown: ShownAnswer): unknown {
    const { ghost, dark } = this;
    return chart([shown, ghost, dark], () => ({
      series: [
        ...(ghost
          ? this.series(ghost).map((line) => ({
              ...line,
              ...{ id: `${line.id}-before`, model: true, unnamed: true, color: colorAt(2, dark) },
            }))
          : []),
        ...this.series(shown),
      ],
      x: { linear: true, low: 0, high: shown.result.back.length },
      y: { linear: true, low: 0, high: 1 },
      levels: [{ y: 1, label: words.reach, dashed: true }],
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  private largestOfFact({ result: { back, fact } }: ShownAnswer): number {
    const [first, last] = fact;
    return Math.max(...back.slice(last, first + 1).map(({ influence }) => influence));
  }

  private small({ result: { back } }: ShownAnswer): number {
    return back.filter(({ influence }) => influence < SMALL).length;
  }

  protected override resultLine(shown: ShownAnswer): string {
    const { back } = shown.result;
    return words.line(
      formatCount(this.small(shown)),
      formatCount(back.length),
      formatNumber(this.largestOfFact(shown)),
    );
  }

  protected override summary(shown: ShownAnswer): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: ShownAnswer): readonly KeyNumber[] {
    const [most, share] = [this.largestOfFact(shown), this.small(shown) / shown.result.back.length];
    return [
      { label: words.most, value: most, text: formatNumber(most) },
      { label: words.share, value: share, text: percent(share) },
    ];
  }

  protected override renderWaiting(): unknown {
    return html`<p class="waiting" aria-busy="true">${useWords.now.loading}</p>`;
  }

  protected override caption({ values, result }: ShownAnswer): string {
    return words.caption(result.back.length, DRAWS, values.seed);
  }

  protected override data({ result: { back } }: ShownAnswer): FigureData {
    return {
      columns: words.columns,
      rows: back.map(({ text, influence }, i) => [i, text, influence]),
    };
  }

  protected override svg(shown: ShownAnswer): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-influence': AttnLongInfluence;
  }
}
