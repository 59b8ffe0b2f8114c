/** Points of two colours in the plane, as the text that a link carries: `a0.5,-1b2,0.25`. */
import type { Matrix } from '#client';
import { tooManyPoints, unreadPoints } from '../../../../src/figures/kernel/unread.ts';

export interface PlanePoint {
  readonly x: number;
  readonly y: number;
  readonly label: 1 | -1;
}

/** Half the side of the square that is shown. */
export const REACH = 2.5;
export const MOST_POINTS = 120;

const tidy = (value: number): number =>
  Math.round(100 * Math.max(-REACH, Math.min(REACH, value))) / 100;

export const textOf = (points: readonly PlanePoint[]): string =>
  points.map(({ x, y, label }) => `${label > 0 ? 'a' : 'b'}${tidy(x)},${tidy(y)}`).join('');

/** Every point of a link's text as it is written there; `NaN` and `1e3` do not begin a new one, `c` after a digit does. */
const piecesOf = (text: string): readonly string[] =>
  text
    .split(/(?=[ab](?:[^A-Za-z]|NaN))|(?<=\d)(?=[A-DF-Zc-df-z])/)
    .map((piece) => piece.replace(/[\s,;]+$/, ''))
    .filter((piece) => piece !== '');

const POINT = /^([ab])(-?\d*\.?\d+),(-?\d*\.?\d+)$/;

/** What cannot be read is left out, and `unreadOf` names it. */
export function pointsOf(text: string): readonly PlanePoint[] {
  const found = piecesOf(text).flatMap((piece): PlanePoint[] => {
    const [, kind, x, y] = POINT.exec(piece) ?? [];
    return kind ? [{ x: tidy(Number(x)), y: tidy(Number(y)), label: kind === 'a' ? 1 : -1 }] : [];
  });
  return found.slice(0, MOST_POINTS);
}

/** What the reader must know about a link's points: which cannot be read, and whether there are too many. */
export function unreadOf(text: string): readonly string[] {
  const pieces = piecesOf(text);
  const unread = pieces.filter((piece) => !POINT.test(piece));
  const readable = pieces.length - unread.length;
  return [
    ...(unread.length > 0 ? [unreadPoints(unread, textOf([{ x: 0.5, y: -1, label: 1 }]))] : []),
    ...(readable > MOST_POINTS ? [tooManyPoints(readable, MOST_POINTS)] : []),
  ];
}

export function pointsFrom(x: Matrix, y: Matrix): readonly PlanePoint[] {
  return Array.from({ length: x.rows }, (_, i) => ({
    x: tidy(x.data[2 * i] ?? 0),
    y: tidy(x.data[2 * i + 1] ?? 0),
    label: (y.data[i] ?? 0) > 0 ? 1 : -1,
  }));
}

export const rowsOf = (rows: readonly (readonly number[])[]): Matrix => ({
  rows: rows.length,
  cols: rows[0]?.length ?? 0,
  data: Float32Array.from(rows.flat()),
});

/** The places of a grid, each with a 1 that is multiplied by what a key adds to its scores. */
export const placesOf = ({ rows, data }: Matrix): readonly (readonly number[])[] =>
  Array.from({ length: rows }, (_, i) => [data[2 * i] ?? 0, data[2 * i + 1] ?? 0, 1]);

export const matrixOf = (points: readonly PlanePoint[]): Matrix => ({
  rows: points.length,
  cols: 2,
  data: Float32Array.from(points.flatMap(({ x, y }) => [x, y])),
});

export const labelsOf = (points: readonly PlanePoint[]): Matrix => ({
  rows: points.length,
  cols: 1,
  data: Float32Array.from(points, ({ label }) => label),
});

/** The pixels' middles, from the upper left, row by row. */
export function gridOf(side: number): Matrix {
  const data = new Float32Array(2 * side * side);
  const place = (i: number): number => ((i + 0.5) / side) * 2 * REACH - REACH;
  for (let row = 0, at = 0; row < side; row++) {
    for (let col = 0; col < side; col++) {
      data[at++] = place(col);
      data[at++] = -place(row);
    }
  }
  return { rows: side * side, cols: 2, data };
}
