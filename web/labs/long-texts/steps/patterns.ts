/** The steps about patterns: how soon they connect, whether chance is enough, what they cost. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { figureWords } from '../words/patterns.ts';

/** The share of draws in which ln n random keys connect everything, in per cent, as the figure begins. */
async function connectedByLogarithm({ client }: LabTools, ask: Ask): Promise<number> {
  const { connectedDraws, FIRST_DRAWS, FIRST_N } = await import(
    '../figures/patterns/connected-draws.ts'
  );
  const keys = [Math.round(Math.log(FIRST_N))];
  const options = { n: FIRST_N, draws: FIRST_DRAWS, seed: 1, keys };
  const [count = 0] = await connectedDraws(client, options, ask);
  return (100 * count) / FIRST_DRAWS;
}

export const patterns: Step = {
  id: 'patterns',
  blocks: [
    { kind: 'prose', id: 'patterns' },
    {
      kind: 'figure',
      figure: {
        id: 'reach',
        tag: 'attn-long-reach',
        load: () => figureWords.with(() => import('../figures/patterns/reach.ts')),
        knobs: ['pattern', 'n'],
      },
    },
    {
      kind: 'tries',
      id: 'patterns',
      figure: 'reach',
      tries: [
        { id: 'strided', values: { pattern: 'strided' } },
        { id: 'both', values: { pattern: 'both' } },
        { id: 'dilated', values: { pattern: 'dilated' } },
        { id: 'random', values: { pattern: 'random' } },
      ],
    },
    { kind: 'prose', id: 'connect' },
    {
      kind: 'prediction',
      id: 'logarithm',
      answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      truth: connectedByLogarithm,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'connect',
            tag: 'attn-long-connect',
            load: () => figureWords.with(() => import('../figures/patterns/connect.ts')),
            knobs: ['keys', 'n'],
          },
        },
        {
          kind: 'tries',
          id: 'connect',
          figure: 'connect',
          tries: [
            { id: 'three', values: { keys: 8 } },
            { id: 'longer', values: { n: '403' } },
          ],
        },
      ],
    },
    { kind: 'prose', id: 'times' },
    {
      kind: 'figure',
      figure: {
        id: 'times',
        tag: 'attn-long-times',
        load: () => figureWords.with(() => import('../figures/patterns/times.ts')),
        knobs: ['n'],
      },
    },
    { kind: 'prose', id: 'losses' },
    {
      kind: 'figure',
      figure: {
        id: 'losses',
        tag: 'attn-long-losses',
        load: () => figureWords.with(() => import('../figures/patterns/losses.ts')),
        knobs: [],
      },
    },
    { kind: 'check', id: 'mask', options: ['mask', 'gather', 'both'], right: ['gather'] },
    {
      kind: 'exercises',
      ids: ['random-sparse', 'sparse-attention-gather', 'sliding-window', 'k-nearest'],
    },
  ],
};
