import { KvCache } from '#client';
import { normal } from '../../src/exercises/common-inputs';
import { fromMatrix, fromVector, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'kv-cache-step',
  lab: 'surgeon',
  order: 9,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['attention'],
  title: 'One step with a KV cache',
  summary: 'Add a token to the cache and compute its attention over everything cached.',
  task: [
    'A model that writes text makes one token at a time. The keys and values of earlier tokens never ' +
      'change, so they are kept in a cache: a step computes one row of causal attention instead of all.',
    'Write one step. The cache holds $t$ keys and $t$ values, oldest first; $t$ may be 0. Append the ' +
      "new token's $k$ and $v$ behind them. Then let its query look at every key now in the cache, " +
      'its own included:',
    '$$\\text{output} = \\operatorname{softmax}\\!\\left(\\frac{K q}{\\sqrt{d_k}}\\right)^{\\!\\top} V$$',
    'with $K$ of $t + 1$ rows and $V$ likewise. Return the output and both grown caches. Scores may be ' +
      'as large as 1000: subtract their maximum before you take the exponential.',
  ],
  entry: 'kv_cache_step',
  parameters: [
    { name: 'q', type: 'vector', shape: 'd_k', what: "the new token's query" },
    { name: 'k', type: 'vector', shape: 'd_k', what: "the new token's key" },
    { name: 'v', type: 'vector', shape: 'd_v', what: "the new token's value" },
    { name: 'K_cache', type: 'matrix', shape: 't×d_k', what: 'keys so far, oldest first' },
    { name: 'V_cache', type: 'matrix', shape: 't×d_v', what: 'values so far, oldest first' },
  ],
  results: [
    { name: 'output', type: 'vector', shape: 'd_v', what: "the new token's attention output" },
    { name: 'K_cache', type: 'matrix', shape: '(t+1)×d_k', what: 'keys with the new one last' },
    { name: 'V_cache', type: 'matrix', shape: '(t+1)×d_v', what: 'values with the new one last' },
  ],
  cases: [
    {
      name: 'one token in the cache, by hand',
      args: [
        { make: 'values', shape: [4], data: [1, 0, 0, 0] },
        { make: 'values', shape: [4], data: [2, 0, 0, 0] },
        { make: 'values', shape: [2], data: [0, 1] },
        { make: 'values', shape: [1, 4], data: [0, 1, 0, 0] },
        { make: 'values', shape: [1, 2], data: [1, 0] },
      ],
    },
    {
      name: 'an empty cache',
      args: [
        { make: 'normal', seed: 1, shape: [3] },
        { make: 'normal', seed: 2, shape: [3] },
        { make: 'normal', seed: 3, shape: [5] },
        { make: 'full', shape: [0, 3], value: 0 },
        { make: 'full', shape: [0, 5], value: 0 },
      ],
    },
    {
      name: 'six tokens, values wider than keys',
      args: [
        { make: 'normal', seed: 4, shape: [4] },
        { make: 'normal', seed: 5, shape: [4] },
        { make: 'normal', seed: 6, shape: [6] },
        normal(6, 4, 7),
        normal(6, 6, 8),
      ],
    },
    {
      name: 'scores of 1000 and −1000',
      args: [
        { make: 'values', shape: [4], data: [20, 20, 20, 20] },
        { make: 'values', shape: [4], data: [25, 25, 25, 24.875] },
        { make: 'values', shape: [4], data: [1, 2, 3, 4] },
        {
          make: 'values',
          shape: [3, 4],
          data: [25, 25, 25, 25, -25, -25, -25, -25, 24.75, 25, 25, 25],
        },
        normal(3, 4, 9),
      ],
    },
    {
      name: 'keys and values of one width',
      hidden: true,
      args: [
        { make: 'normal', seed: 10, shape: [8] },
        { make: 'normal', seed: 11, shape: [8] },
        { make: 'normal', seed: 12, shape: [8] },
        normal(16, 8, 13),
        normal(16, 8, 14),
      ],
    },
    {
      name: 'width 1',
      hidden: true,
      args: [
        { make: 'normal', seed: 15, shape: [1] },
        { make: 'normal', seed: 16, shape: [1] },
        { make: 'normal', seed: 17, shape: [1] },
        normal(4, 1, 18),
        normal(4, 1, 19),
      ],
    },
    {
      name: 'an empty cache and a large score',
      hidden: true,
      args: [
        { make: 'full', shape: [4], value: 30 },
        { make: 'full', shape: [4], value: 30 },
        { make: 'values', shape: [2], data: [-1, 5] },
        { make: 'full', shape: [0, 4], value: 0 },
        { make: 'full', shape: [0, 2], value: 0 },
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [d, dV, past] = [draw.integer(1, 8), draw.integer(1, 8), draw.integer(0, 12)];
    const scale = nth === 2 ? 3 : 1;
    return [
      { make: 'normal', seed: draw.seed(), shape: [d], scale },
      { make: 'normal', seed: draw.seed(), shape: [d] },
      { make: 'normal', seed: draw.seed(), shape: [dV] },
      normal(past, d, draw.seed()),
      normal(past, dV, draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  hints: [
    'Make the two grown caches first. Everything after that is attention with one query.',
    'A vector has one axis: give it a second one, so that it is a matrix of one row that can be ' +
      'joined below the cache.',
    'The scores are one number for each cached key: K_cache @ q / √d_k. Softmax them and weigh the ' +
      'rows of the grown V_cache.',
  ],
  variants: [
    {
      id: 'itself-forgotten',
      message:
        'Your caches have grown, but the query looked only at the old tokens. A token also attends ' +
        'to itself: use the cache after you appended.',
      python: [
        ['keys @ q', 'K_cache @ q'],
        ['return weights @ values', 'return weights @ V_cache'],
      ],
      javascript: [
        ['keys.transpose()', 'KCache.transpose()'],
        ['.times(values)', '.times(VCache)'],
      ],
      cpp: [
        ['matmul(keys, q)', 'matmul(K_cache, q)'],
        ['sum(weights), values)', 'sum(weights), V_cache)'],
      ],
    },
    {
      id: 'prepended',
      message:
        'Your new token stands first in the caches. They are in the order of time, oldest first: ' +
        'put it behind the others.',
      python: [
        ['[K_cache, k[None, :]]', '[k[None, :], K_cache]'],
        ['[V_cache, v[None, :]]', '[v[None, :], V_cache]'],
      ],
      javascript: [
        ['KCache.concatRows(k)', 'k.concatRows(KCache)'],
        ['VCache.concatRows(v)', 'v.concatRows(VCache)'],
      ],
      cpp: [
        ['{K_cache, expand_dims(k, 0)}', '{expand_dims(k, 0), K_cache}'],
        ['{V_cache, expand_dims(v, 0)}', '{expand_dims(v, 0), V_cache}'],
      ],
    },
    {
      id: 'key-into-values',
      message:
        'The key went into both caches. The cache of values takes `v`, which may even have another ' +
        'width.',
      python: [['[V_cache, v[None, :]]', '[V_cache, k[None, :]]']],
      javascript: [['VCache.concatRows(v)', 'VCache.concatRows(k)']],
      cpp: [['expand_dims(v, 0)', 'expand_dims(k, 0)']],
    },
    {
      id: 'old-caches-returned',
      message:
        'Your output is right, but you returned the caches as they came in. The next step needs ' +
        'them with this token in it.',
      python: [['weights @ values, keys, values', 'weights @ values, K_cache, V_cache']],
      javascript: [['times(values), keys, values', 'times(values), KCache, VCache']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(q.shape[0])', '']],
      javascript: [['.div(Math.sqrt(q.cols))', '']],
      cpp: [[' / std::sqrt(q.shape(0))', '']],
    },
    {
      id: 'scaled-by-length',
      message:
        'You divided the scores by the root of how many tokens are cached. The factor belongs to ' +
        'the width of the keys, d_k, and does not change from step to step.',
      python: [['np.sqrt(q.shape[0])', 'np.sqrt(len(keys))']],
    },
    {
      id: 'no-max',
      message:
        'A score of 1000 overflowed the exponential and left NaN. Subtract the largest score first: ' +
        'the weights stay the same.',
      evidence: 'fixed',
      python: [['np.exp(scores - scores.max())', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.max()).exp()', 'scores.exp()']],
      cpp: [['exp(scores - max(scores))', 'exp(scores)']],
    },
    {
      id: 'not-normalised',
      message: 'Your weights do not sum to 1: divide the exponentials by their sum.',
      python: [['weights = weights / weights.sum()', 'weights = weights / 1']],
    },
    {
      id: 'wrong-axis',
      message:
        'All your weights are 1: your softmax runs along the wrong axis, so each key was divided by itself. It runs over the keys, and all weights together sum to 1.',
      python: [
        ['scores = keys @ q', 'scores = (keys @ q)[None, :]'],
        ['scores.max()', 'scores.max(axis=0)'],
        ['weights / weights.sum()', '(weights / weights.sum(axis=0))[0]'],
      ],
      javascript: [
        ['scores.minus(scores.max())', 'scores.minus(scores)'],
        ['weights.sum()', 'weights.sumCols()'],
      ],
      cpp: [
        ['scores - max(scores)', 'scores - scores'],
        ['weights / sum(weights)', 'weights'],
      ],
    },
  ],
  figure: {
    knobs: {
      tokens: { label: 'tokens in the cache', min: 0, max: 63, value: 15 },
      d: { label: 'width of keys', min: 1, max: 32, value: 8 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ tokens = 15, d = 8, seed = 0 }) => {
      const width = tokens + 1;
      const unit = (rows: number, first: number) => ({
        make: 'values' as const,
        shape: rows < 0 ? [width] : [rows, width],
        data: Array.from({ length: Math.abs(rows) * width }, (_, at) =>
          at % width === first + Math.floor(at / width) ? 1 : 0,
        ),
      });
      return [
        { make: 'normal', seed: seed + 1000, shape: [d] },
        { make: 'normal', seed: seed + 2000, shape: [d] },
        unit(-1, tokens),
        { make: 'normal', seed, shape: [tokens, d] },
        unit(tokens, 0),
      ];
    },
    draw: { kind: 'matrix', path: [0], rows: 'the new token', cols: 'tokens in the cache' },
    caption:
      'How much the new token (last column) looks at each cached one. The values are unit ' +
      'vectors, so the output is the weights.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Test Attention Caching',
  },
  reference: async ({ core }, [q, k, v, keys, values]) => {
    const [K, V] = [matrixOf(keys), matrixOf(values)];
    const shape = { dK: K.cols, dV: V.cols };
    const cache = await KvCache.create(core, { capacity: K.rows + 1, kvHeads: 1, ...shape });
    try {
      if (K.rows > 0) await cache.append({ k: K, v: V });
      const step = { q: matrixOf(q), k: matrixOf(k), v: matrixOf(v), heads: 1 };
      const { output } = await cache.decode(step);
      const grown = [await cache.keys(0), await cache.values(0)].map(fromMatrix);
      return [fromVector(output), ...grown];
    } finally {
      await cache.dispose();
    }
  },
} as const satisfies Exercise;
