import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Matrix } from '#client';
import { numbers } from '../../../../src/figures/kernel/numbers.ts';
import {
  axes,
  dot,
  type Plot,
  paintOf,
  placed,
  svgOf,
} from '../../../../src/figures/kernel/plot.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import type { Place } from '../../../../src/plot/svg.ts';
import { line, polyline, round } from '../../../../src/plot/svg.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { words } from '../../words/lift.ts';

const table = {
  c: number({ key: 'c', min: -1, max: 8, default: 2.25 }),
  a: number({ key: 'a', min: -3, max: 3, default: 0 }),
  b: number({ key: 'b', min: -3, max: 3, default: 0 }),
  noise: number({ key: 'noise', min: 0, max: 0.6, default: 0.12 }),
  n: integer({ key: 'n', min: 10, max: 200, default: 80 }),
  seed: seed(),
  yaw: integer({ key: 'yaw', min: -180, max: 180, default: 30 }),
  pitch: integer({ key: 'pitch', min: 0, max: 90, default: 20 }),
};
type Values = StateOf<typeof table>;

interface Answer {
  readonly lifted: Matrix;
  readonly labels: ArrayLike<number>;
  readonly sides: ArrayLike<number>;
  readonly centerX: number;
  readonly centerY: number;
  readonly radius: number;
  readonly kernelDifference: number;
}

const PLANE: Plot = { width: 340, height: 340, x: [-3, 3], y: [-3, 3] };
const SPACE = { width: 340, height: 340 };
/** How far the paraboloid and the plane are drawn. */
const REACH = 2.6;
/** Pixels for one unit, and the height that stands in the middle of the picture. */
const UNIT = 42;
const MIDDLE = 3;

/**
 * Two rings of the plane, lifted onto a paraboloid and cut by a plane.
 *
 * @element attn-kernel-lift
 */
@customElement('attn-kernel-lift')
export class AttnKernelLift extends LabFigure<Answer, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['c', 'a'] as const;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(
    { n, noise, seed, a, b, c }: Values,
    { signal }: Ask,
  ): Promise<Answer> {
    const { client } = this.tools;
    const { points, labels } = await client.drawRings({ n, noise, seed }, { signal });
    const lift = await client.liftToParaboloid({ x: points, a, b, c }, { signal });
    return { ...lift, labels };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('c', { label: words.c, symbol: 'c' }),
      slider('a', { label: words.a, symbol: 'a' }),
      slider('b', { label: words.b, symbol: 'b' }),
      slider('noise', { label: words.noise }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('yaw', { label: words.yaw }),
      slider('pitch', { label: words.pitch }),
      seedKnob(),
    ];
  }

  /** Where a place in space is seen: turned around the upright axis, then tilted towards the reader. */
  private seen(values: Values, x: number, y: number, z: number): Place {
    const [yaw, pitch] = [(values.yaw * Math.PI) / 180, (values.pitch * Math.PI) / 180];
    const side = x * Math.cos(yaw) - y * Math.sin(yaw);
    const deep = x * Math.sin(yaw) + y * Math.cos(yaw);
    // Heights are drawn a little shorter; seen from above, circles stay circles.
    const up = 0.8 * (z - MIDDLE) * Math.cos(pitch) + deep * Math.sin(pitch);
    return [SPACE.width / 2 + UNIT * side, SPACE.height / 2 - UNIT * up];
  }

  private colors(): readonly [string, string] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    return [colors[3] ?? '', colors[1] ?? ''];
  }

  /** A filled dot for the outer ring and a hollow one for the inner, so that colour is not needed. */
  private mark(place: Place, outer: boolean, wrong: boolean): string {
    const paint = paintOf(this.dark);
    const color = this.colors()[outer ? 1 : 0] ?? '';
    const ring = wrong
      ? `<circle cx="${round(place[0])}" cy="${round(place[1])}" r="8" fill="none" stroke="${paint.ink}" stroke-width="1.5"/>`
      : '';
    return dot(place, 4, outer ? color : paint.paper, color, 1.75) + ring;
  }

  private plane({ result }: Shown<Values, Answer>): string {
    const { lifted, labels, sides, centerX, centerY, radius } = result;
    const paint = paintOf(this.dark);
    const parts = [axes(PLANE, this.dark)];
    const before = this.ghost?.result;
    if (before && Number.isFinite(before.radius)) {
      const [x, y] = placed(PLANE, { x: before.centerX, y: before.centerY });
      const r = placed(PLANE, { x: before.centerX + before.radius, y: before.centerY })[0] - x;
      parts.push(
        `<circle class="before" cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="none" stroke="${paint.muted}" stroke-width="1.5" stroke-dasharray="5 4"/>`,
      );
    }
    if (Number.isFinite(radius)) {
      const [x, y] = placed(PLANE, { x: centerX, y: centerY });
      const r = placed(PLANE, { x: centerX + radius, y: centerY })[0] - x;
      parts.push(
        `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${paint.accent}" fill-opacity="0.1" stroke="${paint.accent}" stroke-width="2"/>`,
      );
    }
    for (let i = 0; i < lifted.rows; i++) {
      const [x, y] = [lifted.data[3 * i] as number, lifted.data[3 * i + 1] as number];
      const outer = (labels[i] as number) > 0;
      parts.push(
        this.mark(
          placed(PLANE, { x, y }),
          outer,
          (sides[i] as number) * (labels[i] as number) <= 0,
        ),
      );
    }
    return parts.join('');
  }

  private space({ values, result }: Shown<Values, Answer>): string {
    const paint = paintOf(this.dark);
    const { lifted, labels, sides, centerX, centerY, radius } = result;
    /** What lies on the paraboloid above a circle of the plane. */
    const circle = (r: number, middleX = 0, middleY = 0): string =>
      polyline(
        Array.from({ length: 49 }, (_, i) => {
          const turn = (i * Math.PI) / 24;
          const [x, y] = [middleX + r * Math.cos(turn), middleY + r * Math.sin(turn)];
          return this.seen(values, x, y, x * x + y * y);
        }),
      );
    const parts = [0.7, 1.4, 2.1, REACH].map(
      (r) => `<path d="${circle(r)}" fill="none" stroke="${paint.rule}"/>`,
    );
    // The paraboloid's own curves, from its lowest place to its edge, and the edge of the plane below it.
    for (let turn = 0; turn < 12; turn++) {
      const [x, y] = [Math.cos((turn * Math.PI) / 6), Math.sin((turn * Math.PI) / 6)];
      const places = Array.from({ length: 14 }, (_, i) => {
        const r = (i * REACH) / 13;
        return this.seen(values, r * x, r * y, r * r);
      });
      parts.push(`<path d="${polyline(places)}" fill="none" stroke="${paint.rule}"/>`);
    }
    const floor = [
      [-REACH, -REACH],
      [REACH, -REACH],
      [REACH, REACH],
      [-REACH, REACH],
    ].map(([x = 0, y = 0]) => this.seen(values, x, y, 0));
    parts.push(
      `<path d="${polyline(floor)}Z" fill="none" stroke="${paint.rule}" stroke-dasharray="3 3"/>`,
    );
    // Each point stands above its own place in the plane.
    for (let i = 0; i < lifted.rows; i++) {
      const [x = 0, y = 0, z = 0] = lifted.data.subarray(3 * i, 3 * i + 3);
      parts.push(line(...this.seen(values, x, y, 0), ...this.seen(values, x, y, z), paint.rule));
    }
    const corner = (x: number, y: number): Place =>
      this.seen(values, x, y, values.c - values.a * x - values.b * y);
    const corners = [
      corner(-REACH, -REACH),
      corner(REACH, -REACH),
      corner(REACH, REACH),
      corner(-REACH, REACH),
    ];
    parts.push(
      `<path d="${polyline(corners)}Z" fill="${paint.accent}" fill-opacity="0.16" stroke="${paint.accent}"/>`,
    );
    if (Number.isFinite(radius)) {
      parts.push(
        `<path class="cut" d="${circle(radius, centerX, centerY)}" fill="none" stroke="${paint.accent}" stroke-width="2"/>`,
      );
    }
    for (let i = 0; i < lifted.rows; i++) {
      const [x = 0, y = 0, z = 0] = lifted.data.subarray(3 * i, 3 * i + 3);
      const outer = (labels[i] as number) > 0;
      const wrong = (sides[i] as number) * (labels[i] as number) <= 0;
      parts.push(this.mark(this.seen(values, x, y, z), outer, wrong));
    }
    return parts.join('');
  }

  /** Turning changes nothing that was computed, so nothing is asked again but the picture. */
  private turn(yaw: number, pitch: number, draft: boolean): void {
    const wrapped = ((((Math.round(yaw) + 180) % 360) + 360) % 360) - 180;
    this.set({ yaw: wrapped, pitch: Math.max(0, Math.min(90, Math.round(pitch))) }, { draft });
  }

  private start: { readonly x: number; readonly y: number; yaw: number; pitch: number } | undefined;

  private right({ result: { labels, sides } }: Shown<Values, Answer>): number {
    return Array.from(labels).filter((label, i) => label * (sides[i] as number) > 0).length;
  }

  protected override resultLine(shown: Shown<Values, Answer>): string {
    const { centerX, centerY, radius, lifted } = shown.result;
    const right = words.separated(this.right(shown), lifted.rows);
    if (!Number.isFinite(radius)) return `${right} ${words.noCircle}`;
    return `${right} ${words.circle(formatNumber(centerX), formatNumber(centerY), formatNumber(radius))}`;
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: Shown<Values, Answer>): readonly KeyNumber[] {
    const { radius, lifted } = shown.result;
    const right = this.right(shown);
    return [
      { label: words.right, value: right, text: words.of(right, lifted.rows) },
      ...(Number.isFinite(radius) ? [{ label: words.radius, value: radius }] : []),
    ];
  }

  protected override renderDetails({ result }: Shown<Values, Answer>): unknown {
    return numbers([[words.kernel, formatNumber(result.kernelDifference)]]);
  }

  protected override renderBelowKnobs(): unknown {
    return html`<p class="fine">${words.turnHelp}</p>`;
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { above: words.above, space: words.lifted };
  }

  protected override pictures() {
    return {
      above: (shown: Shown<Values, Answer>) => this.renderAbove(shown),
      space: (shown: Shown<Values, Answer>) => this.renderSpace(shown),
    };
  }

  private renderAbove(shown: Shown<Values, Answer>): unknown {
    return html`<div class="kernel-picture" data-square>
      ${unsafeHTML(svgOf(PLANE, this.plane(shown), words.above))}
    </div>`;
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    return html`<div class="kernel-row">
      ${this.renderSpace(shown)}
      <div class="second">${this.renderAbove(shown)}</div>
    </div>`;
  }

  private renderSpace(shown: Shown<Values, Answer>): unknown {
    // The picture follows the hand at once; the answer, which does not depend on the view, may be older.
    const now = {
      ...shown,
      values: { ...shown.values, yaw: this.values.yaw, pitch: this.values.pitch },
    };
    const move = (event: PointerEvent, draft: boolean): void => {
      const { start } = this;
      if (!start) return;
      this.turn(
        start.yaw + (event.clientX - start.x) / 2,
        start.pitch + (event.clientY - start.y) / 3,
        draft,
      );
      if (!draft) this.start = undefined;
    };
    const keys: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-5, 0],
      ArrowRight: [5, 0],
      ArrowUp: [0, -5],
      ArrowDown: [0, 5],
    };
    return html`<div
      class="kernel-picture kernel-turn"
      data-square
      tabindex="0"
      role="application"
      aria-label=${words.turnHelp}
      @pointerdown=${(event: PointerEvent) => {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        this.start = {
          x: event.clientX,
          y: event.clientY,
          yaw: this.values.yaw,
          pitch: this.values.pitch,
        };
      }}
      @pointermove=${(event: PointerEvent) => move(event, true)}
      @pointerup=${(event: PointerEvent) => move(event, false)}
      @pointercancel=${() => {
        // The page scrolls: the picture keeps the view that it has.
        this.start = undefined;
      }}
      @keydown=${(event: KeyboardEvent) => {
        const way = keys[event.key];
        if (!way) return;
        event.preventDefault();
        this.turn(this.values.yaw + way[0], this.values.pitch + way[1], false);
      }}
    >
      ${unsafeHTML(svgOf({ ...PLANE, ...SPACE }, this.space(now), words.lifted))}
    </div>`;
  }

  protected override caption({ values }: Shown<Values, Answer>): string {
    const { n, noise, seed, a, b, c } = values;
    const plane = `${formatNumber(a)}·x + ${formatNumber(b)}·y + z = ${formatNumber(c)}`;
    return words.caption(n, formatNumber(noise), seed, plane);
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    const { lifted, labels, sides } = result;
    return {
      columns: words.columns,
      rows: Array.from({ length: lifted.rows }, (_, i) => [
        ...lifted.data.subarray(3 * i, 3 * i + 3),
        labels[i] as number,
        sides[i] as number,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    const body = `${this.space(shown)}<g transform="translate(${SPACE.width + 16} 0)">${this.plane(shown)}</g>`;
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    const size = { width: SPACE.width + 16 + PLANE.width, height: PLANE.height };
    return fileOf({ body, ...size }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kernel-lift': AttnKernelLift;
  }
}
