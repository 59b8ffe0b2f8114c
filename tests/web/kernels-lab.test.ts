/** The predictions of the Kernels lab: the core gives the answer that the text below each of them explains. */
import { afterAll, expect, it, vi } from 'vitest';
import { lab } from '../../web/labs/kernels/lab';
import type { Block, Prediction } from '../../web/src/lab/types';
import { createFullTestClient } from '../wasm/in_process';

// Eight networks are trained for one of them, on a core that may have other work.
vi.setConfig({ testTimeout: 120_000 });

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const predictions = lab.steps
  .flatMap(({ blocks }): readonly Block[] => blocks)
  .filter((block): block is Prediction => block.kind === 'prediction');

const explained: Readonly<Record<string, string>> = {
  xor: 'bend',
  which: 'both',
  beyond: 'shrinks',
  kept: 'all',
  equal: 'exponential',
  nearer: 'four',
};

it('explains each of its predictions', () => {
  expect(predictions.map(({ id }) => id).sort()).toEqual(Object.keys(explained).sort());
});

it.each(predictions)('finds what the text explains: $id', async ({ id, truth }) => {
  const tools = { client, lab: lab.id, version: '0' };
  const ask = { signal: new AbortController().signal, onProgress: () => undefined };
  expect(await truth(tools, ask)).toBe(explained[id]);
});
