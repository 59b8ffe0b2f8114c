import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { RankCheck } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { chartFile, colorAt } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { anatomyWords } from '../../words/anatomy.ts';

const { ranks: words } = anatomyWords.now;

export const WIDTH = 24;
export const HEADS = [1, 2, 4, 8, 24] as const;
/** The number of heads that the sentence speaks of. */
const SAID = 4;

const table = {
  rank: integer({ key: 'rank', min: 1, max: WIDTH, default: 3 }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;
type Ranks = readonly RankCheck[];

/**
 * The rank of one head's output and of all heads' outputs, by the number of heads.
 *
 * @element attn-head-ranks
 */
@customElement('attn-head-ranks')
export class AttnHeadRanks extends LabFigure<Ranks, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['rank'] as const;

  protected override get wordsLang(): 'en' | undefined {
    return anatomyWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ rank, seed: drawn }: Values, { signal }: Ask): Promise<Ranks> {
    const { client } = this.tools;
    return Promise.all(
      HEADS.map((heads) =>
        client.rankCheck(
          { n: WIDTH, dModel: WIDTH, inputRank: rank, heads, seed: drawn },
          { signal },
        ),
      ),
    );
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [slider('rank', { label: words.rank }), seedKnob()];
  }

  private lines(ranks: Ranks, id: 'one' | 'all'): Series {
    return {
      ...{ id, label: words.lines[id], color: colorAt(id === 'one' ? 2 : 1, this.dark) },
      mark: id === 'one' ? 'square' : 'circle',
      points: HEADS.map((heads, i) => {
        const made = ranks[i];
        return chartPoint(heads, (id === 'one' ? made?.oneHead : made?.allHeads) ?? Number.NaN);
      }),
    };
  }

  private chart(series: readonly Series[], input: number | undefined, summary: string): unknown {
    return html`<attn-line-chart
      .series=${series}
      .levels=${input === undefined ? [] : [{ y: input, label: words.input, dashed: true }]}
      .x=${{ count: 'binary', low: HEADS[0], high: HEADS.at(-1) }}
      .y=${{ linear: true, low: 0, high: WIDTH }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${summary}
    ></attn-line-chart>`;
  }

  protected override renderResult(shown: Shown<Values, Ranks>): unknown {
    const { values, result } = shown;
    const { ghost } = this;
    const before: readonly Series[] = ghost
      ? (['one', 'all'] as const).map((id) => ({
          ...this.lines(ghost.result, id),
          ...{ id: `${id}-before`, label: words.before, model: true, unnamed: true, width: 1 },
        }))
      : [];
    return this.chart(
      [this.lines(result, 'one'), this.lines(result, 'all'), ...before],
      values.rank,
      this.summary(shown),
    );
  }

  protected override renderAsked(_question: Question): unknown {
    return this.chart([], this.values.rank, '');
  }

  protected override resultLine({ values, result }: Shown<Values, Ranks>): string {
    const made = result[HEADS.indexOf(SAID)];
    if (!made) return '';
    return words.verdict({
      ...{ input: values.rank, one: made.oneHead, all: made.allHeads, heads: SAID },
    });
  }

  protected override summary(shown: Shown<Values, Ranks>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, Ranks>): readonly KeyNumber[] {
    const made = result[HEADS.indexOf(SAID)];
    return made
      ? [
          { label: words.ofOne(SAID), value: made.oneHead, text: String(made.oneHead) },
          { label: words.ofAll(SAID), value: made.allHeads, text: String(made.allHeads) },
        ]
      : [];
  }

  protected override caption({ values }: Shown<Values, Ranks>): string {
    return words.caption(values.rank, values.seed);
  }

  protected override data({ result }: Shown<Values, Ranks>): FigureData {
    return {
      columns: words.columns,
      rows: result.map(({ input, oneHead, allHeads, output }, i) => [
        ...[HEADS[i] ?? 0, input, oneHead, allHeads, output],
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Ranks>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-ranks': AttnHeadRanks;
  }
}
