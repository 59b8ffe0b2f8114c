/** What this lab's figures draw with: colour scales, the text of a cell, the cells of a matrix. */
import type { Matrix } from '#client';
import { paints } from '../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf, inkOn } from '../../../src/plot/color.ts';
import { formatShort } from '../../../src/plot/format.ts';
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
