/** Points as a link holds them, `0.5,1;-1,2`, and as matrices for the core. */
import type { Matrix } from '#client';
import type { Point } from './plot.ts';
import { ownPoints, tooManyPoints, unreadPoints } from './unread.ts';

const piecesOf = (written: string): readonly string[] =>
  written
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');

function pointOf(pair: string): Point | undefined {
  const [x, y, more] = pair.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  return more === undefined && Number.isFinite(x) && Number.isFinite(y)
    ? { x: x as number, y: y as number }
    : undefined;
}

/** What cannot be read is left out, and `unreadOf` names it. */
export function parsePoints(written: string, otherwise: readonly Point[], most: number) {
  const points = piecesOf(written).flatMap((pair) => pointOf(pair) ?? []);
  return points.length > 0 ? points.slice(0, most) : otherwise;
}

/** What the reader must know about a link's points: which cannot be read, and whether there are too many. */
export function unreadOf(written: string, most: number): readonly string[] {
  const pieces = piecesOf(written);
  const unread = pieces.filter((pair) => !pointOf(pair));
  const readable = pieces.length - unread.length;
  return [
    ...(unread.length > 0 ? [unreadPoints(unread, printPoints([{ x: 0.5, y: -1 }]))] : []),
    ...(readable === 0 ? [ownPoints] : []),
    ...(readable > most ? [tooManyPoints(readable, most)] : []),
  ];
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
