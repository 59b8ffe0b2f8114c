/** The lab on the home page: QKᵀ and KᵀV filled on the same clock, one multiply-add after another. */
import type { AssociativityTrace } from '#client';
import type { Thumbnail } from '../../../src/home/thumbnail.ts';
import { arcColors } from '../../../src/plot/arcs.ts';
import { paints } from '../../../src/plot/chart-colors.ts';
import { round } from '../../../src/plot/svg.ts';

const SIZES = { n: 8, dK: 3, dV: 3, seed: 6 };
const CELL = 14;

export const thumbnail: Thumbnail = async ({ client, dark, signal }) => {
  const qkv = await client.gaussianQkv(SIZES, { signal });
  const whole = async (order: 'standard' | 'linear'): Promise<AssociativityTrace> => {
    const { total } = await client.associativityTrace({ ...qkv, order, step: 0 }, { signal });
    return client.associativityTrace({ ...qkv, order, step: total }, { signal });
  };
  const traces = { standard: await whole('standard'), linear: await whole('linear') };
  const { accent } = paints[dark ? 'dark' : 'light'];
  const { positive } = arcColors(dark);
  const longest = Math.max(traces.standard.total, traces.linear.total);

  function cells(
    { product, productTotal }: AssociativityTrace,
    left: number,
    fill: string,
    steps: number,
  ): string {
    const { rows, cols, data } = product;
    const each = productTotal / (rows * cols);
    const most = Math.max(...data.map(Math.abs)) || 1;
    const top = 66 - (rows * CELL) / 2;
    return Array.from({ length: rows * cols }, (_, i) => {
      const [row, col] = [Math.floor(i / cols), i % cols];
      const done = Math.max(0, Math.min(1, steps / each - i));
      const opacity = 0.12 + 0.8 * done * (Math.abs(data[i] as number) / most);
      return `<rect x="${left + col * CELL}" y="${round(top + row * CELL)}" width="${CELL - 1.5}" height="${CELL - 1.5}" rx="1" fill="${fill}" fill-opacity="${opacity.toFixed(2)}"/>`;
    }).join('');
  }
  return (time) =>
    cells(traces.standard, 14, positive, time * longest) +
    cells(traces.linear, 168, accent, time * longest);
};
