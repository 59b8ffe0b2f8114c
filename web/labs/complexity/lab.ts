import type { Ask, Lab, LabTools, Step } from '../../src/lab/types.ts';
import { figureWords } from './words/figures.ts';

const growth = () => figureWords.with(() => import('./figures/growth/growth.ts'));

/** The option of the prediction that says what doubling the text does to both counts. */
async function doubling({ client }: LabTools, { signal }: Ask): Promise<string> {
  const counts = (n: number) => client.orderCosts({ n, dK: 64, dV: 64 }, { signal });
  const [short, long] = [await counts(2048), await counts(4096)];
  const times = (order: 'standard' | 'linear'): number =>
    Math.round(long.plain[order] / short.plain[order]);
  const [standard, linear] = [times('standard'), times('linear')];
  if (standard === linear) return standard === 2 ? 'bothTwo' : 'bothFour';
  return standard > linear ? 'fourAndTwo' : 'twoAndFour';
}

async function wall({ client }: LabTools, ask: Ask): Promise<number> {
  const { longestFitting } = await import('./figures/longest-fitting.ts');
  const { limit } = await client.memoryInfo(undefined, ask);
  return longestFitting(client, limit, ask);
}

/** The variant that leaves least of the gain. */
async function dearest(tools: LabTools, ask: Ask): Promise<string> {
  const { gainsOf } = await import('./figures/gains/variant-counts.ts');
  const gains = await gainsOf(tools, { n: 4096, d: 64, dTaylor: 16 }, ask);
  const ratio = (id: string): number => gains.find((gain) => gain.id === id)?.ratio ?? Infinity;
  const options = {
    normalized: ratio('normalized'),
    causal: ratio('causal'),
    taylor: ratio('taylor'),
  };
  return Object.entries(options).reduce((least, one) => (one[1] < least[1] ? one : least))[0];
}

async function crossingHere({ client }: LabTools, ask: Ask): Promise<number> {
  const { quickCrossing } = await import('./figures/scaling/measure.ts');
  const found = await quickCrossing(client, ask);
  if (!found) throw new Error('nothing was measured');
  return Math.round(found.x);
}

const steps: readonly Step[] = [
  {
    id: 'count',
    blocks: [
      { kind: 'prose', id: 'count' },
      {
        kind: 'tries',
        id: 'count',
        figure: 'blocks',
        tries: [
          { id: 'short', values: { n: 8, d: 8, dV: 8 } },
          { id: 'wide', values: { n: 16, d: 64, dV: 64 } },
          { id: 'long', values: { n: 1024, d: 64, dV: 64 } },
        ],
      },
      {
        kind: 'prediction',
        id: 'doubling',
        answer: { kind: 'choice', options: ['bothTwo', 'fourAndTwo', 'bothFour', 'twoAndFour'] },
        truth: doubling,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'growth',
              tag: 'attn-order-growth',
              load: growth,
              hide: ['show', 'count', 'd', 'D'],
            },
          },
        ],
      },
      { kind: 'exercises', ids: ['count-operations'] },
    ],
  },
  {
    id: 'memory',
    blocks: [
      { kind: 'prose', id: 'memory' },
      {
        kind: 'prediction',
        id: 'wall',
        answer: { kind: 'number', min: 512, max: 262144, log: true },
        truth: wall,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'bytes',
              tag: 'attn-order-growth',
              load: growth,
              values: { show: 'bytes' },
              hide: ['show', 'count', 'd'],
            },
          },
        ],
      },
      { kind: 'exercises', ids: ['memory-of-orders'] },
      {
        kind: 'check',
        id: 'between',
        options: ['inputs', 'scores', 'time'],
        right: ['scores'],
      },
    ],
  },
  {
    id: 'crossover',
    blocks: [
      { kind: 'prose', id: 'crossover' },
      {
        kind: 'figure',
        figure: {
          id: 'features',
          tag: 'attn-order-growth',
          load: growth,
          hide: ['show', 'count'],
        },
      },
      {
        kind: 'tries',
        id: 'crossover',
        figure: 'features',
        tries: [
          { id: 'elu', values: { d: 16, dV: 16, D: 16 } },
          { id: 'taylor', values: { d: 16, dV: 64, D: 273 } },
          { id: 'compact', values: { d: 16, dV: 64, D: 153 } },
          { id: 'narrow', values: { d: 64, dV: 8, D: 64 } },
        ],
      },
      { kind: 'exercises', ids: ['crossover'] },
      { kind: 'check', id: 'wider', options: ['earlier', 'same', 'later'], right: ['later'] },
    ],
  },
  {
    id: 'variants',
    blocks: [
      { kind: 'prose', id: 'variants' },
      {
        kind: 'prediction',
        id: 'dearest',
        answer: { kind: 'choice', options: ['normalized', 'causal', 'taylor'] },
        truth: dearest,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'gains',
              tag: 'attn-order-gains',
              load: () => figureWords.with(() => import('./figures/gains/gains.ts')),
            },
          },
        ],
      },
    ],
  },
  {
    id: 'measure',
    blocks: [
      { kind: 'prose', id: 'measure' },
      {
        kind: 'prediction',
        id: 'here',
        answer: { kind: 'number', min: 16, max: 4096, log: true },
        truth: crossingHere,
      },
      {
        kind: 'figure',
        figure: {
          id: 'time',
          tag: 'attn-scaling-experiment',
          load: () => figureWords.with(() => import('./figures/scaling/scaling.ts')),
        },
      },
      {
        kind: 'tries',
        id: 'measure',
        figure: 'time',
        tries: [
          { id: 'quick', values: { largest: '1024', rounds: '3' } },
          { id: 'causal', values: { variant: 'causal' } },
          { id: 'normaliser', values: { variant: 'normaliser' } },
          { id: 'taylor', values: { variant: 'taylor', d: 16 } },
          { id: 'wall', values: { largest: '32768', rounds: '3' } },
          { id: 'recorded', values: { recorded: true } },
        ],
      },
    ],
  },
  {
    id: 'slope',
    blocks: [
      { kind: 'prose', id: 'slope', figure: 'time' },
      { kind: 'exercises', ids: ['fitted-slope'] },
      {
        kind: 'check',
        id: 'flat',
        options: ['better', 'fixed', 'wrong'],
        right: ['fixed'],
      },
      {
        kind: 'check',
        id: 'early',
        options: ['count', 'rest', 'luck'],
        right: ['rest'],
      },
    ],
  },
  {
    id: 'long',
    blocks: [
      { kind: 'prose', id: 'long' },
      {
        kind: 'figure',
        figure: {
          id: 'run',
          tag: 'attn-long-run',
          load: () => figureWords.with(() => import('./figures/long-run/long-run.ts')),
        },
      },
      {
        kind: 'check',
        id: 'flash',
        options: ['both', 'memory', 'time'],
        right: ['memory'],
      },
    ],
  },
  {
    id: 'book',
    blocks: [
      { kind: 'prose', id: 'book' },
      {
        kind: 'figure',
        figure: {
          id: 'race',
          tag: 'attn-book-race',
          load: () => figureWords.with(() => import('./figures/race/book-race.ts')),
        },
      },
      { kind: 'prose', id: 'bookAfter' },
    ],
  },
  {
    id: 'handout',
    blocks: [
      { kind: 'prose', id: 'handout' },
      {
        kind: 'figure',
        figure: {
          id: 'handout-count',
          tag: 'attn-handout-count',
          load: () => figureWords.with(() => import('./figures/handout/handout.ts')),
        },
      },
      { kind: 'prose', id: 'handoutAfter' },
      {
        kind: 'check',
        id: 'half',
        options: ['luck', 'cancels', 'rounding'],
        right: ['cancels'],
      },
      { kind: 'prose', id: 'handoutMemory' },
      {
        kind: 'figure',
        figure: {
          id: 'handout-memory',
          tag: 'attn-handout-memory',
          load: () => figureWords.with(() => import('./figures/handout/handout-memory.ts')),
        },
      },
      { kind: 'prose', id: 'handoutTime' },
    ],
  },
];

export const lab: Lab = {
  id: 'complexity',
  number: 1,
  part: 'linear',
  requires: [],
  opening: { id: 'blocks', tag: 'attn-order-blocks' },
  steps,
  references: [
    {
      id: 'attention',
      title: 'Vaswani et al., Attention Is All You Need (2017)',
      url: 'https://arxiv.org/abs/1706.03762',
      where: 'Table 1',
    },
    {
      id: 'linear',
      title: 'Katharopoulos et al., Transformers are RNNs (2020)',
      url: 'https://arxiv.org/abs/2006.16236',
      where: 'Section 3.2',
    },
    {
      id: 'flash',
      title: 'Dao et al., FlashAttention (2022)',
      url: 'https://arxiv.org/abs/2205.14135',
      where: 'Section 3',
    },
    {
      id: 'based',
      title: 'Arora et al., Simple linear attention language models (2024)',
      url: 'https://arxiv.org/abs/2402.18668',
      where: 'Section 4.1',
    },
  ],
  next: 'kernel-trick',
  words: { en: () => import('./words/en.md'), de: () => import('./words/de.md') },
};
