import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { type Drawing, matricesBody, signedScale, svgOf } from '../../draw/matrices.ts';
import { barsBody } from '../../draw/signed-bars.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/gram.ts';
import { type Gram, gramOf } from './eigenvalues.ts';

adopt(css);

const table = {
  kernel: oneOf({
    key: 'kernel',
    values: ['dot', 'square', 'exp', 'elu', 'relu'],
    default: 'exp',
  }),
  n: integer({ key: 'n', default: 8, min: 2, max: 12 }),
  d: integer({ key: 'd', default: 2, min: 1, max: 8 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

/** Beyond this size a bar grows with the logarithm of its value. */
const SMALL = 0.05;
const BARS = { width: 320, height: 220 };

/**
 * The Gram matrix of a similarity and its eigenvalues.
 *
 * @element attn-kt-gram
 */
@customElement('attn-kt-gram')
export class AttnKtGram extends LabFigure<Gram, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute(values: Values, { signal }: Ask): Promise<Gram> {
    return gramOf(this.tools.client, values, { signal });
  }

  protected renderKnobs(): unknown {
    return html`${this.choice('kernel', { label: words.kernel, options: words.kernels })}
    ${this.slider('n', { label: words.n, symbol: 'n' })}
    ${this.slider('d', { label: words.d, symbol: 'd' })} ${this.seed()}`;
  }

  private drawing({ matrix }: Gram): Drawing {
    const cell = matrix.rows > 10 ? 25 : 29;
    const size = matrix.rows * cell + 12;
    const scale = signedScale(matrix);
    return {
      ...{ width: size, height: size, cell },
      matrices: [{ id: 'gram', name: '', matrix, scale, x: 6, y: 6, side: 'below' }],
    };
  }

  private bars({ eigenvalues }: Gram, label: string): string {
    // The scale saturates at once, because only the sign matters.
    const scale = signedScale({ rows: 1, cols: 1, data: Float32Array.of(SMALL) });
    return barsBody({ ...BARS, values: eigenvalues, scale, label, symlog: SMALL }, this.dark);
  }

  private verdict({ eigenvalues, negative }: Gram): string {
    const smallest = formatNumber(eigenvalues[eigenvalues.length - 1] ?? 0);
    return negative > 0 ? words.negative(negative, smallest) : words.none(smallest);
  }

  protected renderResult({ result }: Shown<Values, Gram>): unknown {
    const drawing = this.drawing(result);
    const { dark } = this;
    const smallest = result.matrix.data.reduce((low, value) => Math.min(low, value), Infinity);
    return html`<div class="kt-orders">
        <section class="kt-part">
          <h4>${words.matrix}</h4>
          <div class="kt-picture" role="img" aria-label=${words.matrix}>
            ${unsafeHTML(svgOf(drawing, matricesBody(drawing, [], dark), dark))}
          </div>
          <p class="fine">${words.minimum(formatNumber(smallest))}</p>
        </section>
        <section class="kt-part">
          <h4>${words.eigen}</h4>
          <div
            class="kt-picture"
            role="img"
            aria-label="${words.picture}: ${result.eigenvalues.map((value) => formatNumber(value)).join(', ')}"
          >
            ${unsafeHTML(svgOf(BARS, this.bars(result, ''), dark))}
          </div>
        </section>
      </div>
      <p class="kt-verdict">${rich(this.verdict(result))}</p>`;
  }

  protected caption({ values: { kernel, n, d, seed } }: Shown<Values, Gram>): string {
    return words.caption(words.kernels[kernel], n, d, seed);
  }

  protected override summary({ result }: Shown<Values, Gram>): string {
    return this.verdict(result).replace(/\*/g, '');
  }

  protected data({ result }: Shown<Values, Gram>): FigureData {
    return {
      columns: words.columns,
      rows: result.eigenvalues.map((value, i) => [i + 1, value]),
      matrices: { gram: result.matrix },
    };
  }

  protected override svg(shown: Shown<Values, Gram>): string {
    const { result } = shown;
    const drawing = this.drawing(result);
    const size = {
      width: drawing.width + 24 + BARS.width,
      height: Math.max(drawing.height, BARS.height),
    };
    const body = `${matricesBody(drawing, [], this.dark)}<g transform="translate(${drawing.width + 24} 0)">${this.bars(result, words.eigen)}</g>`;
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body, ...size }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-gram': AttnKtGram;
  }
}
