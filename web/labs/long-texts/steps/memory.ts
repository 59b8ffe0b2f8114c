/** Where the memory goes: the parts, and the dial that makes the text's table right. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { memoryWords } from '../words/memory.ts';

/** What training keeps of each cell of a matrix of weights, in bytes, in float32 and with dropout. */
async function bytesACell({ client }: LabTools, { signal }: Ask): Promise<number> {
  return (await client.modelMemory({}, { signal })).bytesACell;
}

export const memory: Step = {
  id: 'where',
  blocks: [
    { kind: 'prose', id: 'where' },
    {
      kind: 'figure',
      figure: {
        id: 'memory',
        tag: 'attn-long-memory',
        load: () => memoryWords.with(() => import('../figures/memory/memory.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'memory',
      figure: 'memory',
      tries: [
        { id: 'tiles', values: { flash: true } },
        { id: 'autocast', values: { precision: 'autocast' } },
        { id: 'speaks', values: { phase: 'decoding' } },
      ],
    },
    {
      kind: 'prediction',
      id: 'cell',
      figure: 'memory',
      answer: { kind: 'number', min: 1, max: 24, unit: 'bytes' },
      truth: bytesACell,
      values: { phase: 'training', n: 4096 },
    },
    {
      kind: 'prose',
      id: 'table',
      figure: { of: 'memory', show: 'table', knobs: ['batch', 'layers'] },
    },
    { kind: 'check', id: 'doubled', options: ['all', 'square', 'cache'], right: ['square'] },
    { kind: 'exercises', ids: ['memory-formula'] },
  ],
};
