/** Tests of a lab's predictions: the core gives the answer that the text below each of them explains. */
import { expect, it } from 'vitest';
import type { Client } from '#client';
import type { Block, Lab, Prediction } from '../../web/src/lab/types';

/** What the text below each question explains, by the question's id. */
export type Explained = Readonly<Record<string, (truth: string | number) => void>>;

export function explainsItsPredictions(lab: Lab, client: Client, explained: Explained): void {
  const predictions = lab.steps
    .flatMap(({ blocks }): readonly Block[] => blocks)
    .filter((block): block is Prediction => block.kind === 'prediction');

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
}
