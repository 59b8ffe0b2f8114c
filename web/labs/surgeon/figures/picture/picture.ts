import { html, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { Matrix, NamedAttentionPatterns } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { boolean, integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { cells, weightScale } from '../draw.ts';
import { arcs, type Heat, numbers, PictureFigure, percent, said } from '../parts.ts';

const words = figureWords.now.picture;

const table = {
  diagonal: number({ key: 'diagonal', min: 0, max: 8, default: 5 }),
  vertical: number({ key: 'vertical', min: 0, max: 8, default: 0 }),
  block: number({ key: 'block', min: 0, max: 8, default: 0 }),
  horizontal: number({ key: 'horizontal', min: 0, max: 8, default: 0 }),
  even: boolean({ key: 'even', default: false }),
  offset: integer({ key: 'offset', min: -4, max: 4, default: -1 }),
  key: integer({ key: 'key', min: 1, max: 12, default: 1 }),
  query: integer({ key: 'query', min: 1, max: 12, default: 6 }),
  size: integer({ key: 'blocks', min: 1, max: 6, default: 4 }),
  noise: number({ key: 'noise', min: 0, max: 2, default: 0.5 }),
  causal: boolean({ key: 'causal', default: false }),
  seed: seed(),
  arcs,
};
type Values = StateOf<typeof table>;

/** As many words as the picture has rows: three phrases of four, so that the blocks of the knobs are phrases. */
const TOKENS = ['the', 'old', 'grey', 'cat', 'sat', 'on', 'the', 'mat', ',', 'fast', 'asleep', '.'];
const N = TOKENS.length;

/** The heads of the grid; pressing one sets the knobs to it. */
const HEADS: readonly Partial<Values>[] = [
  { diagonal: 5, offset: 0 },
  { diagonal: 5, offset: -1 },
  { diagonal: 0, vertical: 5, key: 1 },
  { diagonal: 0, vertical: 5, key: 9 },
  { diagonal: 0, block: 5, size: 4 },
  { diagonal: 0, horizontal: 8, query: 6 },
  { diagonal: 0, even: true, query: 6 },
  { diagonal: 2.5, vertical: 2.5, key: 9, noise: 1 },
];

interface Result {
  readonly weights: Matrix;
  readonly found: NamedAttentionPatterns;
  /** The same head without what was added to the whole row. */
  readonly plain: Matrix;
  readonly heads: readonly { readonly weights: Matrix; readonly label: string }[];
}

/**
 * A head made to order, its statistics and its name, and a grid of heads.
 *
 * @element attn-head-picture
 */
@customElement('attn-head-picture')
export class AttnHeadPicture extends PictureFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['diagonal', 'vertical'] as const;
  private grid: Result['heads'] | undefined;

  override get heading(): string {
    return words.heading;
  }

  private options(values: Values) {
    const { diagonal, vertical, block, horizontal, even, offset, noise, causal, seed } = values;
    return {
      ...{
        n: N,
        diagonal,
        vertical,
        block,
        horizontal,
        evenRow: even,
        offset,
        noise,
        causal,
        seed,
      },
      ...{ key: values.key - 1, query: values.query - 1, blockSize: values.size },
    };
  }

  private analyze(weights: Matrix, causal: boolean, signal: AbortSignal) {
    return this.tools.client.analyzeAttentionPatterns(
      { weights, mask: { kind: causal ? 'causal' : 'full' }, rank: false },
      { signal },
    );
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const [weights, plain] = await Promise.all([
      client.headPicture(this.options(values), { signal }),
      client.headPicture({ ...this.options(values), horizontal: 0 }, { signal }),
    ]);
    const found = await this.analyze(weights, values.causal, signal);
    this.grid ??= await Promise.all(
      HEADS.map(async (head) => {
        const made = await client.headPicture(
          this.options({ ...this.defaults, ...head } as Values),
          { signal },
        );
        const { head: name } = await this.analyze(made, false, signal);
        return { weights: made, label: words.kinds[name.id as keyof typeof words.kinds] };
      }),
    );
    return { weights, plain, found, heads: this.grid };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const line = (name: 'diagonal' | 'vertical' | 'block' | 'horizontal') =>
      slider(name, { label: words.lines[name], step: 0.1 });
    return [
      ...[line('diagonal'), line('vertical'), line('horizontal'), line('block')],
      toggle('even', { label: words.even }),
      ...[slider('offset', { label: words.offset }), slider('key', { label: words.key })],
      ...[slider('query', { label: words.query }), slider('size', { label: words.size })],
      slider('noise', { label: words.noise, step: 0.1 }),
      ...[toggle('causal', { label: words.causal }), seedKnob()],
    ];
  }

  protected override heats({ values, result }: Shown<Values, Result>): readonly Heat[] {
    return [
      {
        matrix: result.weights,
        heading: words.kinds[result.found.head.id as keyof typeof words.kinds],
        subtitle: words.measured(formatNumber(result.found.head.score, 2)),
        rows: TOKENS,
        cols: TOKENS,
        visible: values.causal ? (row) => row + 1 : undefined,
      },
    ];
  }

  private statistics({ found }: Result): readonly (readonly [string, string, number])[] {
    const row = (name: keyof typeof words.rows, value: number, say = formatNumber) =>
      [words.rows[name], say(value), value] as const;
    return [
      row('max', found.maxAttention),
      row('meanMax', found.meanMax),
      row('entropy', found.meanEntropy),
      row('effective', found.meanEffectiveKeys),
      row('diagonal', found.diagonalMass, percent),
      row('local', found.localVsGlobal),
      row('distance', found.meanDistance),
      row('sparsity', found.sparsity, percent),
    ];
  }

  private sentences({ values, result }: Shown<Values, Result>): readonly string[] {
    const { weights, plain, found } = result;
    const same = weights.data.every((x, i) => Math.abs(x - (plain.data[i] ?? 0)) < 1e-6);
    const row = values.query - 1;
    const largest = found.rows.max[row] ?? Number.NaN;
    const received = found.columns.received[values.key - 1] ?? Number.NaN;
    return [
      values.horizontal > 0 && !values.even
        ? words.shifted(formatTick(values.horizontal), TOKENS[row] ?? '', same)
        : '',
      values.even
        ? words.evenRow(TOKENS[row] ?? '', formatNumber(largest), found.rows.visibleKeys[row] ?? 0)
        : '',
      values.vertical > 0
        ? words.verticalLine(TOKENS[values.key - 1] ?? '', formatNumber(received), N)
        : '',
    ];
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    return this.renderHeats(shown);
  }

  protected override pictures() {
    return { heads: (shown: Shown<Values, Result>) => this.renderHeads(shown) };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { heads: words.grid };
  }

  /** Eight heads; pressing one sets the knobs to it. */
  private renderHeads({ values, result }: Shown<Values, Result>): unknown {
    const on = (head: Partial<Values>): boolean =>
      Object.entries({ ...this.defaults, arcs: values.arcs, ...head }).every(
        ([name, value]) => values[name as keyof Values] === value,
      );
    return html`<div class="sg-grid" role="group" aria-label=${words.grid}>
      ${result.heads.map(
        ({ weights, label }, i) => html`<button
          type="button"
          aria-pressed=${String(on(HEADS[i] ?? {}))}
          @click=${() => this.set({ ...this.defaults, arcs: values.arcs, ...HEADS[i] })}
        >
          <svg viewBox="0 0 84 84" data-square aria-hidden="true">
            ${svg`${unsafeSVG(cells({ name: '', matrix: weights, scale: weightScale }, 0, 0, 7, this.dark))}`}
          </svg>
          <span>${label}</span>
        </button>`,
      )}
    </div>`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${said(this.sentences(shown))}
    ${numbers(
      words.statistics,
      [words.statistic, words.value],
      this.statistics(shown.result).map(([name, value]) => [name, value]),
    )}`;
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    const { found } = shown.result;
    return (
      this.sentences(shown).find(Boolean) ??
      words.line(formatNumber(found.meanMax), formatNumber(found.meanEffectiveKeys))
    );
  }

  protected override keyNumbers({ result: { found } }: Shown<Values, Result>): KeyNumber[] {
    return [
      { label: words.rows.meanMax, value: found.meanMax },
      { label: words.effectiveKeys, value: found.meanEffectiveKeys },
    ];
  }

  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    const own = this.sentences(now).find(Boolean);
    return own ? own : super.difference(before, now);
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    const { diagonal, offset, vertical, key, block, size, horizontal, query, noise, seed } = values;
    return words.caption({
      ...{ n: N, diagonal: formatTick(diagonal), offset, vertical: formatTick(vertical), key },
      ...{ block: formatTick(block), size, horizontal: formatTick(horizontal), query },
      ...{ noise: formatTick(noise), seed, causal: values.causal, even: values.even },
    });
  }

  protected override summary(shown: Shown<Values, Result>): string {
    const { found } = shown.result;
    return [
      words.kinds[found.head.id as keyof typeof words.kinds],
      words.measured(formatNumber(found.head.score, 2)),
      ...this.sentences(shown),
    ].join(' ');
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: [words.statistic, words.value],
      rows: this.statistics(result).map(([name, , value]) => [name, value]),
      matrices: { weights: result.weights },
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-picture': AttnHeadPicture;
  }
}
