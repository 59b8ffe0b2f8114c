import { curveText } from '../../src/lab/questions/answer-scoring.ts';
import type { Ask, Lab, LabTools, Step } from '../../src/lab/types.ts';
import { browser, cpu, seconds } from './run-times.json';
import { figureWords } from './words/figures.ts';

const LONGER = 131072;

const growth = () => figureWords.with(() => import('./figures/growth/growth.ts'));

/** How many times as many multiply-adds the first order takes, for a text longer than any that the boxes show. */
async function longer({ client }: LabTools, { signal }: Ask): Promise<number> {
  const { plain } = await client.orderCosts({ n: LONGER, dK: 64, dV: 64 }, { signal });
  return plain.ratio;
}

async function wall({ client }: LabTools, ask: Ask): Promise<number> {
  const { longestFitting } = await import('./figures/longest-fitting.ts');
  const { limit } = await client.memoryInfo(undefined, ask);
  return longestFitting(client, limit, ask);
}

/** What Taylor features leave of the gain. */
async function left(tools: LabTools, ask: Ask): Promise<number> {
  const { gainsOf } = await import('./figures/gains/variant-counts.ts');
  const gains = await gainsOf(tools, { n: 4096, d: 64, dTaylor: 16 }, ask);
  return gains.find(({ id }) => id === 'taylor')?.ratio ?? Number.NaN;
}

/** The state of 64 columns of ELU + 1 in KiB: its size is that after any text, so a short one tells it. */
async function stateSize({ client }: LabTools, { signal }: Ask): Promise<number> {
  const qkv = await client.gaussianQkv({ n: 16, dK: 64, dV: 64, seed: 1 }, { signal });
  const { state } = await client.linearAttention(
    { ...qkv, featureMap: { id: 'elu_plus_one' }, causal: true },
    { signal },
  );
  return (state.s.data.byteLength + state.z.data.byteLength) / 1024;
}

/** The speed of softmax attention along a text, as the drawn curve writes it. */
async function speeds({ client }: LabTools, ask: Ask): Promise<string> {
  const { readingSpeeds } = await import('./figures/race/reading-speeds.ts');
  return curveText(await readingSpeeds(client, ask));
}

async function crossingHere({ client }: LabTools, ask: Ask): Promise<number> {
  const { quickCrossing } = await import('./figures/scaling/measure.ts');
  const found = await quickCrossing(client, ask);
  if (!found) throw new Error('nothing was measured');
  return Math.round(found.x);
}

/** The boxes of the opening, beside the text that speaks of them. */
const boxes = { of: 'blocks', show: 'boxes', knobs: ['n'] } as const;

const steps: readonly Step[] = [
  {
    id: 'count',
    blocks: [
      { kind: 'prose', id: 'count', figure: boxes },
      {
        kind: 'tries',
        id: 'count',
        figure: boxes,
        tries: [
          { id: 'equal', values: { n: 16 } },
          { id: 'short', values: { n: 4 } },
          { id: 'long', values: { n: 1024 } },
        ],
      },
      {
        kind: 'prediction',
        id: 'longer',
        answer: { kind: 'number', min: 1, max: 100000, log: true, unit: '×' },
        truth: longer,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'growth',
              tag: 'attn-order-growth',
              load: growth,
              hide: ['show', 'count', 'D'],
              knobs: [],
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
              knobs: [],
            },
          },
        ],
      },
      {
        kind: 'check',
        id: 'between',
        options: ['inputs', 'scores', 'time'],
        right: ['scores'],
      },
      { kind: 'exercises', ids: ['memory-of-orders'] },
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
          knobs: ['dV', 'D'],
        },
      },
      {
        kind: 'tries',
        id: 'crossover',
        figure: 'features',
        tries: [
          { id: 'taylor', values: { D: 273 } },
          { id: 'compact', values: { D: 153 } },
          { id: 'narrow', values: { dV: 8 } },
        ],
      },
      { kind: 'check', id: 'wider', options: ['earlier', 'same', 'later'], right: ['later'] },
      { kind: 'exercises', ids: ['crossover'] },
    ],
  },
  {
    id: 'variants',
    blocks: [
      { kind: 'prose', id: 'variants' },
      {
        kind: 'prediction',
        id: 'left',
        answer: { kind: 'number', min: 1, max: 64, log: true, unit: '×' },
        truth: left,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'gains',
              tag: 'attn-order-gains',
              load: () => figureWords.with(() => import('./figures/gains/gains.ts')),
              knobs: ['dTaylor'],
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
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'time',
              tag: 'attn-scaling-experiment',
              load: () => figureWords.with(() => import('./figures/scaling/scaling.ts')),
              knobs: ['variant'],
            },
          },
        ],
      },
      {
        kind: 'tries',
        id: 'measure',
        figure: 'time',
        tries: [
          { id: 'quick', values: { largest: '1024' } },
          { id: 'causal', values: { variant: 'causal' } },
          { id: 'normaliser', values: { variant: 'normaliser' } },
          {
            id: 'taylor',
            values: { variant: 'taylor', d: 16 },
            together: 'The products of 64 columns would be thousands of features.',
          },
          { id: 'wall', values: { largest: '32768' } },
          { id: 'recorded', values: { recorded: true } },
        ],
      },
    ],
  },
  {
    id: 'slope',
    blocks: [
      { kind: 'prose', id: 'slope', figure: { of: 'time', show: 'slopes', knobs: [] } },
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
      { kind: 'exercises', ids: ['fitted-slope'] },
    ],
  },
  {
    id: 'long',
    blocks: [
      { kind: 'prose', id: 'long' },
      {
        kind: 'prediction',
        id: 'state',
        answer: { kind: 'number', min: 1, max: 1048576, log: true, unit: 'KiB' },
        truth: stateSize,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'run',
              tag: 'attn-long-run',
              load: () => figureWords.with(() => import('./figures/long-run/long-run.ts')),
              knobs: ['n'],
            },
          },
        ],
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
        kind: 'prediction',
        id: 'speed',
        answer: {
          ...{ kind: 'curve', min: 0.1, max: 1000, log: true, unit: '%' },
          // As in READ_BEFORE of reading-speeds.ts, which is loaded when it is asked for.
          x: [256, 512, 1024, 2048, 4096, 8192],
          xLabel: 'n',
        },
        truth: speeds,
        reveal: [
          {
            kind: 'figure',
            figure: {
              id: 'race',
              tag: 'attn-book-race',
              load: () => figureWords.with(() => import('./figures/race/book-race.ts')),
              knobs: ['cache'],
            },
          },
        ],
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
          knobs: ['heads', 'batch'],
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
  runTimes: { browser, cpu, seconds },
  words: { en: () => import('./words/en.md'), de: () => import('./words/de.md') },
};
