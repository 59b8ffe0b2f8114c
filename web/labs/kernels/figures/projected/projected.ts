import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { ProjectedKernel } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { type ColorScale, colorOf, inkOn } from '../../../../src/plot/color.ts';
import { formatNumber, formatShort } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { escapeXml, round } from '../../../../src/plot/svg.ts';
import { boolean, integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { numbers } from '../shared/numbers.ts';
import { svgOf } from '../shared/plot.ts';

const { projected: words } = figureWords.now;

const table = {
  same: boolean({ key: 'same', default: false }),
  n: integer({ key: 'n', min: 2, max: 12, default: 6 }),
  d: integer({ key: 'd', min: 2, max: 32, default: 8 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

const SIZE = 380;

/**
 * The matrix of exponential scores of tokens with themselves, under one projection or two.
 *
 * @element attn-kernel-projected
 */
@customElement('attn-kernel-projected')
export class AttnKernelProjected extends LabFigure<ProjectedKernel, typeof table> {
  override readonly table = table;

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

  protected override renderKnobs(): unknown {
    return html`${this.toggle('same', { label: words.same })}
    ${this.slider('n', { label: words.n, symbol: 'n' })}
    ${this.slider('d', { label: words.d, symbol: 'd' })} ${this.seed()}`;
  }

  private body({ values: { data, rows } }: ProjectedKernel): string {
    const cell = SIZE / rows;
    const high = data.reduce((most, value) => Math.max(most, value), 0);
    const scale: ColorScale = {
      ...{ kind: 'sequential', low: 0, high, tone: 'sqrt' },
      ...{ overLow: false, overHigh: false },
    };
    return Array.from(data, (value, at) => {
      const [x, y] = [(at % rows) * cell, Math.floor(at / rows) * cell];
      const fill = colorOf(scale, value, this.dark);
      const size = Math.min(14, cell / 3.2);
      return `<rect x="${round(x + 1)}" y="${round(y + 1)}" width="${round(cell - 2)}" height="${round(cell - 2)}" rx="2" fill="rgb(${fill.join(',')})"/><text x="${round(x + cell / 2)}" y="${round(y + cell / 2 + size / 3)}" text-anchor="middle" font-size="${round(size)}" fill="${inkOn(fill)}">${escapeXml(formatShort(value))}</text>`;
    }).join('');
  }

  private verdict({ values, result }: Shown<Values, ProjectedKernel>): string {
    return values.same ? words.symmetric : words.not(result.smallestShare < -1e-6);
  }

  protected override summary(shown: Shown<Values, ProjectedKernel>): string {
    return this.verdict(shown);
  }

  protected override renderResult(shown: Shown<Values, ProjectedKernel>): unknown {
    const { result } = shown;
    const plot = { width: SIZE, height: SIZE, x: [0, 1], y: [0, 1] } as const;
    return html`<div class="kernel-picture">
        ${unsafeHTML(svgOf(plot, this.body(result), this.verdict(shown)))}
      </div>
      ${numbers([
        [words.asymmetry, formatNumber(result.asymmetry)],
        [words.share, formatNumber(result.smallestShare)],
      ])}
      <p class="verdict">${this.verdict(shown)}</p>`;
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
    return fileOf({ body: this.body(shown.result), width: SIZE, height: SIZE }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-projected': AttnKernelProjected;
  }
}
