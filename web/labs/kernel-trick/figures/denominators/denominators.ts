import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Comparison, MaskChoice, Matrix } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { boolean, integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { table as numbers } from '../../draw/figure-parts.ts';
import { signedScale, svgOf } from '../../draw/matrices.ts';
import { inRoom } from '../../draw/room.ts';
import { barsBody } from '../../draw/signed-bars.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/denominators.ts';

adopt(css);

const table = {
  map: oneOf({
    key: 'map',
    values: ['identity', 'relu', 'elu_plus_one', 'exp', 'taylor_compact'],
    default: 'identity',
  }),
  n: integer({ key: 'n', default: 100, min: 2, max: 256 }),
  d: integer({ key: 'd', default: 64, min: 1, max: 128 }),
  causal: boolean({ key: 'causal', default: false }),
  sorted: boolean({ key: 'sorted', default: true }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

interface Result {
  readonly denominators: readonly number[];
  /** The denominator of each row. */
  readonly largestWeights: readonly number[];
  readonly comparison: Comparison;
  readonly v: Matrix;
}

/** Both rows of bars where there is room enough, in pixels. */
const TALL = 360;
interface Size {
  readonly width: number;
  readonly tall: number;
}

const largest = (values: Iterable<number>): number => {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
};

/**
 * The denominators of linear attention: their signs, and what a small one does.
 *
 * @element attn-kt-denominators
 */
@customElement('attn-kt-denominators')
export class AttnKtDenominators extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const { map, n, d, causal, seed } = values;
    const qkv = await keptGaussian(client, { n, dK: d, dV: d, seed }, { signal });
    const mask: MaskChoice = { kind: causal ? 'causal' : 'full' };
    const featureMap = { id: map };
    const [denominators, comparison, v] = await Promise.all([
      client.denominators({ q: qkv.q, k: qkv.k, featureMap, mask }, { signal }),
      client.compareToSoftmax({ ...qkv, featureMap, mask }, { signal }),
      client.read<Matrix>(qkv.v, { signal }),
    ]);
    const { data, cols } = comparison.implicit;
    return {
      denominators: [...denominators.data],
      largestWeights: Array.from({ length: n }, (_, i) =>
        largest(data.subarray(i * cols, (i + 1) * cols)),
      ),
      comparison,
      v,
    };
  }

  protected override readonly firstKnobs = ['map', 'd'] as const;
  protected override get controls() {
    return [
      choice('map', { label: words.map, options: words.maps }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('d', { label: words.d, symbol: 'd' }),
      toggle('causal', { label: words.causal }),
      toggle('sorted', { label: words.sorted }),
      seedKnob(),
    ];
  }

  /** Denominators and weights of all rows, in the order in which they are drawn. */
  private columns({ values, result }: Shown<Values, Result>) {
    const order = result.denominators.map((_, i) => i);
    const at = (i: number): number => result.denominators[i] ?? 0;
    if (values.sorted) order.sort((a, b) => at(a) - at(b));
    return { sums: order.map(at), weights: order.map((i) => result.largestWeights[i] ?? 0) };
  }

  /** Two rows of bars: what each query's row is divided by, and the largest weight that comes of it. */
  private body(shown: Shown<Values, Result>, { width, tall }: Size): string {
    const { sums, weights } = this.columns(shown);
    const before = this.ghost && this.columns(this.ghost);
    const heights = { denominators: Math.round(tall * 0.58), weights: Math.round(tall * 0.42) };
    const matrix = (data: readonly number[]): Matrix => ({
      rows: 1,
      cols: data.length,
      data: Float32Array.from(data),
    });
    const small = Math.max(1e-6, largest(sums) / 100);
    const above = barsBody(
      {
        ...{ values: sums, width, height: heights.denominators, symlog: small, label: words.bars },
        ...(before && { before: before.sums }),
        scale: signedScale(matrix(sums.map((value) => Math.sign(value) * small))),
      },
      this.dark,
    );
    const below = barsBody(
      {
        ...{ values: weights, width, height: heights.weights, symlog: 1 },
        ...(before && { before: before.weights }),
        ...{ label: words.weights, axis: words.rows },
        scale: signedScale(matrix([1])),
      },
      this.dark,
    );
    return `${above}<g transform="translate(0 ${heights.denominators})">${below}</g>`;
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    return inRoom(({ width, height }) => {
      const tall = Math.max(170, Math.min(TALL, height));
      return html`<div class="kt-picture" role="img" aria-label=${words.picture}>
        ${unsafeHTML(svgOf({ width, height: tall }, this.body(shown, { width, tall }), this.dark))}
      </div>`;
    });
  }

  private nearest({ denominators }: Result): number {
    return denominators.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    const { comparison, v, largestWeights } = result;
    const { facts } = words;
    return numbers(words.table, words.columns, [
      [facts.smallest, formatNumber(this.nearest(result))],
      [facts.weight, formatNumber(largest(largestWeights))],
      [facts.negative, words.of(comparison.negativeWeights, comparison.keptCells)],
      [facts.output, formatNumber(largest(comparison.implicitOutput.data))],
      [facts.value, formatNumber(largest(v.data))],
    ]);
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    const { nonPositiveDenominators: bad } = result.comparison;
    return [
      { label: words.notPositive, value: bad, text: String(bad) },
      { label: words.nearest, value: this.nearest(result) },
      { label: words.largest, value: largest(result.largestWeights) },
    ];
  }

  protected override resultLine({ result }: Shown<Values, Result>): string {
    const { nonPositiveDenominators: bad } = result.comparison;
    const most = formatNumber(largest(result.largestWeights));
    return words.line(bad, result.denominators.length, most);
  }

  protected caption({ values }: Shown<Values, Result>): string {
    const { n, d, map, causal, sorted, seed } = values;
    return words.caption({ n, d, map: words.maps[map], causal, sorted, seed });
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const { nonPositiveDenominators, implicitOutput } = result.comparison;
    return words.summary(
      nonPositiveDenominators,
      result.denominators.length,
      formatNumber(largest(implicitOutput.data)),
    );
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.data,
      rows: result.denominators.map((value, i) => [i + 1, value, result.largestWeights[i] ?? null]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    const body = this.body(shown, { width: 800, tall: TALL });
    return fileOf({ body, width: 800, height: TALL }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-denominators': AttnKtDenominators;
  }
}
