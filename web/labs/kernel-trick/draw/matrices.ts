/**
 * Matrices with their numbers as SVG text: what the page shows and what a file holds are the same
 * characters. A product stands where the rows of its left factor meet the columns of the one above
 * it, so that the terms of a cell are found by eye.
 */
import type { Matrix } from '#client';
import { type Paint, paints } from '../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf, inkOn } from '../../../src/plot/color.ts';
import { formatShort } from '../../../src/plot/format.ts';
import { escapeXml, round } from '../../../src/plot/svg.ts';

export interface PlacedMatrix {
  readonly id: string;
  readonly name: string;
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  /** Upper left corner, in pixels. */
  readonly x: number;
  readonly y: number;
  /** The place of its name. */
  readonly side: 'above' | 'below' | 'right' | 'none';
}

/** A line around a part of a matrix: the whole of it where neither row nor column is given. */
export interface Outline {
  readonly id: string;
  readonly row?: number;
  readonly col?: number;
  /** `terms`: what made a cell; `now`: the cell; `cursor`: where the reader is. */
  readonly kind: 'terms' | 'now' | 'cursor';
  readonly dashed?: boolean;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly cell: number;
  readonly matrices: readonly PlacedMatrix[];
  /** Colours alone, where numbers in the cells could not be read. */
  readonly bare?: boolean;
}

/** Colours either side of zero, for entries that have no bound. */
export function signedScale(...matrices: readonly Matrix[]): ColorScale {
  let extent = 0;
  for (const { data } of matrices) {
    for (const value of data)
      if (Number.isFinite(value)) extent = Math.max(extent, Math.abs(value));
  }
  const high = extent || 1;
  return {
    kind: 'diverging',
    low: -high,
    high,
    tone: 'linear',
    overLow: false,
    overHigh: false,
  };
}

export const transposed = ({ rows, cols, data }: Matrix): Matrix => {
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) turned[j * rows + i] = data[i * cols + j] as number;
  }
  return { rows: cols, cols: rows, data: turned };
};

export const entry = ({ cols, data }: Matrix, row: number, col: number): number =>
  data[row * cols + col] as number;

/** Whole numbers as they are, others as short as a cell needs. */
export const cellText = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1000
    ? String(value).replace('-', '−')
    : Math.abs(value) < 0.005
      ? value
          .toExponential(0)
          .replace('-', value < 0 ? '−' : '-')
          .replace('e-', 'e−')
      : formatShort(value);

/** Sizes of text: a number as a share of its cell, the rows and columns beside a name, and a name. */
const [DIGITS, SIZE, NAME] = [0.44, 11, 14];

const css = (rgb: readonly number[]): string => `rgb(${rgb.join(',')})`;

/** One row of cells. */
export function rowBody(
  placed: PlacedMatrix,
  row: number,
  cell: number,
  dark: boolean,
  bare = false,
): string {
  const { id, matrix, scale, x, y } = placed;
  const paint = paints[dark ? 'dark' : 'light'];
  const parts: string[] = [];
  for (let col = 0; col < matrix.cols; col++) {
    const value = entry(matrix, row, col);
    const [left, top] = [x + col * cell, y + row * cell];
    const box = `x="${round(left + 0.5)}" y="${round(top + 0.5)}" width="${round(cell - 1)}" height="${round(cell - 1)}" rx="2"`;
    const at = `data-m="${id}" data-r="${row}" data-c="${col}"`;
    if (Number.isNaN(value)) {
      parts.push(
        `<rect ${at} ${box} fill="${paint.paper}" stroke="${paint.rule}" stroke-dasharray="2 2"/>`,
      );
      continue;
    }
    const fill = colorOf(scale, value, dark);
    if (bare) {
      parts.push(`<rect ${at} ${box} fill="${css(fill)}"/>`);
      continue;
    }
    const words = cellText(value);
    const size = Math.min(cell * DIGITS, (cell * 1.55) / Math.max(2, words.length));
    parts.push(
      `<rect ${at} ${box} fill="${css(fill)}"/><text x="${round(left + cell / 2)}" y="${round(top + cell / 2)}" font-size="${round(size)}" fill="${inkOn(fill)}">${escapeXml(words)}</text>`,
    );
  }
  return parts.join('');
}

/** Brackets and name of a matrix. */
export function frameBody(placed: PlacedMatrix, cell: number, dark: boolean): string {
  const paint = paints[dark ? 'dark' : 'light'];
  return brackets(placed, cell, paint) + title(placed, cell, paint);
}

function brackets({ matrix, x, y }: PlacedMatrix, cell: number, paint: Paint): string {
  const [w, h] = [matrix.cols * cell, matrix.rows * cell];
  const [left, right, top, bottom] = [x - 3, x + w + 3, y - 2, y + h + 2].map(round);
  return `<path d="M${round(x + 1)} ${top}H${left}V${bottom}H${round(x + 1)}M${round(x + w - 1)} ${top}H${right}V${bottom}H${round(x + w - 1)}" fill="none" stroke="${paint.muted}"/>`;
}

function title({ name, matrix, x, y, side }: PlacedMatrix, cell: number, paint: Paint): string {
  if (!name || side === 'none') return '';
  const [w, h] = [matrix.cols * cell, matrix.rows * cell];
  const [at, anchor]: [readonly [number, number], string] =
    side === 'above'
      ? [[x + w / 2, y - 13], 'middle']
      : side === 'below'
        ? [[x + w / 2, y + h + 14], 'middle']
        : [[x + w + 9, y + h / 2], 'start'];
  const size = Math.min(matrix.rows, matrix.cols) > 1 ? `${matrix.rows} × ${matrix.cols}` : '';
  const small = `font-size="${SIZE}" font-style="normal"`;
  // Below narrow matrices side by side there is room for their names, but not for their sizes beside these.
  const words =
    side === 'above'
      ? `${escapeXml(name)} <tspan ${small}>${size}</tspan>`
      : `${escapeXml(name)}<tspan ${small} x="${round(at[0])}" dy="14">${size}</tspan>`;
  return `<text class="name" x="${round(at[0])}" y="${round(at[1])}" text-anchor="${anchor}" font-size="${NAME}" fill="${paint.muted}">${words}</text>`;
}

function outline(drawing: Drawing, { id, row, col, kind, dashed }: Outline, paint: Paint): string {
  const placed = drawing.matrices.find((one) => one.id === id);
  if (!placed) return '';
  const { cell } = drawing;
  const { rows, cols } = placed.matrix;
  const [x, w] = col === undefined ? [placed.x, cols * cell] : [placed.x + col * cell, cell];
  const [y, h] = row === undefined ? [placed.y, rows * cell] : [placed.y + row * cell, cell];
  const stroke =
    kind === 'cursor'
      ? `stroke="${paint.ink}" stroke-width="2" stroke-dasharray="3 2"`
      : `stroke="${paint.accent}" stroke-width="${kind === 'now' ? 3 : 2}"${dashed ? ' stroke-dasharray="5 3"' : ''}`;
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="3" fill="none" ${stroke}/>`;
}

/** The text attributes of the group around numbers and names. */
const TYPE =
  'font-family="AL Sans, AL Sans Arial, system-ui, sans-serif" text-anchor="middle" dominant-baseline="central" font-variant="tabular-nums"';

export const outlinesBody = (
  drawing: Drawing,
  outlines: readonly Outline[],
  dark: boolean,
): string => outlines.map((one) => outline(drawing, one, paints[dark ? 'dark' : 'light'])).join('');

/** The inside of a drawing, to be put beside others. */
export function matricesBody(
  drawing: Drawing,
  outlines: readonly Outline[],
  dark: boolean,
): string {
  const { cell } = drawing;
  const all = drawing.matrices.map((one) => {
    const rows = Array.from({ length: one.matrix.rows }, (_, i) =>
      rowBody(one, i, cell, dark, drawing.bare),
    );
    return rows.join('') + frameBody(one, cell, dark);
  });
  return `<g ${TYPE}>${all.join('')}</g>${outlinesBody(drawing, outlines, dark)}`;
}

/** One SVG on its own ground. */
export function svgOf(
  { width, height }: { readonly width: number; readonly height: number },
  body: string,
  dark: boolean,
): string {
  const { paper } = paints[dark ? 'dark' : 'light'];
  const [w, h] = [round(width), round(height)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" aria-hidden="true"><rect width="100%" height="100%" fill="${paper}"/>${body}</svg>`;
}

export interface CellAt {
  readonly id: string;
  readonly row: number;
  readonly col: number;
}

/** The nearest cell in a direction, within its matrix or in the next one over. */
export function neighbour(drawing: Drawing, from: CellAt, dx: number, dy: number): CellAt {
  const centre = (placed: PlacedMatrix, row: number, col: number): readonly [number, number] => [
    placed.x + (col + 0.5) * drawing.cell,
    placed.y + (row + 0.5) * drawing.cell,
  ];
  const home = drawing.matrices.find(({ id }) => id === from.id);
  if (!home) return from;
  const [x, y] = centre(home, from.row, from.col);
  let [best, found] = [Infinity, from];
  for (const placed of drawing.matrices) {
    for (let row = 0; row < placed.matrix.rows; row++) {
      for (let col = 0; col < placed.matrix.cols; col++) {
        const [a, b] = centre(placed, row, col);
        const along = (a - x) * dx + (b - y) * dy;
        const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
        if (along < 1 || aside > along + 1) continue;
        const far = along + 4 * aside;
        if (far < best) [best, found] = [far, { id: placed.id, row, col }];
      }
    }
  }
  return found;
}
