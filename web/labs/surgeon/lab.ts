/** The lab as data. Its words are in words/, its figures in figures/. */
import { curveText } from '../../src/lab/questions/answer-scoring.ts';
import type {
  Ask,
  Block,
  CurveAnswer,
  FigureRef,
  KnobValues,
  Lab,
  LabTools,
} from '../../src/lab/types.ts';
import { figureWords } from './words/figures.ts';

/** The opening's place. */
const TABLE = 'table';

/** Paragraphs, and beside them a view of the figure that they speak of. */
const prose = (id: string, figure?: FigureRef): Block => ({
  ...{ kind: 'prose', id },
  ...(figure !== undefined && { figure }),
});
const figure = (
  id: string,
  tag: string,
  load: () => Promise<unknown>,
  values: KnobValues = {},
): Block => ({
  kind: 'figure',
  figure: { id, tag, load: () => figureWords.with(load), values },
});
const exercises = (...ids: string[]): Block => ({ kind: 'exercises', ids });

/** The sentence of the opening, with a causal mask that is applied after the softmax. */
async function lateMask({ client }: LabTools, { signal }: Ask): Promise<string> {
  const { q, k, v } = await client.textQkv(
    { text: 'the cat sat on the mat', dK: 16, dV: 3, seed: 1, maxTokens: 8 },
    { signal },
  );
  const late = await client.attentionStages(
    { q, k, v, order: 'scaleSoftmaxMask', fill: 'zero' },
    { signal },
  );
  if (late.futureShare > 0) return 'leak';
  return late.rowsOff > 0 ? 'less' : 'same';
}

/** The mean of the largest weights with the factor, for the 32 tokens that the figure begins with. */
async function largestScaled({ client }: LabTools, ask: Ask): Promise<number> {
  const { cells } = await client.scalingExperiment(
    { dK: [64], n: [32], draws: 10, seed: 1, gradients: false },
    ask,
  );
  const value = cells.find(({ scaled }) => scaled)?.rowMax.mean ?? Number.NaN;
  return Number(value.toFixed(3));
}

/** How much of dK is not a number when one query sees no key. */
async function poisoned({ client }: LabTools, { signal }: Ask): Promise<string> {
  const n = 6;
  const { q, k, v } = await client.gaussianQkv({ n, dK: 4, dV: 4, seed: 1 }, { signal });
  const keep = new Float32Array(n * n);
  for (let i = 1; i < n; i++) keep.fill(1, i * n, i * n + i + 1);
  const { dK } = await client.additiveMaskBackward(
    { q, k, v, dO: v, mask: { kind: 'matrix', keep: { rows: n, cols: n, data: keep } } },
    { signal },
  );
  const { nonFiniteEntries } = await client.gradientQuantiles({ gradient: dK }, { signal });
  if (nonFiniteEntries === 0) return 'none';
  return nonFiniteEntries === n * 4 ? 'all' : 'row';
}

async function ranks({ client }: LabTools, { signal }: Ask): Promise<string> {
  const found = await client.rankCheck(
    { n: 24, dModel: 24, inputRank: 3, heads: 3, seed: 1 },
    { signal },
  );
  if (found.oneHead > found.input) return 'one';
  return found.allHeads > found.input ? 'several' : 'never';
}

/** Whether rows sum to 1 in one draw of dropout, to less, or to more and less. */
async function droppedSums({ client }: LabTools, { signal }: Ask): Promise<string> {
  const { q, k, v } = await client.gaussianQkv({ n: 10, dK: 8, dV: 8, seed: 1 }, { signal });
  const { rowSums } = await client.dropoutAverage(
    { q, k, v, probability: 0.3, draws: 1, seed: 1 },
    { signal },
  );
  const sums = [...rowSums];
  if (sums.every((sum) => Math.abs(sum - 1) < 1e-4)) return 'one';
  return sums.some((sum) => sum > 1) ? 'around' : 'less';
}

/** The losses of a model without a mask are drawn at these steps. */
const LOSSES: CurveAnswer = {
  ...{ kind: 'curve', x: [1, 50, 100, 150, 200, 300, 400, 500], xLabel: 'step' },
  ...{ min: 0, max: 3, unit: 'nats' },
};

async function lossesWithoutMask({ client }: LabTools, ask: Ask): Promise<string> {
  const { lossesAt } = await import('./figures/models/train-three.ts');
  return curveText(await lossesAt(client, 'all', LOSSES.x, ask));
}

export const lab: Lab = {
  id: 'surgeon',
  number: 0,
  part: 'attention',
  takesText: 'text',
  requires: [],
  opening: { id: TABLE, tag: 'attn-operating-table' },
  steps: [
    {
      id: 'stages',
      blocks: [
        prose('stages', { of: TABLE, show: 'row', knobs: ['scale', 'mask'] }),
        prose('operate', { of: TABLE, show: 'weights' }),
        {
          kind: 'tries',
          id: 'stages',
          figure: TABLE,
          tries: [
            { id: 'unscaled', values: { scale: 'none' } },
            { id: 'zero', values: { fill: 'zero' } },
            { id: 'axis', values: { softmax: 'columns' } },
            { id: 'nothing', values: { mask: 'earlier' } },
            { id: 'saturated', values: { size: 40 } },
            {
              id: 'overflow',
              values: { maximum: false, size: 40 },
              together: 'only the exponentials of large scores are too large',
            },
          ],
        },
        {
          kind: 'prediction',
          id: 'late',
          answer: { kind: 'choice', options: ['same', 'less', 'leak'] },
          truth: lateMask,
          figure: { of: TABLE, show: 'weights', knobs: [] },
          values: { order: 'scaleSoftmaxMask', fill: 'zero' },
        },
        { kind: 'check', id: 'width', options: ['q', 'k', 'v'], right: ['v'] },
        exercises('attention', 'stable-softmax'),
      ],
    },
    {
      id: 'read',
      blocks: [
        prose('read', { of: 'picture', show: 'heads', knobs: [] }),
        prose('make'),
        figure('picture', 'attn-head-picture', () => import('./figures/picture/picture.ts')),
        {
          kind: 'tries',
          id: 'read',
          figure: 'picture',
          tries: [
            { id: 'sink', values: { vertical: 8 } },
            { id: 'loud', values: { horizontal: 8 } },
            { id: 'even', values: { even: true } },
            { id: 'phrases', values: { block: 8 } },
          ],
        },
        {
          kind: 'check',
          id: 'horizontal',
          options: ['broadcast', 'even', 'loud'],
          right: ['even'],
        },
        prose('round'),
        figure('quiz', 'attn-head-quiz', () => import('./figures/quiz/quiz.ts')),
        exercises(
          'analyze-attention-patterns',
          'plot-attention-heatmap',
          'plot-multihead-attention',
        ),
      ],
    },
    {
      id: 'scaling',
      blocks: [
        prose('variance'),
        figure('moments', 'attn-dot-moments', () => import('./figures/checks/moments.ts')),
        { kind: 'check', id: 'variance', options: ['same', 'root', 'linear'], right: ['root'] },
        prose('scaling'),
        {
          kind: 'prediction',
          id: 'half',
          answer: { kind: 'number', min: 0, max: 1 },
          truth: largestScaled,
          reveal: [
            figure('factor', 'attn-scaling-factor', () => import('./figures/scaling/scaling.ts')),
          ],
        },
        {
          kind: 'tries',
          id: 'scaling',
          figure: 'factor',
          tries: [
            { id: 'few', values: { n: 4 } },
            { id: 'many', values: { n: 64 } },
            { id: 'mean', values: { measure: 'meanGradient' } },
            { id: 'median', values: { measure: 'medianGradient' } },
            { id: 'none', values: { measure: 'smallShare' } },
          ],
        },
        {
          kind: 'check',
          id: 'vanish',
          options: ['mean', 'median', 'all'],
          right: ['median'],
        },
        exercises('experiment-scaling-factor', 'gradient-quantiles'),
      ],
    },
    {
      id: 'masks',
      blocks: [
        prose('masks'),
        figure('fills', 'attn-mask-fills', () => import('./figures/masks/masks.ts')),
        {
          kind: 'tries',
          id: 'masks',
          figure: 'fills',
          tries: [
            { id: 'low', values: { shift: -12 } },
            { id: 'nothing', values: { mask: 'earlier' } },
            { id: 'inverted', values: { mask: 'inverted' } },
          ],
        },
        {
          kind: 'check',
          id: 'zero',
          options: ['nothing', 'share', 'half'],
          right: ['share'],
        },
        prose('hidden'),
        {
          kind: 'prediction',
          id: 'backward',
          answer: { kind: 'choice', options: ['none', 'row', 'all'] },
          truth: poisoned,
          reveal: [figure('hidden', 'attn-hidden-nan', () => import('./figures/masks/hidden.ts'))],
        },
        exercises(
          'create-causal-mask',
          'create-reverse-mask',
          'masked-rows',
          'repair-the-mask',
          'attention-backward',
        ),
      ],
    },
    {
      id: 'checks',
      blocks: [
        prose('checks'),
        {
          kind: 'prediction',
          id: 'rank',
          answer: { kind: 'choice', options: ['never', 'one', 'several'] },
          truth: ranks,
          reveal: [figure('rank', 'attn-rank-check', () => import('./figures/checks/rank.ts'))],
        },
        prose('dropout'),
        {
          kind: 'prediction',
          id: 'rows',
          answer: { kind: 'choice', options: ['one', 'less', 'around'] },
          truth: droppedSums,
          reveal: [
            figure('dropout', 'attn-dropout-average', () => import('./figures/shared/dropout.ts')),
          ],
        },
        prose('draws', { of: 'dropout', show: 'mean', knobs: ['draws'] }),
        exercises('attention-dropout'),
      ],
    },
    {
      id: 'models',
      blocks: [
        prose('models'),
        {
          kind: 'prediction',
          id: 'losses',
          answer: LOSSES,
          truth: lossesWithoutMask,
          values: {},
          reveal: [
            {
              kind: 'figure',
              figure: {
                ...{ id: 'three', tag: 'attn-three-models' },
                load: () => figureWords.with(() => import('./figures/models/models.ts')),
                knobs: [],
              },
            },
          ],
        },
        prose('looks', { of: 'three', show: 'attention', knobs: ['step', 'head'] }),
        prose('modelsAfter', { of: 'three', show: 'prefix', knobs: [] }),
        prose('texts', { of: 'three', show: 'texts', knobs: [] }),
        { kind: 'check', id: 'below', options: ['better', 'memory', 'future'], right: ['future'] },
        exercises('compare-masking'),
      ],
    },
    {
      id: 'flash',
      blocks: [
        prose('flash'),
        figure('tiles', 'attn-flash-tiles', () => import('./figures/flash/flash.ts')),
        {
          kind: 'tries',
          id: 'flash',
          figure: 'tiles',
          tries: [
            { id: 'begin', values: { tile: 1 } },
            { id: 'one', values: { keyTile: 1 } },
            { id: 'whole', values: { keyTile: 12 } },
          ],
        },
        prose('kept', { of: 'tiles', show: 'kept', knobs: ['keyTile'] }),
        {
          kind: 'check',
          id: 'tiles',
          options: ['less', 'memory', 'approximate'],
          right: ['memory'],
        },
        exercises('online-softmax', 'flash-attention'),
      ],
    },
    {
      id: 'less',
      blocks: [
        prose('less'),
        figure('nearest', 'attn-nearest-keys', () => import('./figures/nearest/nearest.ts')),
        {
          kind: 'tries',
          id: 'less',
          figure: 'nearest',
          tries: [
            { id: 'flat', values: { size: 0.3 } },
            { id: 'sharp', values: { size: 8 } },
          ],
        },
        prose('sharing'),
        figure('shared', 'attn-shared-heads', () => import('./figures/shared/shared.ts')),
        {
          kind: 'tries',
          id: 'sharing',
          figure: 'shared',
          tries: [
            { id: 'equal', values: { alike: 1 } },
            { id: 'own', values: { alike: 0 } },
          ],
        },
        exercises(
          'k-nearest',
          'sliding-window',
          'split-merge-heads',
          'multi-query',
          'grouped-query',
        ),
      ],
    },
    {
      id: 'cross',
      blocks: [
        prose('cross'),
        figure('sentences', 'attn-cross-attention', () => import('./figures/cross/cross.ts')),
        prose('reversal'),
        figure('reversal', 'attn-list-reversal', () => import('./figures/cross/reversal.ts')),
        {
          kind: 'tries',
          id: 'cross',
          figure: 'reversal',
          tries: [
            { id: 'untrained', values: { frame: 0 } },
            { id: 'early', values: { frame: 1 } },
            { id: 'heads', values: { heads: '4' } },
          ],
        },
        exercises('cross-attention', 'kv-cache-step'),
      ],
    },
    {
      id: 'handout',
      blocks: [
        prose('handout'),
        figure('quoted', 'attn-handout-scaling', () => import('./figures/handout/handout.ts')),
        {
          kind: 'tries',
          id: 'handout',
          figure: 'quoted',
          tries: [
            { id: 'two', values: { n: 2 } },
            { id: 'eleven', values: { n: 11 } },
            { id: 'thirty', values: { n: 32 } },
          ],
        },
        prose('handoutAfter'),
        {
          kind: 'check',
          id: 'code',
          options: ['causal', 'future', 'nothing'],
          right: ['future'],
        },
      ],
    },
  ],
  references: [
    {
      id: 'attention',
      title: 'Vaswani et al., Attention Is All You Need (2017)',
      url: 'https://arxiv.org/abs/1706.03762',
      where: 'Section 3.2',
    },
    {
      id: 'heads',
      title: 'Clark et al., What Does BERT Look At? (2019)',
      url: 'https://arxiv.org/abs/1906.04341',
      where: 'Section 3',
    },
    {
      id: 'flash',
      title: 'Dao et al., FlashAttention (2022)',
      url: 'https://arxiv.org/abs/2205.14135',
      where: 'Algorithm 1',
    },
    {
      id: 'grouped',
      title: 'Ainslie et al., GQA (2023)',
      url: 'https://arxiv.org/abs/2305.13245',
      where: 'Section 2',
    },
  ],
  next: 'complexity',
  words: { en: () => import('./words/en.md') },
};
