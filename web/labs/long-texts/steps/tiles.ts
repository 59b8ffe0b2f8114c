/** Tiles: what plain and tiled attention move, and what that means for time and for memory. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { tilesWords } from '../words/tiles.ts';

/** Of 1,024 tokens and heads of 64: the smallest tile that moves less than plain attention. */
async function smallestTile({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { smallestWinningTile } = await client.flashIo({ n: 1024, d: 64 }, { signal });
  return smallestWinningTile;
}

export const tiles: Step = {
  id: 'moved',
  blocks: [
    { kind: 'prose', id: 'moved' },
    {
      kind: 'prediction',
      id: 'smallest',
      answer: { kind: 'number', min: 1, max: 1024, log: true, unit: 'queries' },
      truth: smallestTile,
      values: { tile: 32, n: 1024, d: 64 },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'traffic',
            tag: 'attn-long-tiles',
            load: () => tilesWords.with(() => import('../figures/tiles/io.ts')),
            knobs: ['tile', 'd'],
          },
        },
        {
          kind: 'tries',
          id: 'tiles',
          figure: 'traffic',
          tries: [
            { id: 'small', values: { tile: 8 } },
            { id: 'wide', values: { d: 256 } },
            { id: 'causal', values: { causal: true } },
          ],
        },
      ],
    },
    { kind: 'prose', id: 'machine' },
    {
      kind: 'figure',
      figure: {
        id: 'machine',
        tag: 'attn-long-machine',
        load: () => tilesWords.with(() => import('../figures/tiles/machine.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'machine',
      figure: 'machine',
      tries: [{ id: 'memory', values: { show: 'memory' } }],
    },
    { kind: 'check', id: 'exact', options: ['approximate', 'fewer', 'exact'], right: ['exact'] },
    // They belong to the lab on one attention layer, whose student may have left them for here.
    { kind: 'exercises', ids: ['online-softmax', 'flash-attention'] },
  ],
};
