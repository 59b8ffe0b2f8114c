/** The step on two models that write one text. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { decodingWords } from '../words/decoding.ts';

/** The share of the small model's drafts that the reader accepts, as the figure begins. */
async function acceptedShare({ client }: LabTools, ask: Ask): Promise<number> {
  const { accepted } = await import('../figures/draft/drafted.ts');
  return 100 * (await accepted(client, { gamma: 4, temperature: 1, seed: 1 }, ask));
}

export const twoModels: Step = {
  id: 'two-models',
  blocks: [
    { kind: 'prose', id: 'two-models' },
    {
      kind: 'prediction',
      id: 'accepted',
      answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      truth: acceptedShare,
      values: { gamma: 4, temperature: 1, seed: 1 },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'draft',
            tag: 'attn-long-draft',
            load: () => decodingWords.with(() => import('../figures/draft/draft.ts')),
            knobs: ['gamma', 'temperature'],
          },
        },
        {
          kind: 'tries',
          id: 'draft',
          figure: 'draft',
          tries: [
            { id: 'greedy', values: { temperature: 0 } },
            { id: 'many', values: { gamma: 8 } },
          ],
        },
        { kind: 'prose', id: 'gain', figure: { of: 'draft', show: 'gain', knobs: ['gamma'] } },
      ],
    },
    { kind: 'prose', id: 'same' },
    {
      kind: 'figure',
      figure: {
        id: 'same',
        tag: 'attn-long-same',
        load: () => decodingWords.with(() => import('../figures/draft/same.ts')),
        knobs: ['draws'],
      },
    },
    { kind: 'exercises', ids: ['speculative-step'] },
  ],
};
