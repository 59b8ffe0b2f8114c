import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { SmootherFitResult } from '#client';
import { type Grip, grips } from '../../../../src/figures/kernel/grips.ts';
import { key } from '../../../../src/figures/kernel/key.ts';
import { column } from '../../../../src/figures/kernel/line-grid.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
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
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { number, oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { besideColor, drawSmoothing, PLOT, type Smoothed, weightColor } from './draw-smoothing.ts';
import { FIRST_GAMMA, MOST_PAIRS, parametersOf, START } from './first-pairs.ts';

const { smoother: words } = figureWords.now;

const STEPS = 400;

const table = {
  kernel: oneOf({ key: 'k', values: ['rbf', 'exponential'], default: 'rbf' }),
  gamma: number({ key: 'g', min: 0.05, max: 20, default: FIRST_GAMMA }),
  at: number({ key: 'q', min: -3, max: 3, default: 0.9 }),
  name: oneOf({ key: 'name', values: ['smoother', 'attention'], default: 'smoother' }),
  ladder: oneOf({ key: 'learn', values: ['none', 'width', 'keys', 'values'], default: 'none' }),
  pairs: text({ key: 'p', default: printPoints(START), maxLength: 300 }),
};
type Values = StateOf<typeof table>;

interface Answer extends Smoothed {
  /** Of softmax attention without a bias, at the query; nothing where keys were learned. */
  readonly unbiased: Float32Array | undefined;
  readonly difference: number;
  readonly biasedDifference: number;
  readonly fit: SmootherFitResult | undefined;
}

const FEWEST_DIGITS = 3;
/** As many digits as float32 numbers may hold. */
const MOST_DIGITS = 7;

/** With how many digits the page can tell two numbers apart. */
function digitsApart(first: number, last: number): number {
  let digits = FEWEST_DIGITS;
  while (digits < MOST_DIGITS && formatNumber(first, digits) === formatNumber(last, digits)) {
    digits++;
  }
  return digits;
}

/**
 * Nadaraya–Watson on a line, and the same weights as softmax attention.
 *
 * @element attn-kernel-smoother
 */
@customElement('attn-kernel-smoother')
export class AttnKernelSmoother extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['gamma', 'at'] as const;

  override get heading(): string {
    return words.heading;
  }

  private get pairs(): readonly Point[] {
    return parsePoints(this.values.pairs, START, MOST_PAIRS);
  }

  protected override unreadable({ pairs }: Values): readonly string[] {
    return unreadOf(pairs, MOST_PAIRS);
  }

  protected override async compute(values: Values, ask: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { signal } = ask;
    const pairs = parsePoints(values.pairs, START, MOST_PAIRS);
    const { kernel, ladder } = values;
    let [keys, targets, gamma] = [pairs.map(({ x }) => x), pairs.map(({ y }) => y), values.gamma];
    let fit: SmootherFitResult | undefined;
    if (kernel === 'rbf' && ladder !== 'none' && pairs.length > 1) {
      const learns = { width: true, keys: ladder !== 'width', values: ladder === 'values' };
      fit = await client.smootherFit(
        { x: keys, y: targets, learns, gamma, steps: STEPS },
        { signal, onProgress: ask.onProgress },
      );
      keys = [...fit.keys];
      targets = [...fit.values];
      gamma = fit.gamma;
    }
    const xs = along(PLOT.x, 161);
    const made = await client.compareSmootherWithAttention(
      {
        ...{ kernel, parameters: parametersOf({ kernel, gamma }) },
        q: column([...xs, values.at]),
        ...{ k: column(keys), v: column(targets) },
      },
      { signal },
    );
    const attention = values.name === 'attention' && kernel === 'exponential';
    const output = attention ? made.attentionOutput : made.smoother.output;
    const weights =
      values.name === 'smoother'
        ? made.smoother.weights
        : kernel === 'rbf'
          ? made.biasedWeights
          : made.attentionWeights;
    return {
      ...{ pairs, keys, values: targets, xs, fit },
      outputs: output.data.subarray(0, xs.length),
      atQuery: output.data[xs.length] as number,
      weights: weights.data.subarray(xs.length * keys.length),
      unbiased: fit ? undefined : made.attentionWeights.data.subarray(xs.length * keys.length),
      difference: made.difference,
      biasedDifference: made.biasedDifference,
    };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const gaussian = this.values.kernel === 'rbf';
    return [
      choice('kernel', { label: words.kernel, options: words.kernels, list: true }),
      slider('gamma', { label: words.gamma, symbol: gaussian ? 'γ' : 's', log: true }),
      slider('at', { label: words.at, symbol: 'q' }),
      choice('name', { label: words.name, options: words.names, list: true }),
      choice(
        'ladder',
        { label: words.ladder, options: words.rungs, list: true },
        { when: gaussian },
      ),
    ];
  }

  private body({ values, result }: Shown<Values, Answer>): string {
    return drawSmoothing(result, {
      ...{ at: values.at, dark: this.dark, before: this.ghost?.result },
      learned: result.fit !== undefined,
      // Outlines of before a try stand in the same place.
      beside: this.ghost ? undefined : result.unbiased,
    });
  }

  protected override resultLine({ values, result }: Shown<Values, Answer>): string {
    const { fit } = result;
    if (fit) return this.learned(fit);
    const difference = formatNumber(result.difference);
    return values.kernel === 'rbf'
      ? words.verdict.rbf(difference, formatNumber(result.biasedDifference))
      : words.verdict.exponential(difference);
  }

  private learned({ losses, gamma }: SmootherFitResult): string {
    const steps = losses.length - 1;
    const [first, last] = [losses[0] ?? Number.NaN, losses[steps] ?? Number.NaN];
    const digits = digitsApart(first, last);
    const said = digits > FEWEST_DIGITS ? words.hardly : words.learned;
    return said(
      formatNumber(first, digits),
      formatNumber(last, digits),
      formatNumber(gamma),
      steps,
    );
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, Answer>): readonly KeyNumber[] {
    return [
      { label: words.numbers.output, value: result.atQuery },
      { label: words.numbers.difference, value: result.difference },
    ];
  }

  /** What was learned is said with its error before and after, which is the same comparison. */
  protected override difference(before: Shown<Values, Answer>, now: Shown<Values, Answer>): string {
    return now.result.fit ? this.resultLine(now) : super.difference(before, now);
  }

  protected override renderDetails({ result }: Shown<Values, Answer>): unknown {
    return numbers([
      [words.numbers.output, formatNumber(result.atQuery)],
      [words.numbers.difference, formatNumber(result.difference)],
      [words.numbers.biased, formatNumber(result.biasedDifference)],
    ]);
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const held: readonly Grip[] = this.pairs.map((pair, i) => ({
      ...pair,
      label: words.grip(i + 1, pair.x, pair.y),
    }));
    const paint = paintOf(this.dark);
    const { name } = shown.values;
    return html`<div class="kernel-picture">
        ${unsafeHTML(svgOf(PLOT, this.body(shown), words.line[name]))}
        ${grips(PLOT, held, {
          move: (i, to, draft) =>
            this.set({ pairs: printPoints(movedPoint(this.pairs, i, to)) }, { draft }),
        })}
      </div>
      ${key([
        { label: words.line[name], color: paint.accent },
        { label: words.line.weights, color: weightColor(this.dark) },
        !this.ghost && shown.result.unbiased
          ? { label: words.line.unbiased, color: besideColor(this.dark) }
          : undefined,
        this.ghost && { label: words.line.before, color: paint.muted, dashed: true },
      ])}`;
  }

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    return words.caption(
      words.kernels[values.kernel],
      formatNumber(result.fit?.gamma ?? values.gamma),
      words.rungs[result.fit ? values.ladder : 'none'],
    );
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: result.xs.map((x, i) => [x, result.outputs[i] as number]),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: this.body(shown), ...PLOT }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-smoother': AttnKernelSmoother;
  }
}
