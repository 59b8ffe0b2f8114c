/** The lab on the home page: one state, written pair by pair as a sum and by the delta rule. */
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { colorOf } from '../../../src/plot/color.ts';
import { round } from '../../../src/plot/svg.ts';
import { stateScale } from './pairs/draw-memory.ts';

const STREAM = { pairs: 12, width: 8, repeats: 3, noise: 0, seed: 4, decay: 0.9 } as const;
const SIDE = 104;
const TOP = 14;

export const thumbnail: Thumbnail = async ({ client, dark, signal }) => {
  const drawn = await Promise.all(
    (['linear_sum', 'delta_rule'] as const).map(async (memory) => {
      const trace = await client.pairMemoryTrace({ ...STREAM, memory }, { signal });
      return { ...trace, scale: stateScale(trace) };
    }),
  );
  return (time) => {
    const t = Math.max(1, Math.min(STREAM.pairs, Math.ceil(time * STREAM.pairs)));
    return drawn
      .map(({ states, stateRows, scale }, k) => {
        const { cols } = states;
        const cell = SIDE / cols;
        const left = 10 + k * (SIDE + 12);
        return Array.from({ length: stateRows * cols }, (_, i) => {
          const value = states.data[(t - 1) * stateRows * cols + i] as number;
          const fill = colorOf(scale, value, dark).join(',');
          return `<rect x="${round(left + (i % cols) * cell)}" y="${round(TOP + Math.floor(i / cols) * cell)}" width="${round(cell - 1)}" height="${round(cell - 1)}" rx="1" fill="rgb(${fill})"/>`;
        }).join('');
      })
      .join('');
  };
};
