/** The step in which an induction head grows. */
import { curveText } from '../../../src/lab/questions/answer-scoring.ts';
import type { Ask, LabTools, Step } from '../../../src/lab/types.ts';
import { growthWords } from '../words/growth.ts';

const SETTINGS = { task: 'period', layers: '2', positions: 'rotary', seed: 0 } as const;
/** After so many steps the question asks for the loss of one layer. */
const AFTER = [50, 150, 250, 350, 500] as const;

async function oneLayer({ client }: LabTools, ask: Ask): Promise<string> {
  const { grown, lossesAt } = await import('../figures/growth/grow.ts');
  const run = await grown({ ...SETTINGS, layers: '1' }, ask);
  return curveText(await lossesAt(client, run, AFTER));
}

/** What the second head has left behind copies, in per cent, once the first one is cut. */
async function withoutHelper(_tools: LabTools, ask: Ask): Promise<number> {
  const { grown, pairOf, sameHead } = await import('../figures/growth/grow.ts');
  const { frames, cuts } = await grown(SETTINGS, ask);
  const pair = pairOf(frames.at(-1)?.heads ?? []);
  const cut = pair && cuts.find((one) => sameHead(one, pair.helper));
  const left = pair && cut?.heads.find((one) => sameHead(one, pair.copier));
  return 100 * (left?.behind ?? Number.NaN);
}

/** What a model of one period says on lists of other periods. */
async function otherPeriods(_tools: LabTools, ask: Ask): Promise<string> {
  const { grown } = await import('../figures/growth/grow.ts');
  const { frames } = await grown({ ...SETTINGS, task: 'fixed' }, ask);
  const right = frames.at(-1)?.accuracy ?? Number.NaN;
  if (right > 0.9) return 'all';
  return right > 0.1 ? 'some' : 'none';
}

export const grow: Step = {
  id: 'grow',
  blocks: [
    { kind: 'prose', id: 'grow' },
    {
      kind: 'figure',
      figure: {
        id: 'growth',
        tag: 'attn-head-growth',
        load: () => growthWords.with(() => import('../figures/growth/growth.ts')),
      },
    },
    {
      kind: 'tries',
      id: 'grow',
      figure: 'growth',
      tries: [
        { id: 'before', values: { frame: 6 } },
        { id: 'piece', values: { task: 'segment' } },
      ],
    },
    { kind: 'prose', id: 'team', figure: { of: 'growth', show: 'heads', knobs: [] } },
    {
      kind: 'prediction',
      id: 'withoutHelper',
      figure: { of: 'growth', show: 'heads', knobs: ['cut'] },
      answer: { kind: 'number', min: 0, max: 100, unit: '%' },
      truth: withoutHelper,
      values: { cut: 'helper' },
      withholds: ['cut'],
      reveal: [
        {
          kind: 'tries',
          id: 'withoutHelper',
          figure: { of: 'growth', show: 'heads', knobs: ['cut'] },
          tries: [{ id: 'bystander', values: { cut: 'other' } }],
        },
      ],
    },
    {
      kind: 'prediction',
      id: 'oneLayer',
      figure: { of: 'growth', show: 'growth', knobs: [] },
      answer: { kind: 'curve', x: AFTER, xLabel: 'steps made', min: 0, max: 4, unit: 'nats' },
      truth: oneLayer,
      values: { layers: '1' },
      withholds: ['layers'],
    },
    {
      kind: 'prediction',
      id: 'onePeriod',
      figure: { of: 'growth', show: 'right', knobs: ['task', 'positions'] },
      answer: { kind: 'choice', options: ['all', 'some', 'none'] },
      truth: otherPeriods,
      values: { task: 'fixed' },
      withholds: ['task=fixed', 'positions'],
      reveal: [
        {
          kind: 'tries',
          id: 'traps',
          figure: { of: 'growth', show: 'right', knobs: ['task', 'positions'] },
          tries: [
            {
              id: 'learned',
              values: { task: 'period', positions: 'learned' },
              together: 'The lists have any period again: one trap at a time.',
            },
          ],
        },
      ],
    },
    { kind: 'exercises', ids: ['induction-score'] },
  ],
};
