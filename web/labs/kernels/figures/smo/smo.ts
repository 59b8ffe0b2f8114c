import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { KernelRidgePredictions, SupportVectorSurface } from '#client';
import { chart, colorAt, lineBefore } from '../../../../src/figures/chart.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { text } from '../../../../src/plot/svg.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { learningWords } from '../../words/learning-figures.ts';
import {
  borderOf,
  linesOf,
  pointMark,
  SIDE,
  surfaceRectangles,
  type Theme,
  toPicture,
} from '../plane/draw-plane.ts';
import { gridOf, labelsOf, matrixOf, type PlanePoint, pointsFrom } from '../plane/points.ts';
import { surface } from '../plane/surface.ts';

const { smo: words } = learningWords.now;

const table = {
  t: integer({ key: 't', min: 0, max: 400, default: 6 }),
  show: oneOf({ key: 'loss', values: ['hinge', 'squared'], default: 'hinge' }),
  c: number({ key: 'C', min: 0.01, max: 100, default: 2 }),
  gamma: number({ key: 'gamma', min: 0.05, max: 20, default: 1 }),
  pattern: oneOf({ key: 'pattern', values: ['moons', 'xor', 'rings', 'blobs'], default: 'moons' }),
  noise: number({ key: 'noise', min: 0, max: 1, default: 0.3 }),
  seed: seed(),
};
type Table = typeof table;

interface Answer {
  readonly points: readonly PlanePoint[];
  /** The machine at its end, with every step. */
  readonly whole: SupportVectorSurface;
  /** After the steps of the knob. */
  readonly now: SupportVectorSurface;
  readonly ridge: KernelRidgePredictions | undefined;
}

const POINTS = 40;
const GRID = 80;
const TOLERANCE = 1e-3;
/** From the middle of a point to its number, beyond its thick ring; as much is kept free at the picture's edge. */
const NUMBER_AWAY = 21;

/**
 * SMO step by step: the pair, the α, the gap; and ridge regression on the same labels.
 *
 * @element attn-smo-steps
 */
@customElement('attn-smo-steps')
export class AttnSmoSteps extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['t', 'c'] as const;
  private readonly grid = gridOf(GRID);

  protected override get wordsLang(): 'en' | undefined {
    return learningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  private get theme(): Theme {
    return this.dark ? 'dark' : 'light';
  }

  protected override async compute(values: StateOf<Table>, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { pattern, noise, seed: from, c, gamma, t, show } = values;
    const made = await client.planePoints({ pattern, n: POINTS, noise, seed: from }, { signal });
    const points = pointsFrom(made.x, made.y);
    const given = {
      x: matrixOf(points),
      y: labelsOf(points),
      kernel: { id: 'rbf', parameters: { gamma } },
    };
    const machine = { ...given, c, tolerance: TOLERANCE };
    const whole = await client.supportVectorClassification({ ...machine, trace: true }, { signal });
    const now = await client.supportVectorClassification(
      { ...machine, maxSteps: t, trace: true, z: this.grid },
      { signal },
    );
    // ½‖w‖² + C·Σξ² is C·(Σξ² + λ‖w‖²) for λ = 1/(2C).
    const ridge =
      show === 'squared'
        ? await client.kernelRidge(
            { ...given, lambda: 1 / (2 * c), scaling: 'sum', z: this.grid },
            { signal },
          )
        : undefined;
    return { points, whole, now, ridge };
  }

  private valuesOf({ now, ridge }: Answer): Float32Array {
    return (ridge ?? now).predictions.data;
  }

  /** The weight of each point: α, or the size of ridge regression's coefficient. */
  private weights({ now, ridge }: Answer): readonly number[] {
    return ridge ? Array.from(ridge.alpha.data, Math.abs) : [...now.alpha.data];
  }

  private inside({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const pair = this.pairOf(result);
    const weights = this.weights(result);
    const marks = result.points.map((point, i) => {
      const weight = weights[i] ?? 0;
      const bounded = !result.ridge && weight >= Math.fround(values.c);
      const marked = pair.includes(i);
      return pointMark(point, { kept: weight > 0, bounded, marked }, this.theme);
    });
    const numbers = this.numbers(pair, result.points);
    const before = this.ghost ? borderOf(this.valuesOf(this.ghost.result), this.theme) : '';
    return before + linesOf(this.valuesOf(result), this.theme) + marks.join('') + numbers;
  }

  /** The two points of the last step, and before the first step those that it will take. */
  private pairOf({ whole, now, ridge }: Answer): readonly number[] {
    const step = ridge ? undefined : (now.trace.at(-1) ?? whole.trace[0]);
    return step ? [step.i, step.j] : [];
  }

  /** The number of the left point stands on its left and that of the right one on its right, so they never meet. */
  private numbers(pair: readonly number[], points: readonly PlanePoint[]): string {
    const { ink, paper } = paints[this.theme];
    const fromLeft = [...pair].sort((a, b) => (points[a]?.x ?? 0) - (points[b]?.x ?? 0));
    return fromLeft
      .map((i, at) => {
        const { x, y } = points[i] as PlanePoint;
        const place = toPicture(x) + (at === 0 ? -NUMBER_AWAY : NUMBER_AWAY);
        const within = Math.max(NUMBER_AWAY, Math.min(SIDE - NUMBER_AWAY, place));
        const look = { anchor: at === 0 ? 'end' : 'start', size: 16, weight: '650', halo: paper };
        return text(within, toPicture(-y) + 5, String(i + 1), ink, { ...look, kind: 'ink' });
      })
      .join('');
  }

  private alphas(shown: Shown<StateOf<Table>, Answer>): readonly Series[] {
    const { dark, ghost } = this;
    const sorted = (of: Answer) =>
      [...this.weights(of)].sort((a, b) => b - a).map((alpha, i) => chartPoint(i + 1, alpha));
    return [
      ...(ghost ? [lineBefore('alpha', sorted(ghost.result), dark)] : []),
      {
        ...{ id: 'alpha', label: this.sizeName(shown), color: colorAt(1, dark), mark: 'circle' },
        ...{ line: 'none', unnamed: true },
        points: sorted(shown.result),
      },
    ];
  }

  /** Of ridge regression α may be negative, and its size is drawn. */
  private sizeName({ result }: Shown<StateOf<Table>, Answer>): string {
    return result.ridge ? words.size : words.alpha;
  }

  private gaps({ result: { whole } }: Shown<StateOf<Table>, Answer>): readonly Series[] {
    return [
      {
        ...{ id: 'gap', label: words.gap, color: colorAt(3, this.dark), mark: 'circle' },
        ...{ bare: true, unnamed: true },
        points: [...whole.trace.map(({ gap }) => gap), whole.gap].map((gap, step) =>
          chartPoint(step, gap),
        ),
      },
    ];
  }

  protected override resultLine({ values, result }: Shown<StateOf<Table>, Answer>): string {
    const { points, whole, now, ridge } = result;
    if (ridge) {
      return words.squared(points.length, formatNumber(Math.min(...this.weights(result))));
    }
    if (now.converged) {
      return words.done(now.steps, now.supportVectors, points.length, now.bounded);
    }
    const last = now.trace.at(-1);
    const [first] = whole.trace;
    const gap = formatNumber(now.gap);
    if (values.t === table.t.max) return words.unfinished(values.t, gap, formatNumber(TOLERANCE));
    if (last && values.t > 0) {
      return words.next(values.t, last.i + 1, last.j + 1, formatNumber(last.gain), gap);
    }
    return first ? words.start(first.i + 1, first.j + 1) : '';
  }

  protected override summary(shown: Shown<StateOf<Table>, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    result: { points, now, ridge },
  }: Shown<StateOf<Table>, Answer>): readonly KeyNumber[] {
    const kept = ridge ? points.length : now.supportVectors;
    return [
      { label: words.numbers.kept, value: kept, text: words.of(kept, points.length) },
      ...(ridge
        ? []
        : [
            { label: words.numbers.bounded, value: now.bounded, text: String(now.bounded) },
            { label: words.gap, value: now.gap },
          ]),
    ];
  }

  protected override renderDetails(shown: Shown<StateOf<Table>, Answer>): unknown {
    return numbers(
      this.keyNumbers(shown).map(({ label, value, text = formatNumber(value) }) => [label, text]),
    );
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      // The squared loss is solved at once.
      slider('t', { label: words.t, symbol: 't' }, { when: this.values.show !== 'squared' }),
      slider('c', { label: words.c, symbol: 'C', log: true }),
      choice('show', { label: words.show, options: words.shows, list: true }),
      slider('gamma', { label: words.gamma, symbol: 'γ', log: true }),
      choice('pattern', { label: words.pattern, options: words.patterns }),
      slider('noise', { label: words.noise }),
      seedKnob(),
    ];
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { alpha: words.alphaTitle, gap: words.gapTitle };
  }

  protected override pictures() {
    return {
      alpha: (shown: Shown<StateOf<Table>, Answer>) => this.renderAlpha(shown),
      gap: (shown: Shown<StateOf<Table>, Answer>) => this.renderGap(shown),
    };
  }

  private renderAlpha(shown: Shown<StateOf<Table>, Answer>): unknown {
    const { values, result } = shown;
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.alphas(shown),
      levels: result.ridge ? [] : [{ y: values.c, label: words.bound, dashed: true }],
      x: { linear: true, low: 0, high: POINTS + 1 },
      y: { linear: true, low: 0 },
      ...{ xLabel: words.rank, yLabel: this.sizeName(shown), summary: this.summary(shown) },
    }));
  }

  private renderGap(shown: Shown<StateOf<Table>, Answer>): unknown {
    const { steps } = shown.result.now;
    return chart([shown, this.ghost, this.dark], () => ({
      series: this.gaps(shown),
      markers: [{ x: steps, label: `t = ${steps}`, strong: true }],
      levels: [{ y: TOLERANCE, label: words.tolerance, dashed: true }],
      x: { linear: true, low: 0 },
      ...{ xLabel: words.step, yLabel: words.gap, summary: this.summary(shown) },
    }));
  }

  protected override renderResult(shown: Shown<StateOf<Table>, Answer>): unknown {
    return html`<div class="plane" data-square>
      ${surface(this.valuesOf(shown.result), GRID, this.theme)}
      <svg viewBox="0 0 ${SIDE} ${SIDE}" role="img" aria-label=${words.alt}>
        ${unsafeSVG(this.inside(shown))}
      </svg>
    </div>`;
  }

  protected override caption({ values }: Shown<StateOf<Table>, Answer>): string {
    const { c, gamma, pattern, seed: from } = values;
    return words.caption(
      POINTS,
      formatNumber(c),
      formatNumber(gamma),
      words.patterns[pattern],
      from,
      formatNumber(TOLERANCE),
    );
  }

  protected override data({ result }: Shown<StateOf<Table>, Answer>): FigureData {
    const weights = this.weights(result);
    const values = result.ridge ? result.ridge.fitted : result.now.decision;
    return {
      columns: words.columns,
      rows: result.points.map(({ x, y, label }, i) => [
        i + 1,
        x,
        y,
        label,
        weights[i] ?? null,
        values.data[i] ?? null,
      ]),
    };
  }

  protected override async svg(shown: Shown<StateOf<Table>, Answer>): Promise<string> {
    const { fileOf } = await import('../../../../src/plot/picture-file.ts');
    const body = surfaceRectangles(this.valuesOf(shown.result), this.theme) + this.inside(shown);
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body, width: SIDE, height: SIDE }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-smo-steps': AttnSmoSteps;
  }
}
