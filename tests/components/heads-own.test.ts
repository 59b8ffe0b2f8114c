/** Attention from a file of 512 tokens in the heads lab: it is read, drawn and compared as the core does it. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../wasm/client';
import '../../web/src/styles/bench.css';
import '../../web/labs/heads/heads.css';
import '../../web/labs/heads/figures/own/own';
import type { AttnLineChart } from '../../web/src/components/line-chart/line-chart';
import { formatNumber } from '../../web/src/plot/format';
import { npyFile } from '../web/npy-file';
import { zipFile } from '../web/zip-file';
import { labFigure } from './lab-figure';
import { inside, settled, textOf } from './support';

vi.setConfig({ testTimeout: 120_000 });

const client = createClient({ module: 'full', warmUp: false });
afterAll(() => client.dispose());

const LAYERS = 4;
const HEADS = 4;
const TOKENS = 512;
/** 1, ½, ¼ … 2⁻⁹ as float16: exponents alone. */
const half = (power: number): number => (15 - power) << 10;

/** Head h of layer l: each row spreads its weight evenly over its last 2^k keys, with k = (l + h) mod 6. */
function weights(): Uint8Array {
  const all = new Uint16Array(LAYERS * HEADS * TOKENS * TOKENS);
  for (let which = 0; which < LAYERS * HEADS; which++) {
    const power = (Math.floor(which / HEADS) + (which % HEADS)) % 6;
    const wide = 2 ** power;
    for (let row = 0; row < TOKENS; row++) {
      const at = (which * TOKENS + row) * TOKENS;
      if (row + 1 < wide) all[at] = half(0);
      else for (let key = row + 1 - wide; key <= row; key++) all[at + key] = half(power);
    }
  }
  return new Uint8Array(all.buffer);
}

function names(): Uint8Array {
  const words = ['The', 'Ġsea', 'Ġwas', 'Ġca', 'lm', '.'];
  const width = 4;
  const codes = new Uint32Array(TOKENS * width);
  for (let i = 0; i < TOKENS; i++) {
    [...(words[i % words.length] ?? '')].forEach((letter, k) => {
      codes[i * width + k] = letter.codePointAt(0) ?? 0;
    });
  }
  return npyFile({
    ...{ descr: `<U${width}`, shape: `(${TOKENS},)`, data: new Uint8Array(codes.buffer) },
  });
}

const file = (): File =>
  new File(
    [
      zipFile([
        {
          name: 'attentions.npy',
          data: npyFile({
            ...{ descr: '<f2', data: weights() },
            shape: `(${LAYERS}, 1, ${HEADS}, ${TOKENS}, ${TOKENS})`,
          }),
        },
        { name: 'tokens.npy', data: names() },
      ]) as Uint8Array<ArrayBuffer>,
    ],
    'attention.npz',
  );

describe('a file of 512 tokens, 4 layers of 4 heads in float16', () => {
  it.each(['grid', 'lines', 'statistics', 'tree', 'rollout'] as const)('as %s', async (view) => {
    const search = `?one.view=${view}&one.words=0`;
    const figure = labFigure('attn-heads-own', { client, lab: 'heads', search });
    const line = (): string => textOf(inside(figure, '.result-line'));
    const done = (about: RegExp) =>
      vi.waitFor(
        () => {
          expect(line()).toMatch(about);
          expect((figure as unknown as { busy: boolean }).busy).toBe(false);
        },
        { timeout: 100_000, interval: 50 },
      );
    await done(/./);
    await figure.take([file()]);
    switch (view) {
      case 'grid': {
        await done(/^16 heads\. The most certain one is layer 1, head 1: .* 100 %/);
        await settled(figure);
        expect(figure.querySelectorAll('.ho-grid canvas')).toHaveLength(LAYERS * HEADS);
        return;
      }
      // Row by row all weight is on the own token, and of so many words there is the matrix.
      case 'lines': {
        await done(/as over 1\.0 equal keys; its largest weight is 100 %/);
        await settled(figure);
        expect(inside(figure, 'attn-heatmap').getAttribute('form') ?? 'cells').toBe('cells');
        expect(figure.textContent).toContain('here is the matrix');
        return;
      }
      // The widest heads spread over 32 keys, all but the first 31 rows.
      case 'statistics': {
        const even = Array.from({ length: TOKENS }, (_, row) => Math.log(row + 1));
        const mean = even.reduce((sum, one) => sum + one, 0) / TOKENS;
        await done(new RegExp(`even attention has ${formatNumber(mean, 2).replace('.', '\\.')}`));
        const widest = (Math.log(32) * (TOKENS - 31)) / TOKENS;
        expect(line()).toContain(`Entropies go from 0 to ${formatNumber(widest, 2)} nats`);
        return;
      }
      // Heads of equal rows are the same cells.
      case 'tree':
        await done(/: 0 nats, < 0\.010 % of what is possible/);
        return;
      case 'rollout':
        await vi.waitFor(() => expect(textOf(figure)).toContain('From attention.npz'), {
          ...{ timeout: 100_000, interval: 50 },
        });
        await done(/is [<0-9.]+ ?\S* ?% of the first token/);
    }
  });
});

describe('the rollout of heads that have learned nothing', () => {
  it('is drawn layer after layer, up to what the question about it asks for', async () => {
    const place = { show: 'drift' };
    const figure = labFigure('attn-heads-own', { client, lab: 'heads', place });
    await vi.waitFor(() => inside(figure, 'attn-line-chart'), { timeout: 100_000 });
    await settled(figure);
    const tokens = 16;
    const even = Array.from(
      { length: tokens },
      (_, i) => (j: number) => (i === j ? 0.5 : 0) + (j <= i ? 0.5 / (i + 1) : 0),
    );
    // The share of the first token in each one, multiplied by a layer's weights again and again.
    let first = Array.from({ length: tokens }, (_, i) => Number(i === 0));
    const shares: number[] = [];
    for (let layer = 0; layer < 12; layer++) {
      first = even.map((row) => first.reduce((sum, share, j) => sum + row(j) * share, 0));
      shares.push(100 * (first.at(-1) ?? Number.NaN));
    }
    const { series } = inside<AttnLineChart>(figure, 'attn-line-chart');
    const drawn = series[0]?.points.map(({ y }) => y) ?? [];
    expect(drawn).toHaveLength(12);
    drawn.forEach((share, i) => {
      expect(share).toBeCloseTo(shares[i] ?? Number.NaN, 3);
    });
    expect(textOf(inside(figure, '.result-line'))).toContain(
      `after 12 layers ${formatNumber(shares.at(-1) ?? Number.NaN, 2)} %`,
    );
  });
});
