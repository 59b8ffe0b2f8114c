/** The lab on the home page: how far a window carries news, layer by layer. */
import type { Matrix } from '#client';
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { round } from '../../../src/plot/svg.ts';

const N = 20;
const WINDOW = 4;
const LAYERS = 5;
const SIDE = 112;
const [LEFT, TOP] = [64, 10];
const CELL = SIDE / N;

const square = (at: (row: number, column: number) => number): Matrix => ({
  rows: N,
  cols: N,
  data: Float32Array.from({ length: N * N }, (_, i) => at(Math.floor(i / N), i % N)),
});

/** Each layer is attention in a window; whose value has a part in an output is where that output's news is from. */
export const thumbnail: Thumbnail = async ({ client, signal }) => {
  const zeros = square(() => 0);
  const keep = square((row, column) => (column <= row && row - column < WINDOW ? 1 : 0));
  const outputs: Matrix[] = [];
  let v = square((row, column) => (row === column ? 1 : 0));
  for (let layer = 0; layer < LAYERS; layer++) {
    const mask = { kind: 'matrix', keep } as const;
    v = (await client.attention({ q: zeros, k: zeros, v, mask }, { signal })).output;
    outputs.push(v);
  }
  return (time) => {
    const last = Math.min(LAYERS - 1, Math.floor(time * LAYERS));
    const parts: string[] = [];
    for (let at = 0; at < N * N; at++) {
      const layer = outputs.findIndex(({ data }) => (data[at] ?? 0) > 0);
      if (layer < 0 || layer > last) continue;
      const [row, column] = [Math.floor(at / N), at % N];
      parts.push(
        `<rect x="${round(LEFT + column * CELL)}" y="${round(TOP + row * CELL)}" width="${round(CELL - 0.8)}" height="${round(CELL - 0.8)}" fill="currentColor" opacity="${(1 / (1 + layer)).toFixed(2)}"/>`,
      );
    }
    return parts.join('');
  };
};
