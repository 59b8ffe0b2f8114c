/** Weights and caches of fewer bits. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';

/** By how much the small model's loss grows when its weights have 3 bits, with a scale for each output. */
async function threeBits({ client }: LabTools, ask: Ask): Promise<number> {
  const { roundedLosses } = await import('../figures/bits/weights-losses.ts');
  const ways = [
    { kind: 'float32', bits: 32 },
    { kind: 'row', bits: 3 },
  ] as const;
  const [exact, three] = (await roundedLosses(client, ways, ask)).rows;
  return (three?.loss ?? Number.NaN) - (exact?.loss ?? Number.NaN);
}

export const bits: Step = {
  id: 'bits',
  blocks: [
    { kind: 'prose', id: 'bits' },
    {
      kind: 'figure',
      figure: {
        id: 'planted',
        tag: 'attn-heads-bits-cache',
        load: () => import('../figures/bits/cache.ts'),
      },
    },
    {
      kind: 'tries',
      id: 'bits',
      figure: 'planted',
      tries: [
        { id: 'plant', values: { offset: 30 } },
        { id: 'four', values: { bits: '4' } },
        {
          id: 'all',
          values: { offset: 30, channels: 8 },
          together: 'How many there are matters only when they stand out.',
        },
      ],
    },
    { kind: 'prose', id: 'bitsWeights' },
    {
      kind: 'prediction',
      id: 'three',
      answer: { kind: 'number', min: 0, max: 6, unit: 'nats' },
      truth: threeBits,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'weights',
            tag: 'attn-heads-bits-weights',
            load: () => import('../figures/bits/weights.ts'),
          },
        },
      ],
    },
    { kind: 'exercises', ids: ['quantize-int8'] },
  ],
};
