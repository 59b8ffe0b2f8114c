import { customElement } from 'lit/decorators.js';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/patterns.ts';
import { percent } from '../shared/percent.ts';
import { connectedDraws, FIRST_DRAWS, FIRST_N } from './connected-draws.ts';

const { connect: words } = figureWords.now;

/** Lengths whose logarithm is nearly a whole number. */
const SIZES = ['55', String(FIRST_N), '403'] as const;

const table = {
  keys: integer({ key: 'k', min: 1, max: 12, default: Math.round(Math.log(FIRST_N)) }),
  n: oneOf({ key: 'n', values: SIZES, default: String(FIRST_N) as '148' }),
  draws: integer({ key: 'draws', min: 10, max: 400, default: FIRST_DRAWS }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

const MOST_KEYS = table.keys.max;

interface Answer {
  readonly keys: readonly number[];
  readonly counts: readonly number[];
}

/**
 * In which share of draws random keys connect all tokens, over the number of keys.
 *
 * @element attn-long-connect
 */
@customElement('attn-long-connect')
export class AttnLongConnect extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  /** The draws do not depend on the number of keys that is marked. */
  private drawn: { readonly of: string; readonly answer: Answer } | undefined;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Answer> {
    const { draws, seed } = values;
    const of = [values.n, draws, seed].join();
    if (this.drawn?.of === of) return this.drawn.answer;
    const keys = Array.from({ length: MOST_KEYS }, (_, i) => i + 1);
    const counts = await connectedDraws(
      this.tools.client,
      { n: Number(values.n), draws, seed, keys },
      ask,
    );
    const answer = { keys, counts };
    this.drawn = { of, answer };
    return answer;
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('keys', { label: words.keys, symbol: 'k' }),
      choice('n', { label: words.n, options: Object.fromEntries(SIZES.map((n) => [n, n])) }),
      slider('draws', { label: words.draws, step: 10 }),
      seedKnob(),
    ];
  }

  private share({ values, result }: Shown<Values, Answer>, keys: number): number {
    return (result.counts[keys - 1] ?? 0) / values.draws;
  }

  private get markers(): readonly Marker[] {
    const logarithm = Math.log(Number(this.values.n));
    return [
      { x: logarithm, label: words.logarithm },
      { x: logarithm + 3, label: words.more },
    ];
  }

  private line(shown: Shown<Values, Answer>, before = false): Series {
    const points = shown.result.keys.map((k) => chartPoint(k, 100 * this.share(shown, k)));
    return before
      ? {
          ...lookOf('ghost', this.dark),
          ...{ id: 'before', label: nameOf('ghost'), model: true, points },
        }
      : {
          ...lookOf('softmax', this.dark),
          ...{ id: 'share', label: words.y, unnamed: true, points },
        };
  }

  private axes() {
    return {
      x: { linear: true, low: 1, high: MOST_KEYS },
      y: { linear: true, low: 0, high: 100 },
      ...{ xLabel: words.x, yLabel: words.y },
    };
  }

  protected override renderAsked(question: Question): unknown {
    const { guess } = question;
    const levels: Level[] =
      typeof guess === 'number' ? [{ y: guess, label: nameOf('guess'), dashed: true }] : [];
    return chart([guess, this.dark], () => ({
      ...{ series: [], markers: this.markers, levels },
      ...this.axes(),
    }));
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { ghost } = this;
    return chart([shown, ghost, this.dark], () => ({
      series: [this.line(shown), ...(ghost ? [this.line(ghost, true)] : [])],
      markers: this.markers,
      ...this.axes(),
      summary: this.summary(shown),
    }));
  }

  protected override resultLine(shown: Shown<Values, Answer>): string {
    const { keys, draws } = shown.values;
    const later = Math.min(MOST_KEYS, keys + 3);
    const said = (k: number): string => percent(this.share(shown, k));
    return words.line(keys, said(keys), draws, later, said(later));
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: Shown<Values, Answer>): readonly KeyNumber[] {
    const { keys } = shown.values;
    const value = this.share(shown, keys);
    return [{ label: words.share(keys), value, text: percent(value) }];
  }

  protected override caption({ values }: Shown<Values, Answer>): string {
    return words.caption(Number(values.n), values.draws, values.seed);
  }

  protected override data({ values, result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: result.keys.map((k, at) => [k, result.counts[at] ?? 0, values.draws]),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-connect': AttnLongConnect;
  }
}
