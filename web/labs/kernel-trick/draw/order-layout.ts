/** Lays out the matrices of each order, and tells which cells take part in a step. */
import type { Matrix } from '#client';
import { type CellAt, type Drawing, type Outline, signedScale, transposed } from './matrices.ts';

export type Order = 'standard' | 'linear';

export interface OrderMatrices {
  readonly q: Matrix;
  readonly k: Matrix;
  readonly v: Matrix;
  /** QKᵀ or KᵀV, as far as it is filled. */
  readonly product: Matrix;
  readonly output: Matrix;
}

const GAP = 16;
const ABOVE = 24;
const BELOW = 38;
const EDGE = 6;

/** Columns and rows of cells that an order takes, for choosing how large a cell may be. */
export const sizeOf = (
  order: Order,
  n: number,
  d: number,
  dV: number,
): readonly [number, number] =>
  order === 'standard' ? [d + n + dV, Math.max(d, n) + n] : [Math.max(n, d) + dV, n + d + n];

/** `whole` is the finished product and output: its range fixes the colours while the matrices fill. */
export function drawOrder(
  order: Order,
  parts: OrderMatrices,
  whole: Pick<OrderMatrices, 'product' | 'output'>,
  cell: number,
): Drawing {
  const { q, k, v, product, output } = parts;
  const inputs = signedScale(q, k, v);
  const results = signedScale(whole.product);
  const outputs = signedScale(whole.output);
  const kT = transposed(k);
  const [n, d, dV] = [q.rows, q.cols, v.cols];
  const px = (cells: number): number => cells * cell;
  if (order === 'standard') {
    const left = EDGE + px(d) + GAP;
    const right = left + px(k.rows) + GAP;
    const top = ABOVE + px(Math.max(d, k.rows)) + GAP;
    return {
      // The name below a narrow output is wider than it.
      width: right + Math.max(px(dV) + EDGE, px(dV) / 2 + 30),
      height: top + px(n) + BELOW,
      cell,
      matrices: [
        {
          id: 'k',
          name: 'Kᵀ',
          matrix: kT,
          scale: inputs,
          x: left,
          y: top - GAP - px(d),
          side: 'above',
        },
        {
          id: 'v',
          name: 'V',
          matrix: v,
          scale: inputs,
          x: right,
          y: top - GAP - px(v.rows),
          side: 'above',
        },
        { id: 'q', name: 'Q', matrix: q, scale: inputs, x: EDGE, y: top, side: 'below' },
        {
          id: 'product',
          name: 'QKᵀ',
          matrix: product,
          scale: results,
          x: left,
          y: top,
          side: 'below',
        },
        {
          id: 'output',
          name: '(QKᵀ)V',
          matrix: output,
          scale: outputs,
          x: right,
          y: top,
          side: 'below',
        },
      ],
    };
  }
  const wide = Math.max(px(k.rows), px(d));
  const right = EDGE + wide + GAP;
  const middle = ABOVE + px(v.rows) + GAP;
  const bottom = middle + px(d) + GAP;
  return {
    width: right + Math.max(px(dV) + 52, 70),
    height: bottom + px(n) + BELOW,
    cell,
    matrices: [
      { id: 'v', name: 'V', matrix: v, scale: inputs, x: right, y: ABOVE, side: 'above' },
      {
        id: 'k',
        name: 'Kᵀ',
        matrix: kT,
        scale: inputs,
        x: right - GAP - px(k.rows),
        y: middle,
        side: 'above',
      },
      {
        id: 'product',
        name: 'KᵀV',
        matrix: product,
        scale: results,
        x: right,
        y: middle,
        side: 'right',
      },
      {
        id: 'q',
        name: 'Q',
        matrix: q,
        scale: inputs,
        x: right - GAP - px(d),
        y: bottom,
        side: 'below',
      },
      {
        id: 'output',
        name: 'Q(KᵀV)',
        matrix: output,
        scale: outputs,
        x: right,
        y: bottom,
        side: 'below',
      },
    ],
  };
}

/** The row and the column whose terms make a cell of the product or of the output. */
export function factorsOf(order: Order, { id, row, col }: CellAt): readonly Outline[] {
  const kind = 'terms';
  const [left, above] =
    id === 'product'
      ? order === 'standard'
        ? ['q', 'k']
        : ['k', 'v']
      : order === 'standard'
        ? ['product', 'v']
        : ['q', 'product'];
  if (id !== 'product' && id !== 'output') return [];
  return [
    { id: left, row, kind },
    { id: above, col, kind },
  ];
}

/** How many multiply-adds are done when a cell is. */
export function stepOf(order: Order, { id, row, col }: CellAt, n: number, d: number, dV: number) {
  const [cols, inner] = order === 'standard' ? [n, d] : [dV, n];
  const product = (order === 'standard' ? n : d) * cols * inner;
  if (id === 'product') return (row * cols + col + 1) * inner;
  return product + (row * dV + col + 1) * (order === 'standard' ? n : d);
}
