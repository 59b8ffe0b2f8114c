/** The step in which heads of the trained reader are cut out. */
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { cuttingWords } from '../words/cutting.ts';

const SETTINGS = { instead: 'mean', seed: 1 } as const;
/** So many heads are cut where the question is whether single cuts add up. */
const TOGETHER = 8;
/** The rise of the loss within which the question counts heads, in nats a token. */
const WITHIN = 0.25;

/** The layer of the head whose cut costs most. */
async function costliest({ client }: LabTools, ask: Ask): Promise<string> {
  const { cutting } = await import('../figures/cutting/cut.ts');
  const { heads } = await cutting(client, SETTINGS, ask);
  const [worst] = [...heads].sort((one, other) => other.rise - one.rise);
  return ['one', 'two', 'three', 'four'][worst?.layer ?? 0] ?? '';
}

async function together({ client }: LabTools, ask: Ask): Promise<string> {
  const { cutting, togetherOf } = await import('../figures/cutting/cut.ts');
  const all = await cutting(client, SETTINGS, ask);
  const { sum, joint } = togetherOf(all, all.importance, TOGETHER);
  if (Math.abs(joint - sum) < 0.1 * Math.abs(sum)) return 'same';
  return joint > sum ? 'more' : 'less';
}

async function howMany({ client }: LabTools, ask: Ask): Promise<number> {
  const { cutting, mostWithin } = await import('../figures/cutting/cut.ts');
  const { importance, loss } = await cutting(client, SETTINGS, ask);
  return mostWithin(importance, loss, WITHIN);
}

export const cut: Step = {
  id: 'cut',
  blocks: [
    { kind: 'prose', id: 'cut' },
    {
      kind: 'prediction',
      id: 'costliest',
      answer: { kind: 'choice', options: ['one', 'two', 'three', 'four'] },
      truth: costliest,
      reveal: [
        {
          kind: 'figure',
          figure: {
            id: 'cutting',
            tag: 'attn-cut-heads',
            load: () => cuttingWords.with(() => import('../figures/cutting/cutting.ts')),
            show: 'alone',
            knobs: ['instead'],
          },
        },
        {
          kind: 'tries',
          id: 'cut',
          figure: 'cutting',
          tries: [{ id: 'zero', values: { instead: 'zero' } }],
        },
      ],
    },
    {
      kind: 'prediction',
      id: 'howMany',
      figure: { of: 'cutting', show: 'orders', knobs: ['cut', 'order'] },
      answer: { kind: 'number', min: 0, max: 16, unit: 'heads' },
      truth: howMany,
      values: { order: 'importance' },
      withholds: ['cut', 'order'],
      reveal: [
        {
          kind: 'tries',
          id: 'orders',
          figure: { of: 'cutting', show: 'orders', knobs: ['cut', 'order'] },
          tries: [{ id: 'random', values: { order: 'random' } }],
        },
      ],
    },
    {
      kind: 'prediction',
      id: 'together',
      figure: { of: 'cutting', show: 'sums', knobs: ['cut', 'instead'] },
      answer: { kind: 'choice', options: ['less', 'same', 'more'] },
      truth: together,
      values: { cut: TOGETHER },
    },
    {
      kind: 'prose',
      id: 'writes',
      figure: { of: 'cutting', show: 'texts', knobs: ['cut', 'order'] },
    },
    { kind: 'exercises', ids: ['head-importance', 'prune-heads'] },
  ],
};
