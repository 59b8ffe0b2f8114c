/** Attention from files of the visitor's. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';

/** How much of the last token of this many is the first one, after so many layers of even attention. */
const TOKENS = 16;
const LAYERS = 12;

async function firstByRollout({ client }: LabTools, { signal }: Ask): Promise<number> {
  const n = TOKENS;
  // Any causal weights do: what is asked is what even ones would give.
  const itself = { rows: n, cols: n, data: new Float32Array(n * n) };
  for (let i = 0; i < n; i++) itself.data[i * n + i] = 1;
  const layers = Array.from({ length: LAYERS }, () => [itself]);
  const { uniform } = await client.attentionRollout({ layers }, { signal });
  return 100 * (uniform.at(-1)?.data[(n - 1) * n] ?? Number.NaN);
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
      figure: 'brought',
      values: { view: 'rollout' },
    },
    { kind: 'prose', id: 'ownAfter' },
    { kind: 'exercises', ids: ['attention-rollout'] },
  ],
};
