/** Time against memory in training, and which attention to use when. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { trainingWords } from '../words/training.ts';

/** How many layers run forward in a stack of eight when it is cut into segments of two. */
async function forwards({ client }: LabTools, ask: Ask): Promise<number> {
  const { trainStack } = await import('../figures/training/stack.ts');
  const { steps } = await trainStack(client, 8, 64, ask);
  return steps[2]?.work.layerForwards ?? Number.NaN;
}

export const training: Step = {
  id: 'training',
  blocks: [
    { kind: 'prose', id: 'training' },
    {
      kind: 'prediction',
      id: 'forwards',
      answer: { kind: 'number', min: 8, max: 32, unit: 'layers' },
      truth: forwards,
      values: { segment: 2, layers: 8, length: 64 },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'recompute',
            tag: 'attn-long-recompute',
            load: () => trainingWords.with(() => import('../figures/training/recompute.ts')),
            knobs: ['segment', 'layers'],
          },
        },
        {
          kind: 'tries',
          id: 'training',
          figure: 'recompute',
          tries: [
            { id: 'single', values: { segment: 1 } },
            { id: 'deep', values: { layers: 16 } },
          ],
        },
      ],
    },
    { kind: 'check', id: 'speaking', options: ['half', 'nothing', 'slower'], right: ['nothing'] },
    { kind: 'prose', id: 'which' },
    {
      kind: 'figure',
      figure: {
        id: 'which',
        tag: 'attn-long-which',
        load: () => trainingWords.with(() => import('../figures/training/which.ts')),
      },
    },
    { kind: 'exercises', ids: ['checkpointed-backward'] },
  ],
};
