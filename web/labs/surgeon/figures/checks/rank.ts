import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { RankCheck } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { bars, numbers } from '../parts.ts';

const words = figureWords.now.rank;

const D_MODEL = 24;

const table = {
  rank: integer({ key: 'rank', min: 1, max: D_MODEL, default: 3 }),
  heads: oneOf({ key: 'heads', values: ['1', '2', '3', '4', '6', '8'], default: '3' }),
  n: integer({ key: 'n', min: D_MODEL, max: 64, default: D_MODEL }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

/**
 * Ranks on the way through multi-head attention, measured.
 *
 * @element attn-rank-check
 */
@customElement('attn-rank-check')
export class AttnRankCheck extends LabFigure<RankCheck, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, { signal }: Ask): Promise<RankCheck> {
    const { n, rank, heads, seed } = values;
    return this.tools.client.rankCheck(
      { n, dModel: D_MODEL, inputRank: rank, heads: Number(heads), seed },
      { signal },
    );
  }

  protected override readonly firstKnobs = ['rank', 'heads'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const options = Object.fromEntries(table.heads.values.map((h) => [h, h]));
    return [
      slider('rank', { label: words.rank }),
      choice('heads', { label: words.heads, options, list: true }),
      slider('n', { symbol: 'n', label: words.n }),
      seedKnob(),
    ];
  }

  private rows({ values, result }: Shown<Values, RankCheck>) {
    const { n } = values;
    const width = D_MODEL / Number(values.heads);
    return [
      [words.rows.input, `${n} × ${D_MODEL}`, String(result.input)],
      [words.rows.weights, `${n} × ${n}`, String(result.weights)],
      [words.rows.oneHead, `${n} × ${width}`, String(result.oneHead)],
      [words.rows.allHeads, `${n} × ${D_MODEL}`, String(result.allHeads)],
      [words.rows.output, `${n} × ${D_MODEL}`, String(result.output)],
    ] as const;
  }

  protected override renderResult(shown: Shown<Values, RankCheck>): unknown {
    const was = this.ghost && this.rows(this.ghost);
    return bars(
      words.table,
      this.rows(shown).map(([label, , rank], i) => ({
        ...{ label, value: Number(rank), text: rank },
        was: was ? Number(was[i]?.[2]) : undefined,
      })),
      shown.values.n,
    );
  }

  protected override renderDetails(shown: Shown<Values, RankCheck>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(shown))}`;
  }

  protected override keyNumbers({ result }: Shown<Values, RankCheck>): KeyNumber[] {
    return [
      { label: words.rows.oneHead, value: result.oneHead, text: String(result.oneHead) },
      { label: words.rows.allHeads, value: result.allHeads, text: String(result.allHeads) },
    ];
  }

  protected override caption({ values }: Shown<Values, RankCheck>): string {
    return words.caption(values.n, D_MODEL, Number(values.heads), values.seed);
  }

  protected override summary({ values, result }: Shown<Values, RankCheck>): string {
    return words.sentence(result.input, result.oneHead, result.allHeads, Number(values.heads));
  }

  protected override data(shown: Shown<Values, RankCheck>): FigureData {
    return { columns: words.columns, rows: this.rows(shown) };
  }

  protected override svg(shown: Shown<Values, RankCheck>): string {
    const rows = this.rows(shown).map((row) => row.map((cell) => ({ words: cell })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, rows, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-rank-check': AttnRankCheck;
  }
}
