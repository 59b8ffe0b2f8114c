import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { type Grip, grips } from '../../../../src/figures/kernel/grips.ts';
import { key } from '../../../../src/figures/kernel/key.ts';
import { along, type Point, paintOf, svgOf } from '../../../../src/figures/kernel/plot.ts';
import {
  movedPoint,
  parsePoints,
  printPoints,
  unreadOf,
} from '../../../../src/figures/kernel/points.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatExact, formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { number, oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { words } from '../../words/line.ts';
import {
  drawSmoothing,
  HANDLE,
  PLOT,
  type Smoothed,
  weightColor,
} from '../smoother/draw-smoothing.ts';
import { FIRST_GAMMA, MOST_PAIRS, rowsOf, START } from '../smoother/first-pairs.ts';

const table = {
  at: number({ key: 'q', min: -3, max: 3, default: 0.9 }),
  sharp: number({ key: 'sharp', min: 0.05, max: 20, default: FIRST_GAMMA }),
  kernel: oneOf({ key: 'weigh', values: ['distance', 'product'], default: 'distance' }),
  pairs: text({ key: 'pairs', default: printPoints(START), maxLength: 300 }),
};
type Values = StateOf<typeof table>;

/** How many queries the curve has. */
const ACROSS = 161;

/**
 * Keys on a line, their values, and the weighted mean at every query: the opening of the lab.
 *
 * @element attn-smoothing-line
 */
@customElement('attn-smoothing-line')
export class AttnSmoothingLine extends LabFigure<Smoothed, typeof table> {
  override readonly table = table;
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['at', 'sharp', 'kernel'] as const;

  override get heading(): string {
    return words.heading;
  }

  private get pairs(): readonly Point[] {
    return parsePoints(this.values.pairs, START, MOST_PAIRS);
  }

  protected override unreadable({ pairs }: Values): readonly string[] {
    return unreadOf(pairs, MOST_PAIRS);
  }

  /**
   * One call of attention for all queries, because the module that every lab begins with has no other smoother. The
   * score 2s·q·k − s·k² differs from −s(q − k)² by the same number in a whole row, so its weights are those of the
   * distance; the second entry of each query is the 1 that brings in what belongs to the key alone.
   */
  protected override async compute({ at, sharp, kernel, pairs: written }: Values, { signal }: Ask) {
    const pairs = parsePoints(written, START, MOST_PAIRS);
    const [keys, values] = [pairs.map(({ x }) => x), pairs.map(({ y }) => y)];
    const xs = along(PLOT.x, ACROSS);
    const product = kernel === 'product';
    const { output, weights } = await this.tools.client.attention(
      {
        q: rowsOf([...xs, at].map((q) => [q, 1])),
        k: rowsOf(keys.map((k) => (product ? [sharp * k, 0] : [2 * sharp * k, -sharp * k * k]))),
        v: rowsOf(values.map((v) => [v])),
        scale: 1,
      },
      { signal },
    );
    return {
      ...{ pairs, keys, values, xs },
      outputs: output.data.subarray(0, xs.length),
      atQuery: output.data[xs.length] as number,
      weights: weights.data.subarray(xs.length * keys.length),
    };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('at', { label: words.at, symbol: 'q' }),
      slider('sharp', { label: words.sharp, symbol: 's', log: true }),
      choice('kernel', { label: words.kernel, options: words.kernels, list: true }),
    ];
  }

  /** The key with the largest weight, and that weight. */
  private largest({ keys, weights }: Smoothed): readonly [key: number, weight: number] {
    const at = weights.reduce((best, weight, i) => (weight > (weights[best] ?? 0) ? i : best), 0);
    return [keys[at] ?? Number.NaN, weights[at] ?? Number.NaN];
  }

  private body({ values, result }: Shown<Values, Smoothed>): string {
    return drawSmoothing(result, {
      ...{ at: values.at, dark: this.dark, before: this.ghost?.result, handle: true },
    });
  }

  protected override resultLine({ values, result }: Shown<Values, Smoothed>): string {
    const [key, weight] = this.largest(result);
    return words.said(
      formatExact(values.at),
      formatNumber(result.atQuery),
      formatExact(key),
      formatNumber(weight),
    );
  }

  protected override summary(shown: Shown<Values, Smoothed>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, Smoothed>): readonly KeyNumber[] {
    return [
      { label: words.numbers.output, value: result.atQuery },
      { label: words.numbers.largest, value: this.largest(result)[1] },
    ];
  }

  protected override renderResult(shown: Shown<Values, Smoothed>): unknown {
    const { pairs } = this;
    const { at } = this.values;
    const { atQuery } = shown.result;
    const held: readonly Grip[] = [
      ...pairs.map((pair, i) => ({ ...pair, label: words.pair(i + 1, pair.x, pair.y) })),
      { x: at, y: HANDLE, label: words.query(formatExact(at), formatNumber(atQuery)) },
    ];
    const paint = paintOf(this.dark);
    return html`<div class="kernel-picture">
        ${unsafeHTML(svgOf(PLOT, this.body(shown), this.summary(shown)))}
        ${grips(PLOT, held, {
          move: (i, to, draft) => {
            if (i < pairs.length) {
              this.set({ pairs: printPoints(movedPoint(this.pairs, i, to)) }, { draft });
            } else this.set({ at: Math.max(-3, Math.min(3, to.x)) }, { draft });
          },
        })}
      </div>
      ${key([
        { label: words.line.output, color: paint.accent },
        { label: words.line.weights, color: weightColor(this.dark) },
        this.ghost && { label: words.line.before, color: paint.muted, dashed: true },
      ])}`;
  }

  protected override caption({ values, result }: Shown<Values, Smoothed>): string {
    return words.caption(result.pairs.length, values.kernel, formatExact(values.sharp));
  }

  protected override data({ result }: Shown<Values, Smoothed>): FigureData {
    return {
      columns: words.columns,
      rows: result.xs.map((x, i) => [x, result.outputs[i] as number]),
    };
  }

  protected override svg(shown: Shown<Values, Smoothed>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: this.body(shown), ...PLOT }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-smoothing-line': AttnSmoothingLine;
  }
}
