import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { DefinitenessReport, KernelDescription, Matrix } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { type ColorScale, colorOf, inkOn } from '../../../../src/plot/color.ts';
import { formatNumber, formatShort, formatTick } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { escapeXml, line, type Place, round, text as written } from '../../../../src/plot/svg.ts';
import { oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { type Grip, grips } from '../shared/grips.ts';
import { type Offered, offered, offeredIds } from '../shared/kernels.ts';
import { axes, dot, type Plot, type Point, paintOf, placed, svgOf } from '../shared/plot.ts';
import { movedPoint, parsePoints, planeMatrix, printPoints, unreadOf } from '../shared/points.ts';

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
const BARS = { width: 700, height: 170 };
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

  protected override renderKnobs(): unknown {
    return html`${this.choice('kernel', { label: words.kernel, options: words.kernels, list: true })}
    ${this.knob('points', (disabled) => {
      const { points } = this;
      return html`<div class="kernel-buttons">
        <button
          class="button"
          type="button"
          ?disabled=${disabled || points.length >= MOST}
          @click=${() => this.place_([...points, { x: 0, y: (points.length % 5) / 2 - 1 }])}
        >
          ${words.add}
        </button>
        <button
          class="button"
          type="button"
          ?disabled=${disabled || points.length <= 1}
          @click=${() => this.place_(points.slice(0, -1))}
        >
          ${words.remove}
        </button>
        <button class="button" type="button" ?disabled=${disabled} @click=${() => this.search()}>
          ${words.search}
        </button>
      </div>`;
    })}`;
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
    const n = gram.rows;
    const cell = GRAM.width / n;
    const high = gram.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    const scale: ColorScale = {
      ...{ kind: 'diverging', low: -high, high, tone: 'linear' },
      ...{ overLow: false, overHigh: false },
    };
    return Array.from(gram.data, (value, at) => {
      const [x, y] = [(at % n) * cell, Math.floor(at / n) * cell];
      const fill = colorOf(scale, value, this.dark);
      const size = Math.min(14, cell / 3.2);
      return `<rect x="${round(x + 1)}" y="${round(y + 1)}" width="${round(cell - 2)}" height="${round(cell - 2)}" rx="2" fill="rgb(${fill.join(',')})"/><text x="${round(x + cell / 2)}" y="${round(y + cell / 2 + size / 3)}" text-anchor="middle" font-size="${round(size)}" fill="${inkOn(fill)}">${escapeXml(formatShort(value))}</text>`;
    }).join('');
  }

  private bars({ report }: Answer): string {
    const paint = paintOf(this.dark);
    const values = Array.from(report.eigenvalues);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const y = (value: number): number =>
      26 + ((high - value) / (high - low || 1)) * (BARS.height - 62);
    const each = Math.min(110, (BARS.width - 8) / values.length);
    const bars = values.map((value, i) => {
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
      const negative = value < -report.tolerance * Math.max(high, -low);
      const fill = negative ? paint.ink : paint.accent;
      const at = value < 0 ? bottom + 15 : top - 6;
      return `<rect x="${round(8 + i * each)}" y="${round(top)}" width="${round(each * 0.7)}" height="${round(Math.max(1, bottom - top))}" fill="${fill}"/>${written(8 + i * each + each * 0.35, at, formatNumber(value, 3), paint.ink, { anchor: 'middle', size: 12, kind: 'ink' })}`;
    });
    return `${bars.join('')}${line(4, y(0), BARS.width - 4, y(0), paint.muted)}`;
  }

  private verdict({ result: { report } }: Shown<Values, Answer>): string {
    const [smallest = 0] = report.eigenvalues;
    const written = formatNumber(smallest, 3);
    if (!report.positiveSemidefinite) return words.witness(formatNumber(report.form, 3), written);
    const bound = report.tolerance * Math.max(...report.eigenvalues.map(Math.abs));
    return smallest !== 0 && Math.abs(smallest) <= bound
      ? words.rounding(written, formatNumber(bound, 3), formatTick(report.tolerance))
      : words.none(written);
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.verdict(shown);
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { result } = shown;
    const { report } = result;
    const heaped = heaps(result.points.map((point) => placed(PLANE, point)));
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
        <section>
          <h4>${words.points}</h4>
          <div class="kernel-picture">
            ${unsafeHTML(svgOf(PLANE, this.plane(result), words.points))}
            ${grips(PLANE, held, {
              move: (i, to, draft) => this.place_(movedPoint(this.points, i, to), draft),
              remove: (i) => {
                if (this.points.length > 1) this.place_(this.points.filter((_, at) => at !== i));
              },
            })}
          </div>
          ${report.witness.length > 0 ? html`<p class="fine">${words.weights}</p>` : nothing}
          ${heaped.length > 0 ? html`<p class="fine">${words.heaped(heaped)}</p>` : nothing}
        </section>
        <section>
          <h4>${words.gram}</h4>
          <div class="kernel-picture">
            ${unsafeHTML(svgOf({ ...PLANE, ...GRAM }, this.gramBody(result), words.gram))}
          </div>
        </section>
      </div>
      <h4>${words.eigen}</h4>
      <div class="kernel-picture">
        ${unsafeHTML(
          svgOf(
            { ...PLANE, ...BARS },
            this.bars(result),
            `${words.eigen}: ${Array.from(report.eigenvalues, (value) => formatNumber(value, 3)).join(', ')}`,
          ),
        )}
      </div>
      <p class="verdict">${this.verdict(shown)}</p>
      <p class="fine">${words.known[result.known.definiteness]}</p>
      <p class="fine" role="status">${this.searched}</p>`;
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
