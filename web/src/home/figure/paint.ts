/** Paints the figure of the home page: the slab, the state, the whole slab drawn small, and arcs on their way. */
import type { Matrix } from '#client';
import { between, type Moving, wayOf } from './morph.ts';
import { type Box, overviewOf, type Scene } from './slab.ts';

export interface Inks {
  readonly softmax: string;
  readonly linear: string;
  readonly paper: string;
}

/** The opacity of a weight, from the share of the largest one. Zero stays visible as a cell. */
export const opacityOf = (share: number): number => 0.12 + 0.83 * Math.min(1, share);
/** The opacity of a cell that no typed word fills. */
const EMPTY = 0.2;
/** The side of the slab that is drawn small. */
const sideOf = (width: number): number => (width >= 600 ? 104 : 60);

/** The sheet around it; words stand below it. */
const MARGIN = { left: 24, right: 14, above: 10, below: 58 };

export interface Painted {
  readonly scene: Scene;
  readonly weights: Matrix;
  readonly state: Matrix;
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

/** The cells of a matrix that lie in the frame, each as opaque as its size. */
function cells(context: CanvasRenderingContext2D, matrix: Matrix, at: Box, cell: number): void {
  const most = largest(matrix);
  const gap = cell > 5 ? 1 : 0.5;
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

export function paintScene(context: CanvasRenderingContext2D, painted: Painted): void {
  const { scene, weights, state, inks, cornerHidden, row } = painted;
  const { cell, seen, slab, corner } = scene;
  const gap = cell > 5 ? 1 : 0.5;
  context.fillStyle = inks.softmax;
  context.globalAlpha = EMPTY;
  context.fillRect(seen.x, seen.y, seen.width, seen.height);
  context.globalAlpha = 1;
  // The lines between the cells have the colour of the paper.
  context.fillStyle = inks.paper;
  for (let x = cell; x < seen.width; x += cell)
    context.fillRect(seen.x + x - gap, seen.y, gap, seen.height);
  for (let y = cell; y < seen.height; y += cell)
    context.fillRect(seen.x, seen.y + y - gap, seen.width, gap);
  // What is known of the text replaces the empty cells in the corner.
  context.clearRect(
    corner.x,
    corner.y,
    Math.min(corner.width, seen.width),
    Math.min(corner.height, seen.height),
  );
  context.fillStyle = inks.softmax;
  if (!cornerHidden) {
    const box = {
      ...corner,
      width: Math.min(corner.width, seen.width),
      height: Math.min(corner.height, seen.height),
    };
    cells(context, weights, box, cell);
  }
  // An edge is drawn only where the slab ends.
  context.strokeStyle = inks.softmax;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(seen.x + seen.width, seen.y);
  context.lineTo(seen.x, seen.y);
  context.lineTo(seen.x, seen.y + seen.height);
  if (!scene.leavesBelow) context.lineTo(seen.x + seen.width, slab.y + slab.height);
  context.stroke();
  if (!scene.leavesRight) {
    context.beginPath();
    context.moveTo(slab.x + slab.width, seen.y);
    context.lineTo(slab.x + slab.width, seen.y + seen.height);
    context.stroke();
  }
  if (row !== undefined && row * cell < corner.height && !cornerHidden) {
    context.lineWidth = 2;
    context.strokeRect(corner.x - 1, corner.y + row * cell - 1, corner.width + 1, cell + 1);
  }
  context.fillStyle = inks.linear;
  cells(context, state, scene.state, cell);
  context.strokeStyle = inks.linear;
  context.lineWidth = 1.5;
  const { x, y, width, height } = scene.state;
  context.strokeRect(x - 1, y - 1, width + 1, height + 1);
}

/** The box of the small picture, in the lower right corner of the frame. */
export function overviewBox(width: number, height: number): Box {
  const side = sideOf(width);
  return {
    x: width - side - MARGIN.right - 14,
    y: height - side - MARGIN.below,
    width: side,
    height: side,
  };
}

export function paintOverview(
  context: CanvasRenderingContext2D,
  scene: Scene,
  at: Box,
  inks: Inks,
): void {
  const { side, seen, state } = overviewOf(scene, at.width);
  // A sheet of its own, over the slab, with room for the words below.
  context.fillStyle = inks.paper;
  const [left, top] = [at.x - MARGIN.left, at.y - MARGIN.above];
  const [wide, tall] = [side + MARGIN.left + MARGIN.right, side + MARGIN.above + MARGIN.below];
  context.fillRect(left, top, wide, tall);
  context.strokeStyle = inks.softmax;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, top + 0.5, wide - 1, tall - 1);
  context.fillStyle = inks.softmax;
  context.globalAlpha = 0.45;
  context.fillRect(at.x, at.y, side, side);
  context.globalAlpha = 1;
  context.strokeStyle = inks.softmax;
  context.lineWidth = 1;
  context.strokeRect(at.x - 0.5, at.y - 0.5, side + 1, side + 1);
  context.fillStyle = inks.paper;
  context.fillRect(at.x, at.y, seen.width, seen.height);
  context.fillStyle = inks.linear;
  context.fillRect(at.x + state.x, at.y, state.width, state.height);
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
