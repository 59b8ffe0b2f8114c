import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { StageResult } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { shareScale } from '../draw.ts';
import { type Heat, matrixPicture, PictureFigure, percent, said } from '../parts.ts';

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

  protected override readonly firstKnobs = ['mask', 'shift'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('mask', { label: words.mask, options: words.masks, list: true }),
      slider('shift', { label: words.shift, step: 1 }),
      slider('dK', { symbol: 'd_k', label: words.dK, log: true }),
      seedKnob(),
    ];
  }

  private told({ nanRows, blockedShare }: Pick<StageResult, 'nanRows' | 'blockedShare'>): string {
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

  /** Three small matrices with the sums of their rows; what a try has changed is framed. */
  protected override renderResult({ result }: Shown<Values, Result>): unknown {
    const { ghost } = this;
    return html`<div class="sg-minis" .style=${'--across:3'}>
      ${FILLS.map((fill) => {
        const { third, rowSums } = result[fill];
        return html`<div>
          ${matrixPicture(
            {
              ...{ name: words.fills[fill], matrix: third, scale: shareScale(third) },
              ...{ sums: Array.from(rowSums), before: ghost?.result[fill].third },
            },
            this.dark,
            `${words.fills[fill]}: ${this.told(result[fill])}`,
          )}
          <p class="sg-told">${this.told(result[fill])}</p>
        </div>`;
      })}
    </div>`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return said(this.sentences(shown));
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    const [level = '', ...special] = this.sentences(shown);
    return special.find(Boolean) ?? level;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    return FILLS.map((fill) => {
      const { nanRows, blockedShare } = result[fill];
      return {
        ...{ label: words.fills[fill], value: blockedShare },
        text: this.told({ nanRows, blockedShare }),
      };
    });
  }

  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    const special = this.sentences(now).slice(1).find(Boolean);
    if (special) return special;
    const share = ({ result }: Shown<Values, Result>): string => percent(result.zero.blockedShare);
    return words.zeros(share(before), share(now));
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
