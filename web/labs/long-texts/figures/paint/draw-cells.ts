/** A causal pattern as SVG text: kept cells, and those whose news arrives after more layers. */
import type { Matrix } from '#client';
import { paints } from '../../../../src/plot/chart-colors.ts';

/** The side of every picture, in the units of its SVG. */
export const SIDE = 480;

/** How much of the accent colour a cell has by the layers that its news takes: the first is what the pattern keeps. */
const SHADES = [1, 0.5, 0.28, 0.16, 0.1] as const;
export const shadeOf = (hops: number): number =>
  SHADES[Math.min(hops, SHADES.length) - 1] ?? SHADES[0];

/** One path of all cells for which `wanted` holds; neighbours in a row are one rectangle. */
function pathOf(n: number, wanted: (row: number, column: number) => boolean): string {
  const parts: string[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      if (!wanted(i, j)) continue;
      const from = j;
      while (j < i && wanted(i, j + 1)) j++;
      parts.push(`M${from} ${i}h${j - from + 1}v1h${from - j - 1}z`);
    }
  }
  return parts.join('');
}

export interface Cells {
  readonly n: number;
  /** n×n of 0 and 1. */
  readonly kept: Matrix;
  readonly hops: Matrix;
}

export function cellsBody(
  { n, kept, hops }: Cells,
  {
    layers,
    row,
    before,
    dark,
  }: {
    readonly layers: number;
    readonly row?: number | undefined;
    readonly before?: Pick<Cells, 'n' | 'kept'> | undefined;
    readonly dark: boolean;
  },
): string {
  const paint = paints[dark ? 'dark' : 'light'];
  const scale = SIDE / n;
  const at = (matrix: Matrix, i: number, j: number): number => matrix.data[i * n + j] as number;
  const path = (d: string, fill: string, opacity: number): string =>
    d ? `<path d="${d}" fill="${fill}" fill-opacity="${opacity}"/>` : '';
  const parts = [
    `<path d="M0 0V${n}H${n}z" fill="none" stroke="${paint.rule}" stroke-width="${1 / scale}"/>`,
  ];
  for (let l = layers; l >= 2; l--) {
    const d = pathOf(n, (i, j) => at(kept, i, j) === 0 && at(hops, i, j) === l);
    parts.push(path(d, paint.accent, shadeOf(l)));
  }
  parts.push(
    path(
      pathOf(n, (i, j) => at(kept, i, j) !== 0),
      paint.accent,
      1,
    ),
  );
  // What was kept before a try, as an outline.
  if (before && before.n === n) {
    const d = pathOf(n, (i, j) => at(before.kept, i, j) !== 0 && at(kept, i, j) === 0);
    parts.push(
      `<path d="${d}" fill="none" stroke="${paint.muted}" stroke-width="${1 / scale}" stroke-dasharray="${3 / scale} ${2 / scale}"/>`,
    );
  }
  if (row !== undefined) {
    parts.push(
      `<rect x="0" y="${row}" width="${row + 1}" height="1" fill="none" stroke="${paint.ink}" stroke-width="${1.5 / scale}"/>`,
    );
  }
  return `<g transform="scale(${scale})">${parts.join('')}</g>`;
}
