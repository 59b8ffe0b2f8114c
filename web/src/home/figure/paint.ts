/** Paints the figure of the home page: the slab, the state, and arcs on their way. */
import type { Matrix } from '#client';
import { between, type Moving, wayOf } from './morph.ts';
import type { Box, Scene } from './slab.ts';

export interface Inks {
  readonly softmax: string;
  readonly linear: string;
  readonly paper: string;
}

/** The opacity of a weight, from the share of the largest one. Zero stays visible as a cell. */
export const opacityOf = (share: number): number => 0.12 + 0.83 * Math.min(1, share);
/** The opacity of a cell that no typed word fills. */
const EMPTY = 0.2;
/** Cells narrower than this are one colour, and boxes narrower than this have no line around them. */
const APART = 3;

export interface Painted {
  readonly scene: Scene;
  readonly weights: Matrix;
  readonly state: Matrix;
  /** z, D×1. */
  readonly sums: Matrix;
  readonly inks: Inks;
  /** The corner stays empty while the arcs are on their way there. */
  readonly cornerHidden: boolean;
  /** The row of the word that is looked at. */
  readonly row: number | undefined;
}

const largest = ({ data }: Matrix): number => {
  let most = 0;
  for (const value of data) {
    const size = Math.abs(value);
    if (size > most && Number.isFinite(size)) most = size;
  }
  return most || 1;
};

/** The line between two cells, which is drawn where there is room for it. */
const gapOf = (cell: number): number => (cell > 5 ? 1 : cell > APART ? 0.5 : 0);

/** The cells of a matrix that lie in its box, each as opaque as its size. */
function cells(context: CanvasRenderingContext2D, matrix: Matrix, at: Box, cell: number): void {
  const most = largest(matrix);
  const gap = gapOf(cell);
  const [rows, cols] = [at.height / cell, at.width / cell].map((count) => Math.round(count));
  for (let row = 0; row < Math.min(matrix.rows, rows ?? 0); row++) {
    for (let col = 0; col < Math.min(matrix.cols, cols ?? 0); col++) {
      const size = Math.abs(matrix.data[row * matrix.cols + col] as number);
      context.globalAlpha = opacityOf(size / most);
      context.fillRect(at.x + col * cell, at.y + row * cell, cell - gap, cell - gap);
    }
  }
  context.globalAlpha = 1;
}

function edge(context: CanvasRenderingContext2D, { x, y, width, height }: Box): void {
  if (width < APART) return;
  context.lineWidth = 1.5;
  context.strokeRect(x - 1, y - 1, width + 1, height + 1);
}

export function paintScene(context: CanvasRenderingContext2D, painted: Painted): void {
  const { scene, weights, state, sums, inks, cornerHidden, row } = painted;
  const { cell, slab, corner } = scene;
  context.fillStyle = inks.softmax;
  context.globalAlpha = EMPTY;
  context.fillRect(slab.x, slab.y, slab.width, slab.height);
  context.globalAlpha = 1;
  const gap = gapOf(cell);
  if (gap > 0) {
    // The lines between the cells have the colour of the paper.
    context.fillStyle = inks.paper;
    for (let at = cell; at < slab.width; at += cell) {
      context.fillRect(slab.x + at - gap, slab.y, gap, slab.height);
      context.fillRect(slab.x, slab.y + at - gap, slab.width, gap);
    }
  }
  // What is known of the text replaces the empty cells in the corner.
  context.clearRect(corner.x, corner.y, corner.width, corner.height);
  context.fillStyle = inks.softmax;
  if (!cornerHidden) cells(context, weights, corner, cell);
  context.strokeStyle = inks.softmax;
  edge(context, slab);
  if (row !== undefined && row * cell < corner.height && !cornerHidden && cell > APART) {
    context.lineWidth = 2;
    context.strokeRect(corner.x - 1, corner.y + row * cell - 1, corner.width + 1, cell + 1);
  }
  context.fillStyle = inks.linear;
  cells(context, state, scene.state, cell);
  cells(context, sums, scene.sums, cell);
  context.strokeStyle = inks.linear;
  edge(context, scene.state);
  edge(context, scene.sums);
}

export function paintMoving(
  context: CanvasRenderingContext2D,
  moving: readonly Moving[],
  rows: number,
  time: number,
  { softmax }: Inks,
): void {
  context.strokeStyle = softmax;
  for (const { row, strength, from, to, width } of moving) {
    const share = wayOf(row, rows, time);
    if (share === 0) continue;
    const [x0, y0, ...rest] = between(from, to, share);
    context.globalAlpha = opacityOf(strength);
    context.lineWidth = Math.max(0.4, width[0] + (width[1] - width[0]) * share);
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(...rest);
    context.stroke();
  }
  context.globalAlpha = 1;
}
