import { normal } from '../../src/exercises/common-inputs';
import {
  beside,
  columns,
  fromMatrices,
  identity,
  matricesOf,
  matrixOf,
} from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'multi-query',
  lab: 'surgeon',
  order: 12,
  difficulty: 2,
  minutes: 12,
  buildsOn: ['split-merge-heads'],
  title: 'Multi-query attention',
  summary: 'Many heads of queries that share one set of keys and values.',
  task: [
    'The cache of keys and values is what limits long texts. Multi-query attention makes it $h$ times ' +
      'smaller: every head keeps its own queries, and all heads read the same keys and values.',
    'For each head $i$ compute',
    '$$O_i = \\operatorname{softmax}\\!\\left(\\frac{Q_i K^\\top}{\\sqrt{d_k}}\\right) V$$',
    'with the softmax over the keys of each query on its own, and return the $h$ outputs as a stack. ' +
      '$d_k$ is the width of one head. Scores may be as large as 1000: subtract the maximum of each row.',
  ],
  entry: 'multi_query_attention',
  parameters: [
    { name: 'Q', type: 'stack', shape: 'h×n×d_k', what: 'the queries of each head' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys, shared' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values, shared' },
  ],
  results: [{ name: 'output', type: 'stack', shape: 'h×n×d_v', what: 'the output of each head' }],
  cases: [
    {
      name: 'two heads, one query each, by hand',
      args: [
        { make: 'values', shape: [2, 1, 1], data: [0, 1] },
        { make: 'values', shape: [2, 1], data: [0, 1] },
        identity(2),
      ],
    },
    {
      name: 'three heads',
      args: [{ make: 'normal', seed: 1, shape: [3, 5, 4] }, normal(7, 4, 2), normal(7, 6, 3)],
    },
    {
      name: 'one head is plain attention',
      args: [{ make: 'normal', seed: 4, shape: [1, 4, 3] }, normal(5, 3, 5), normal(5, 2, 6)],
    },
    {
      name: 'scores of 1000 and −1000',
      args: [
        {
          make: 'values',
          shape: [2, 2, 4],
          data: [20, 20, 20, 20, -20, -20, -20, -20, 20, 20, 20, 0, 0, 0, 0, 1],
        },
        {
          make: 'values',
          shape: [3, 4],
          data: [25, 25, 25, 25, 25, 25, 25, 24.875, -25, -25, -25, -25],
        },
        normal(3, 3, 7),
      ],
    },
    {
      name: 'as many heads as queries and keys',
      hidden: true,
      args: [{ make: 'normal', seed: 8, shape: [4, 4, 4] }, normal(4, 4, 9), normal(4, 4, 10)],
    },
    {
      name: 'eight narrow heads, twenty keys',
      hidden: true,
      args: [{ make: 'normal', seed: 11, shape: [8, 6, 2] }, normal(20, 2, 12), normal(20, 5, 13)],
    },
    {
      name: 'a single key',
      hidden: true,
      args: [{ make: 'normal', seed: 14, shape: [3, 2, 4] }, normal(1, 4, 15), normal(1, 3, 16)],
    },
  ],
  drawn: (draw) => {
    const [heads, n, m, d] = [1, 2, 3, 1].map((low) => draw.integer(low, low + 5)) as [
      ...[number, number, number, number],
    ];
    return [
      { make: 'normal', seed: draw.seed(), shape: [heads, n, d] },
      normal(m, d, draw.seed()),
      normal(m, draw.integer(1, 6), draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  hints: [
    'It is ordinary attention, once for each head. A loop over the heads will do.',
    'Without a loop: h×n×d_k times d_k×m is h×n×m by broadcasting. The softmax runs along the last axis.',
    'scores = Q @ K.T / √d_k, softmax with axis=-1 and keepdims=True, then @ V.',
  ],
  variants: [
    {
      id: 'softmax-over-heads',
      message:
        'Your weights sum to 1 over the heads. Heads do not compete: each query of each head shares ' +
        'its own weight among the keys.',
      python: [['weights.sum(axis=-1, keepdims=True)', 'weights.sum(axis=0, keepdims=True)']],
      cpp: [['sum(weights, -1, true)', 'sum(weights, 0, true)']],
    },
    {
      id: 'softmax-over-queries',
      message:
        'Your weights sum to 1 over the queries. They have to sum to 1 over the keys, the last axis.',
      python: [['weights.sum(axis=-1, keepdims=True)', 'weights.sum(axis=-2, keepdims=True)']],
      javascript: [['weights.div(weights.sumRows())', 'weights.div(weights.sumCols())']],
    },
    {
      id: 'not-normalised',
      message: 'Your weights do not sum to 1: divide the exponentials by their sum over the keys.',
      python: [['    weights = weights / weights.sum(axis=-1, keepdims=True)\n', '']],
      javascript: [['weights.div(weights.sumRows())', 'weights']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      evidence: 'fixed',
      python: [[' / np.sqrt(K.shape[1])', '']],
      javascript: [['.div(Math.sqrt(K.cols))', '']],
    },
    {
      id: 'scaled-by-model-width',
      message:
        'You divided by the root of the width of all heads together. Each dot product runs over the ' +
        'width of one head, and that is d_k.',
      python: [['np.sqrt(K.shape[1])', 'np.sqrt(Q.shape[0] * K.shape[1])']],
      javascript: [['Math.sqrt(K.cols)', 'Math.sqrt(Q.length * K.cols)']],
      cpp: [['std::sqrt(K.shape(1))', 'std::sqrt(Q.shape(0) * K.shape(1))']],
    },
    {
      id: 'queries-shared',
      message:
        'All your heads gave the same output: the queries of the first were used for each. Only keys ' +
        'and values are shared.',
      python: [['scores = Q @ K.T', 'Q = Q[:1] + 0 * Q\n    scores = Q @ K.T']],
    },
    {
      id: 'heads-averaged',
      message: 'You averaged the heads into one matrix. Return them all, as a stack of h outputs.',
      python: [['return weights @ V', 'return (weights @ V).mean(axis=0)']],
    },
    {
      id: 'heads-side-by-side',
      message:
        'You merged the heads side by side into one matrix. Here the stack itself is wanted, h×n×d_v.',
      python: [
        [
          'return weights @ V',
          'return (weights @ V).transpose(1, 0, 2).reshape(Q.shape[1], Q.shape[0] * V.shape[1])',
        ],
      ],
    },
    {
      id: 'no-max',
      message:
        'A score of 1000 overflowed the exponential and left NaN. Subtract the largest score of each ' +
        'row first: the weights stay the same.',
      evidence: 'fixed',
      python: [['np.exp(scores - scores.max(axis=-1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.maxRows()).exp()', 'scores.exp()']],
      cpp: [['exp(scores - max(scores, -1, true))', 'exp(scores)']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your maximum and your sum run over the queries of a head, the wrong axis. Each query spreads one unit of weight over the keys, the last axis.',
      python: [
        ['scores.max(axis=-1', 'scores.max(axis=-2'],
        ['weights.sum(axis=-1', 'weights.sum(axis=-2'],
      ],
      javascript: [
        ['scores.maxRows()', 'scores.transpose().maxRows().transpose()'],
        ['weights.sumRows()', 'weights.sumCols()'],
      ],
      cpp: [
        ['max(scores, -1, true)', 'max(scores, -2, true)'],
        ['sum(weights, -1, true)', 'sum(weights, -2, true)'],
      ],
    },
  ],
  figure: {
    knobs: {
      heads: { label: 'heads', min: 1, max: 8, value: 4 },
      n: { label: 'tokens', min: 1, max: 64, value: 12 },
      d: { label: 'width of a head', min: 1, max: 16, value: 4 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ heads = 4, n = 12, d = 4, seed = 0 }) => [
      { make: 'normal', seed, shape: [heads, n, d] },
      normal(n, d, seed + 1000),
      identity(n),
    ],
    draw: { kind: 'matrix', path: [0], rows: 'queries of head 0', cols: 'shared keys' },
    caption:
      'Weights of the first head. The values are unit vectors, so the output is the weights.',
  },
  source: {
    title: 'Fast Transformer Decoding: One Write-Head is All You Need',
    url: 'https://arxiv.org/abs/1911.02150',
    where: "section 3; Project 4's fourth bonus challenge",
  },
  reference: async ({ core }, [q, k, v]) => {
    const queries = matricesOf(q);
    const values = matrixOf(v);
    const { output } = await core.groupedQueryAttention({
      q: beside(queries),
      k: matrixOf(k),
      v: values,
      heads: queries.length,
      kvHeads: 1,
    });
    const { cols } = values;
    return fromMatrices(queries.map((_, i) => columns(output, i * cols, (i + 1) * cols)));
  },
} as const satisfies Exercise;
