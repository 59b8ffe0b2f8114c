import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { KernelChoice, Matrix } from '#client';
import { colorAt } from '../../../../src/figures/chart.ts';
import { type Grip, grips } from '../../../../src/figures/kernel/grips.ts';
import { key } from '../../../../src/figures/kernel/key.ts';
import { column } from '../../../../src/figures/kernel/line-grid.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
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
} from '../../../../src/figures/kernel/plot.ts';
import {
  movedPoint,
  parsePoints,
  printPoints,
  unreadOf,
} from '../../../../src/figures/kernel/points.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, ownKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { line } from '../../../../src/plot/svg.ts';
import { number, oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { addAndRemove } from '../shared/buttons.ts';
import { FIRST_WIDTH, functionOf, MOST, PLACES, START, widthOf, wiggled } from './functions.ts';

const { bumps: words } = figureWords.now;

const table = {
  kernel: oneOf({
    key: 'k',
    values: ['rbf', 'laplacian', 'matern_32', 'matern_52'],
    default: 'rbf',
  }),
  width: number({ key: 'w', min: 0.1, max: 2, default: FIRST_WIDTH }),
  at: number({ key: 'x', min: -3, max: 3, default: 1.2 }),
  show: oneOf({ key: 'g', values: ['none', 'least', 'wiggle'], default: 'none' }),
  bumps: text({ key: 'b', default: printPoints(START), maxLength: 200 }),
};
type Values = StateOf<typeof table>;

interface Answer {
  readonly bumps: readonly Point[];
  readonly xs: readonly number[];
  readonly f: Float32Array;
  /** Each bump by itself, α_i k(x_i, ·). */
  readonly parts: readonly Float32Array[];
  readonly g: Float32Array | undefined;
  readonly value: number;
  readonly product: number;
  readonly squared: number;
  readonly secondSquared: number | undefined;
  /** Values of both at the marked places. */
  readonly marked: readonly (readonly [number, number | undefined])[];
}

const PLOT: Plot = { width: 680, height: 340, x: [-3.2, 3.2], y: [-2.5, 2.5] };

const kernelOf = ({ kernel, width }: Values): KernelChoice => widthOf(kernel, width);

/**
 * A function of the RKHS on a line: bumps that can be dragged, its norm, and its values as inner
 * products.
 *
 * @element attn-kernel-bumps
 */
@customElement('attn-kernel-bumps')
export class AttnKernelBumps extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['width', 'at'] as const;

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
    const f = functionOf(bumps);
    const read = column([values.at]);
    const [all, squared, product, parts] = await Promise.all([
      client.rkhsValues({ kernel, ...f, z: column([...xs, values.at, ...PLACES]) }, { signal }),
      client.rkhsSquaredNorm({ kernel, ...f }, { signal }),
      client.rkhsInnerProduct({ kernel, ...f, y: read, beta: column([1]) }, { signal }),
      Promise.all(
        bumps.map(({ x, y }) =>
          client.rkhsValues(
            { kernel, x: column([x]), alpha: column([y]), z: column(xs) },
            { signal },
          ),
        ),
      ),
    ]);
    const at = (from: Float32Array, i: number): number => from[xs.length + i] as number;
    const fAll = all.data;
    const base = {
      bumps,
      xs,
      parts: parts.map(({ data }) => data),
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
    f: { readonly x: Matrix; readonly alpha: Matrix },
    { signal }: Pick<Ask, 'signal'>,
  ) {
    const { client } = this.tools;
    if (show === 'wiggle') return wiggled(client, kernel, f, { signal });
    const { inside } = await client.rkhsProjection({ kernel, ...f, z: column(PLACES) }, { signal });
    return { x: inside.points, alpha: inside.alpha };
  }

  private place_(bumps: readonly Point[], draft = false): void {
    this.set({ bumps: printPoints(bumps) }, { draft });
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('kernel', { label: words.kernel, options: words.kernels, list: true }),
      slider('width', { label: words.width, log: true }),
      slider('at', { label: words.at, symbol: 'x' }),
      choice('show', { label: words.show, options: words.shows, list: true }),
      ownKnob('bumps', {
        label: words.bumps,
        say: () => '',
        draw: ({ disabled }) => {
          const { bumps } = this;
          return html`<div class="kernel-buttons">
            ${addAndRemove({
              ...{ count: bumps.length, most: MOST, disabled, words },
              add: () => this.place_([...bumps, { x: bumps.length % 2 === 0 ? 1.5 : -1.3, y: 1 }]),
              remove: () => this.place_(bumps.slice(0, -1)),
            })}
          </div>`;
        },
      }),
    ];
  }

  private body({ values, result }: Shown<Values, Answer>): string {
    const paint = paintOf(this.dark);
    const parts = [axes(PLOT, this.dark)];
    for (const part of result.parts) {
      parts.push(curve(PLOT, result.xs, part, colorAt(4, this.dark), { width: 1 }));
    }
    const before = this.ghost?.result;
    if (before) {
      parts.push(curve(PLOT, before.xs, before.f, paint.muted, { width: 1.5, dash: '3 4' }));
    }
    for (const { x, y } of result.bumps) {
      const [left, top] = placed(PLOT, { x, y });
      parts.push(line(left, placed(PLOT, { x, y: 0 })[1], left, top, paint.muted, { width: 2 }));
    }
    parts.push(
      line(across(PLOT, values.at), 8, across(PLOT, values.at), 332, paint.accent, { dash: '4 4' }),
    );
    if (result.g) {
      parts.push(curve(PLOT, result.xs, result.g, colorAt(1, this.dark), { dash: '7 4' }));
    }
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

  protected override resultLine({ result }: Shown<Values, Answer>): string {
    return result.secondSquared === undefined
      ? words.verdict(formatNumber(result.value), formatNumber(result.product))
      : words.same(formatNumber(result.squared), formatNumber(result.secondSquared));
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, Answer>): readonly KeyNumber[] {
    const { value, squared, secondSquared } = result;
    return [
      { label: words.value, value },
      { label: words.squared, value: squared },
      ...(secondSquared === undefined ? [] : [{ label: words.second, value: secondSquared }]),
    ];
  }

  /** A second function is spoken of beside the first. */
  protected override difference(before: Shown<Values, Answer>, now: Shown<Values, Answer>): string {
    return now.result.secondSquared === undefined
      ? super.difference(before, now)
      : this.resultLine(now);
  }

  protected override renderDetails({ result }: Shown<Values, Answer>): unknown {
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
    return numbers(rows);
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const held: readonly Grip[] = this.bumps.map((bump, i) => ({
      ...bump,
      label: words.grip(i + 1, bump.x, bump.y),
    }));
    const paint = paintOf(this.dark);
    return html`<div class="kernel-picture">
        ${unsafeHTML(svgOf(PLOT, this.body(shown), this.summary(shown)))}
        ${grips(PLOT, held, {
          move: (i, to, draft) => this.place_(movedPoint(this.bumps, i, to), draft),
          remove: (i) => {
            if (this.bumps.length > 1) this.place_(this.bumps.filter((_, at) => at !== i));
          },
        })}
      </div>
      ${key([
        { label: words.lines.f, color: paint.accent },
        { label: words.lines.part, color: colorAt(4, this.dark) },
        shown.result.g && { label: words.lines.g, color: colorAt(1, this.dark), dashed: true },
        this.ghost && { label: words.lines.before, color: paint.muted, dashed: true },
      ])}`;
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
