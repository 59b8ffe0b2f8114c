import { qkv, rows, sizeKnobs } from '../../src/exercises/common-inputs';
import { featureMapOf, fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, GivenValue } from '../../src/exercises/types';

const map = (name: string): GivenValue => ({ kind: 'given', name });

export const exercise = {
  id: 'linear-attention-order',
  lab: 'kernel-trick',
  order: 2,
  difficulty: 1,
  minutes: 5,
  buildsOn: ['standard-attention-order'],
  title: 'Attention in the linear order',
  summary: 'Keys and values first: the n×n matrix is never made.',
  task: [
    'Matrix products are associative: $(\\varphi(Q)\\varphi(K)^{\\top})V = \\varphi(Q)(\\varphi(K)^{\\top}V)$. On the right nothing with $n$ rows and $n$ columns is ever made.',
    'Write `linear_attention_order(Q, K, V, feature_map)`. It returns $\\varphi(Q)\\,(\\varphi(K)^{\\top}V)$, where `feature_map` is $\\varphi$: a function that takes a matrix and gives one with as many rows. Apply it to the queries and to the keys. No normaliser: the quotient comes in the next lab.',
    'With the identity as feature map the result is that of the standard order. Besides the numbers the work is graded: it may grow with $n$, not with $n^2$.',
  ],
  entry: 'linear_attention_order',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'feature_map', type: 'feature_map', what: 'φ, from n×d to n×D' },
  ],
  results: [{ name: 'output', type: 'matrix', shape: 'n×d_v', what: 'φ(Q)(φ(K)ᵀV)' }],
  cases: [
    {
      name: 'two tokens, by hand, identity',
      args: [
        rows([
          [1, 0],
          [2, -1],
        ]),
        rows([
          [1, 1],
          [0, 3],
        ]),
        rows([
          [1, 2],
          [3, 4],
        ]),
        map('identity'),
      ],
    },
    { name: 'six tokens, ELU + 1', args: [...qkv({ n: 6, d: 4, seed: 6 }), map('elu_plus_one')] },
    {
      name: 'more keys than queries, ReLU',
      args: [...qkv({ n: 4, m: 7, d: 5, dV: 2, seed: 7 }), map('relu')],
    },
    {
      name: 'one query, squared ReLU',
      hidden: true,
      args: [...qkv({ n: 1, m: 5, d: 4, dV: 3, seed: 8 }), map('squared_relu')],
    },
    {
      name: 'more queries than keys, ELU + 1',
      hidden: true,
      args: [...qkv({ n: 9, m: 3, d: 2, dV: 6, seed: 9 }), map('elu_plus_one')],
    },
    {
      name: 'values alone negative, identity',
      hidden: true,
      args: [
        ...qkv({ n: 3, m: 4, d: 3, seed: 10 }).slice(0, 2),
        { make: 'uniform', shape: [4, 3], seed: 11, low: -2, high: -1 },
        map('identity'),
      ],
    },
  ],
  drawn: (draw) => [
    ...qkv({
      n: draw.integer(1, 9),
      m: draw.integer(2, 9),
      d: draw.integer(1, 6),
      dV: draw.integer(1, 6),
      seed: draw.seed(),
    }),
    map(draw.pick(['elu_plus_one', 'relu', 'squared_relu', 'identity'])),
  ],
  tolerance: {
    rtol: 1e-5,
    atol: 1e-4,
    reason: 'The reference sums float32 products; entries that nearly cancel keep fewer digits.',
  },
  cost: {
    sizes: [32, 64, 128, 512],
    args: (n, draw) => [
      ...qkv({ n, d: draw.integer(6, 12), dV: draw.integer(6, 12), seed: draw.seed() }),
      map('elu_plus_one'),
    ],
    maxSlope: 1.2,
    most: (n) => 6000 * n,
    wanted: '2·n·D·d_v multiply-adds',
  },
  hints: [
    'Start from the right: which two matrices can be multiplied first so that n disappears from the result’s shape?',
    'φ(K)ᵀ is D×m and V is m×d_v. Their product has D rows and d_v columns, whatever the length of the text.',
    'What is left is φ(Q), n×D, times that product. If you meet an n×m matrix anywhere, the order is the standard one.',
  ],
  variants: [
    {
      id: 'quadratic',
      evidence: 'cost',
      message:
        'The numbers are right, the order is not: you make φ(Q)φ(K)ᵀ, which has n² entries. Multiply the keys with the values first.',
      python: [
        ['memory = feature_map(K).T @ V', 'scores = feature_map(Q) @ feature_map(K).T'],
        ['return feature_map(Q) @ memory', 'return scores @ V'],
      ],
      javascript: [
        [
          'memory = featureMap(K).transpose().times(V)',
          'scores = featureMap(Q).times(featureMap(K).transpose())',
        ],
        ['featureMap(Q).times(memory)', 'scores.times(V)'],
      ],
      cpp: [
        [
          'memory = matmul(transpose(feature_map(K)), V)',
          'scores = matmul(feature_map(Q), transpose(feature_map(K)))',
        ],
        ['matmul(feature_map(Q), memory)', 'matmul(scores, V)'],
      ],
    },
    {
      id: 'normalised',
      message:
        'You divide by φ(q)·Σφ(k). That makes weights of the scores and comes in the next lab; here only the numerator is wanted.',
      python: [
        [
          'return feature_map(Q) @ memory',
          'total = feature_map(K).sum(axis=0)\n' +
            '    return feature_map(Q) @ memory / (feature_map(Q) @ total)[:, None]',
        ],
      ],
    },
    {
      id: 'map-unused',
      message:
        'Your result is Q(KᵀV) whatever the feature map is. Apply it to Q and to K before you multiply.',
      python: [
        ['feature_map(K).T', 'K.T'],
        ['return feature_map(Q)', 'return Q'],
      ],
      javascript: [
        ['featureMap(K).transpose()', 'K.transpose()'],
        ['return featureMap(Q)', 'return Q'],
      ],
      cpp: [
        ['const FeatureMap& feature_map', 'const FeatureMap&'],
        ['transpose(feature_map(K))', 'transpose(K)'],
        ['matmul(feature_map(Q), memory)', 'matmul(Q, memory)'],
      ],
    },
    {
      id: 'queries-unmapped',
      message: 'The keys went through the feature map, the queries did not. It belongs on both.',
      python: [['return feature_map(Q)', 'return Q']],
      javascript: [['return featureMap(Q)', 'return Q']],
    },
    {
      id: 'keys-unmapped',
      message: 'The queries went through the feature map, the keys did not. It belongs on both.',
      python: [['feature_map(K).T', 'K.T']],
    },
    {
      id: 'values-mapped',
      message:
        'You applied the feature map to V as well. Values are what is summed; only Q and K are compared.',
      python: [['.T @ V', '.T @ feature_map(V)']],
      cpp: [['(transpose(feature_map(K)), V)', '(transpose(feature_map(K)), feature_map(V))']],
    },
    {
      id: 'map-last',
      message:
        'You applied the feature map to the finished product. It has to act on each query and each key before they meet.',
      python: [
        ['feature_map(K).T', 'K.T'],
        ['return feature_map(Q) @ memory', 'return feature_map(Q @ memory)'],
      ],
    },
    {
      id: 'scaled',
      message:
        'Your output is too small by √d. That factor belongs to softmax attention; the linear order has none.',
      python: [
        ['return feature_map(Q) @ memory', 'return feature_map(Q) @ memory / Q.shape[1] ** 0.5'],
      ],
    },
  ],
  figure: {
    knobs: sizeKnobs,
    args: ({ n = 16, d = 8, seed = 1 }) => [...qkv({ n, d, seed }), map('elu_plus_one')],
    draw: { kind: 'matrix', rows: 'query', cols: 'value', signed: true },
    caption:
      'The output φ(Q)(φ(K)ᵀV) with ELU + 1. Its entries grow with n, because nothing is divided yet; the largest thing on the way to it was D×d_v.',
  },
  source: {
    title: 'Lab 02: The Kernel Trick',
    where: 'linear_attention_order(Q, K, V, feature_map)',
  },
  reference: async ({ core }, [q, k, v, featureMap]) =>
    fromMatrix(
      await core.linearAttentionOrder({
        q: matrixOf(q),
        k: matrixOf(k),
        v: matrixOf(v),
        featureMap: featureMapOf(featureMap),
      }),
    ),
} as const satisfies Exercise;
