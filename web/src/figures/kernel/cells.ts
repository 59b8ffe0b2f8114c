/** A small matrix as coloured cells with their numbers, as SVG text. */

import type { Matrix } from '#client';
import { type ColorScale, colorOf, inkOn } from '../../plot/color.ts';
import { formatShort } from '../../plot/format.ts';
import { escapeXml, round } from '../../plot/svg.ts';

interface Cells {
  readonly side: number;
  readonly scale: ColorScale;
  readonly dark: boolean;
  /** The matrix before a try: its colours stand in a corner of each cell. */
  readonly before?: Matrix | undefined;
}

export function cells(of: Matrix, { side, scale, dark, before }: Cells): string {
  const n = of.rows;
  const cell = side / n;
  const ghost = before && before.rows === n && before.cols === of.cols ? before : undefined;
  const square = (x: number, y: number, size: number, fill: readonly number[]): string =>
    `<rect x="${round(x)}" y="${round(y)}" width="${round(size)}" height="${round(size)}" rx="2" fill="rgb(${fill.join(',')})"/>`;
  return Array.from(of.data, (value, at) => {
    const [x, y] = [(at % n) * cell, Math.floor(at / n) * cell];
    const fill = colorOf(scale, value, dark);
    const size = Math.min(16, cell / 3);
    const was = ghost?.data[at];
    const corner =
      was === undefined || was === value
        ? ''
        : square(x + 0.72 * cell, y + 0.72 * cell, 0.22 * cell, colorOf(scale, was, dark));
    return `${square(x + 1, y + 1, cell - 2, fill)}${corner}<text x="${round(x + cell / 2)}" y="${round(y + cell / 2 + size / 3)}" text-anchor="middle" font-size="${round(size)}" fill="${inkOn(fill)}">${escapeXml(formatShort(value))}</text>`;
  }).join('');
}
