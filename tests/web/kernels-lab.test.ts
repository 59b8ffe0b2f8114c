/** The predictions of the lab on bumps and machines: the core gives the answer that the text below each of them explains. */
import { afterAll, expect, it } from 'vitest';
import { lab } from '../../web/labs/kernels/lab';
import type { Block, Prediction } from '../../web/src/lab/types';
import { createFullTestClient } from '../wasm/in_process';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const predictions = lab.steps
  .flatMap(({ blocks }): readonly Block[] => blocks)
  .filter((block): block is Prediction => block.kind === 'prediction');

const heights = (truth: string | number): number[] => String(truth).split(' ').map(Number);
/** What the text below each question explains: an option, or what the number or the drawn curve must be like. */
const explained: Readonly<Record<string, (truth: string | number) => void>> = {
  xor: (truth) => expect(truth).toBe('bend'),
  circle: (truth) => expect(truth).toBeCloseTo(2, 6),
  which: (truth) => expect(truth).toBe('both'),
  // The norm is the price of climbing between the data.
  price: (truth) => expect(truth).toBeGreaterThan(2),
  beyond: (truth) => {
    const left = heights(truth);
    expect(left).toHaveLength(5);
    expect(left[0]).toBeCloseTo(100, 3);
    // Each step multiplies the part by 1 − 2ηλ, so twice the steps square what is left.
    const [, , at20 = 0, at40 = 0, at80 = 0] = left.map((one) => one / 100);
    expect(at20 ** 2 / at40).toBeCloseTo(1, 1);
    expect(at40 ** 2 / at80).toBeCloseTo(1, 1);
    expect(at80).toBeLessThan(0.5);
  },
  kept: (truth) => expect(truth).toBe(40),
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
