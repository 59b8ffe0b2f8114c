import { html, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { boolean, integer, type StateOf } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { type Pages, pagesOf } from './shared-pages.ts';

const words = decodingWords.now.pages;

const table = {
  texts: integer({ key: 'texts', min: 1, max: 6, default: 4 }),
  prefix: integer({ key: 'prefix', min: 1, max: 48, default: 22 }),
  block: integer({ key: 'block', min: 1, max: 16, default: 8 }),
  own: integer({ key: 'own', min: 0, max: 16, default: 5 }),
  shared: boolean({ key: 'shared', default: true }),
};
type Values = StateOf<typeof table>;

const CELL = 10;
const GAP = 4;
const LEFT = 58;

/**
 * The blocks of several texts with one beginning: shared, copied when written, and wasted.
 *
 * @element attn-long-pages
 */
@customElement('attn-long-pages')
export class AttnLongPages extends LabFigure<Pages, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, { signal }: Ask): Promise<Pages> {
    return pagesOf(this.tools.client, values, signal);
  }

  protected override get controls() {
    return [
      toggle('shared', { label: words.shared }),
      slider('block', { label: words.block }),
      slider('texts', { label: words.texts }),
      slider('prefix', { label: words.prefix }),
      slider('own', { label: words.own }),
    ];
  }

  protected renderResult({ values, result }: Shown<Values, Pages>): unknown {
    const held = new Map(result.blocks.map((block) => [block.id, block]));
    const longest = Math.max(...result.tables.map((list) => list.length));
    const step = values.block * CELL + GAP;
    const width = LEFT + longest * step;
    const height = result.tables.length * 30;
    return html`<svg class="long-pages" viewBox="0 0 ${width} ${height}" role="img" aria-label=${words.picture}>
      ${result.tables.map(
        (list, s) => svg`<text x="0" y=${s * 30 + 15}>${words.row(s + 1)}</text>
        ${list.map((id, place) => {
          const { holders = 1, filled = 0 } = held.get(id) ?? {};
          const x = LEFT + place * step;
          return svg`<g class=${holders > 1 ? 'shared' : 'own'}>
            ${Array.from(
              { length: values.block },
              (_, i) =>
                svg`<rect x=${x + i * CELL} y=${s * 30 + 3} width=${CELL - 1} height="14" class=${i < filled ? 'taken' : 'free'}></rect>`,
            )}
            <text class="id" x=${x} y=${s * 30 + 27}>${words.blockOf(id, holders)}</text>
          </g>`;
        })}`,
      )}
    </svg>`;
  }

  protected override keyNumbers({ result }: Shown<Values, Pages>): readonly KeyNumber[] {
    return (['used', 'wasted', 'copied'] as const).map((name) => ({
      ...{ label: words[name], value: result[name], text: formatCount(result[name]) },
    }));
  }

  protected override resultLine({ values, result }: Shown<Values, Pages>): string {
    return words.line(
      result.tokens,
      result.used,
      result.used * values.block,
      result.wasted,
      result.copied,
    );
  }

  protected override summary(shown: Shown<Values, Pages>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected caption({ values }: Shown<Values, Pages>): string {
    return words.caption(values);
  }

  protected data({ result }: Shown<Values, Pages>): FigureData {
    return {
      columns: words.columns,
      rows: result.tables.flatMap((list, text) => list.map((id, place) => [text, place, id])),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-pages': AttnLongPages;
  }
}
