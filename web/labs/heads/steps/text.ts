/** What the course's text says, tried out. */
import type { Step } from '../../../src/lab/types.ts';

export const handout: Step = {
  id: 'handout',
  blocks: [
    { kind: 'prose', id: 'handout' },
    {
      kind: 'figure',
      figure: {
        id: 'quoted',
        tag: 'attn-heads-quoted',
        load: () => import('../figures/quoted/quoted.ts'),
        knobs: ['coming'],
      },
    },
    {
      kind: 'tries',
      id: 'handout',
      figure: 'quoted',
      tries: [
        { id: 'two', values: { coming: 2 } },
        { id: 'many', values: { keys: 64 } },
      ],
    },
    { kind: 'prose', id: 'handoutAfter' },
  ],
};
