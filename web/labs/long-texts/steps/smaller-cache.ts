/** The step on smaller caches: fewer bits, fewer heads. */
import type { Step } from '../../../src/lab/types.ts';
import { decodingWords } from '../words/decoding.ts';

export const smallerCache: Step = {
  id: 'smaller-cache',
  blocks: [
    { kind: 'prose', id: 'smaller-cache' },
    { kind: 'check', id: 'smaller', options: ['bits', 'heads', 'both'], right: ['bits'] },
    {
      kind: 'figure',
      figure: {
        id: 'small',
        tag: 'attn-long-small',
        load: () => decodingWords.with(() => import('../figures/small/small.ts')),
        runSeconds: 20,
      },
    },
    {
      kind: 'tries',
      id: 'small',
      figure: 'small',
      tries: [
        { id: 'token', values: { axis: 'token' } },
        { id: 'newest', values: { exact: 16 } },
      ],
    },
    { kind: 'exercises', ids: ['int8-cache'] },
  ],
};
