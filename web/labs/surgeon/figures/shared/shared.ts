import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { SharedHeadsRow } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { bars, numbers, percent } from '../parts.ts';

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

  protected override readonly firstKnobs = ['alike', 'heads'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const options = Object.fromEntries(table.heads.values.map((h) => [h, h]));
    return [
      slider('alike', { label: words.alike, step: 0.05 }),
      choice('heads', { label: words.heads, options }),
      slider('tokens', { label: words.tokens, log: true }),
      seedKnob(),
    ];
  }

  private rows({ values, result }: Shown<Values, Result>) {
    return result.map(
      ({ kvHeads, parameters, cacheBytes, outputError }) =>
        [
          words.kinds(kvHeads, Number(values.heads)),
          formatCount(parameters),
          formatBytes(cacheBytes),
          percent(outputError),
        ] as const,
    );
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    const was = this.ghost?.result;
    const kind = (kvHeads: number): string => words.kinds(kvHeads, Number(values.heads));
    const before = (i: number): SharedHeadsRow | undefined =>
      was?.length === result.length ? was[i] : undefined;
    return html`<p class="sg-name">${words.columns[2]}</p>
      ${bars(
        words.columns[2],
        result.map(({ kvHeads, cacheBytes }, i) => ({
          ...{ label: kind(kvHeads), value: cacheBytes, text: formatBytes(cacheBytes) },
          was: before(i)?.cacheBytes,
        })),
        Math.max(...result.map(({ cacheBytes }) => cacheBytes)),
      )}
      <p class="sg-name">${words.columns[3]}</p>
      ${bars(
        words.columns[3],
        result.map(({ kvHeads, outputError }, i) => ({
          ...{ label: kind(kvHeads), value: outputError, text: percent(outputError) },
          was: before(i)?.outputError,
        })),
        // An output of nothing is 100 % away.
        1,
      )}`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(shown))}`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    const last = result.at(-1);
    if (!last) return [];
    const { outputError, cacheBytes } = last;
    return [
      { label: words.oneError, value: outputError, text: percent(outputError) },
      { label: words.oneCache, value: cacheBytes, text: formatBytes(cacheBytes) },
    ];
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
