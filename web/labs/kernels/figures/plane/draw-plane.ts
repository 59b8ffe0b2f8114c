/** A decision surface as pixels, its three lines, and the points on it. Draws; computes no value of the function. */
import { paints, seriesColors } from '../../../../src/plot/chart-colors.ts';
import { colorOf, differenceScale, lookUpTable } from '../../../../src/plot/color.ts';
import { round } from '../../../../src/plot/svg.ts';
import { type PlanePoint, REACH } from './points.ts';

/** The picture's own units: a square of this side. */
export const SIDE = 500;

export const toPicture = (value: number): number => ((value + REACH) / (2 * REACH)) * SIDE;
export const fromPicture = (place: number): number => (place / SIDE) * 2 * REACH - REACH;

export type Theme = 'light' | 'dark';

/** Orange for f > 0, blue for f < 0; at |f| = 2 the colour is full. */
export const surfaceScale = differenceScale(2, 'linear');

export const colorsOf = (theme: Theme): { readonly up: string; readonly down: string } => {
  const colors = seriesColors[theme];
  return { up: colors[1] ?? '', down: colors[3] ?? '' };
};

/** The values of a square grid as an image of one pixel for each. */
export function surfaceImage(values: Float32Array, theme: Theme): ImageData {
  const side = Math.round(Math.sqrt(values.length));
  const image = new ImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer);
  const table = lookUpTable(surfaceScale, theme === 'dark');
  const last = table.length - 1;
  for (let i = 0; i < pixels.length; i++) {
    // Kept pale, so that points and lines stay readable on it.
    const part = 0.5 + 0.16 * Math.max(-2, Math.min(2, values[i] ?? 0));
    pixels[i] = table[Math.round(part * last)] ?? 0;
  }
  return image;
}

/** The line where the grid has this value, as a path: the segments of marching squares. */
export function contour(values: Float32Array, level: number): string {
  const side = Math.round(Math.sqrt(values.length));
  const parts: string[] = [];
  const place = (i: number): number => ((i + 0.5) / side) * SIDE;
  const at = (row: number, col: number): number => (values[row * side + col] ?? 0) - level;
  for (let row = 0; row + 1 < side; row++) {
    for (let col = 0; col + 1 < side; col++) {
      const [a, b, c, d] = [
        at(row, col),
        at(row, col + 1),
        at(row + 1, col + 1),
        at(row + 1, col),
      ] as const;
      const all = Number(a > 0) + Number(b > 0) + Number(c > 0) + Number(d > 0);
      if (all === 0 || all === 4) continue;
      const cuts: string[] = [];
      const cut = (p: number, q: number, x0: number, y0: number, x1: number, y1: number): void => {
        if (p > 0 === q > 0) return;
        const t = p / (p - q);
        cuts.push(
          `${round(place(x0) + t * (place(x1) - place(x0)))} ${round(place(y0) + t * (place(y1) - place(y0)))}`,
        );
      };
      cut(a, b, col, row, col + 1, row);
      cut(b, c, col + 1, row, col + 1, row + 1);
      cut(d, c, col, row + 1, col + 1, row + 1);
      cut(a, d, col, row, col, row + 1);
      for (let i = 0; i + 1 < cuts.length; i += 2) parts.push(`M${cuts[i]}L${cuts[i + 1]}`);
    }
  }
  return parts.join('');
}

export interface PointLook {
  /** Whether it is kept: α > 0. */
  readonly kept?: boolean;
  /** Whether α is at its bound C. */
  readonly bounded?: boolean;
  /** Whether the step at hand moves it. */
  readonly marked?: boolean;
}

/** One point: a disc for the one label, a square for the other, ringed where it is kept. */
export function pointMark(point: PlanePoint, look: PointLook, theme: Theme): string {
  const { up, down } = colorsOf(theme);
  const { paper, ink, accent } = paints[theme];
  const [x, y] = [toPicture(point.x), toPicture(-point.y)];
  const fill = point.label > 0 ? up : down;
  const edge = `fill="${fill}" stroke="${paper}" stroke-width="1.5"`;
  const shape =
    point.label > 0
      ? `<circle cx="${round(x)}" cy="${round(y)}" r="6.5" ${edge}/>`
      : `<rect x="${round(x - 6)}" y="${round(y - 6)}" width="12" height="12" ${edge}/>`;
  const ring = look.kept
    ? `<circle cx="${round(x)}" cy="${round(y)}" r="11" fill="none" stroke="${ink}" stroke-width="1.75"${look.bounded ? ' stroke-dasharray="3 3"' : ''}/>`
    : '';
  const mark = look.marked
    ? `<circle cx="${round(x)}" cy="${round(y)}" r="16" fill="none" stroke="${accent}" stroke-width="3"/>`
    : '';
  return mark + ring + shape;
}

/** The lines of a surface, for all views that show it. */
const drawn = new WeakMap<Float32Array, Partial<Record<Theme, string>>>();

export function linesOf(values: Float32Array, theme: Theme): string {
  const before = drawn.get(values);
  const lines = before?.[theme] ?? drawLines(values, theme);
  drawn.set(values, { ...before, [theme]: lines });
  return lines;
}

function drawLines(values: Float32Array, theme: Theme): string {
  const { ink } = paints[theme];
  const path = (level: number, style: string): string =>
    `<path d="${contour(values, level)}" fill="none" stroke="${ink}" ${style}/>`;
  return (
    path(1, 'stroke-width="1"') +
    path(-1, 'stroke-width="1"') +
    path(0, 'stroke-width="2.5" stroke-linecap="round"')
  );
}

/** The line f = 0 of a surface that was there before a try. */
export const borderOf = (values: Float32Array, theme: Theme): string =>
  `<path class="before" d="${contour(values, 0)}" fill="none" stroke="${paints[theme].muted}" stroke-width="2" stroke-dasharray="6 5"/>`;

/** The colour of a place where f has this value. */
export const areaColor = (value: number, theme: Theme): string =>
  `rgb(${colorOf(surfaceScale, 0.32 * Math.max(-2, Math.min(2, value)), theme === 'dark').join(',')})`;

/** The surface as rectangles, for files: a quarter of the picture's resolution, as every pixel is an element. */
export function surfaceRectangles(values: Float32Array, theme: Theme): string {
  const side = Math.round(Math.sqrt(values.length));
  const step = 2;
  const size = (SIDE / side) * step;
  const parts: string[] = [];
  for (let row = 0; row < side; row += step) {
    for (let col = 0; col < side; col += step) {
      const fill = areaColor(values[row * side + col] ?? 0, theme);
      parts.push(
        `<rect x="${round((col / side) * SIDE)}" y="${round((row / side) * SIDE)}" width="${round(size + 0.3)}" height="${round(size + 0.3)}" fill="${fill}"/>`,
      );
    }
  }
  return parts.join('');
}
