import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { FunctionalDescentLines, KernelRidgePredictions, LinePoints, Matrix } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { boolean, integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import { column, lineGrid } from '../line-grid.ts';

const { descent: words } = learningWords.now;

const table = {
  t: integer({ key: 't', min: 0, max: 400, default: 12 }),
  lambda: number({ key: 'lambda', min: 1e-5, max: 10, default: 0.01 }),
  gamma: number({ key: 'gamma', min: 0.1, max: 50, default: 4 }),
  elsewhere: boolean({ key: 'elsewhere', default: false }),
  loss: oneOf({ key: 'loss', values: ['squared', 'absolute'], default: 'squared' }),
  rate: number({ key: 'rate', min: 0.01, max: 1.2, default: 0.5 }),
  seed: seed(),
};
type Table = typeof table;

interface Answer {
  readonly data: LinePoints;
  readonly descent: FunctionalDescentLines;
  readonly closed: KernelRidgePredictions | undefined;
  readonly rate: number;
}

const POINTS = 12;
/** Where the bump without a data point begins, and how high it is. */
const ELSEWHERE = { at: 3.4, height: 1.5 };
/** The absolute loss has no curvature that would bound its rate; this is the unit of the knob then. */
const ABSOLUTE_RATE = 0.5;
const grid = lineGrid(-4, 4, 161);

/**
 * Gradient descent in an RKHS beside the closed form.
 *
 * @element attn-function-descent
 */
@customElement('attn-function-descent')
export class AttnFunctionDescent extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['t', 'lambda', 'elsewhere'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

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
    const start = new Float32Array(POINTS + 1);
    start[POINTS] = ELSEWHERE.height;
    const given = {
      ...{ x: data.x, y: data.y, kernel, loss, lambda, z: grid },
      ...(values.elsewhere ? { elsewhere: column([ELSEWHERE.at]), start: column(start) } : {}),
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
    return { data, descent: t === 0 ? atStart(descent) : descent, closed, rate };
  }

  private series({ result }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const { data, descent, closed } = result;
    const along = (values: Matrix) =>
      Array.from(grid.data, (x, i) => chartPoint(x, values.data[i] ?? Number.NaN));
    const series: Series[] = [
      {
        ...{ id: 'now', label: words.lines.now, color: colors[1] ?? '', mark: 'circle' },
        ...{ bare: true, width: 2.5, points: along(descent.predictions) },
      },
      {
        ...{ id: 'data', label: words.lines.data, color: colors[0] ?? '', mark: 'circle' },
        ...{ line: 'none', unnamed: true },
        points: Array.from(data.x.data, (x, i) => chartPoint(x, data.y.data[i] ?? 0)),
      },
    ];
    if (closed) {
      series.push({
        ...{ id: 'closed', label: words.lines.closed, color: colors[3] ?? '', mark: 'square' },
        ...{ bare: true, model: true, points: along(closed.predictions) },
      });
    }
    return series;
  }

  /** α of each point, and where there is one, that of the bump elsewhere. */
  private coefficients({ result, values }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const { data, descent, closed } = result;
    const at = values.elsewhere ? [...data.x.data, ELSEWHERE.at] : [...data.x.data];
    const series: Series[] = [
      {
        ...{ id: 'own', label: words.lines.own, color: colors[1] ?? '', mark: 'circle' },
        ...{ line: 'none' },
        points: at.map((x, i) => chartPoint(x, descent.alpha.data[i] ?? 0)),
      },
    ];
    if (closed) {
      series.push({
        ...{ id: 'closed', label: words.lines.ownClosed, color: colors[3] ?? '', mark: 'square' },
        ...{ hollow: true, line: 'none' },
        points: Array.from(data.x.data, (x, i) => chartPoint(x, closed.alpha.data[i] ?? 0)),
      });
    }
    return series;
  }

  private verdict({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const { descent, closed } = result;
    const now = descent.curve.at(-1);
    const [begin] = descent.curve;
    if (!now || !begin) return '';
    const { t } = values;
    const parts = [
      closed
        ? words.verdict(t, formatNumber(now.objective), formatNumber(closed.objective))
        : words.noClosed(t, formatNumber(now.objective)),
      words.norm(formatNumber(now.loss), formatNumber(now.normSquared)),
      values.elsewhere
        ? words.orthogonal(
            formatNumber(begin.orthogonalSquared),
            formatNumber(now.orthogonalSquared),
          )
        : words.inside(POINTS),
    ];
    if (descent.curve.length < t + 1) parts.push(words.diverged);
    return parts.join(' ');
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.verdict(shown).replaceAll('*', '');
  }

  protected override renderKnobs(): unknown {
    return html`${this.slider('t', { label: words.t, symbol: 't' })}
      ${this.slider('lambda', { label: words.lambda, symbol: 'λ', log: true })}
      ${this.toggle('elsewhere', { label: words.elsewhere })}
      ${this.slider('gamma', { label: words.gamma, symbol: 'γ', log: true })}
      ${this.slider('rate', { label: words.rate })}
      ${this.choice('loss', { label: words.loss, options: words.losses })}
      ${this.seed()}`;
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    return html`<div class="learning-pair"><attn-line-chart
        .level=${4}
        .series=${this.series(shown)}
        .x=${{ linear: true, low: -4, high: 4 }}
        .y=${{ linear: true }}
        .xLabel=${words.x}
        .yLabel=${words.y}
        .summary=${this.summary(shown)}
      ></attn-line-chart>
      <attn-line-chart
        .level=${4}
        .heading=${words.coefficients}
        .series=${this.coefficients(shown)}
        .levels=${[{ y: 0, label: '' }]}
        .x=${{ linear: true, low: -4, high: 4 }}
        .y=${{ linear: true }}
        .xLabel=${words.x}
        .yLabel=${words.alpha}
      ></attn-line-chart></div>
      <p class="verdict">${rich(this.verdict(shown))}</p>`;
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
    return this.chart.svg(this.fullCaption(shown), this.heading);
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
