/** The lab on the home page: the multiply-adds of both orders while the text grows, side by side. */
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { arcColors } from '../../../src/plot/arcs.ts';
import { paints } from '../../../src/plot/chart-colors.ts';
import { line, round } from '../../../src/plot/svg.ts';

const LENGTHS = [2, 4, 6, 8, 10, 12, 14, 16];
const WIDTH = 4;
const BASE = 122;
const HIGHEST = 110;
const PITCH = 28;

export const thumbnail: Thumbnail = async ({ client, dark, signal }) => {
  const counts = await Promise.all(
    LENGTHS.map(async (n) => {
      const { plain } = await client.orderCosts({ n, dK: WIDTH, dV: WIDTH }, { signal });
      return plain;
    }),
  );
  const most = Math.max(...counts.flatMap(({ standard, linear }) => [standard, linear]));
  const { accent, rule } = paints[dark ? 'dark' : 'light'];
  const { positive } = arcColors(dark);
  return (time) => {
    const bars = counts.flatMap(({ standard, linear }, i) => {
      const grown = Math.max(0, Math.min(1, time * (LENGTHS.length + 1) - i));
      const bar = (x: number, count: number, fill: string): string => {
        const tall = (HIGHEST * grown * count) / most;
        return `<rect x="${x}" y="${round(BASE - tall)}" width="10" height="${round(tall)}" fill="${fill}"/>`;
      };
      const x = 10 + i * PITCH;
      return [bar(x, standard, positive), bar(x + 11, linear, accent)];
    });
    return bars.join('') + line(4, BASE + 0.5, 236, BASE + 0.5, rule);
  };
};
