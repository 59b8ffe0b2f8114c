/** A plane with its axes as SVG text, and where its points lie. The page and saved files use the same text. */
import { type Paint, paints } from '../../plot/chart-colors.ts';
import { formatTick } from '../../plot/format.ts';
import { escapeXml, line, type Place, polyline, round, text } from '../../plot/svg.ts';

export interface Plot {
  readonly width: number;
  readonly height: number;
  /** The ends of each axis. */
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const PAD = 14;

const share = (value: number, [low, high]: readonly [number, number]): number =>
  (value - low) / (high - low);

export const across = (plot: Plot, x: number): number =>
  PAD + share(x, plot.x) * (plot.width - 2 * PAD);
export const down = (plot: Plot, y: number): number =>
  plot.height - PAD - share(y, plot.y) * (plot.height - 2 * PAD);
export const placed = (plot: Plot, { x, y }: Point): Place => [across(plot, x), down(plot, y)];

/** The point at a place of the picture, kept within the axes and rounded to what a link holds. */
export function pointAt(plot: Plot, left: number, top: number): Point {
  const value = (part: number, [low, high]: readonly [number, number]): number =>
    Math.round(100 * (low + Math.min(1, Math.max(0, part)) * (high - low))) / 100;
  return {
    x: value((left - PAD) / (plot.width - 2 * PAD), plot.x),
    y: value(1 - (top - PAD) / (plot.height - 2 * PAD), plot.y),
  };
}

/** Distances between ticks that are easy to read. */
function tickStep([low, high]: readonly [number, number], most: number): number {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
}

function ticks(ends: readonly [number, number], most: number): readonly number[] {
  const step = tickStep(ends, most);
  const first = Math.ceil(ends[0] / step);
  const count = Math.floor(ends[1] / step) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

/** The axes through 0, with numbers; those of x may stand at another picture that has the same axis. */
export function axes(plot: Plot, dark: boolean, { xNumbers = true } = {}): string {
  const paint = paints[dark ? 'dark' : 'light'];
  const inside = ([low, high]: readonly [number, number]): number =>
    Math.min(high, Math.max(low, 0));
  const [x0, y0] = [across(plot, inside(plot.x)), down(plot, inside(plot.y))];
  const parts = [
    `<rect x="0.5" y="0.5" width="${plot.width - 1}" height="${plot.height - 1}" fill="none" stroke="${paint.rule}"/>`,
    line(PAD, y0, plot.width - PAD, y0, paint.rule),
    line(x0, PAD, x0, plot.height - PAD, paint.rule),
  ];
  for (const x of xNumbers ? ticks(plot.x, plot.width / 60) : []) {
    if (Math.abs(across(plot, x) - x0) < 10) continue;
    const y = Math.min(plot.height - 4, y0 + 14);
    parts.push(
      text(across(plot, x), y, formatTick(x), paint.muted, { anchor: 'middle', size: 11 }),
    );
  }
  for (const y of ticks(plot.y, plot.height / 45)) {
    if (Math.abs(down(plot, y) - y0) < 10) continue;
    parts.push(text(x0 + 5, down(plot, y) + 4, formatTick(y), paint.muted, { size: 11 }));
  }
  return parts.join('');
}

export function curve(
  plot: Plot,
  xs: readonly number[],
  ys: ArrayLike<number>,
  stroke: string,
  { width = 2, dash = '' } = {},
): string {
  // A curve that leaves the picture is cut off by the picture's frame.
  const far = plot.height * 3;
  const places = xs.map((x, i): Place => {
    const y = down(plot, ys[i] as number);
    return [across(plot, x), Math.min(far, Math.max(-far, y))];
  });
  return `<path d="${polyline(places)}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash}"` : ''}/>`;
}

export const dot = (
  [x, y]: Place,
  radius: number,
  fill: string,
  stroke: string,
  width = 1.5,
): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}" stroke="${stroke}" stroke-width="${width}"/>`;

export const paintOf = (dark: boolean): Paint => paints[dark ? 'dark' : 'light'];

/** A picture as the page shows it. What is drawn outside the frame is cut off. */
export const svgOf = ({ width, height }: Plot, body: string, label: string): string =>
  `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(label)}" font-family="AL Sans, AL Sans Arial, system-ui, sans-serif">${body}</svg>`;

/** Points of a line from one end of the x axis to the other. */
export const along = ([low, high]: readonly [number, number], count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => low + (i * (high - low)) / (count - 1));
