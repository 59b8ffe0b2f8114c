/** The predictions of the lab on attention, features and wide networks: the core gives the answer that the text below each of them explains. */
import { afterAll, expect, it, vi } from 'vitest';
import { lab } from '../../web/labs/kernel-attention/lab';
import type { Block, Prediction } from '../../web/src/lab/types';
import { createFullTestClient } from '../wasm/in_process';

// Twenty networks are trained for one of them, on a core that may have other work.
vi.setConfig({ testTimeout: 120_000 });

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const predictions = lab.steps
  .flatMap(({ blocks }): readonly Block[] => blocks)
  .filter((block): block is Prediction => block.kind === 'prediction');

const heights = (truth: string | number): number[] => String(truth).split(' ').map(Number);
/** What the text below each question explains: an option, or what the number or the drawn curve must be like. */
const explained: Readonly<Record<string, (truth: string | number) => void>> = {
  equal: (truth) => expect(truth).toBe('exponential'),
  // n²(d + 2) over n·D(d + 4) for n = 2¹⁵, d = 4, D = 64.
  fewer: (truth) => expect(truth).toBeCloseTo(384, 6),
  nearer: (truth) => {
    const apart = heights(truth);
    const slope = Math.log((apart.at(-1) ?? 0) / (apart[0] ?? 1)) / Math.log(2048 / 8);
    expect(slope).toBeGreaterThan(-3 / 4);
    expect(slope).toBeLessThan(-1 / 4);
  },
  fooled: (truth) => expect(truth).toBe('lower'),
};

it('explains each of its predictions', () => {
  expect(predictions.map(({ id }) => id).sort()).toEqual(Object.keys(explained).sort());
});

it.each(predictions)('finds what the text explains: $id', async ({ id, truth }) => {
  const tools = { client, lab: lab.id, version: '0' };
  const ask = { signal: new AbortController().signal, onProgress: () => undefined };
  explained[id]?.(await truth(tools, ask));
});

it('asks one question or two in each step, but for the handout', () => {
  const asked = lab.steps.map(({ id, blocks }) => [
    id,
    blocks.filter(({ kind }) => kind === 'prediction').length,
  ]);
  for (const [id, count] of asked) {
    if (id !== 'handout') expect([1, 2], String(id)).toContain(count);
  }
});
