/** The lab on the home page: a mean over points on a line, sharper and sharper. */
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { round } from '../../../src/plot/svg.ts';

const POINTS: readonly (readonly [x: number, y: number])[] = [
  [0.06, 0.35],
  [0.2, 0.8],
  [0.34, 0.62],
  [0.5, 0.15],
  [0.63, 0.3],
  [0.8, 0.9],
  [0.94, 0.55],
];
const WIDTHS = [0.3, 0.16, 0.09, 0.05, 0.025];
const ACROSS = 60;
const [LEFT, TOP, WIDE, HIGH] = [10, 14, 220, 104];

const matrix = (rows: readonly (readonly number[])[]) => ({
  rows: rows.length,
  cols: rows[0]?.length ?? 0,
  data: Float32Array.from(rows.flat()),
});

export const thumbnail: Thumbnail = async ({ client, signal }) => {
  const places = Array.from({ length: ACROSS + 1 }, (_, i) => i / ACROSS);
  const curves = await Promise.all(
    WIDTHS.map(async (width) => {
      // Softmax attention of these queries and keys weighs with a Gaussian kernel of this width, because the score
      // x·xᵢ/w² − xᵢ²/2w² differs from −(x − xᵢ)²/2w² by the same number in a whole row.
      const { output } = await client.attention(
        {
          q: matrix(places.map((x) => [x, 1])),
          k: matrix(POINTS.map(([x]) => [x / width ** 2, (-x * x) / (2 * width ** 2)])),
          v: matrix(POINTS.map(([, y]) => [y])),
          scale: 1,
        },
        { signal },
      );
      return [...output.data];
    }),
  );
  const left = (x: number): number => LEFT + WIDE * x;
  const top = (y: number): number => TOP + HIGH * (1 - y);
  const dots = POINTS.map(
    ([x, y]) =>
      `<rect x="${round(left(x) - 3)}" y="${round(top(y) - 3)}" width="6" height="6" rx="3" fill="currentColor"/>`,
  ).join('');
  return (time) => {
    const curve = curves[Math.min(curves.length - 1, Math.floor(time * curves.length))] as number[];
    const line = curve
      .map((y, i) => `${round(left(places[i] as number))},${round(top(y))}`)
      .join(' ');
    return `<polyline points="${line}" fill="none" stroke="currentColor" stroke-width="2" opacity="0.6"/>${dots}`;
  };
};
