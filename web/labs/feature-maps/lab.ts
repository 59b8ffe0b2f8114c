/** The lab as data. Its words are in words/, its own figures in figures/. */
import { load as curve } from '../../src/figures/phi-curve/load.ts';
import { load as random } from '../../src/figures/random-features/load.ts';
import { load as taylor } from '../../src/figures/taylor-exp/load.ts';
import type { Ask, Block, FigureRef, Lab, LabTools } from '../../src/lab/types.ts';
import { words } from './figures/words.ts';
import { browser, cpu, seconds } from './run-times.json';

/** The place of the first figure. */
const FIRST = 'figure';

const answers = () => import('./prediction-answers.ts');
/** A paragraph, and the picture of the first figure that it speaks of. */
const prose = (id: string, figure?: FigureRef): Block => ({
  ...{ kind: 'prose', id },
  ...(figure !== undefined && { figure }),
});
const first = (show: string, ...knobs: string[]): FigureRef => ({ of: FIRST, show, knobs });
const loadRegistry = () => words.with(() => import('./figures/registry/registry.ts'));
const exercises = (...ids: string[]): Block => ({ kind: 'exercises', ids });
/** The data that the course text speaks of. */
const HANDOUT = { input: 'gaussian', n: 100, dK: 64, dV: 64 } as const;

export const lab: Lab = {
  id: 'feature-maps',
  number: 3,
  part: 'linear',
  takesText: 'text',
  requires: ['complexity', 'kernel-trick'],
  opening: { id: FIRST, tag: 'attn-feature-maps-lab' },
  steps: [
    {
      id: 'ways',
      blocks: [
        prose('ways', first('row')),
        prose('implicit', first('cell', 'map')),
        prose('choice', first('both', 'map', 'dK')),
        {
          kind: 'tries',
          id: 'opening',
          figure: first('both', 'map', 'dK'),
          tries: [
            { id: 'sign', values: { map: 'identity' } },
            { id: 'sharp', values: { scale: false } },
            { id: 'causal', values: { causal: true } },
            { id: 'random', values: { map: 'softmax_kernel' } },
          ],
        },
        {
          kind: 'check',
          id: 'average',
          options: ['sum', 'sign', 'wide', 'smooth'],
          right: ['sign'],
        },
      ],
    },
    {
      id: 'curves',
      blocks: [
        prose('curves'),
        { kind: 'figure', figure: { id: 'curve', tag: 'attn-phi-curve', load: curve } },
        {
          kind: 'tries',
          id: 'curves',
          figure: 'curve',
          tries: [
            { id: 'relu', values: { map: 'relu' } },
            { id: 'kink', values: { map: 'squared_relu' } },
            {
              id: 'underflow',
              values: { map: 'exp', reach: 110 },
              together: 'Only exp is so small, and only so far to the left.',
            },
          ],
        },
        {
          kind: 'check',
          id: 'squared',
          options: ['always', 'zeros', 'fewer'],
          right: ['zeros'],
        },
        exercises('elu-plus-one', 'relu-feature-map', 'squared-relu-feature-map'),
      ],
    },
    {
      id: 'beside',
      blocks: [
        {
          kind: 'prediction',
          id: 'ranking',
          veils: ['maps'],
          answer: { kind: 'choice', options: ['elu_plus_one', 'relu', 'squared_relu'] },
          truth: async (tools: LabTools, ask: Ask) => (await answers()).ranking(tools, ask),
          figure: first('both', 'map'),
          values: HANDOUT,
          reveal: [prose('ranking')],
        },
        prose('beside'),
        {
          kind: 'figure',
          figure: {
            id: 'maps',
            tag: 'attn-two-maps',
            load: () => words.with(() => import('./figures/two-maps/two-maps.ts')),
          },
        },
        exercises('compute-implicit-attention', 'compare-to-softmax'),
      ],
    },
    {
      id: 'stars',
      blocks: [
        prose('stars'),
        {
          kind: 'prediction',
          id: 'bound',
          veils: ['registry'],
          answer: { kind: 'number', min: 1e-4, max: 1, log: true },
          truth: async (tools: LabTools, ask: Ask) => (await answers()).bound(tools, ask),
          figure: first('difference', 'map'),
          values: HANDOUT,
          reveal: [prose('bound')],
        },
        prose('registry'),
        {
          kind: 'figure',
          figure: {
            id: 'registry',
            tag: 'attn-map-registry',
            load: loadRegistry,
            hide: ['maps'],
          },
        },
        {
          kind: 'check',
          id: 'impossible',
          options: ['map', 'rows', 'negative', 'seed'],
          right: ['rows', 'negative'],
        },
        exercises('analyze-feature-map-quality'),
      ],
    },
    {
      id: 'estimate',
      blocks: [
        prose('random'),
        {
          kind: 'prediction',
          id: 'unbiased',
          answer: { kind: 'choice', options: ['random', 'elu'] },
          truth: async (tools: LabTools, ask: Ask) => (await answers()).unbiased(tools, ask),
          figure: first('both', 'map'),
          values: { ...HANDOUT, map: 'softmax_kernel', parameters: 'features:128' },
          reveal: [prose('variance')],
        },
        prose('smaller'),
        {
          kind: 'figure',
          figure: {
            id: 'random',
            tag: 'attn-random-features',
            load: random,
            values: { over: 'm' },
            hide: ['over'],
          },
        },
        prose('collapse'),
        {
          kind: 'figure',
          figure: {
            id: 'collapse',
            tag: 'attn-random-features',
            load: random,
            values: { over: 'scale', show: 'mse' },
            hide: ['over'],
          },
        },
        { kind: 'check', id: 'unbiased', options: ['mean', 'close', 'weights'], right: ['mean'] },
        exercises('softmax-kernel-feature-map'),
      ],
    },
    {
      id: 'expand',
      blocks: [
        prose('taylor'),
        { kind: 'figure', figure: { id: 'taylor', tag: 'attn-taylor-exp', load: taylor } },
        {
          kind: 'tries',
          id: 'kernels',
          figure: 'taylor',
          tries: [
            { id: 'elu', values: { map: 'elu_plus_one' } },
            { id: 'relu', values: { beside: 'relu' } },
          ],
        },
        { kind: 'check', id: 'taylor', options: ['yes', 'no', 'far'], right: ['no'] },
      ],
    },
    {
      id: 'dead',
      blocks: [
        prose('dead'),
        {
          kind: 'prediction',
          id: 'dead',
          answer: { kind: 'number', min: 0, max: 1 },
          truth: async (tools: LabTools, ask: Ask) => (await answers()).dead(tools, ask),
          reveal: [
            {
              kind: 'figure',
              figure: {
                id: 'rows',
                tag: 'attn-dead-rows',
                load: () => words.with(() => import('./figures/dead-rows/dead-rows.ts')),
              },
            },
            prose('counted'),
          ],
        },
        prose('gradients'),
        {
          kind: 'figure',
          figure: {
            id: 'gradients',
            tag: 'attn-map-gradients',
            load: () => words.with(() => import('./figures/gradients/gradients.ts')),
          },
        },
      ],
    },
    {
      id: 'price',
      blocks: [
        prose('price'),
        {
          kind: 'prediction',
          id: 'time',
          answer: { kind: 'choice', options: ['softmax', 'taylor'] },
          truth: async (tools: LabTools, ask: Ask) => (await answers()).time(tools, ask),
          reveal: [
            {
              kind: 'figure',
              figure: {
                id: 'pareto',
                tag: 'attn-map-pareto',
                load: () => words.with(() => import('./figures/pareto/pareto.ts')),
              },
            },
            prose('pareto'),
          ],
        },
        {
          kind: 'check',
          id: 'front',
          options: ['useless', 'dominated', 'slower'],
          right: ['dominated'],
        },
      ],
    },
    { id: 'honest', blocks: [prose('honest')] },
    {
      id: 'handout',
      blocks: [
        prose('handout'),
        {
          kind: 'figure',
          figure: {
            id: 'graded',
            tag: 'attn-map-registry',
            load: loadRegistry,
            values: { maps: 'handout' },
            hide: ['maps', 'every'],
            knobs: ['scaled'],
          },
        },
        prose('graded'),
        {
          kind: 'tries',
          id: 'graded',
          figure: 'graded',
          tries: [{ id: 'unscaled', values: { scaled: false } }],
        },
        prose('always'),
        {
          kind: 'figure',
          figure: {
            id: 'trigonometric',
            tag: 'attn-random-features',
            load: random,
            values: { over: 'scale', show: 'negative', hyperbolic: false },
            hide: ['over'],
          },
        },
        prose('exact'),
      ],
    },
  ],
  references: [
    {
      id: 'attention',
      title: 'Vaswani et al. 2017, Attention Is All You Need',
      url: 'https://arxiv.org/abs/1706.03762',
      where: '3.2.1',
    },
    {
      id: 'linear',
      title: 'Katharopoulos et al. 2020, Transformers are RNNs',
      url: 'https://arxiv.org/abs/2006.16236',
      where: '3.2, 3.4',
    },
    {
      id: 'performer',
      title: 'Choromanski et al. 2021, Rethinking Attention with Performers',
      url: 'https://arxiv.org/abs/2009.14794',
      where: '2.3, Lemma 2',
    },
    {
      id: 'based',
      title:
        'Arora et al. 2024, Simple linear attention language models balance the recall-throughput tradeoff',
      url: 'https://arxiv.org/abs/2402.18668',
    },
    {
      id: 'hedgehog',
      title: 'Zhang et al. 2024, The Hedgehog & the Porcupine',
      url: 'https://arxiv.org/abs/2402.04347',
    },
    {
      id: 't2r',
      title: 'Kasai et al. 2021, Finetuning Pretrained Transformers into RNNs',
      url: 'https://arxiv.org/abs/2103.13076',
    },
    {
      id: 'cosformer',
      title: 'Qin et al. 2022, cosFormer: Rethinking Softmax in Attention',
      url: 'https://arxiv.org/abs/2202.08791',
    },
  ],
  runTimes: { browser, cpu, seconds },
  words: { en: () => import('./words/en.md'), de: () => import('./words/de.md') },
};
