import { customElement } from 'lit/decorators.js';
import type { AttentionResult, CoreError } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { keptText } from '../../../../src/lab/figure/kept-inputs.ts';
import { type Knob, line, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { integer, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { arcs, type Heat, PictureFigure } from '../parts.ts';

const words = figureWords.now.cross;

const D_V = 8;
const MOST_TOKENS = 24;

const table = {
  queries: text({ key: 'asks', maxLength: 200, default: 'the cat is asleep' }),
  keys: text({ key: 'read', maxLength: 200, default: 'on the mat by the door a cat sleeps .' }),
  dK: integer({ key: 'dk', min: 1, max: 64, default: 16 }),
  seed: seed(),
  arcs,
};
type Values = StateOf<typeof table>;

interface Result {
  readonly queries: readonly string[];
  readonly keys: readonly string[];
  readonly attention: AttentionResult;
}

/**
 * Attention between two sentences of different lengths.
 *
 * @element attn-cross-attention
 */
@customElement('attn-cross-attention')
export class AttnCrossAttention extends PictureFigure<Result, typeof table> {
  override readonly table = table;
  private asking_: 'queries' | 'keys' = 'queries';

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const { dK, seed } = values;
    const of = (which: 'queries' | 'keys') => {
      this.asking_ = which;
      return keptText(
        client,
        { text: values[which], dK, dV: D_V, seed, maxTokens: MOST_TOKENS },
        { signal },
      );
    };
    const asks = await of('queries');
    const read = await of('keys');
    const attention = await client.attention({ q: asks.q, k: read.k, v: read.v }, { signal });
    return { queries: asks.tokens, keys: read.tokens, attention };
  }

  /** An error about a text is shown beside the sentence that was being read. */
  protected override knobOf(error: CoreError): string {
    return /^(text|max)/.test(error.argument) ? this.asking_ : super.knobOf(error);
  }

  protected override readonly firstKnobs = ['queries', 'keys'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      line('queries', { label: words.queries }),
      line('keys', { label: words.keys }),
      slider('dK', { symbol: 'd_k', label: words.dK, log: true }),
      seedKnob(),
    ];
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    return [
      { label: words.asking, value: result.queries.length },
      { label: words.read, value: result.keys.length },
    ].map((count) => ({ ...count, text: String(count.value) }));
  }

  protected override heats({ result }: Shown<Values, Result>): readonly Heat[] {
    const { queries, keys, attention } = result;
    return [
      {
        matrix: attention.weights,
        heading: words.title,
        subtitle: words.shape(queries.length, keys.length),
        rows: queries,
        cols: keys,
      },
    ];
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    return this.renderHeats(shown);
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    return words.caption(values.dK, values.seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    return words.sentence(result.queries.length, result.keys.length, D_V);
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    const { queries, keys, attention } = result;
    return {
      columns: ['', ...keys.map((key, j) => `${j + 1} ${key}`)],
      rows: queries.map((query, i) => [
        `${i + 1} ${query}`,
        ...keys.map((_, j) => attention.weights.data[i * keys.length + j] ?? Number.NaN),
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-cross-attention': AttnCrossAttention;
  }
}
