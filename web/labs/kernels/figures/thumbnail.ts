/** The lab on the home page: a plane in which the points of two colours vote, with bumps that become narrower. */
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { THUMBNAIL } from '../../../src/home/thumbnail.ts';
import { round } from '../../../src/plot/svg.ts';
import { labelsOf, pointsFrom, rowsOf } from './plane/points.ts';

/** How narrow a bump is, from picture to picture. */
const GAMMAS = [0.2, 0.5, 1.2, 3, 8];
const CELL = 4;
const [ACROSS, DOWN] = [THUMBNAIL.width / CELL, THUMBNAIL.height / CELL];
/** Pixels for a unit of the plane. */
const UNIT = 54;
/** From these votes on a place is shaded, and shaded more. */
const LEVELS = [0, 0.6];

const left = (x: number): number => THUMBNAIL.width / 2 + UNIT * (x - 0.15);
const top = (y: number): number => THUMBNAIL.height / 2 - UNIT * (y - 0.1);
const cells = Array.from({ length: ACROSS * DOWN }, (_, i) => {
  const [across, down] = [((i % ACROSS) + 0.5) * CELL, (Math.floor(i / ACROSS) + 0.5) * CELL];
  return [
    (across - THUMBNAIL.width / 2) / UNIT + 0.15,
    (THUMBNAIL.height / 2 - down) / UNIT + 0.1,
    1,
  ];
});

/** The cells that are higher than `level`, as one path of strips. */
function shadeOf(votes: Float32Array, level: number): string {
  let path = '';
  for (let row = 0; row < DOWN; row++) {
    let from = -1;
    for (let col = 0; col <= ACROSS; col++) {
      const high = col < ACROSS && (votes[row * ACROSS + col] as number) > level;
      if (high && from < 0) from = col;
      if (high || from < 0) continue;
      path += `M${from * CELL} ${row * CELL}h${(col - from) * CELL}v${CELL}h${(from - col) * CELL}z`;
      from = -1;
    }
  }
  return `<path d="${path}" fill="currentColor" opacity="0.16"/>`;
}

export const thumbnail: Thumbnail = async ({ client, signal }) => {
  const made = await client.planePoints(
    { pattern: 'moons', n: 24, noise: 0.18, seed: 1 },
    { signal },
  );
  const points = pointsFrom(made.x, made.y);
  const shades = await Promise.all(
    GAMMAS.map(async (gamma) => {
      // Softmax attention of these queries and keys weighs with a Gaussian kernel, as in the opening of the lab.
      const { output } = await client.attention(
        {
          q: rowsOf(cells),
          k: rowsOf(
            points.map(({ x, y }) => [2 * gamma * x, 2 * gamma * y, -gamma * (x * x + y * y)]),
          ),
          v: labelsOf(points),
          scale: 1,
        },
        { signal },
      );
      return LEVELS.map((level) => shadeOf(output.data, level)).join('');
    }),
  );
  const dots = points
    .map(({ x, y, label }) => {
      const square = (side: number): string =>
        `x="${round(left(x) - side / 2)}" y="${round(top(y) - side / 2)}" width="${side}" height="${side}" rx="${side / 2}"`;
      return label > 0
        ? `<rect ${square(7)} fill="currentColor"/>`
        : `<rect ${square(6)} fill="none" stroke="currentColor" stroke-width="1.5"/>`;
    })
    .join('');
  return (time) =>
    `${shades[Math.min(shades.length - 1, Math.floor(time * shades.length))]}${dots}`;
};
