/** The marks of points, and the sign of a line in a legend. */
import { round } from './svg.ts';

export type Mark = 'circle' | 'square' | 'diamond' | 'triangle' | 'down' | 'cross' | 'plus';

/** The look of a family of points, the same in every chart. */
export interface Look {
  readonly color: string;
  readonly mark: Mark;
  /** Whether the mark is hollow, which distinguishes families in a second way besides colour. */
  readonly hollow?: boolean;
}

export function markShape(mark: Mark, x: number, y: number, r: number): string {
  const [a, b] = [round(x), round(y)];
  const path = (d: string): string => `<path d="${d}"/>`;
  const p = (dx: number, dy: number): string => `${round(x + dx * r)} ${round(y + dy * r)}`;
  switch (mark) {
    case 'circle':
      return `<circle cx="${a}" cy="${b}" r="${round(r)}"/>`;
    case 'square':
      return path(`M${p(-0.88, -0.88)}L${p(0.88, -0.88)}L${p(0.88, 0.88)}L${p(-0.88, 0.88)}Z`);
    case 'diamond':
      return path(`M${p(0, -1.25)}L${p(1.25, 0)}L${p(0, 1.25)}L${p(-1.25, 0)}Z`);
    case 'triangle':
      return path(`M${p(0, -1.2)}L${p(1.1, 0.85)}L${p(-1.1, 0.85)}Z`);
    case 'down':
      return path(`M${p(0, 1.2)}L${p(1.1, -0.85)}L${p(-1.1, -0.85)}Z`);
    case 'cross':
      return path(`M${p(-0.9, -0.9)}L${p(0.9, 0.9)}M${p(0.9, -0.9)}L${p(-0.9, 0.9)}`);
    case 'plus':
      return path(`M${p(-1.15, 0)}L${p(1.15, 0)}M${p(0, -1.15)}L${p(0, 1.15)}`);
  }
}

/** Draws a mark with its colours. */
export function paintedMark(
  { mark, color, hollow }: Look,
  x: number,
  y: number,
  paper: string,
  r = 4,
): string {
  const fill = hollow ? paper : color;
  return `<g class="mark${hollow ? ' hollow' : ''}" fill="${fill}" stroke="${color}" stroke-width="1.5">${markShape(mark, x, y, r)}</g>`;
}
