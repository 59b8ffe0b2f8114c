/** Lays out the matrices of each order, and tells which cells take part in a step. */
import type { Matrix } from '#client';
import {
  type CellAt,
  type Drawing,
  type Outline,
  type PlacedMatrix,
  signedScale,
  transposed,
} from './matrices.ts';

export type Order = 'standard' | 'linear';

export interface OrderMatrices {
  readonly q: Matrix;
  readonly k: Matrix;
  readonly v: Matrix;
  /** QKᵀ or KᵀV, as far as it is filled. */
  readonly product: Matrix;
  readonly output: Matrix;
}

/** Sizes of a cell; in one that is not legible there is no number. */
const [LARGEST, LEGIBLE, LEAST] = [29, 21, 10];
const GAP = 16;
const ABOVE = 24;
const BELOW = 38;
const EDGE = 6;

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

/** Matrices beside each other, each at least as wide as its name below it. */
function inRow(
  matrices: readonly (Omit<PlacedMatrix, 'x' | 'y' | 'side'> & { readonly least: number })[],
  cell: number,
): Drawing {
  const placed: PlacedMatrix[] = [];
  let right = EDGE;
  let tall = 0;
  for (const { least, ...matrix } of matrices) {
    const { rows, cols } = matrix.matrix;
    const wide = Math.max(least, cols * cell);
    const x = right + (wide - cols * cell) / 2;
    placed.push({ ...matrix, x, y: EDGE, side: 'below' });
    right += wide + GAP;
    tall = Math.max(tall, rows * cell);
  }
  return {
    ...{ width: right - GAP + EDGE, height: EDGE + tall + BELOW },
    ...{ cell, bare: cell < LEGIBLE, matrices: placed },
  };
}

/** Q, Kᵀ and V alone, where both orders share one picture of them. */
export function drawInputs(
  { q, k, v }: Pick<OrderMatrices, 'q' | 'k' | 'v'>,
  cell: number,
): Drawing {
  const scale = signedScale(q, k, v);
  return inRow(
    [
      { id: 'q', name: 'Q', matrix: q, scale, least: 36 },
      { id: 'k', name: 'Kᵀ', matrix: transposed(k), scale, least: 36 },
      { id: 'v', name: 'V', matrix: v, scale, least: 36 },
    ],
    cell,
  );
}

/** What an order computes, without what it is computed from. */
export function drawProducts(
  order: Order,
  { product, output }: Pick<OrderMatrices, 'product' | 'output'>,
  whole: Pick<OrderMatrices, 'product' | 'output'>,
  cell: number,
): Drawing {
  const [between, result] = order === 'standard' ? ['QKᵀ', '(QKᵀ)V'] : ['KᵀV', 'Q(KᵀV)'];
  const [one, two] = [signedScale(whole.product), signedScale(whole.output)];
  return inRow(
    [
      { id: 'product', name: between, matrix: product, scale: one, least: 40 },
      { id: 'output', name: result, matrix: output, scale: two, least: 60 },
    ],
    cell,
  );
}

/** How both orders are drawn: each with its inputs, with one picture of the inputs, or without them. */
export interface OrdersLayout {
  readonly mode: 'each' | 'shared' | 'without';
  /** Whether the terms of a cell have room below it. */
  readonly terms: boolean;
  readonly cell: number;
}

/** Between two pictures in a row. */
const BETWEEN = 14;
/** Above and below the pictures: the clock, the counters, the terms of a cell. */
const NARROW_PLACE = 480;
const HEAD = { clock: 58, counter: 96, terms: 70 };
/** Beside each other in a wide place, the counter takes two lines and the terms of a cell one. */
const WIDE_PLACE = 840;
const WIDE = { clock: 58, counter: 84, terms: 40 };
const NARROW = { clock: 48, counter: 118, terms: 84 };

/** A counter takes so much, however narrow the picture below it is. */
export const sectionWidth = (width: number): number => (width < NARROW_PLACE ? 130 : 160);

/** The layout with the largest cells that has room; inputs are left out only where their numbers could not be read. */
export function layoutFor(
  { n, dK, dV }: { readonly n: number; readonly dK: number; readonly dV: number },
  { width, height }: { readonly width: number; readonly height: number },
): OrdersLayout {
  const narrow = width < NARROW_PLACE;
  const { clock, counter, terms } = narrow ? NARROW : width < WIDE_PLACE ? HEAD : WIDE;
  const head = clock + counter;
  const empty = (rows: number, cols: number): Matrix => ({ rows, cols, data: new Float32Array(0) });
  const parts = { q: empty(n, dK), k: empty(n, dK), v: empty(n, dV) };
  const productOf = (order: Order) => ({
    product: order === 'standard' ? empty(n, n) : empty(dK, dV),
    output: empty(n, dV),
  });
  const orders = ['standard', 'linear'] as const;
  /** Whether pictures in rows as long as the place is wide are low enough. */
  const fits = (drawings: readonly Drawing[], most: number): boolean => {
    let [rows, left, tall] = [0, 0, 0];
    for (const drawing of drawings) {
      const wide = Math.max(sectionWidth(width), drawing.width);
      if (wide > width) return false;
      if (rows === 0 || wide > left) {
        rows++;
        left = width;
        tall += drawing.height;
      }
      left -= wide + BETWEEN;
    }
    return tall <= most;
  };
  for (let cell = LARGEST; cell >= LEGIBLE; cell--) {
    const each = orders.map((order) => {
      const made = productOf(order);
      return drawOrder(order, { ...parts, ...made }, made, cell);
    });
    const inRow = each.reduce((sum, one) => sum + one.width, BETWEEN) <= width;
    if (inRow && fits(each, height - head - terms)) return { mode: 'each', cell, terms: true };
  }
  for (const mode of ['shared', 'without'] as const) {
    const most = height - head - (mode === 'shared' || !narrow ? terms : 0);
    const least = mode === 'shared' ? LEGIBLE : LEAST;
    for (let cell = LARGEST; cell >= least; cell--) {
      const made = orders.map((order) =>
        drawProducts(order, productOf(order), productOf(order), cell),
      );
      const all = mode === 'shared' ? [drawInputs(parts, cell), ...made] : made;
      if (fits(all, most)) return { mode, cell, terms: mode === 'shared' || !narrow };
    }
  }
  return { mode: 'without', cell: LEAST, terms: !narrow };
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
