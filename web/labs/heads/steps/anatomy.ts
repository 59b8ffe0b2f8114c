/** The step on shapes: 512 wide becomes 8 × 64 and back. */
import type { Step } from '../../../src/lab/types.ts';

export const anatomy: Step = {
  id: 'anatomy',
  blocks: [
    { kind: 'prose', id: 'anatomy' },
    { kind: 'check', id: 'parameters', options: ['more', 'same', 'fewer'], right: ['same'] },
    {
      kind: 'exercises',
      ids: ['multi-head-attention', 'cross-attention-module'],
    },
  ],
};
