import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Matrix, ProjectedKernel } from '#client';
import { cells } from '../../../../src/figures/kernel/cells.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { paintOf, svgOf } from '../../../../src/figures/kernel/plot.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { ColorScale } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { round, text } from '../../../../src/plot/svg.ts';
import { boolean, integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';

const { projected: words } = figureWords.now;

const table = {
  same: boolean({ key: 'same', default: false }),
  n: integer({ key: 'n', min: 2, max: 12, default: 6 }),
  d: integer({ key: 'd', min: 2, max: 32, default: 8 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

const SIZE = 380;
/** Room for the numbers of the tokens at the left and above. */
const EDGE = 42;
const WHOLE = SIZE + EDGE;

/** Who asks, and who is asked. */
interface Pair {
  readonly asks: number;
  readonly asked: number;
}

/** The two tokens between which the largest score is. */
function largestPair({ rows, cols, data }: Matrix): Pair {
  let best = { asks: 0, asked: Math.min(1, cols - 1) };
  const at = ({ asks, asked }: Pair): number => data[asks * cols + asked] ?? 0;
  for (let asks = 0; asks < rows; asks++) {
    for (let asked = 0; asked < cols; asked++) {
      if (asks !== asked && at({ asks, asked }) > at(best)) best = { asks, asked };
    }
  }
  return best;
}

/**
 * The matrix of exponential scores of tokens with themselves, under one projection or two.
 *
 * @element attn-kernel-projected
 */
@customElement('attn-kernel-projected')
export class AttnKernelProjected extends LabFigure<ProjectedKernel, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['same', 'd'] as const;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(
    { n, d, same, seed }: Values,
    { signal }: Ask,
  ): Promise<ProjectedKernel> {
    const { client } = this.tools;
    return client.randomProjectedKernel({ n, d, oneProjection: same, seed }, { signal });
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      toggle('same', { label: words.same }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('d', { label: words.d, symbol: 'd' }),
      seedKnob(),
    ];
  }

  private body({ values }: ProjectedKernel): string {
    const before = this.ghost?.result.values;
    const high = [...values.data, ...(before?.data ?? [])].reduce((a, b) => Math.max(a, b), 0);
    const scale: ColorScale = {
      ...{ kind: 'sequential', low: 0, high, tone: 'sqrt' },
      ...{ overLow: false, overHigh: false },
    };
    return [
      `<g transform="translate(${EDGE} ${EDGE})">`,
      cells(values, { side: SIZE, scale, dark: this.dark, before }),
      this.bothWays(values),
      '</g>',
      this.names(values.rows),
    ].join('');
  }

  /** The numbers of the tokens, and which way to read. */
  private names(n: number): string {
    const paint = paintOf(this.dark);
    const side = SIZE / n;
    const say = (x: number, y: number, said: string, color: string): string =>
      text(x, y, said, color, { anchor: 'middle', size: 16 });
    const middle = (i: number): number => EDGE + (i + 0.5) * side;
    return [
      ...Array.from({ length: n }, (_, i) => [
        say(middle(i), EDGE - 6, String(i + 1), paint.ink),
        say(EDGE - 10, middle(i) + 4, String(i + 1), paint.ink),
      ]).flat(),
      say(EDGE + SIZE / 2, 14, words.asked, paint.muted),
      `<g transform="rotate(-90 14 ${EDGE + SIZE / 2})">${say(14, EDGE + SIZE / 2, words.asks, paint.muted)}</g>`,
    ].join('');
  }

  /** Outlines around a cell and its mirror image, and what joins them. */
  private bothWays(values: Matrix): string {
    const side = SIZE / values.rows;
    const { asks, asked } = largestPair(values);
    const paint = paintOf(this.dark);
    const one = (row: number, col: number): string =>
      `<rect x="${round(col * side)}" y="${round(row * side)}" width="${round(side)}" height="${round(side)}" rx="3" fill="none" stroke="${paint.paper}" stroke-width="6"/>
      <rect x="${round(col * side)}" y="${round(row * side)}" width="${round(side)}" height="${round(side)}" rx="3" fill="none" stroke="${paint.ink}" stroke-width="3"/>`;
    return one(asks, asked) + one(asked, asks);
  }

  private pairLine({ values }: ProjectedKernel): string {
    const { asks, asked } = largestPair(values);
    const at = (row: number, col: number): string =>
      formatNumber(values.data[row * values.cols + col] ?? Number.NaN, 2);
    return words.pair(asks + 1, asked + 1, at(asks, asked), at(asked, asks));
  }

  protected override resultLine({ values, result }: Shown<Values, ProjectedKernel>): string {
    const said = values.same ? words.symmetric : words.not(formatNumber(result.asymmetry));
    return `${this.pairLine(result)} ${said}`;
  }

  protected override summary(shown: Shown<Values, ProjectedKernel>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, ProjectedKernel>): readonly KeyNumber[] {
    return [
      { label: words.asymmetry, value: result.asymmetry },
      { label: words.share, value: result.smallestShare },
    ];
  }

  protected override renderDetails(shown: Shown<Values, ProjectedKernel>): unknown {
    return numbers(this.keyNumbers(shown).map(({ label, value }) => [label, formatNumber(value)]));
  }

  protected override renderResult(shown: Shown<Values, ProjectedKernel>): unknown {
    const plot = { width: WHOLE, height: WHOLE, x: [0, 1], y: [0, 1] } as const;
    return html`<div class="kernel-picture" data-square>
      ${unsafeHTML(svgOf(plot, this.body(shown.result), this.summary(shown)))}
    </div>`;
  }

  protected override caption({
    values: { n, d, seed, same },
  }: Shown<Values, ProjectedKernel>): string {
    return words.caption(n, d, seed, same);
  }

  protected override data({ result }: Shown<Values, ProjectedKernel>): FigureData {
    const { asymmetry, smallestShare, values } = result;
    return {
      columns: ['asymmetry', 'smallest share'],
      rows: [[asymmetry, smallestShare]],
      matrices: { scores: values },
    };
  }

  protected override svg(shown: Shown<Values, ProjectedKernel>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: this.body(shown.result), width: WHOLE, height: WHOLE }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-projected': AttnKernelProjected;
  }
}
