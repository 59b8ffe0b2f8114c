import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { SharedHeadsRow } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { numbers, percent, said } from '../parts.ts';

const words = figureWords.now.shared;

const D_MODEL = 64;

const table = {
  heads: oneOf({ key: 'heads', values: ['2', '4', '8', '16'], default: '8' }),
  alike: number({ key: 'alike', min: 0, max: 1, default: 0.5 }),
  tokens: integer({ key: 'tokens', min: 1, max: 131072, default: 4096 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type Result = readonly SharedHeadsRow[];

/**
 * Multi-head, grouped-query and multi-query attention: parameters, cache and error.
 *
 * @element attn-shared-heads
 */
@customElement('attn-shared-heads')
export class AttnSharedHeads extends LabFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, { signal }: Ask): Promise<Result> {
    const { heads, alike, tokens, seed } = values;
    return this.tools.client.sharedHeads(
      { n: 32, dModel: D_MODEL, heads: Number(heads), alike, tokens, seed },
      { signal },
    );
  }

  protected override renderKnobs(): unknown {
    return html`${this.choice('heads', {
      label: words.heads,
      options: Object.fromEntries(table.heads.values.map((h) => [h, h])),
    })}
    ${this.slider('alike', { label: words.alike, step: 0.05 })}
    ${this.slider('tokens', { label: words.tokens, log: true })} ${this.seed()}`;
  }

  private rows({ values, result }: Shown<Values, Result>) {
    return result.map(
      ({ kvHeads, parameters, cacheBytes, outputError }) =>
        [
          words.kinds(kvHeads, Number(values.heads)),
          String(parameters),
          String(cacheBytes),
          percent(outputError),
        ] as const,
    );
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(shown))}
    ${said([this.summary(shown)])}`;
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    return words.caption(D_MODEL, Number(values.heads), formatTick(values.alike), values.seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const [first, last] = [result[0], result.at(-1)];
    if (!first || !last) return '';
    return words.sentence(
      formatNumber(first.cacheBytes / last.cacheBytes),
      percent(last.outputError),
    );
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: result.map((one) => [
        ...[one.kvHeads, one.parameters, one.cacheBytes, one.outputError],
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const rows = this.rows(shown).map((row) => row.map((cell) => ({ words: cell })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, rows, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-shared-heads': AttnSharedHeads;
  }
}
