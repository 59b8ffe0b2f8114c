import { keptGaussian } from '../../src/lab/figure/kept-inputs.ts';
import type { FigurePlace, Lab } from '../../src/lab/types.ts';
import { gramOf } from './figures/gram/eigenvalues.ts';
import { recall } from './figures/recall/memories.ts';
import { softmaxRank } from './figures/spectrum/rank.ts';
import { browser, cpu, seconds } from './run-times.json';

/** What predictions ask about and their figures begin with. */
const small = { n: 2, dK: 4, dV: 4 } as const;
const rounding = { n: 100, d: 64, draws: 20, seed: 0 } as const;
const rank = { n: 32, dK: 4, seed: 1 } as const;
const gram = { kernel: 'elu', n: 8, d: 2, seed: 1 } as const;
const stream = { features: 64, n: 1024, d: 16, scale: 2, draws: 10, seed: 1 } as const;
const negative = { map: 'identity', n: 100, d: 64, seed: 1 } as const;

const figure = (place: FigurePlace) => ({ kind: 'figure', figure: place }) as const;
const prose = (id: string) => ({ kind: 'prose', id }) as const;

export const lab: Lab = {
  id: 'kernel-trick',
  number: 2,
  part: 'linear',
  requires: ['complexity'],
  opening: { id: 'orders', tag: 'attn-kt-orders' },
  steps: [
    {
      id: 'brackets',
      blocks: [
        {
          kind: 'prose',
          id: 'brackets',
          figure: { of: 'orders', knobs: ['step'] },
        },
        {
          kind: 'prediction',
          id: 'small',
          figure: { of: 'orders', knobs: ['n', 'step'] },
          values: small,
          answer: { kind: 'choice', options: ['standard', 'linear', 'same'] },
          truth: async ({ client }, { signal }) => {
            const { plain } = await client.orderCosts(small, { signal });
            if (plain.standard === plain.linear) return 'same';
            return plain.standard < plain.linear ? 'standard' : 'linear';
          },
          reveal: [
            {
              kind: 'tries',
              id: 'sizes',
              figure: 'orders',
              tries: [
                { id: 'long', values: { n: 8 } },
                { id: 'wide', values: { dK: 4 } },
                { id: 'real', values: { numbers: 'real' } },
              ],
            },
          ],
        },
        {
          kind: 'check',
          id: 'double',
          options: ['both2', 'four-two', 'four-four', 'two-four'],
          right: ['four-two'],
        },
        { kind: 'exercises', ids: ['standard-attention-order'] },
      ],
    },
    {
      id: 'softmax',
      blocks: [
        prose('softmax'),
        {
          kind: 'prediction',
          id: 'rank',
          answer: { kind: 'choice', options: ['four', 'between', 'full'] },
          truth: async ({ client }, { signal }) => {
            const found = await softmaxRank(client, rank, { signal });
            if (found.rank <= rank.dK) return 'four';
            return found.rank < rank.n ? 'between' : 'full';
          },
          reveal: [
            figure({
              id: 'spectrum',
              tag: 'attn-kt-spectrum',
              load: () => import('./figures/spectrum/spectrum.ts'),
              values: rank,
              knobs: ['dK'],
            }),
            prose('spectrum'),
          ],
        },
        prose('tied'),
        figure({
          id: 'tied',
          tag: 'attn-kt-tied',
          load: () => import('./figures/tied/tied.ts'),
        }),
        prose('sum'),
        {
          kind: 'check',
          id: 'obstacle',
          options: ['division', 'exponential', 'scale', 'mask'],
          right: ['exponential'],
        },
      ],
    },
    {
      id: 'kernel',
      blocks: [
        prose('kernel'),
        figure({
          id: 'worked',
          tag: 'attn-kt-worked',
          load: () => import('./figures/worked/worked.ts'),
        }),
        prose('taylor'),
        {
          kind: 'tries',
          id: 'vectors',
          figure: 'worked',
          tries: [
            { id: 'near', values: { q1: 0.4 } },
            { id: 'large', values: { q1: 3 } },
            { id: 'opposite', values: { q1: -3 } },
            { id: 'elu', values: { map: 'elu_plus_one' } },
          ],
        },
        prose('gram'),
        {
          kind: 'prediction',
          id: 'psd',
          answer: { kind: 'choice', options: ['kernel', 'none'] },
          truth: async ({ client }, { signal }) =>
            (await gramOf(client, gram, { signal })).negative > 0 ? 'none' : 'kernel',
          reveal: [
            figure({
              id: 'gram',
              tag: 'attn-kt-gram',
              load: () => import('./figures/gram/gram.ts'),
              values: gram,
            }),
          ],
        },
        {
          kind: 'check',
          id: 'psd',
          options: ['positive', 'symmetric', 'eigenvalues', 'grows'],
          right: ['eigenvalues'],
        },
        {
          kind: 'exercises',
          ids: ['simple-feature-map', 'elu-feature-map', 'linear-attention-order'],
        },
      ],
    },
    {
      id: 'recurrent',
      blocks: [
        prose('recurrent'),
        figure({
          id: 'state',
          tag: 'attn-kt-state',
          load: () => import('./figures/state/state.ts'),
          show: 'now',
          knobs: ['t'],
        }),
        {
          kind: 'prose',
          id: 'forgets',
          figure: { of: 'state', show: 'answers', knobs: ['map', 't'] },
        },
        {
          kind: 'check',
          id: 'state',
          options: ['outer', 'keys', 'list', 'queries'],
          right: ['outer', 'keys'],
        },
      ],
    },
    {
      id: 'denominators',
      blocks: [
        prose('denominators'),
        {
          kind: 'prediction',
          id: 'negative',
          answer: { kind: 'number', min: 0, max: 100, unit: '%' },
          truth: async ({ client }, { signal }) => {
            const { map, n, d, seed } = negative;
            const { q, k } = await keptGaussian(client, { n, dK: d, dV: d, seed }, { signal });
            const sums = await client.denominators({ q, k, featureMap: { id: map } }, { signal });
            return (100 * sums.data.filter((sum) => sum <= 0).length) / n;
          },
          reveal: [
            figure({
              id: 'signs',
              tag: 'attn-kt-denominators',
              load: () => import('./figures/denominators/denominators.ts'),
              values: negative,
            }),
            prose('positive'),
            {
              kind: 'tries',
              id: 'maps',
              figure: 'signs',
              tries: [
                { id: 'elu', values: { map: 'elu_plus_one' } },
                {
                  id: 'relu',
                  values: { map: 'relu', d: 2 },
                  together: 'only a query with few columns has none that is positive',
                },
                { id: 'taylor', values: { map: 'taylor_compact' } },
              ],
            },
          ],
        },
        {
          kind: 'check',
          id: 'identity',
          options: ['epsilon', 'negative', 'seed', 'unnormalised'],
          right: ['negative', 'unnormalised'],
        },
      ],
    },
    {
      id: 'recall',
      blocks: [
        prose('recall'),
        {
          kind: 'prediction',
          id: 'recall',
          answer: { kind: 'number', min: 0.01, max: 100, log: true, unit: '%' },
          values: { ...stream, since: stream.n },
          truth: async ({ client }, ask) => {
            const { weight } = await recall(client, 'elu', stream, ask);
            return 100 * (weight.at(-1)?.median ?? Number.NaN);
          },
          reveal: [
            figure({
              id: 'recall-figure',
              tag: 'attn-kt-recall',
              load: () => import('./figures/recall/recall.ts'),
              values: stream,
              // The upright line in the chart is moved, and the number in the text.
              knobs: [],
            }),
            prose('fading'),
            {
              kind: 'tries',
              id: 'recall',
              figure: 'recall-figure',
              tries: [
                { id: 'soon', values: { since: 4 } },
                { id: 'bought', values: { features: 1024 } },
                {
                  id: 'longer',
                  values: { n: 4096, since: 4096 },
                  together: 'a longer stream is asked at its end',
                },
              ],
            },
            prose('bought'),
          ],
        },
        {
          kind: 'check',
          id: 'recall',
          options: ['overwritten', 'sum', 'digits', 'mask'],
          right: ['sum'],
        },
      ],
    },
    {
      id: 'rounding',
      blocks: [
        prose('rounding'),
        {
          kind: 'prediction',
          id: 'rtol',
          answer: { kind: 'choice', options: ['all', 'some', 'none'] },
          veils: ['runs'],
          truth: async ({ client }, { signal, onProgress }) => {
            const { n, d, draws, seed } = rounding;
            const { float32 } = await client.associativityPrecision(
              { n, dK: d, dV: d, draws, seed, rtol: 1e-5, atol: 0 },
              { signal, onProgress },
            );
            if (float32.failedDraws === 0) return 'all';
            return float32.failedDraws === draws ? 'none' : 'some';
          },
          reveal: [
            figure({
              id: 'rounding-figure',
              tag: 'attn-kt-rounding',
              load: () => import('./figures/rounding/rounding.ts'),
              values: rounding,
            }),
            prose('tolerance'),
            {
              kind: 'tries',
              id: 'tolerances',
              figure: 'rounding-figure',
              tries: [
                { id: 'relative', values: { rtol: '1e-3' } },
                { id: 'absolute', values: { atol: '1e-3' } },
                { id: 'longer', values: { n: 200 } },
              ],
            },
          ],
        },
        prose('luck'),
        figure({
          id: 'runs',
          tag: 'attn-kt-rounding-runs',
          load: () => import('./figures/rounding-runs/rounding-runs.ts'),
        }),
        {
          kind: 'check',
          id: 'test',
          options: ['bug', 'rtol', 'both', 'bits'],
          right: ['both'],
        },
        { kind: 'exercises', ids: ['verify-associativity'] },
      ],
    },
    {
      id: 'claims',
      blocks: [
        prose('claims'),
        figure({
          id: 'counts',
          tag: 'attn-kt-counts',
          load: () => import('./figures/counts/counts.ts'),
        }),
        prose('ratio'),
        {
          kind: 'tries',
          id: 'counts',
          figure: 'counts',
          tries: [
            { id: 'short', values: { n: 32 } },
            {
              id: 'taylor',
              values: { dK: 16, D: 153 },
              together: 'the number of Taylor features follows from d_k',
            },
          ],
        },
        prose('same'),
        figure({
          id: 'maps',
          tag: 'attn-kt-maps',
          load: () => import('./figures/maps/maps.ts'),
        }),
        prose('unbiased'),
        prose('elsewhere'),
      ],
    },
  ],
  references: [
    {
      id: 'transformers-are-rnns',
      title: 'Katharopoulos et al.: Transformers are RNNs',
      url: 'https://arxiv.org/abs/2006.16236',
      where: '3.2, 3.4',
    },
    {
      id: 'efficient-attention',
      title: 'Shen et al.: Efficient Attention',
      url: 'https://arxiv.org/abs/1812.01243',
      where: '3.2',
    },
    {
      id: 'dissection',
      title: 'Tsai et al.: Transformer Dissection',
      url: 'https://arxiv.org/abs/1908.11775',
      where: '2.2',
    },
    {
      id: 'fast-weights',
      title: 'Schlag et al.: Linear Transformers Are Secretly Fast Weight Programmers',
      url: 'https://arxiv.org/abs/2102.11174',
      where: '3, 4.1',
    },
    {
      id: 'based',
      title:
        'Arora et al.: Simple linear attention language models balance the recall-throughput tradeoff',
      url: 'https://arxiv.org/abs/2402.18668',
      where: '4.1',
    },
    {
      id: 'performer',
      title: 'Choromanski et al.: Rethinking Attention with Performers',
      url: 'https://arxiv.org/abs/2009.14794',
      where: '2.3',
    },
    {
      id: 'goldberg',
      title: 'Goldberg: What every computer scientist should know about floating-point arithmetic',
      url: 'https://doi.org/10.1145/103162.103163',
    },
  ],
  next: 'feature-maps',
  runTimes: { browser, cpu, seconds },
  words: {
    en: () => import('./words/en.md'),
    de: () => import('./words/de.md'),
  },
};
