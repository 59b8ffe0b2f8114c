import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type {
  FunctionalDescentLines,
  KernelChoice,
  KernelRidgePredictions,
  LinePoints,
  Matrix,
} from '#client';
import { colorAt } from '../../../../src/figures/chart.ts';
import { key } from '../../../../src/figures/kernel/key.ts';
import { column, lineGrid } from '../../../../src/figures/kernel/line-grid.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import {
  across,
  axes,
  curve,
  dot,
  down,
  type Plot,
  paintOf,
  placed,
  svgOf,
} from '../../../../src/figures/kernel/plot.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { line, text } from '../../../../src/plot/svg.ts';
import { boolean, integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import { ELSEWHERE, FIRST, POINTS, startOf } from './start.ts';

const { descent: words } = learningWords.now;

const table = {
  t: integer({ key: 't', min: 0, max: 400, default: 12 }),
  lambda: number({ key: 'lambda', min: 1e-5, max: 10, default: FIRST.lambda }),
  gamma: number({ key: 'gamma', min: 0.1, max: 50, default: FIRST.gamma }),
  elsewhere: boolean({ key: 'elsewhere', default: false }),
  loss: oneOf({ key: 'loss', values: ['squared', 'absolute'], default: 'squared' }),
  rate: number({ key: 'rate', min: 0.01, max: 1.2, default: FIRST.rate }),
  seed: seed(),
};
type Table = typeof table;

interface Answer {
  readonly data: LinePoints;
  readonly descent: FunctionalDescentLines;
  readonly closed: KernelRidgePredictions | undefined;
  readonly rate: number;
  /** The part of f that is orthogonal to the bumps at the data, on the grid; none where there is none. */
  readonly outside: Matrix | undefined;
}

/** The absolute loss has no curvature that would bound its rate; this is the unit of the knob then. */
const ABSOLUTE_RATE = 0.5;
const grid = lineGrid(-4, 4, 161);
/** f above, and below it on the same x axis one coefficient for each bump. */
const ABOVE: Plot = { width: 680, height: 250, x: [-4, 4], y: [-2, 2] };
const BELOW = { width: 680, height: 120 } as const;
const APART = 8;

/**
 * Gradient descent in an RKHS beside the closed form.
 *
 * @element attn-function-descent
 */
@customElement('attn-function-descent')
export class AttnFunctionDescent extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['t', 'lambda'] as const;

  protected override get wordsLang(): 'en' | undefined {
    return learningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: StateOf<Table>, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { lambda, gamma, loss, t } = values;
    const data = await client.linePoints(
      { function: 'sine', n: POINTS, noise: 0.2, seed: values.seed },
      { signal },
    );
    const kernel = { id: 'rbf', parameters: { gamma } };
    const given = {
      ...{ x: data.x, y: data.y, kernel, loss, lambda, z: grid },
      ...(values.elsewhere ? startOf() : {}),
    };
    const first = await client.functionalDescent(
      { ...given, steps: 1, learningRate: 1e-6 },
      { signal },
    );
    const unit = loss === 'squared' ? first.largestRate : ABSOLUTE_RATE;
    const rate = values.rate * unit;
    // A history row for each step would be too much; the first row of one that is longer than the descent is its start.
    const descent = await client.functionalDescent(
      { ...given, steps: Math.max(1, t), learningRate: rate, historyEvery: t === 0 ? 2 : 0 },
      { signal },
    );
    const closed =
      loss === 'squared'
        ? await client.kernelRidge(
            { x: data.x, y: data.y, kernel, lambda, scaling: 'mean', z: grid },
            { signal },
          )
        : undefined;
    const shown = t === 0 ? atStart(descent) : descent;
    const outside = values.elsewhere
      ? await this.outside(kernel, data.x, shown.alpha, signal)
      : undefined;
    return { data, descent: shown, closed, rate, outside };
  }

  /** What is left of f when its projection onto the bumps at the data is taken away. */
  private async outside(
    kernel: KernelChoice,
    data: Matrix,
    alpha: Matrix,
    signal: AbortSignal,
  ): Promise<Matrix> {
    const { client } = this.tools;
    const x = column([...data.data, ELSEWHERE.at]);
    const { inside } = await client.rkhsProjection({ kernel, x, alpha, z: data }, { signal });
    const centres = column([...x.data, ...inside.points.data]);
    const weights = column([...alpha.data, ...inside.alpha.data.map((value) => -value)]);
    return client.rkhsValues({ kernel, x: centres, alpha: weights, z: grid }, { signal });
  }

  private function_({ result }: Shown<StateOf<Table>, Answer>): string {
    const { dark, ghost } = this;
    const paint = paintOf(dark);
    const { data, descent, closed, outside } = result;
    const along = [...grid.data];
    const parts = [axes(ABOVE, dark)];
    if (ghost) {
      const { predictions } = ghost.result.descent;
      parts.push(curve(ABOVE, along, predictions.data, paint.muted, { width: 1.5, dash: '3 4' }));
    }
    if (closed) {
      parts.push(curve(ABOVE, along, closed.predictions.data, colorAt(3, dark), { dash: '7 4' }));
    }
    if (outside) parts.push(curve(ABOVE, along, outside.data, colorAt(4, dark)));
    parts.push(curve(ABOVE, along, descent.predictions.data, colorAt(1, dark), { width: 2.5 }));
    data.x.data.forEach((x, i) => {
      parts.push(dot(placed(ABOVE, { x, y: data.y.data[i] ?? 0 }), 4.5, paint.ink, paint.paper));
    });
    return parts.join('');
  }

  /** α of each bump as a stem at the place of the bump, and in closed form as a hollow square. */
  private coefficients({ result, values }: Shown<StateOf<Table>, Answer>): string {
    const { dark, ghost } = this;
    const paint = paintOf(dark);
    const { data, descent, closed } = result;
    const at = values.elsewhere ? [...data.x.data, ELSEWHERE.at] : [...data.x.data];
    const all = [...descent.alpha.data, ...(closed?.alpha.data ?? [])].filter(Number.isFinite);
    const high = 1.15 * Math.max(0.1, ...all.map(Math.abs));
    const plot: Plot = { ...BELOW, x: ABOVE.x, y: [-high, high] };
    const stem = (x: number, alpha: number, stroke: string, width: number): string =>
      line(across(plot, x), down(plot, 0), across(plot, x), down(plot, alpha), stroke, { width });
    const parts = [axes(plot, dark, { xNumbers: false })];
    ghost?.result.descent.alpha.data.forEach((alpha, i) => {
      const place = placed(plot, { x: at[i] ?? 0, y: alpha });
      parts.push(dot(place, 5, 'none', paint.muted));
    });
    closed?.alpha.data.forEach((alpha, i) => {
      const [x, y] = placed(plot, { x: at[i] ?? 0, y: alpha });
      parts.push(
        `<rect x="${x - 5}" y="${y - 5}" width="10" height="10" fill="none" stroke="${colorAt(3, dark)}" stroke-width="1.75"/>`,
      );
    });
    descent.alpha.data.forEach((alpha, i) => {
      parts.push(stem(at[i] ?? 0, alpha, colorAt(1, dark), 2));
      parts.push(dot(placed(plot, { x: at[i] ?? 0, y: alpha }), 3.5, colorAt(1, dark), 'none'));
    });
    parts.push(text(22, 22, words.alpha, paint.ink, { kind: 'ink' }));
    return parts.join('');
  }

  private body(shown: Shown<StateOf<Table>, Answer>): string {
    return `${this.function_(shown)}<g transform="translate(0 ${ABOVE.height + APART})">${this.coefficients(shown)}</g>`;
  }

  protected override resultLine({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const { descent, closed } = result;
    const [begin, now] = [descent.curve[0], descent.curve.at(-1)];
    if (!now || !begin) return '';
    const { t } = values;
    if (descent.curve.length < t + 1) return words.diverged;
    if (values.elsewhere) {
      return words.orthogonal(
        t,
        formatNumber(begin.orthogonalSquared),
        formatNumber(now.orthogonalSquared),
      );
    }
    return closed
      ? words.verdict(t, formatNumber(now.objective), formatNumber(closed.objective))
      : words.noClosed(t, formatNumber(now.objective));
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    values,
    result: { descent },
  }: Shown<StateOf<Table>, Answer>): readonly KeyNumber[] {
    const now = descent.curve.at(-1);
    if (!now) return [];
    return [
      { label: words.numbers.objective, value: now.objective },
      { label: words.numbers.loss, value: now.loss },
      { label: words.numbers.norm, value: now.normSquared },
      ...(values.elsewhere
        ? [{ label: words.numbers.orthogonal, value: now.orthogonalSquared }]
        : []),
    ];
  }

  protected override renderDetails(shown: Shown<StateOf<Table>, Answer>): unknown {
    const { closed } = shown.result;
    return numbers([
      ...this.keyNumbers(shown).map(({ label, value }) => [label, formatNumber(value)] as const),
      ...(closed ? [[words.numbers.closed, formatNumber(closed.objective)] as const] : []),
    ]);
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      slider('t', { label: words.t, symbol: 't' }),
      slider('lambda', { label: words.lambda, symbol: 'λ', log: true }),
      toggle('elsewhere', { label: words.elsewhere }),
      slider('gamma', { label: words.gamma, symbol: 'γ', log: true }),
      slider('rate', { label: words.rate }),
      choice('loss', { label: words.loss, options: words.losses }),
      seedKnob(),
    ];
  }

  protected override pictures() {
    return {
      function: (shown: Shown<StateOf<Table>, Answer>) => this.renderPicture_(shown, false),
    };
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    return this.renderPicture_(shown, true);
  }

  /** f, and below it the coefficients where they are wanted. */
  private renderPicture_(shown: Shown<StateOf<Table>, Answer>, withAlpha: boolean): unknown {
    const { dark } = this;
    const body = withAlpha ? this.body(shown) : this.function_(shown);
    const size: Plot = withAlpha
      ? { ...ABOVE, height: ABOVE.height + APART + BELOW.height }
      : ABOVE;
    const { closed, outside } = shown.result;
    const { lines } = words;
    return html`<div class="kernel-picture">
        ${unsafeHTML(svgOf(size, body, this.summary(shown)))}
      </div>
      ${key([
        { label: lines.now, color: colorAt(1, dark) },
        closed && { label: lines.closed, color: colorAt(3, dark), dashed: true },
        outside && { label: lines.outside, color: colorAt(4, dark) },
        this.ghost && { label: lines.before, color: paintOf(dark).muted, dashed: true },
      ])}`;
  }

  protected override caption({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const { lambda, gamma, loss } = values;
    return words.caption(
      POINTS,
      formatNumber(lambda),
      formatNumber(gamma),
      formatNumber(result.rate),
      words.losses[loss],
      values.seed,
    );
  }

  protected override data({
    result: { descent, closed },
  }: Shown<StateOf<Table>, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: Array.from(grid.data, (x, i) => [
        x,
        descent.predictions.data[i] ?? null,
        closed?.predictions.data[i] ?? null,
      ]),
    };
  }

  protected override svg(shown: Shown<StateOf<Table>, Answer>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    const height = ABOVE.height + APART + BELOW.height;
    return fileOf({ body: this.body(shown), width: ABOVE.width, height }, about, this.dark);
  }
}

/** The descent before its first step, from one that kept its start. */
function atStart(descent: FunctionalDescentLines): FunctionalDescentLines {
  const row = (matrix: Matrix): Matrix => ({
    rows: matrix.cols,
    cols: 1,
    data: matrix.data.slice(0, matrix.cols),
  });
  return {
    ...descent,
    alpha: row(descent.history),
    predictions: row(descent.lines),
    curve: descent.curve.slice(0, 1),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-function-descent': AttnFunctionDescent;
  }
}
