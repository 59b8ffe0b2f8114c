/** Causal against bidirectional. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';

/** In which of the two models W_Q and W_K of a head are nearer to each other. */
async function moreSymmetric({ client }: LabTools, ask: Ask): Promise<string> {
  const { meanSymmetries } = await import('../figures/sight/compare.ts');
  const { causal, both, random } = await meanSymmetries(client, ask);
  // Two means that are nearer to each other than one of them is to chance are no difference.
  if (Math.abs(causal - both) < Math.abs(random)) return 'alike';
  return causal > both ? 'causal' : 'both';
}

export const sight: Step = {
  id: 'sight',
  blocks: [
    { kind: 'prose', id: 'sight' },
    {
      kind: 'figure',
      figure: {
        id: 'sides',
        tag: 'attn-heads-sight',
        load: () => import('../figures/sight/sight.ts'),
      },
    },
    {
      kind: 'tries',
      id: 'sight',
      figure: 'sides',
      tries: [
        {
          id: 'twice',
          values: { text: 'to sea, to sea, to sea, to sea, to sea, to sea, to sea, to sea' },
        },
      ],
    },
    {
      kind: 'prediction',
      id: 'symmetric',
      answer: { kind: 'choice', options: ['causal', 'both', 'alike'] },
      truth: moreSymmetric,
      figure: { of: 'sides', show: 'symmetry', knobs: [] },
      withholds: ['symmetry'],
    },
    { kind: 'check', id: 'losses', options: ['lower', 'never', 'length'], right: ['never'] },
    { kind: 'exercises', ids: ['masked-token-loss'] },
  ],
};
