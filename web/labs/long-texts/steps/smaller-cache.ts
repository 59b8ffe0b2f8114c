/** The step on smaller caches: fewer bits, fewer heads, and one beginning for several texts. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { decodingWords } from '../words/decoding.ts';

/** How many blocks the pages of the figure take when the beginning is shared. */
const PAGES = { texts: 4, prefix: 22, own: 5, block: 8, shared: true } as const;
async function sharedBlocks({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { pagesOf } = await import('../figures/decode/shared-pages.ts');
  return (await pagesOf(client, PAGES, signal)).used;
}

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
    { kind: 'prose', id: 'serve' },
    {
      kind: 'prediction',
      id: 'blocks',
      answer: { kind: 'number', min: 1, max: 20 },
      truth: sharedBlocks,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'pages',
            tag: 'attn-long-pages',
            load: () => decodingWords.with(() => import('../figures/decode/pages.ts')),
          },
        },
        {
          kind: 'tries',
          id: 'pages',
          figure: 'pages',
          tries: [
            { id: 'alone', values: { shared: false } },
            { id: 'large', values: { block: 16 } },
          ],
        },
      ],
    },
    { kind: 'exercises', ids: ['int8-cache', 'paged-cache'] },
  ],
};
