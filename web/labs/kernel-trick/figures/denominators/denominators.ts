import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Comparison, MaskChoice, Matrix } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import { keptGaussian } from '../../../../src/lab/kept-inputs.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { boolean, integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { big, table as numbers } from '../../draw/figure-parts.ts';
import { signedScale, svgOf } from '../../draw/matrices.ts';
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

const HEIGHT = { denominators: 210, weights: 150 };

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

  @state() private wide = 0;
  private readonly resizes = new ResizeObserver((entries) => {
    this.wide = Math.round(entries[0]?.contentRect.width ?? 0);
  });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes.disconnect();
  }

  override updated(): void {
    const strip = this.querySelector('.kt-strip');
    if (strip && !this.wide) this.resizes.observe(strip);
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

  protected renderKnobs(): unknown {
    return html`${this.choice('map', { label: words.map, options: words.maps })}
    ${this.slider('n', { label: words.n, symbol: 'n' })}
    ${this.slider('d', { label: words.d, symbol: 'd' })}
    ${this.toggle('causal', { label: words.causal })}
    ${this.toggle('sorted', { label: words.sorted })} ${this.seed()}`;
  }

  private body({ values, result }: Shown<Values, Result>, width: number): string {
    const order = result.denominators.map((_, i) => i);
    const at = (i: number): number => result.denominators[i] ?? 0;
    if (values.sorted) order.sort((a, b) => at(a) - at(b));
    const sums = order.map(at);
    const weights = order.map((i) => result.largestWeights[i] ?? 0);
    const matrix = (data: readonly number[]): Matrix => ({
      rows: 1,
      cols: data.length,
      data: Float32Array.from(data),
    });
    const small = Math.max(1e-6, largest(sums) / 100);
    const above = barsBody(
      {
        ...{ values: sums, width, height: HEIGHT.denominators, symlog: small, label: words.bars },
        scale: signedScale(matrix(sums.map((value) => Math.sign(value) * small))),
      },
      this.dark,
    );
    const below = barsBody(
      {
        ...{ values: weights, width, height: HEIGHT.weights, symlog: 1 },
        ...{ label: words.weights, axis: words.rows },
        scale: signedScale(matrix([1])),
      },
      this.dark,
    );
    return `${above}<g transform="translate(0 ${HEIGHT.denominators})">${below}</g>`;
  }

  private size(width: number): { readonly width: number; readonly height: number } {
    return { width, height: HEIGHT.denominators + HEIGHT.weights };
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    const { denominators, comparison, v, largestWeights } = shown.result;
    const width = Math.max(280, Math.min(860, this.wide || 640));
    const nearest = denominators.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
    const { facts } = words;
    const rows = denominators.length;
    return html`${big(String(comparison.nonPositiveDenominators), words.verdict(rows))}
      <div class="kt-strip">
        <div class="kt-picture" role="img" aria-label=${words.picture}>
          ${unsafeHTML(svgOf(this.size(width), this.body(shown, width), this.dark))}
        </div>
      </div>
      ${numbers(words.table, words.columns, [
        [facts.smallest, formatNumber(nearest)],
        [facts.weight, formatNumber(largest(largestWeights))],
        [facts.negative, words.of(comparison.negativeWeights, comparison.keptCells)],
        [facts.output, formatNumber(largest(comparison.implicitOutput.data))],
        [facts.value, formatNumber(largest(v.data))],
      ])}`;
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
    return fileOf({ body: this.body(shown, 800), ...this.size(800) }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-denominators': AttnKtDenominators;
  }
}
