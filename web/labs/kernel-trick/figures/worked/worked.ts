import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Matrix } from '#client';
import type { AssociativityTrace } from '#client/trick';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { colorOf, inkOn } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { number, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { table as numbers } from '../../draw/figure.ts';
import { signedScale } from '../../draw/matrices.ts';
import { adopt } from '../../draw/sheet.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/worked.ts';

adopt(css);

const entry = (key: string, start: number) => number({ key, default: start, min: -3, max: 3 });
const table = {
  map: oneOf({
    key: 'map',
    values: ['identity', 'taylor', 'taylor_compact', 'elu_plus_one', 'exp'],
    default: 'taylor',
  }),
  q1: entry('q1', 1),
  q2: entry('q2', 0.5),
  k1: entry('k1', 0.8),
  k2: entry('k2', -0.6),
} as const;
type Values = StateOf<typeof table>;

interface Result {
  readonly trace: AssociativityTrace;
  /** s and e^s. */
  readonly score: number;
  readonly target: number;
}

/** What each feature is, where that can be said. */
const FEATURES: Readonly<Partial<Record<Values['map'], readonly string[]>>> = {
  identity: ['x₁', 'x₂'],
  elu_plus_one: ['ELU(x₁) + 1', 'ELU(x₂) + 1'],
  exp: ['e^{x₁}', 'e^{x₂}'],
  taylor: [
    '1',
    'x₁ / d^{1/4}',
    'x₂ / d^{1/4}',
    'x₁x₁ / √(2d)',
    'x₁x₂ / √(2d)',
    'x₂x₁ / √(2d)',
    'x₂x₂ / √(2d)',
  ],
};

const row = (...entries: readonly number[]): Matrix => ({
  rows: 1,
  cols: entries.length,
  data: Float32Array.from(entries),
});

/**
 * The similarity φ(q)·φ(k) of two vectors, worked out.
 *
 * @element attn-kt-worked
 */
@customElement('attn-kt-worked')
export class AttnKtWorked extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute({ map, q1, q2, k1, k2 }: Values, { signal }: Ask): Promise<Result> {
    const full = await this.tools.full();
    const [q, k, v] = [row(q1, q2), row(k1, k2), row(1)];
    const phi = (x: Matrix, role: 'query' | 'key') =>
      full.applyFeatureMap({ x, role, featureMap: { id: map } }, { signal });
    const [phiQ, phiK, cell] = await Promise.all([
      phi(q, 'query'),
      phi(k, 'key'),
      full.explainCell({ q, k, v, featureMap: { id: map }, query: 0, key: 0 }, { signal }),
    ]);
    const [trace, target] = await Promise.all([
      full.associativityTrace(
        { q: phiQ, k: phiK, v, order: 'standard', step: phiQ.cols },
        { signal },
      ),
      full.applyFeatureMap({ x: row(cell.logit), featureMap: { id: 'exp' } }, { signal }),
    ]);
    return { trace, score: cell.logit, target: target.data[0] ?? Number.NaN };
  }

  protected renderKnobs(): unknown {
    const slider = (name: 'q1' | 'q2' | 'k1' | 'k2') => {
      const [letter, i] = name as unknown as [string, string];
      const label = letter === 'q' ? words.q(Number(i)) : words.k(Number(i));
      return this.slider(name, { label, step: 0.1 });
    };
    return html`${this.choice('map', { label: words.map, options: words.maps })}
    ${slider('q1')} ${slider('q2')} ${slider('k1')} ${slider('k2')}`;
  }

  private dot({ trace }: Result): number {
    return trace.terms[trace.terms.length - 1]?.sum ?? Number.NaN;
  }

  protected renderResult({ values, result }: Shown<Values, Result>): unknown {
    const { terms } = result.trace;
    const scale = signedScale(
      row(...terms.flatMap(({ a, b, product, sum }) => [a, b, product, sum])),
    );
    const cell = (value: number) => {
      const fill = colorOf(scale, value, this.dark);
      return html`<span class="kt-cell" style="background:rgb(${fill.join(' ')});color:${inkOn(fill)}"
        >${formatNumber(value)}</span
      >`;
    };
    return html`${numbers(
      words.table,
      words.columns,
      terms.map(({ a, b, product, sum }, i) => [
        FEATURES[values.map]?.[i] ?? words.feature(i + 1),
        cell(a),
        cell(b),
        cell(product),
        cell(sum),
      ]),
    )}
      <dl class="kt-facts">
        <div>
          <dt>${rich(words.dot)}</dt>
          <dd>${formatNumber(this.dot(result), 4)}</dd>
        </div>
        <div>
          <dt>${rich(words.target)}</dt>
          <dd>${formatNumber(result.target, 4)}</dd>
        </div>
        <div>
          <dt>${rich(words.score)}</dt>
          <dd>${formatNumber(result.score, 4)}</dd>
        </div>
      </dl>
      ${values.map.startsWith('taylor') ? html`<p class="fine">${rich(words.taylor)}</p>` : nothing}`;
  }

  protected caption({ values: { map, q1, q2, k1, k2 }, result }: Shown<Values, Result>): string {
    return words.caption({
      map: words.maps[map],
      features: result.trace.terms.length,
      q: `${q1}, ${q2}`,
      k: `${k1}, ${k2}`,
    });
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    return words.summary(formatNumber(this.dot(result), 4), formatNumber(result.target, 4));
  }

  protected data({ values, result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: result.trace.terms.map(({ a, b, product, sum }, i) => [
        FEATURES[values.map]?.[i] ?? words.feature(i + 1),
        a,
        b,
        product,
        sum,
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-worked': AttnKtWorked;
  }
}
