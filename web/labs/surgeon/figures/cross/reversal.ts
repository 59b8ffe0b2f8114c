import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ReversalFrame, ReversalResult } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { weightScale } from '../draw.ts';
import {
  arcs,
  chartFile,
  colors,
  type Heat,
  matrixPicture,
  PictureFigure,
  percent,
} from '../parts.ts';

const words = figureWords.now.reversal;

const FRAMES = 15;

const table = {
  frame: integer({ key: 'frame', min: 0, max: FRAMES, default: FRAMES }),
  length: integer({ key: 'length', min: 3, max: 16, default: 8 }),
  steps: integer({ key: 'steps', min: 30, max: 600, default: 150 }),
  heads: oneOf({ key: 'heads', values: ['1', '2', '4'], default: '1' }),
  seed: seed({ default: 0 }),
  arcs,
};
type Values = StateOf<typeof table>;

/**
 * A cross-attention layer that learns to say a list backwards; its attention over the training.
 *
 * @element attn-list-reversal
 */
@customElement('attn-list-reversal')
export class AttnListReversal extends PictureFigure<ReversalResult, typeof table> {
  override readonly table = table;
  private readonly answers = this.recentAnswers<ReversalResult>(8);

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<ReversalResult> {
    const { length, steps, heads, seed } = values;
    // The frame only chooses among the pictures of one training.
    const frameEvery = Math.ceil(steps / FRAMES);
    const input = { length, steps, heads: Number(heads), frameEvery, seed };
    return this.answers.of(input, () => this.tools.client.learnReversal(input, ask));
  }

  protected override readonly firstKnobs = ['frame'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const options = Object.fromEntries(table.heads.values.map((h) => [h, h]));
    return [
      slider('frame', { label: words.frame }),
      choice('heads', { label: words.heads, options }),
      slider('length', { label: words.length }),
      slider('steps', { label: words.steps, log: true, step: 10 }),
      seedKnob(),
    ];
  }

  private frame({ values, result }: Shown<Values, ReversalResult>): ReversalFrame | undefined {
    return result.frames[Math.min(values.frame, result.frames.length - 1)];
  }

  protected override heats(shown: Shown<Values, ReversalResult>): readonly Heat[] {
    const frame = this.frame(shown);
    if (!frame) return [];
    return frame.weights.map((matrix, h) => ({
      matrix,
      heading: words.title(h + 1),
      subtitle:
        frame.weights.length > 1
          ? words.own(percent(frame.antiDiagonals[h] ?? Number.NaN))
          : words.at(frame.step),
      cols: [...shown.result.list].map(String),
      rows: [...frame.said].map(String),
    }));
  }

  private series({ result }: Shown<Values, ReversalResult>): readonly Series[] {
    const paint = colors(this.dark);
    const line = (id: 'loss' | 'accuracy', color: number) => ({
      ...{ id, label: words[id], color: paint[color] ?? '', mark: 'circle' as const, bare: true },
      points: [...result[id]].map((y, i) => chartPoint(i + 1, y)),
    });
    return [line('loss', 1), line('accuracy', 3)];
  }

  protected override renderResult(shown: Shown<Values, ReversalResult>): unknown {
    const heads = this.heats(shown);
    if (heads.length < 2) return this.renderHeats(shown);
    return html`<div class="sg-minis" .style=${'--across:2'}>
      ${heads.map(({ matrix, heading, subtitle = '', rows, cols }) =>
        matrixPicture(
          { name: `${heading}: ${subtitle}`, matrix, scale: weightScale, rows, cols, flat: true },
          this.dark,
          `${heading}, ${subtitle}`,
        ),
      )}
    </div>`;
  }

  protected override pictures() {
    return { losses: (shown: Shown<Values, ReversalResult>) => this.renderLosses(shown) };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { losses: words.lossesTitle };
  }

  private renderLosses(shown: Shown<Values, ReversalResult>): unknown {
    const series = this.series(shown);
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .x=${{ linear: true, low: 0 }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.x}
      .yLabel=${words.lossAndShare}
      .describe=${({ series: id, point }: { series: string; point: number }) => {
        const one = series.find((each) => each.id === id);
        const at = one?.points[point];
        return one && at ? words.point(one.label, at.x, formatNumber(at.y)) : '';
      }}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  protected override renderDetails(shown: Shown<Values, ReversalResult>): unknown {
    return this.renderLosses(shown);
  }

  /** What the model says now; how the whole training went is in the words of the next picture. */
  protected override resultLine(shown: Shown<Values, ReversalResult>): string {
    const frame = this.frame(shown);
    if (!frame) return '';
    return words.saidNow(
      [...shown.result.list].join(' '),
      [...frame.said].join(' '),
      percent(frame.antiDiagonal),
      frame.weights.length,
    );
  }

  protected override keyNumbers(shown: Shown<Values, ReversalResult>): KeyNumber[] {
    const frame = this.frame(shown);
    if (!frame) return [];
    const { antiDiagonal } = frame;
    return [{ label: words.antiDiagonal, value: antiDiagonal, text: percent(antiDiagonal) }];
  }

  protected override svg(shown: Shown<Values, ReversalResult>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }

  protected override caption({ values }: Shown<Values, ReversalResult>): string {
    const { length, heads, steps, seed } = values;
    return words.caption(length, Number(heads), steps, seed);
  }

  protected override summary({ result }: Shown<Values, ReversalResult>): string {
    const [first, last] = [result.frames[0], result.frames.at(-1)];
    if (!first || !last) return '';
    return words.sentence(
      percent(first.antiDiagonal),
      percent(last.antiDiagonal),
      percent(result.accuracy.at(-1) ?? Number.NaN),
    );
  }

  protected override data({ result }: Shown<Values, ReversalResult>): FigureData {
    return {
      columns: words.columns,
      rows: [...result.loss].map((loss, i) => [i + 1, loss, result.accuracy[i] ?? Number.NaN]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-list-reversal': AttnListReversal;
  }
}
