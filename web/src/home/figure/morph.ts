/** How arcs between words become the cells of their matrix: each arc straightens into a line as thick as a cell. */
import type { Arc, Curve } from '../../plot/arcs.ts';
import type { Box } from './slab.ts';

export interface Moving {
  readonly row: number;
  readonly strength: number;
  readonly from: Curve;
  readonly to: Curve;
  readonly width: readonly [from: number, to: number];
}

/** The line that fills the cell (row, col) of a matrix with this upper left corner. */
export function cellCurve(row: number, col: number, cell: number, corner: Box): Curve {
  const y = corner.y + (row + 0.5) * cell;
  const x = corner.x + col * cell;
  return [x, y, x + cell / 3, y, x + (2 * cell) / 3, y, x + cell, y];
}

/** @param shift from the arcs' picture to that of the matrix */
export const movingArcs = (
  arcs: readonly Arc[],
  corner: Box,
  cell: number,
  shift: { readonly x: number; readonly y: number },
): Moving[] =>
  arcs.map(({ row, col, curve, width, strength }) => ({
    ...{ row, strength },
    from: curve.map((at, i) => at + (i % 2 === 0 ? shift.x : shift.y)) as unknown as Curve,
    to: cellCurve(row, col, cell, corner),
    width: [width, cell],
  }));

/** The share of the whole time in which one row moves; the rows begin one after another. */
const OWN_SHARE = 0.6;

const eased = (t: number): number => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);

/** How far row `row` of `rows` is on its way at `time`, all from 0 to 1. */
export function wayOf(row: number, rows: number, time: number): number {
  const start = rows > 1 ? ((1 - OWN_SHARE) * row) / (rows - 1) : 0;
  return eased(Math.max(0, Math.min(1, (time - start) / OWN_SHARE)));
}

export const between = (from: Curve, to: Curve, share: number): Curve =>
  from.map((at, i) => at + ((to[i] as number) - at) * share) as unknown as Curve;
