import { customElement } from 'lit/decorators.js';
import { chart, chartFile, lineBefore } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { type Loss, lossWith, N, WAYS } from './full-cache.ts';

const words = decodingWords.now.overflow;

const table = {
  way: oneOf({ key: 'way', values: WAYS, default: 'ring' }),
  size: integer({ key: 'size', min: 8, max: 96, default: 32 }),
  sinks: integer({ key: 'sinks', min: 1, max: 8, default: 4 }),
};
type Values = StateOf<typeof table>;

/**
 * What a full cache costs the trained reader: the oldest token goes, the first ones stay, or all begins anew.
 *
 * @element attn-long-overflow
 */
@customElement('attn-long-overflow')
export class AttnLongOverflow extends LabFigure<Loss, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ way, size, sinks }: Values, ask: Ask): Promise<Loss> {
    return lossWith(this.tools.client, { way, size, sinks }, ask);
  }

  protected override get controls() {
    return [
      choice('way', { label: words.way, options: words.ways }),
      slider('size', { label: words.size }),
      slider('sinks', { label: words.sinks }, { when: this.values.way === 'sinks' }),
    ];
  }

  /** What the cache adds to the loss: both losses rise and fall with the text, and their difference does not. */
  private line({ result, values }: Shown<Values, Loss>, before = false): Series {
    const points = result.byPlace.map(({ at, whole, cut }) => chartPoint(at, cut - whole));
    return before
      ? lineBefore('more', points, this.dark)
      : {
          ...lookOf('window', this.dark),
          ...{ id: 'more', label: words.ways[values.way], points },
        };
  }

  protected renderResult(shown: Shown<Values, Loss>): unknown {
    const before = this.ghost;
    const { size } = shown.values;
    return chart([shown, before, this.dark], () => ({
      series: [...(before ? [this.line(before, true)] : []), this.line(shown)],
      levels: [{ y: 0, label: words.all, dashed: true }],
      markers: [{ x: size, label: words.full, strong: true }],
      x: { linear: true, low: 0, high: N },
      y: { linear: true },
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override keyNumbers({ result }: Shown<Values, Loss>): readonly KeyNumber[] {
    return [{ label: words.loss, value: result.cut, text: formatNumber(result.cut, 4) }];
  }

  protected override resultLine({ values, result }: Shown<Values, Loss>): string {
    return words.line(
      values.size,
      ...([formatNumber(result.whole, 4), formatNumber(result.cut, 4)] as const),
      words.said[values.way],
    );
  }

  protected override summary(shown: Shown<Values, Loss>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected caption({ values }: Shown<Values, Loss>): string {
    return words.caption(values.size, values.sinks, words.ways[values.way]);
  }

  protected data({ result }: Shown<Values, Loss>): FigureData {
    return {
      columns: words.columns,
      rows: result.byPlace.map(({ at, whole, cut }) => [at, whole, cut]),
    };
  }

  protected override svg(shown: Shown<Values, Loss>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-overflow': AttnLongOverflow;
  }
}
