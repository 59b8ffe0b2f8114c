import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { type Drawing, matricesBody, signedScale, svgOf } from '../../draw/matrices.ts';
import { inRoom } from '../../draw/room.ts';
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
/** Numbers in smaller cells could not be read. */
const LEGIBLE = 22;
/** Between both pictures, and their titles above them, in pixels. */
const BETWEEN = 14;
const TITLES = 50;

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

  protected override readonly firstKnobs = ['kernel', 'n'] as const;
  protected override get controls() {
    return [
      choice('kernel', { label: words.kernel, options: words.kernels }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('d', { label: words.d, symbol: 'd' }),
      seedKnob(),
    ];
  }

  private drawing({ matrix }: Gram, cell = 29): Drawing {
    const size = matrix.rows * cell + 12;
    const scale = signedScale(matrix);
    return {
      ...{ width: size, height: size, cell, bare: cell < LEGIBLE },
      matrices: [{ id: 'gram', name: '', matrix, scale, x: 6, y: 6, side: 'below' }],
    };
  }

  private bars({ eigenvalues }: Gram, label: string, size = BARS): string {
    // The scale saturates at once, because only the sign matters.
    const scale = signedScale({ rows: 1, cols: 1, data: Float32Array.of(SMALL) });
    const before = this.ghost?.result.eigenvalues;
    return barsBody(
      {
        ...{ ...size, values: eigenvalues, scale, label, symlog: SMALL },
        ...(before && { before }),
      },
      this.dark,
    );
  }

  private verdict({ eigenvalues, negative }: Gram): string {
    const smallest = formatNumber(eigenvalues[eigenvalues.length - 1] ?? 0);
    return negative > 0 ? words.negative(negative, smallest) : words.none(smallest);
  }

  protected renderResult({ result }: Shown<Values, Gram>): unknown {
    const { dark } = this;
    const { rows } = result.matrix;
    return inRoom(({ width, height }) => {
      const tall = Math.max(110, Math.min(260, height - TITLES));
      const half = (width - BETWEEN) / 2;
      const cell = Math.max(7, Math.floor((Math.min(half, tall, rows * 29 + 12) - 12) / rows));
      const drawing = this.drawing(result, cell);
      const bars = { width: width - BETWEEN - drawing.width, height: tall };
      return html`<div class="kt-beside">
        <section class="kt-part" .style=${`width:${drawing.width}px`}>
          <h4>${words.matrix}</h4>
          <div class="kt-picture" role="img" aria-label=${words.matrix}>
            ${unsafeHTML(svgOf(drawing, matricesBody(drawing, [], dark), dark))}
          </div>
        </section>
        <section class="kt-part" .style=${`width:${bars.width}px`}>
          <h4>${words.eigen}</h4>
          <div
            class="kt-picture"
            role="img"
            aria-label="${words.picture}: ${result.eigenvalues.map((value) => formatNumber(value)).join(', ')}"
          >
            ${unsafeHTML(svgOf(bars, this.bars(result, '', bars), dark))}
          </div>
        </section>
      </div>`;
    });
  }

  protected override renderDetails({ result }: Shown<Values, Gram>): unknown {
    const smallest = result.matrix.data.reduce((low, value) => Math.min(low, value), Infinity);
    return html`<p>${words.minimum(formatNumber(smallest))} ${words.bars}</p>`;
  }

  protected override resultLine({ result }: Shown<Values, Gram>): string {
    return this.verdict(result);
  }

  protected override keyNumbers({ result }: Shown<Values, Gram>): readonly KeyNumber[] {
    const { eigenvalues, negative } = result;
    return [
      { label: words.negatives, value: negative, text: String(negative) },
      { label: words.smallest, value: eigenvalues[eigenvalues.length - 1] ?? 0 },
    ];
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
