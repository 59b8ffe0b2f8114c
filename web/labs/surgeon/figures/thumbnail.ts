/** The lab on the home page: the stages of attention of a few words, one after the other. */
import type { Matrix } from '#client';
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { keptText } from '../../../src/lab/figure/kept-inputs.ts';
import { cells, signedScale, weightScale } from './draw.ts';

const MOST_WORDS = 6;
const PITCH = 60;

export const thumbnail: Thumbnail = async ({ client, text, dark, signal }) => {
  const words = text.split(/\s+/).slice(0, MOST_WORDS).join(' ');
  const { q, k, v } = await keptText(
    client,
    { text: words, dK: 16, dV: 3, seed: 1, maxTokens: 4 * MOST_WORDS },
    { signal },
  );
  const stages = await client.attentionStages({ q, k, v }, { signal });
  const signed = signedScale(stages.scores, stages.first);
  const all: readonly Matrix[] = [stages.scores, stages.first, stages.second, stages.third];
  return (time) => {
    const shown = Math.max(1, Math.ceil(time * all.length));
    return all
      .slice(0, shown)
      .map((matrix, i) => {
        const scale = i === 3 ? weightScale : signed;
        return cells({ name: '', matrix, scale }, 3 + i * PITCH, 40, 54 / matrix.cols, dark);
      })
      .join('');
  };
};
