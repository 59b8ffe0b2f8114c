import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { AttentionResult, Matrix, SparseAttention } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { weightScale } from '../draw.ts';
import { type Heat, matrixPicture, numbers, PictureFigure, percent, said } from '../parts.ts';

const words = figureWords.now.nearest;

const D = 16;

const table = {
  k: integer({ key: 'k', min: 1, max: 32, default: 4 }),
  size: number({ key: 'size', min: 0.1, max: 8, default: 1 }),
  n: integer({ key: 'n', min: 4, max: 32, default: 16 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

const sameSize = (now: Matrix, before: Matrix | undefined): Matrix | undefined =>
  before?.rows === now.rows && before.cols === now.cols ? before : undefined;

interface Result {
  readonly full: AttentionResult;
  readonly sparse: SparseAttention;
  readonly picture: Matrix;
  readonly error: number;
  readonly fullAdds: number;
}

/**
 * Attention to the k keys of the largest scores, beside attention to all.
 *
 * @element attn-nearest-keys
 */
@customElement('attn-nearest-keys')
export class AttnNearestKeys extends PictureFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const { n, k, size, seed } = values;
    const qkv = await keptGaussian(client, { n, dK: D, dV: D, seed }, { signal });
    // Larger queries are a larger factor on the scores, on top of 1/√d_k.
    const { scale } = await client.explainCell(
      { q: qkv.q, k: qkv.k, featureMap: { id: 'identity' }, query: 0, key: 0 },
      { signal },
    );
    const asked = { ...qkv, scale: size * scale };
    const pattern = { kind: 'nearestKeys', k: Math.min(k, n) } as const;
    const [full, sparse, whole] = await Promise.all([
      client.attention(asked, { signal }),
      client.sparseAttention({ ...asked, pattern }, { signal }),
      client.sparseAttention({ ...asked, pattern: { id: 'full' } }, { signal }),
    ]);
    const [picture, { relativeFrobenius }] = await Promise.all([
      client.patternMatrix(
        { n, m: n, q: qkv.q, k: qkv.k, pattern, values: sparse.weights },
        { signal },
      ),
      client.precisionError({ reference: full.output, approximate: sparse.output }, { signal }),
    ]);
    const fullAdds = whole.operations.multiplyAdds;
    return { full, sparse, picture, error: relativeFrobenius, fullAdds };
  }

  protected override readonly firstKnobs = ['k', 'size'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('k', { symbol: 'k', label: words.k, max: this.values.n }),
      slider('size', { label: words.size, log: true, step: 0.1 }),
      slider('n', { symbol: 'n', label: words.n }),
      seedKnob(),
    ];
  }

  protected override heats({ result }: Shown<Values, Result>): readonly Heat[] {
    return [
      { matrix: result.full.weights, heading: words.full },
      { matrix: result.picture, heading: words.sparse },
    ];
  }

  private rows({ values, result }: Shown<Values, Result>) {
    const { sparse, fullAdds } = result;
    return [
      [words.rows.cells, String(values.n * values.n), String(sparse.pattern.nnz)],
      [words.rows.adds, String(fullAdds), String(sparse.operations.multiplyAdds)],
      [words.rows.error, '0', formatNumber(result.error)],
    ] as const;
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { ghost } = this;
    const before = ghost ? this.heats(ghost) : [];
    return html`<div class="sg-minis" .style=${'--across:2'}>
      ${this.heats(shown).map(({ matrix, heading, scale = weightScale }, i) =>
        matrixPicture(
          { name: heading, matrix, scale, before: sameSize(matrix, before[i]?.matrix) },
          this.dark,
          heading,
        ),
      )}
    </div>`;
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(shown))} ${said([words.search])}`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    const share = (label: string, value: number) => ({ label, value, text: percent(value) });
    return [
      share(words.rows.error, result.error),
      share(words.kept, result.sparse.pattern.density),
    ];
  }

  protected override caption({ values: { n, k, size, seed } }: Shown<Values, Result>): string {
    return words.caption(n, Math.min(k, n), formatTick(size), seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    return words.sentence(percent(result.sparse.pattern.density), percent(result.error));
  }

  protected override data(shown: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: this.rows(shown),
      matrices: { full: shown.result.full.weights, sparse: shown.result.picture },
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-nearest-keys': AttnNearestKeys;
  }
}
