/** What this lab's figures draw with: colour scales, the text of a cell, the cells of a matrix. */
import type { Matrix } from '#client';
import { paints } from '../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf, inkOn } from '../../../src/plot/color.ts';
import { formatNumber, formatShort } from '../../../src/plot/format.ts';
import { escapeXml, round } from '../../../src/plot/svg.ts';

/** Scores beyond this were written by a mask; they would leave no colours for the others. */
const WRITTEN = 1e6;

/** Colours either side of zero for the entries of all these matrices. */
export function signedScale(...matrices: readonly Matrix[]): ColorScale {
  let extent = 0;
  for (const { data } of matrices) {
    for (const value of data) {
      const size = Math.abs(value);
      if (size < WRITTEN) extent = Math.max(extent, size);
    }
  }
  const high = extent || 1;
  return { kind: 'diverging', low: -high, high, tone: 'linear', overLow: false, overHigh: false };
}

/** Weights from 0 to 1. */
export const weightScale: ColorScale = {
  ...{ kind: 'sequential', low: 0, high: 1, tone: 'linear' },
  ...{ overLow: false, overHigh: false },
};

/** Shares from 0 to 1; where a broken computation gives others, colours either side of zero. */
export const shareScale = (matrix: Matrix): ColorScale =>
  matrix.data.some((x) => x < 0 && x > -WRITTEN) ? signedScale(matrix) : weightScale;

/** As short as a cell needs. */
export function cellText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value <= -WRITTEN && Number.isFinite(value)) {
    return `−10${value <= -5e8 && value >= -2e9 ? '⁹' : 'ⁿ'}`;
  }
  return formatShort(value);
}

export interface Named {
  readonly name: string;
  readonly matrix: Matrix;
  readonly scale: ColorScale;
}

/** The cells of a matrix as SVG text. */
export function cells({ matrix, scale }: Named, x: number, y: number, cell: number, dark: boolean) {
  const paint = paints[dark ? 'dark' : 'light'];
  const parts: string[] = [];
  for (let i = 0; i < matrix.rows; i++) {
    for (let j = 0; j < matrix.cols; j++) {
      const value = matrix.data[i * matrix.cols + j] as number;
      const blocked = value === -Infinity;
      const fill = colorOf(scale, value, dark);
      const [left, top] = [x + j * cell, y + i * cell];
      const color = blocked ? paint.rule : `rgb(${fill.join(',')})`;
      parts.push(
        `<rect x="${round(left)}" y="${round(top)}" width="${round(cell - 1)}" height="${round(cell - 1)}" fill="${color}"/>`,
      );
      if (cell >= 20) {
        parts.push(
          `<text x="${round(left + cell / 2)}" y="${round(top + cell / 2 + 4)}" font-size="11" text-anchor="middle" fill="${blocked ? paint.muted : inkOn(fill)}">${escapeXml(cellText(value))}</text>`,
        );
      }
    }
  }
  return parts.join('');
}

/** A matrix with words beside it and the sums of its rows. */
export interface MatrixPicture extends Named {
  readonly rows?: readonly string[] | undefined;
  readonly cols?: readonly string[] | undefined;
  /** What each row sums to, where it should be 1; red where it is not. */
  readonly sums?: readonly number[] | undefined;
  /** The same matrix before: cells that have changed are framed. */
  readonly before?: Matrix | undefined;
  readonly marked?: number | undefined;
  /** Cells that are lower than wide, for matrices with many rows. */
  readonly flat?: boolean;
}

const SIDE = 26;
const LOW = 17;
/** Room for six letters of 15 px, as large as words are in small pictures. */
const WORDS = 52;
const SUMS = 50;
/** Weights that differ by less look the same. */
const SAME = 0.005;

/** How wide a drawing has to be, at least, for its numbers: classes in surgeon.css. */
const FITS = [110, 150, 200, 260, 320, 440, 900] as const;
const fitsFrom = (width: number): string => `fits-${FITS.find((one) => one >= width) ?? 900}`;

/** Three digits, so that 1 is written alike in every row. */
export const sumText = (sum: number): string => (Number.isNaN(sum) ? 'NaN' : formatNumber(sum));

const isOff = (sum: number): boolean => !(Math.abs(sum - 1) < 1e-3);

/** The parts of a picture of a matrix as SVG text, and its size. Its numbers have a class, so that small pictures can do without. */
export function matrixParts(
  { matrix, scale, rows, cols, sums, before, marked, flat = false }: MatrixPicture,
  dark: boolean,
): { readonly body: string; readonly width: number; readonly height: number } {
  const paint = paints[dark ? 'dark' : 'light'];
  const high = flat ? LOW : SIDE;
  const left = rows ? WORDS : 0;
  const top = cols || sums ? 16 : 0;
  const parts: string[] = [];
  const words = (x: number, y: number, anchor: string, fill: string, said: string, kind: string) =>
    `<text class="${kind}" x="${round(x)}" y="${round(y)}" font-size="11" text-anchor="${anchor}" fill="${fill}">${escapeXml(said)}</text>`;
  cols?.forEach((word, j) => {
    const short = word.length > 5 ? `${word.slice(0, 4)}…` : word;
    parts.push(
      words(left + (j + 0.5) * SIDE, 11, 'middle', paint.muted, short, 'word').replace(
        'font-size="11"',
        'font-size="9.5"',
      ),
    );
  });
  for (let i = 0; i < matrix.rows; i++) {
    const y = top + i * high;
    const word = rows?.[i];
    if (word !== undefined) {
      const short = word.length > 6 ? `${word.slice(0, 5)}…` : word;
      const ink = i === marked ? paint.ink : paint.muted;
      parts.push(words(left - 5, y + high / 2 + 4, 'end', ink, short, 'word'));
    }
    for (let j = 0; j < matrix.cols; j++) {
      const value = matrix.data[i * matrix.cols + j] as number;
      const was = before?.data[i * matrix.cols + j] as number | undefined;
      const x = left + j * SIDE;
      const nothing = Number.isNaN(value);
      const blocked = value === -Infinity;
      const fill = colorOf(scale, value, dark);
      const box = `x="${round(x)}" y="${round(y)}" width="${SIDE - 1}" height="${high - 1}"`;
      parts.push(
        nothing || blocked
          ? `<rect class="${nothing ? 'nan' : 'blocked'}" ${box}/>`
          : `<rect ${box} fill="rgb(${fill.join(',')})"/>`,
      );
      const changed =
        was !== undefined && !Object.is(was, value) && !(Math.abs(was - value) < SAME);
      if (changed) {
        parts.push(
          `<rect class="changed" x="${round(x + 1)}" y="${round(y + 1)}" width="${SIDE - 3}" height="${high - 3}"/>`,
        );
      }
      parts.push(
        `<text class="number${nothing ? ' nan' : ''}" x="${round(x + SIDE / 2 - 0.5)}" y="${round(y + high / 2 + 3.5)}" font-size="10.5" text-anchor="middle" fill="${nothing || blocked ? paint.muted : inkOn(fill)}">${escapeXml(cellText(value))}</text>`,
      );
    }
    const sum = sums?.[i];
    if (sum !== undefined) {
      parts.push(
        words(
          left + matrix.cols * SIDE + SUMS - 6,
          y + high / 2 + 4,
          'end',
          paint.ink,
          sumText(sum),
          isOff(sum) ? 'sum off' : 'sum',
        ),
      );
    }
  }
  if (sums) {
    parts.push(
      words(left + matrix.cols * SIDE + SUMS - 6, 15, 'end', paint.muted, 'Σ', 'sum-name'),
    );
  }
  if (marked !== undefined && marked < matrix.rows) {
    parts.push(
      `<rect x="${left - 1}" y="${top + marked * high - 1}" width="${matrix.cols * SIDE + 1}" height="${high + 1}" fill="none" stroke="${paint.accent}" stroke-width="2"/>`,
    );
  }
  const width = left + matrix.cols * SIDE + (sums ? SUMS : 0);
  return {
    body: `<g class="${fitsFrom(width)}">${parts.join('')}</g>`,
    width,
    height: top + matrix.rows * high,
  };
}
