import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { AttentionGradients, AttentionResult, GradientQuantiles, Matrix } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { signedScale, weightScale } from '../draw.ts';
import { matrixPicture, numbers, said } from '../parts.ts';

const words = figureWords.now.hidden;

const table = {
  dead: integer({ key: 'dead', min: 0, max: 3, default: 1 }),
  n: integer({ key: 'n', min: 4, max: 16, default: 6 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

/** Forward: the weights and the output; then what comes back at the scores, the queries, the keys and the values. */
const FORWARD = ['P', 'output'] as const;
const BACK = ['dS', 'dQ', 'dK', 'dV'] as const;
const PARTS = [...FORWARD, ...BACK] as const;
type Part = (typeof PARTS)[number];
type Counts = Readonly<Record<Part, GradientQuantiles>>;
type Matrices = Readonly<Record<Part, Matrix>>;

interface Result {
  readonly filled: Counts;
  readonly added: Counts;
  readonly shown: { readonly filled: Matrices; readonly added: Matrices };
  /** The largest difference of the outputs. */
  readonly difference: number;
  readonly entries: number;
}

const parts = ({ weights, output }: AttentionResult, back: AttentionGradients): Matrices => ({
  ...{ P: weights, output, dS: back.dBias, dQ: back.dQ, dK: back.dK, dV: back.dV },
});

/** A causal mask of 1 (kept) and 0, whose first rows keep nothing. */
function maskOf(n: number, dead: number): Matrix {
  const data = new Float32Array(n * n);
  for (let i = dead; i < n; i++) data.fill(1, i * n, i * n + i + 1);
  return { rows: n, cols: n, data };
}

/**
 * Two masks with equal outputs and unequal gradients: how many entries are not numbers.
 *
 * @element attn-hidden-nan
 */
@customElement('attn-hidden-nan')
export class AttnHiddenNan extends LabFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute({ dead, n, seed }: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const qkv = await keptGaussian(client, { n, dK: 4, dV: 4, seed }, { signal });
    const other = await keptGaussian(client, { n, dK: 4, dV: 4, seed: seed + 1 }, { signal });
    const mask = { kind: 'matrix', keep: maskOf(n, dead) } as const;
    const asked = { ...qkv, mask };
    const [right, wrong, filled, added] = await Promise.all([
      client.attention(asked, { signal }),
      client.attentionVariant({ ...asked, variant: 'additive_mask_nan_to_zero' }, { signal }),
      client.attentionBackward({ ...asked, dO: other.v }, { signal }),
      client.additiveMaskBackward({ ...asked, dO: other.v }, { signal }),
    ]);
    const shown = { filled: parts(right, filled), added: parts(wrong, added) };
    const counts = async (of: Matrices): Promise<Counts> => {
      const each = await Promise.all(
        PARTS.map((part) => client.gradientQuantiles({ gradient: of[part] }, { signal })),
      );
      return Object.fromEntries(PARTS.map((part, i) => [part, each[i]])) as unknown as Counts;
    };
    const { maxAbsolute } = await client.precisionError(
      { reference: right.output, approximate: wrong.output },
      { signal },
    );
    return {
      filled: await counts(shown.filled),
      added: await counts(shown.added),
      shown,
      difference: maxAbsolute,
      entries: n * 4,
    };
  }

  protected override readonly firstKnobs = ['dead'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('dead', { label: words.dead }),
      slider('n', { symbol: 'n', label: words.n }),
      seedKnob(),
    ];
  }

  private rows({ filled, added }: Result) {
    return PARTS.map(
      (part) =>
        [
          words.rows[part],
          String(filled[part].nonFiniteEntries),
          String(added[part].nonFiniteEntries),
        ] as const,
    );
  }

  private sentences({ result }: Shown<Values, Result>): readonly string[] {
    const lost = result.added.dK.nonFiniteEntries;
    return [
      words.difference(formatNumber(result.difference)),
      lost > 0 ? words.poisoned(lost, result.entries) : words.sound,
    ];
  }

  /** Forward and back through both masks: where NaN flows, cells are red. */
  protected override renderResult({ result }: Shown<Values, Result>): unknown {
    return html`${(['filled', 'added'] as const).map(
      (way, i) => html`<p class="sg-told sg-way">${words.columns[i + 1]}</p>
        <div class="sg-flow" .style=${`--shares:${PARTS.map((part) => `${result.shown[way][part].cols}fr`).join(' ')}`}>
          <p class="sg-told" aria-hidden="true" .style=${`grid-column:span ${FORWARD.length}`}>${words.forward}</p>
          <p class="sg-told" aria-hidden="true" .style=${`grid-column:span ${BACK.length}`}>${words.back}</p>
          ${PARTS.map((part) => {
            const matrix = result.shown[way][part];
            const lost = result[way][part].nonFiniteEntries;
            const scale = part === 'P' ? weightScale : signedScale(matrix);
            return matrixPicture(
              { name: words.parts[part], matrix, scale, flat: true },
              this.dark,
              words.lost(words.parts[part], lost),
            );
          })}
        </div>`,
    )}`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${said(this.sentences(shown))}
    ${numbers(words.table, words.columns, this.rows(shown.result))}`;
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    return this.sentences(shown)[1] ?? '';
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    const { nonFiniteEntries: lost } = result.added.dK;
    return [{ label: words.lostInK, value: lost, text: String(lost) }];
  }

  protected override caption({ values: { n, dead, seed } }: Shown<Values, Result>): string {
    return words.caption(n, dead, seed);
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.sentences(shown).join(' ');
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return { columns: words.columns, rows: this.rows(result) };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const rows = this.rows(shown.result).map((row) => row.map((cell) => ({ words: cell })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, rows, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-hidden-nan': AttnHiddenNan;
  }
}
