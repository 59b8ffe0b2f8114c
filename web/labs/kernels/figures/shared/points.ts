/** Points as a link holds them, `0.5,1;-1,2`, and as matrices for the core. */
import type { Matrix } from '#client';
import type { Point } from './plot.ts';

export function parsePoints(written: string, otherwise: readonly Point[], most: number) {
  const points = written
    .split(';')
    .map((pair) => pair.split(',').map(Number))
    .flatMap(([x, y, more]) =>
      more === undefined && Number.isFinite(x) && Number.isFinite(y)
        ? [{ x: x as number, y: y as number }]
        : [],
    );
  return points.length > 0 ? points.slice(0, most) : otherwise;
}

export const printPoints = (points: readonly Point[]): string =>
  points.map(({ x, y }) => `${x},${y}`).join(';');

export const movedPoint = (points: readonly Point[], at: number, to: Point): readonly Point[] =>
  points.map((point, i) => (i === at ? to : point));

/** One row for each point, both coordinates. */
export const planeMatrix = (points: readonly Point[]): Matrix => ({
  rows: points.length,
  cols: 2,
  data: Float32Array.from(points.flatMap(({ x, y }) => [x, y])),
});

/** Numbers as a matrix of one column: points of a line, or values. */
export const column = (values: readonly number[]): Matrix => ({
  rows: values.length,
  cols: 1,
  data: Float32Array.from(values),
});
