/** The lab on the home page: softmax attention of the sentence, and what a feature map makes of it. */
import type { Matrix } from '#client';
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { keptText } from '../../../src/lab/figure/kept-inputs.ts';
import { colorOf, sharedScale } from '../../../src/plot/color.ts';
import { round } from '../../../src/plot/svg.ts';
import { table } from '../link-state.ts';

/** More words would be smaller than a dot. */
const MOST_WORDS = 28;
const SIDE = 108;

export const thumbnail: Thumbnail = async ({ client, text, dark, signal }) => {
  const words = text.split(/\s+/).slice(0, MOST_WORDS).join(' ');
  const { dK, dV, seed, map } = table;
  const inputs = await keptText(
    client,
    {
      ...{ text: words, dK: dK.default, dV: dV.default, seed: seed.default },
      maxTokens: table.n.max,
    },
    { signal },
  );
  const { softmax, implicit, softmaxRange, implicitRange } = await client.compareToSoftmax(
    {
      ...{ q: inputs.q, k: inputs.k, v: inputs.v },
      featureMap: { id: map.default, seed: seed.default },
    },
    { signal },
  );
  const scale = sharedScale([softmaxRange, implicitRange], 'linear');
  const cells = ({ rows, cols, data }: Matrix, left: number, shown: number): string => {
    const size = SIDE / Math.max(rows, cols);
    return Array.from(data, (value, i) => {
      const [row, col] = [Math.floor(i / cols), i % cols];
      if (row >= shown) return '';
      const fill = `rgb(${colorOf(scale, value, dark).join(',')})`;
      return `<rect x="${round(left + col * size)}" y="${round(12 + row * size)}" width="${(size + 0.3).toFixed(2)}" height="${(size + 0.3).toFixed(2)}" fill="${fill}"/>`;
    }).join('');
  };
  return (time) => {
    const shown = Math.ceil(time * softmax.rows);
    return cells(softmax, 6, shown) + cells(implicit, 126, shown);
  };
};
