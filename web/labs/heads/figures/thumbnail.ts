/** The lab on the home page: heads of different random weights on the visitor's sentence, one after the other. */
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { keptText } from '../../../src/lab/figure/kept-inputs.ts';
import { colorOf } from '../../../src/plot/color.ts';
import { round } from '../../../src/plot/svg.ts';
import { weightScale } from './shared/weights.ts';

const MOST_WORDS = 8;
const ACROSS = 4;
const HEADS = 8;
const SIDE = 52;
const PITCH = 58;

export const thumbnail: Thumbnail = async ({ client, text, dark, signal }) => {
  const words = text.split(/\s+/).slice(0, MOST_WORDS).join(' ');
  const heads = await Promise.all(
    Array.from({ length: HEADS }, async (_, i) => {
      const asked = { text: words, dK: 8, dV: 1, seed: i + 1, maxTokens: 4 * MOST_WORDS };
      const { q, k, v } = await keptText(client, asked, { signal });
      return (await client.attention({ q, k, v, mask: { kind: 'causal' } }, { signal })).weights;
    }),
  );
  return (time) =>
    heads
      .slice(0, Math.max(1, Math.ceil(time * HEADS)))
      .map(({ rows, cols, data }, at) => {
        const cell = SIDE / cols;
        const left = 6 + (at % ACROSS) * PITCH;
        const top = 8 + Math.floor(at / ACROSS) * PITCH;
        return Array.from({ length: rows * cols }, (_, i) => {
          const [row, col] = [Math.floor(i / cols), i % cols];
          if (col > row) return '';
          const fill = colorOf(weightScale, data[i] as number, dark).join(',');
          return `<rect x="${round(left + col * cell)}" y="${round(top + row * cell)}" width="${round(cell)}" height="${round(cell)}" fill="rgb(${fill})"/>`;
        }).join('');
      })
      .join('');
};
