import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { StageResult } from '#client';
import type { Shown } from '../../../../src/lab/figure.ts';
import { keptGaussian } from '../../../../src/lab/kept-inputs.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { shareScale } from '../draw.ts';
import { type Heat, PictureFigure, percent, said } from '../parts.ts';

const words = figureWords.now.masks;

const N = 6;
const FILLS = ['minusInfinity', 'minusBillion', 'zero'] as const;
type Fill = (typeof FILLS)[number];

const table = {
  mask: oneOf({ key: 'mask', values: ['causal', 'earlier', 'inverted'], default: 'causal' }),
  shift: number({ key: 'level', min: -40, max: 40, default: 0 }),
  dK: integer({ key: 'dk', min: 1, max: 64, default: 16 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type Result = Readonly<Record<Fill, StageResult>>;

/**
 * The same scores, blocked by −∞, by −10⁹ and by 0.
 *
 * @element attn-mask-fills
 */
@customElement('attn-mask-fills')
export class AttnMaskFills extends PictureFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const { mask, shift, dK, seed } = values;
    const qkv = await keptGaussian(client, { n: N, dK, dV: 4, seed }, { signal });
    const of = (fill: Fill) =>
      client.attentionStages({ ...qkv, mask, fill, scoreShift: shift }, { signal });
    const [minusInfinity, minusBillion, zero] = await Promise.all(FILLS.map(of));
    return { minusInfinity, minusBillion, zero } as Result;
  }

  protected override renderKnobs(): unknown {
    return html`${this.choice('mask', { label: words.mask, options: words.masks, list: true })}
    ${this.slider('shift', { label: words.shift, step: 1 })}
    ${this.slider('dK', { symbol: 'd_k', label: words.dK, log: true })} ${this.seed()}`;
  }

  private told({ nanRows, blockedShare }: StageResult): string {
    return [
      nanRows > 0 ? words.nan(nanRows) : '',
      blockedShare > 0 ? words.blockedShare(percent(blockedShare)) : words.clean,
    ]
      .filter(Boolean)
      .join(', ');
  }

  protected override heats({ result }: Shown<Values, Result>): readonly Heat[] {
    return FILLS.map((fill) => ({
      matrix: result[fill].third,
      heading: words.fills[fill],
      subtitle: this.told(result[fill]),
      scale: shareScale(result[fill].third),
    }));
  }

  private sentences({ values, result }: Shown<Values, Result>): readonly string[] {
    const { zero, minusBillion, minusInfinity } = result;
    return [
      words.level(percent(zero.blockedShare), formatTick(values.shift)),
      values.mask === 'earlier'
        ? words.nothing(percent(minusBillion.third.data[N - 1] ?? Number.NaN))
        : '',
      values.mask === 'inverted' ? words.inverted(minusInfinity.firstNanRow + 1) : '',
    ];
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    return html`${this.renderHeats(shown)} ${said(this.sentences(shown))}`;
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    return words.caption(N, values.dK, formatTick(values.shift), values.seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    return FILLS.map((fill) => `${words.fills[fill]}: ${this.told(result[fill])}.`).join(' ');
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: FILLS.map((fill) => {
        const { blockedShare, nanRows, outputError } = result[fill];
        return [words.fills[fill], formatNumber(blockedShare), nanRows, formatNumber(outputError)];
      }),
      matrices: Object.fromEntries(FILLS.map((fill) => [fill, result[fill].third])),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-mask-fills': AttnMaskFills;
  }
}
