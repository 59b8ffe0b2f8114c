/** Attention from files of the visitor's. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';

/** How much of the last token is the first one, in per cent. */
async function firstByRollout({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { evenDrift } = await import('../figures/own/drift.ts');
  return 100 * ((await evenDrift(client, signal)).at(-1) ?? Number.NaN);
}

export const own: Step = {
  id: 'own',
  blocks: [
    { kind: 'prose', id: 'own' },
    {
      kind: 'figure',
      figure: {
        id: 'brought',
        tag: 'attn-heads-own',
        load: () => import('../figures/own/own.ts'),
      },
    },
    {
      kind: 'tries',
      id: 'own',
      figure: 'brought',
      tries: [
        {
          id: 'between',
          values: { view: 'cells', between: 'ba' },
          together: 'Both sentences at once hide what goes from one to the other.',
        },
        { id: 'tree', values: { view: 'tree' } },
        { id: 'rollout', values: { view: 'rollout' } },
      ],
    },
    {
      kind: 'prediction',
      id: 'drift',
      answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      truth: firstByRollout,
      figure: { of: 'brought', show: 'drift', knobs: [] },
    },
    { kind: 'prose', id: 'ownAfter' },
    { kind: 'exercises', ids: ['attention-rollout'] },
  ],
};
