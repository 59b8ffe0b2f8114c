/** The step on shapes: 512 wide becomes 8 × 64 and back. */
import { curveText } from '../../../src/lab/questions/answer-scoring.ts';
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { anatomyWords } from '../words/anatomy.ts';

/** For these numbers of heads the question about the nearest key is asked. */
const HEADS = [1, 2, 4, 8] as const;

async function foundByHeads({ client }: LabTools, ask: Ask): Promise<string> {
  const { FIRST, foundBy } = await import('../figures/nearest/found.ts');
  const found = await foundBy(client, FIRST, ask);
  return curveText(found.map(({ heldOutAccuracy }) => 100 * heldOutAccuracy));
}

/** What the question about ranks asks for. */
const RANK = 3;

async function rankOfEight({ client }: LabTools, { signal }: Ask): Promise<number> {
  const asked = { n: 24, dModel: 24, inputRank: RANK, heads: 4, seed: 0 };
  return (await client.rankCheck(asked, { signal })).allHeads;
}

export const anatomy: Step = {
  id: 'anatomy',
  blocks: [
    { kind: 'prose', id: 'anatomy' },
    {
      kind: 'figure',
      figure: {
        id: 'shapes',
        tag: 'attn-head-shapes',
        load: () => anatomyWords.with(() => import('../figures/shapes/shapes.ts')),
        knobs: ['heads', 'm'],
      },
    },
    {
      kind: 'tries',
      id: 'anatomy',
      figure: 'shapes',
      tries: [
        { id: 'one', values: { heads: '1' } },
        { id: 'many', values: { heads: '32' } },
        { id: 'cross', values: { m: 24 } },
      ],
    },
    { kind: 'check', id: 'parameters', options: ['more', 'same', 'fewer'], right: ['same'] },
    { kind: 'prose', id: 'thin' },
    {
      kind: 'prediction',
      id: 'thin',
      answer: {
        ...{ kind: 'curve', x: HEADS, xLabel: 'heads', min: 0, max: 100, unit: '%' },
      },
      truth: foundByHeads,
      values: { keys: 16, steps: 300, seed: 0 },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'nearest',
            tag: 'attn-nearest-key',
            load: () => anatomyWords.with(() => import('../figures/nearest/nearest.ts')),
            knobs: ['keys', 'steps'],
          },
        },
        {
          kind: 'tries',
          id: 'thin',
          figure: 'nearest',
          tries: [
            { id: 'longer', values: { steps: 1000 } },
            { id: 'fewer', values: { keys: 4 } },
          ],
        },
      ],
    },
    { kind: 'prose', id: 'rank' },
    {
      kind: 'prediction',
      id: 'rank',
      answer: { kind: 'number', min: 1, max: 24 },
      truth: rankOfEight,
      values: { rank: RANK },
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'ranks',
            tag: 'attn-head-ranks',
            load: () => anatomyWords.with(() => import('../figures/ranks/ranks.ts')),
            knobs: ['rank'],
          },
        },
      ],
    },
    {
      kind: 'exercises',
      ids: ['multi-head-attention', 'cross-attention-module'],
    },
  ],
};
