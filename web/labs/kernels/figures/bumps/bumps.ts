import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { KernelChoice } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { line } from '../../../../src/plot/svg.ts';
import { number, oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { type Grip, grips } from '../shared/grips.ts';
import { numbers } from '../shared/numbers.ts';
import {
  across,
  along,
  axes,
  curve,
  dot,
  type Plot,
  type Point,
  paintOf,
  placed,
  svgOf,
} from '../shared/plot.ts';
import { column, movedPoint, parsePoints, printPoints, unreadOf } from '../shared/points.ts';

const { bumps: words } = figureWords.now;

const START: readonly Point[] = [
  { x: -2, y: 1 },
  { x: -0.5, y: -1.2 },
  { x: 0.6, y: 1.5 },
  { x: 2.2, y: -0.7 },
];
const MOST = 8;
/** Where f and the second function have the same values. */
const PLACES = [-2.25, -0.75, 0.75, 2.25];

const table = {
  kernel: oneOf({
    key: 'k',
    values: ['rbf', 'laplacian', 'matern_32', 'matern_52'],
    default: 'rbf',
  }),
  width: number({ key: 'w', min: 0.1, max: 2, default: 0.7 }),
  at: number({ key: 'x', min: -3, max: 3, default: 1.2 }),
  show: oneOf({ key: 'g', values: ['none', 'least', 'wiggle'], default: 'none' }),
  bumps: text({ key: 'b', default: printPoints(START), maxLength: 200 }),
};
type Values = StateOf<typeof table>;

interface Answer {
  readonly bumps: readonly Point[];
  readonly xs: readonly number[];
  readonly f: Float32Array;
  readonly g: Float32Array | undefined;
  readonly value: number;
  readonly product: number;
  readonly squared: number;
  readonly secondSquared: number | undefined;
  /** Values of both at the marked places. */
  readonly marked: readonly (readonly [number, number | undefined])[];
}

const PLOT: Plot = { width: 680, height: 340, x: [-3.2, 3.2], y: [-2.5, 2.5] };

const kernelOf = ({ kernel, width }: Values): KernelChoice => {
  if (kernel === 'rbf') return { id: kernel, parameters: { gamma: 1 / (2 * width * width) } };
  if (kernel === 'laplacian') return { id: kernel, parameters: { gamma: 1 / width } };
  return { id: kernel, parameters: { length: width } };
};

/**
 * A function of the RKHS on a line: bumps that can be dragged, its norm, and its values as inner
 * products.
 *
 * @element attn-kernel-bumps
 */
@customElement('attn-kernel-bumps')
export class AttnKernelBumps extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['kernel', 'width', 'at'] as const;

  override get heading(): string {
    return words.heading;
  }

  private get bumps(): readonly Point[] {
    return parsePoints(this.values.bumps, START, MOST);
  }

  protected override unreadable({ bumps }: Values): readonly string[] {
    return unreadOf(bumps, MOST);
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const kernel = kernelOf(values);
    const bumps = parsePoints(values.bumps, START, MOST);
    const xs = along(PLOT.x, 241);
    const f = { x: column(bumps.map(({ x }) => x)), alpha: column(bumps.map(({ y }) => y)) };
    const read = column([values.at]);
    const [all, squared, product] = await Promise.all([
      client.rkhsValues({ kernel, ...f, z: column([...xs, values.at, ...PLACES]) }, { signal }),
      client.rkhsSquaredNorm({ kernel, ...f }, { signal }),
      client.rkhsInnerProduct({ kernel, ...f, y: read, beta: column([1]) }, { signal }),
    ]);
    const at = (from: Float32Array, i: number): number => from[xs.length + i] as number;
    const fAll = all.data;
    const base = {
      bumps,
      xs,
      f: fAll.subarray(0, xs.length),
      value: at(fAll, 0),
      product,
      squared,
    };
    if (values.show === 'none') {
      const marked = PLACES.map((_, i) => [at(fAll, 1 + i), undefined] as const);
      return { ...base, g: undefined, secondSquared: undefined, marked };
    }
    const second = await this.second(values, kernel, f, { signal });
    const [gAll, secondSquared] = await Promise.all([
      client.rkhsValues(
        { kernel, ...second, z: column([...xs, values.at, ...PLACES]) },
        { signal },
      ),
      client.rkhsSquaredNorm({ kernel, ...second }, { signal }),
    ]);
    return {
      ...base,
      g: gAll.data.subarray(0, xs.length),
      secondSquared,
      marked: PLACES.map((_, i) => [at(fAll, 1 + i), at(gAll.data, 1 + i)] as const),
    };
  }

  /** A function with the values of f at the marked places: the one of least norm, or one with more norm. */
  private async second(
    { show }: Values,
    kernel: KernelChoice,
    f: { readonly x: ReturnType<typeof column>; readonly alpha: ReturnType<typeof column> },
    { signal }: Pick<Ask, 'signal'>,
  ) {
    const { client } = this.tools;
    if (show === 'least') {
      const { inside } = await client.rkhsProjection(
        { kernel, ...f, z: column(PLACES) },
        { signal },
      );
      return { x: inside.points, alpha: inside.alpha };
    }
    // f at the marked places, and f + 1 between them: the function of least norm with these values
    // passes through all of them.
    const between = [-3, -1.5, 0, 1.5, 3];
    const z = column([...PLACES, ...between]);
    const values = await client.rkhsValues({ kernel, ...f, z }, { signal });
    const y = column(Array.from(values.data, (value, i) => value + (i < PLACES.length ? 0 : 1)));
    const made = await client.rkhsInterpolation({ kernel, z, y }, { signal });
    return { x: made.points, alpha: made.alpha };
  }

  private place_(bumps: readonly Point[], draft = false): void {
    this.set({ bumps: printPoints(bumps) }, { draft });
  }

  protected override renderKnobs(): unknown {
    return html`${this.choice('kernel', { label: words.kernel, options: words.kernels })}
    ${this.slider('width', { label: words.width, log: true })}
    ${this.slider('at', { label: words.at, symbol: 'x' })}
    ${this.choice('show', { label: words.show, options: words.shows })}
    ${this.knob('bumps', (disabled) => {
      const { bumps } = this;
      return html`<div class="kernel-buttons">
        <button
          class="button"
          type="button"
          ?disabled=${disabled || bumps.length >= MOST}
          @click=${() => this.place_([...bumps, { x: bumps.length % 2 === 0 ? 1.5 : -1.3, y: 1 }])}
        >
          ${words.add}
        </button>
        <button
          class="button"
          type="button"
          ?disabled=${disabled || bumps.length <= 1}
          @click=${() => this.place_(bumps.slice(0, -1))}
        >
          ${words.remove}
        </button>
      </div>`;
    })}`;
  }

  private body({ values, result }: Shown<Values, Answer>): string {
    const paint = paintOf(this.dark);
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const parts = [axes(PLOT, this.dark)];
    for (const { x, y } of result.bumps) {
      const [left, top] = placed(PLOT, { x, y });
      parts.push(line(left, placed(PLOT, { x, y: 0 })[1], left, top, paint.muted, { width: 2 }));
    }
    parts.push(
      line(across(PLOT, values.at), 8, across(PLOT, values.at), 332, paint.accent, { dash: '4 4' }),
    );
    if (result.g) parts.push(curve(PLOT, result.xs, result.g, colors[1] ?? '', { dash: '7 4' }));
    parts.push(curve(PLOT, result.xs, result.f, paint.accent, { width: 2.5 }));
    if (result.g) {
      result.marked.forEach(([y], i) => {
        parts.push(dot(placed(PLOT, { x: PLACES[i] as number, y }), 5, paint.ink, paint.paper));
      });
    }
    parts.push(
      dot(placed(PLOT, { x: values.at, y: result.value }), 6, paint.accent, paint.paper, 2),
    );
    for (const bump of result.bumps) {
      parts.push(dot(placed(PLOT, bump), 6, paint.paper, paint.ink, 2));
    }
    return parts.join('');
  }

  private verdict({ result }: Shown<Values, Answer>): string {
    const read = words.verdict(formatNumber(result.value), formatNumber(result.product));
    return result.secondSquared === undefined
      ? read
      : `${read} ${words.same(formatNumber(result.squared), formatNumber(result.secondSquared))}`;
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.verdict(shown);
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { result } = shown;
    const held: readonly Grip[] = this.bumps.map((bump, i) => ({
      ...bump,
      label: words.grip(i + 1, bump.x, bump.y),
    }));
    const rows: (readonly [string, string])[] = [
      [words.value, formatNumber(result.value)],
      [words.product, formatNumber(result.product)],
      [words.squared, formatNumber(result.squared)],
    ];
    if (result.secondSquared !== undefined) {
      const apart = Math.max(...result.marked.map(([f, g]) => Math.abs(f - (g ?? f))));
      rows.push([words.second, formatNumber(result.secondSquared)]);
      rows.push([words.apart, formatNumber(apart)]);
    }
    return html`<div class="kernel-picture">
        ${unsafeHTML(svgOf(PLOT, this.body(shown), this.verdict(shown)))}
        ${grips(PLOT, held, {
          move: (i, to, draft) => this.place_(movedPoint(this.bumps, i, to), draft),
          remove: (i) => {
            if (this.bumps.length > 1) this.place_(this.bumps.filter((_, at) => at !== i));
          },
        })}
      </div>
      ${numbers(rows)}
      <p class="verdict">${this.verdict(shown)}</p>`;
  }

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    return words.caption(
      words.kernels[values.kernel],
      formatNumber(values.width),
      result.bumps.length,
    );
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: result.xs.map((x, i) => [x, result.f[i] as number, result.g?.[i] ?? null]),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: this.body(shown), ...PLOT }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-bumps': AttnKernelBumps;
  }
}
