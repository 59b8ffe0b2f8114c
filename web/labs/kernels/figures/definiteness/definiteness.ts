import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { DefinitenessReport, KernelDescription, Matrix } from '#client';
import { cells } from '../../../../src/figures/kernel/cells.ts';
import { type Grip, grips } from '../../../../src/figures/kernel/grips.ts';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import {
  axes,
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
  planeMatrix,
  printPoints,
  unreadOf,
} from '../../../../src/figures/kernel/points.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, ownKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { ColorScale } from '../../../../src/plot/color.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { line, type Place, round, text as written } from '../../../../src/plot/svg.ts';
import { oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { addAndRemove } from '../shared/buttons.ts';
import { type Offered, offered, offeredIds } from '../shared/kernels.ts';

const { definiteness: words } = figureWords.now;

const START: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 2, y: 0.5 },
  { x: 2.6, y: -0.8 },
  { x: -1, y: 0.4 },
];
const MOST = 10;

const table = {
  kernel: oneOf<Offered>({ key: 'k', values: offeredIds, default: 'sigmoid' }),
  points: text({ key: 'p', default: printPoints(START), maxLength: 200 }),
};
type Values = StateOf<typeof table>;

interface Answer {
  readonly points: readonly Point[];
  readonly gram: Matrix;
  readonly report: DefinitenessReport;
  readonly known: KernelDescription;
}

const PLANE: Plot = { width: 340, height: 340, x: [-3, 3], y: [-3, 3] };
const GRAM = { width: 340, height: 340 };
const BARS = { width: 700, height: 120 };
/** The radius of a dot while there is no witness. Points nearer than this are read as one. */
const DOT = 6;

/** Which points lie on each other as they are drawn, counted from 1: the groups of two and more. */
export function heaps(places: readonly Place[]): readonly (readonly number[])[] {
  const found: number[][] = [];
  places.forEach(([x, y], i) => {
    const near = (at: number): boolean => {
      const [otherX = 0, otherY = 0] = places[at - 1] ?? [];
      return Math.hypot(x - otherX, y - otherY) < DOT;
    };
    const heap = found.find((points) => points.some(near));
    if (heap) heap.push(i + 1);
    else found.push([i + 1]);
  });
  return found.filter(({ length }) => length > 1);
}

/**
 * Points of the plane, the Gram matrix of a function of two points, its eigenvalues, and the witness
 * where it is no kernel.
 *
 * @element attn-kernel-definiteness
 */
@customElement('attn-kernel-definiteness')
export class AttnKernelDefiniteness extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['kernel', 'points'] as const;

  @state() private searched = '';

  override get heading(): string {
    return words.heading;
  }

  private get points(): readonly Point[] {
    return parsePoints(this.values.points, START, MOST);
  }

  protected override unreadable({ points }: Values): readonly string[] {
    return unreadOf(points, MOST);
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Answer> {
    const { client } = this.tools;
    const kernel = offered[values.kernel];
    const points = parsePoints(values.points, START, MOST);
    const x = planeMatrix(points);
    const [gram, report, known] = await Promise.all([
      client.kernelGram({ kernel, x }, { signal }),
      client.checkDefiniteness({ kernel, x }, { signal }),
      client.describeKernel({ kernel }, { signal }),
    ]);
    return { points, gram, report, known };
  }

  private place_(points: readonly Point[], draft = false): void {
    this.searched = '';
    this.set({ points: printPoints(points) }, { draft });
  }

  private search(): void {
    void this.asking(0, async ({ signal, onProgress }) => {
      const made = await this.tools.client.witnessSearch(
        { kernel: offered[this.values.kernel], points: Math.max(2, this.points.length), d: 2 },
        { signal, onProgress },
      );
      if (signal.aborted) return;
      const { data, rows } = made.points;
      const points = Array.from({ length: rows }, (_, i) => ({
        x: data[2 * i] as number,
        y: data[2 * i + 1] as number,
      }));
      this.set({ points: printPoints(points) });
      this.searched = words.searched(made.tried, !made.report.positiveSemidefinite);
    });
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('kernel', { label: words.kernel, options: words.kernels, list: true }),
      ownKnob('points', {
        label: words.points,
        say: () => '',
        draw: ({ disabled }) => {
          const { points } = this;
          return html`<div class="kernel-buttons">
            ${addAndRemove({
              ...{ count: points.length, most: MOST, disabled, words },
              add: () => this.place_([...points, { x: 0, y: (points.length % 5) / 2 - 1 }]),
              remove: () => this.place_(points.slice(0, -1)),
            })}
            <button class="button" type="button" ?disabled=${disabled} @click=${() => this.search()}>
              ${words.search}
            </button>
          </div>`;
        },
      }),
    ];
  }

  private plane({ points, report }: Answer): string {
    const paint = paintOf(this.dark);
    const parts = [axes(PLANE, this.dark)];
    points.forEach((point, i) => {
      const weight = report.witness[i] ?? 0;
      const radius = report.witness.length > 0 ? 3 + 17 * Math.sqrt(Math.abs(weight)) : DOT;
      const filled = weight > 0 || report.witness.length === 0;
      parts.push(
        dot(placed(PLANE, point), radius, filled ? paint.accent : paint.paper, paint.accent, 2),
        written(...placed(PLANE, point), String(i + 1), filled ? paint.paper : paint.ink, {
          anchor: 'middle',
          size: 11,
        }).replace('<text', '<text dy="4"'),
      );
    });
    return parts.join('');
  }

  private gramBody({ gram }: Answer): string {
    const high = gram.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    const scale: ColorScale = {
      ...{ kind: 'diverging', low: -high, high, tone: 'linear' },
      ...{ overLow: false, overHigh: false },
    };
    const before = this.ghost?.result.gram;
    return cells(gram, { side: GRAM.width, scale, dark: this.dark, before });
  }

  private bars({ report }: Answer): string {
    const paint = paintOf(this.dark);
    const values = Array.from(report.eigenvalues);
    const were = Array.from(this.ghost?.result.report.eigenvalues ?? []);
    const [low, high] = [Math.min(0, ...values, ...were), Math.max(0, ...values, ...were)];
    const y = (value: number): number =>
      22 + ((high - value) / (high - low || 1)) * (BARS.height - 46);
    const each = Math.min(110, (BARS.width - 8) / values.length);
    const bars = values.map((value, i) => {
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
      const negative = value < -report.tolerance * Math.max(high, -low);
      const fill = negative ? paint.ink : paint.accent;
      const at = value < 0 ? bottom + 15 : top - 6;
      return `<rect x="${round(8 + i * each)}" y="${round(top)}" width="${round(each * 0.7)}" height="${round(Math.max(1, bottom - top))}" fill="${fill}"/>${written(8 + i * each + each * 0.35, at, formatNumber(value, 3), paint.ink, { anchor: 'middle', size: 14, kind: 'ink' })}`;
    });
    const ghosts = were.map((value, i) => {
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
      return `<rect class="before" x="${round(8 + i * each)}" y="${round(top)}" width="${round(each * 0.7)}" height="${round(Math.max(1, bottom - top))}" fill="none" stroke="${paint.muted}" stroke-dasharray="3 3"/>`;
    });
    return `${bars.join('')}${ghosts.join('')}${line(4, y(0), BARS.width - 4, y(0), paint.muted)}`;
  }

  protected override resultLine({ result: { report } }: Shown<Values, Answer>): string {
    const [smallest = 0] = report.eigenvalues;
    const written = formatNumber(smallest, 3);
    if (!report.positiveSemidefinite) return words.witness(formatNumber(report.form, 3), written);
    const bound = report.tolerance * Math.max(...report.eigenvalues.map(Math.abs));
    return smallest !== 0 && Math.abs(smallest) <= bound
      ? words.rounding(written, formatNumber(bound, 3), formatTick(report.tolerance))
      : words.none(written);
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    result: { report },
  }: Shown<Values, Answer>): readonly KeyNumber[] {
    return [
      { label: words.smallest, value: report.eigenvalues[0] ?? 0 },
      { label: words.largest, value: report.eigenvalues.at(-1) ?? 0 },
    ];
  }

  protected override renderDetails({ result }: Shown<Values, Answer>): unknown {
    const { report, known } = result;
    const heaped = heaps(result.points.map((point) => placed(PLANE, point)));
    return html`${numbers(
      Array.from(report.eigenvalues, (value, i) => [words.eigenvalue(i + 1), formatNumber(value)]),
    )}
      <p class="fine">${words.known[known.definiteness]}</p>
      ${report.witness.length > 0 ? html`<p class="fine">${words.weights}</p>` : nothing}
      ${heaped.length > 0 ? html`<p class="fine">${words.heaped(heaped)}</p>` : nothing}
      <p class="fine" role="status">${this.searched}</p>`;
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { gram: words.gram, eigen: words.eigen };
  }

  protected override pictures() {
    return {
      gram: ({ result }: Shown<Values, Answer>) => this.renderGram(result),
      eigen: ({ result }: Shown<Values, Answer>) => this.renderEigen(result),
    };
  }

  private renderGram(result: Answer): unknown {
    return html`<div class="kernel-picture" data-square>
      ${unsafeHTML(svgOf({ ...PLANE, ...GRAM }, this.gramBody(result), words.gram))}
    </div>`;
  }

  private renderEigen(result: Answer): unknown {
    const said = Array.from(result.report.eigenvalues, (value) => formatNumber(value, 3));
    return html`<div class="kernel-picture kernel-strip">
      ${unsafeHTML(
        svgOf({ ...PLANE, ...BARS }, this.bars(result), `${words.eigen}: ${said.join(', ')}`),
      )}
    </div>`;
  }

  protected override renderResult({ result }: Shown<Values, Answer>): unknown {
    const { report } = result;
    // The grips follow the hand; the picture below them follows when the core has answered.
    const held: readonly Grip[] = this.points.map((point, i) => ({
      ...point,
      label: words.point(
        i + 1,
        point.x,
        point.y,
        report.witness.length > 0 ? formatNumber(report.witness[i] ?? 0, 2) : '',
      ),
    }));
    return html`<div class="kernel-row">
        <div class="kernel-picture" data-square>
          ${unsafeHTML(svgOf(PLANE, this.plane(result), words.points))}
          ${grips(PLANE, held, {
            move: (i, to, draft) => this.place_(movedPoint(this.points, i, to), draft),
            remove: (i) => {
              if (this.points.length > 1) this.place_(this.points.filter((_, at) => at !== i));
            },
          })}
        </div>
        <div class="second">${this.renderGram(result)}</div>
      </div>
      <p class="kernel-label">${words.eigen}</p>
      ${this.renderEigen(result)}`;
  }

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    return words.caption(words.kernels[values.kernel], result.points.length);
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: result.points.map(({ x, y }, i) => [
        x,
        y,
        result.report.witness[i] ?? null,
        result.report.eigenvalues[i] ?? null,
      ]),
      matrices: { gram: result.gram },
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    const { result } = shown;
    const body = `${this.plane(result)}<g transform="translate(360 0)">${this.gramBody(result)}</g><g transform="translate(0 360)">${this.bars(result)}</g>`;
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body, width: 700, height: 360 + BARS.height }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-definiteness': AttnKernelDefiniteness;
  }
}
