import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { ProjectedKernel } from '#client';
import { cells } from '../../../../src/figures/kernel/cells.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { svgOf } from '../../../../src/figures/kernel/plot.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { ColorScale } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
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
    return cells(values, { side: SIZE, scale, dark: this.dark, before });
  }

  protected override resultLine({ values, result }: Shown<Values, ProjectedKernel>): string {
    return values.same ? words.symmetric : words.not(formatNumber(result.asymmetry));
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
    const plot = { width: SIZE, height: SIZE, x: [0, 1], y: [0, 1] } as const;
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
    return fileOf({ body: this.body(shown.result), width: SIZE, height: SIZE }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-projected': AttnKernelProjected;
  }
}
