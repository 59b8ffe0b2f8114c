import { largeScores, narrowQkv, normal, positiveValues } from '../../src/exercises/common-inputs';
import { fromMatrix, identity, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

/** The part of the Python solution that a variant with all scores at once replaces. */
const TOKEN_BY_TOKEN = `    output = np.zeros((n, V.shape[1]))
    for i in range(n):
        # A slice per token: what lies outside the window is never touched.
        first = max(0, i - window + 1)
        scores = K[first:i + 1] @ Q[i] / np.sqrt(d_k)
        weights = np.exp(scores - scores.max())
        output[i] = (weights / weights.sum()) @ V[first:i + 1]
    return output`;

export const exercise = {
  id: 'sliding-window',
  lab: 'surgeon',
  order: 10,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['attention'],
  title: 'Sliding-window attention',
  summary: 'Causal attention over the last few tokens only, at a cost that grows with n, not n².',
  task: [
    'Each token looks at itself and at the `window` − 1 tokens before it, no further back and never ' +
      'ahead: query $i$ sees the keys $j$ with $i - w < j \\le i$, where $w$ is `window`. The first ' +
      'tokens see fewer, because there are no keys before 0.',
    'Over the keys a query sees it is ordinary attention: scores $q_i \\cdot k_j / \\sqrt{d_k}$, ' +
      'softmax (subtract the maximum, scores may reach 1000), weighted mean of the values.',
    'The point is the cost. Computing all $n^2$ scores and masking most of them gives the right numbers ' +
      'and saves nothing. Touch only the keys in the window, so that $n$ tokens cost ' +
      '$n\\,w\\,(d_k + d_v)$ multiply-adds. `window` is at least 1 and may exceed $n$.',
  ],
  entry: 'sliding_window_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'n×d_v', what: 'values' },
    { name: 'window', type: 'integer', what: 'how many keys a query sees, its own included' },
  ],
  results: [{ name: 'output', type: 'matrix', shape: 'n×d_v', what: 'one row for each query' }],
  cases: [
    {
      name: 'equal scores, window 2, by hand',
      args: [
        { make: 'full', shape: [4, 2], value: 0 },
        { make: 'full', shape: [4, 2], value: 0 },
        { make: 'values', shape: [4, 1], data: [1, 3, 5, 9] },
        2,
      ],
    },
    {
      name: 'eight tokens, window 3',
      args: [normal(8, 4, 1), normal(8, 4, 2), normal(8, 6, 3), 3],
    },
    {
      name: 'window 1: only itself',
      args: [normal(5, 3, 4), normal(5, 3, 5), normal(5, 2, 6), 1],
    },
    {
      name: 'scores of 1000',
      args: [
        { make: 'full', shape: [5, 4], value: 20 },
        {
          make: 'values',
          shape: [5, 4],
          data: [
            25, 25, 25, 25, 25, 25, 25, 24.875, 25, 25, 25, 24.75, -25, -25, -25, -25, 25, 25, 25,
            25.125,
          ],
        },
        normal(5, 2, 7),
        3,
      ],
    },
    {
      name: 'a window as long as the sequence',
      hidden: true,
      args: [normal(6, 4, 8), normal(6, 4, 9), normal(6, 4, 10), 6],
    },
    {
      name: 'a window longer than the sequence',
      hidden: true,
      args: [normal(4, 2, 11), normal(4, 2, 12), normal(4, 3, 13), 50],
    },
    {
      name: 'twenty-four tokens, window 5',
      hidden: true,
      args: [normal(24, 8, 14), normal(24, 8, 15), normal(24, 3, 16), 5],
    },
  ],
  drawn: (draw, nth) => {
    const [n, d] = [draw.integer(4, 20), draw.integer(1, 8)];
    const [dV, window] = [draw.integer(1, 6), draw.integer(1, n + 2)];
    return nth === 2
      ? [...largeScores(n, n, draw), positiveValues(n, dV, draw), window]
      : [normal(n, d, draw.seed()), normal(n, d, draw.seed()), normal(n, dV, draw.seed()), window];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  cost: {
    sizes: [16, 32, 64, 256],
    args: (n, draw) => [...narrowQkv(n, draw), 4],
    maxSlope: 1.35,
    most: (n) => 3000 * n,
    wanted: 'n·w·(d_k + d_v) multiply-adds',
  },
  hints: [
    'Go through the queries one by one. Which is the first key that query i sees, and which the last?',
    'The first is max(0, i − window + 1), the last is i. A slice ends one behind its last entry.',
    'K[first:i + 1] @ Q[i] gives the scores inside the window; softmax them and weigh V[first:i + 1].',
  ],
  variants: [
    {
      id: 'one-key-too-many',
      message:
        'Your window holds one key too many. Its size counts the token itself: with window 1 a token ' +
        'sees only itself.',
      python: [['i - window + 1', 'i - window']],
      javascript: [['i - window + 1', 'i - window']],
      cpp: [['i - window + 1', 'i - window']],
    },
    {
      id: 'one-key-too-few',
      message:
        'Your window holds one key too few. Its size counts the token itself and window − 1 before it.',
      python: [['i - window + 1', 'i - window + 2']],
    },
    {
      id: 'looks-ahead',
      message:
        'Your window reaches as far ahead as it reaches back. A query sees no key after its own.',
      python: [
        ['K[first:i + 1] @', 'K[first:i + window] @'],
        ['@ V[first:i + 1]', '@ V[first:i + window]'],
      ],
      javascript: [
        ['K.slice(first, i + 1)', 'K.slice(first, Math.min(K.rows, i + window))'],
        ['V.slice(first, i + 1)', 'V.slice(first, Math.min(V.rows, i + window))'],
      ],
    },
    {
      id: 'future-window',
      message:
        'Your window opens forward: each token sees itself and those after it. It has to see those ' +
        'before.',
      python: [
        ['max(0, i - window + 1)', 'i'],
        ['K[first:i + 1] @', 'K[first:i + window] @'],
        ['@ V[first:i + 1]', '@ V[first:i + window]'],
      ],
    },
    {
      id: 'all-keys',
      message:
        'Your queries see every key, before and after. Each may see only itself and the window − 1 ' +
        'tokens before it.',
      python: [
        ['max(0, i - window + 1)', '0'],
        ['K[first:i + 1] @', 'K[first:] @'],
        ['@ V[first:i + 1]', '@ V[first:]'],
      ],
    },
    {
      id: 'whole-past',
      message:
        'Your queries see the whole past: this is causal attention without a window. Keys further ' +
        'back than window − 1 must not count.',
      python: [['max(0, i - window + 1)', '0']],
      javascript: [['Math.max(0, i - window + 1)', '0']],
      cpp: [['std::max<Index>(0, i - window + 1)', '0']],
    },
    {
      id: 'negative-start',
      message:
        'For the first tokens your slice starts below 0, and Python then counts from the end. The ' +
        'window begins at key 0 at the earliest.',
      python: [['max(0, i - window + 1)', 'i - window + 1']],
    },
    {
      id: 'cut-after-softmax',
      message:
        'Your softmax ran over the whole past and the window was cut out of it afterwards, so the ' +
        'weights no longer sum to 1. The softmax belongs inside the window.',
      python: [
        ['K[first:i + 1] @', 'K[:i + 1] @'],
        ['(weights / weights.sum()) @', '(weights / weights.sum())[first:] @'],
      ],
    },
    {
      id: 'no-max',
      message:
        'A score of 1000 overflowed the exponential and left NaN. Subtract the largest score in the ' +
        'window first: the weights stay the same.',
      python: [['np.exp(scores - scores.max())', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.max()).exp()', 'scores.exp()']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(d_k)', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
    },
    {
      id: 'all-scores',
      message:
        'Your numbers are right, but you computed a score for every pair of tokens and masked most of ' +
        'them. Compute only those inside the window.',
      python: [
        [
          TOKEN_BY_TOKEN,
          `    back = np.arange(n)[:, None] - np.arange(n)[None, :]
    scores = np.where((back >= 0) & (back < window), Q @ K.T / np.sqrt(d_k), -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V`,
        ],
      ],
      evidence: 'cost',
    },
    {
      id: 'wrong-axis',
      message:
        'All your weights are 1: your softmax runs along the wrong axis, so each key was divided by itself. It runs over the keys in the window, and their weights sum to 1.',
      python: [
        [
          'scores = K[first:i + 1] @ Q[i] / np.sqrt(d_k)',
          'scores = (K[first:i + 1] @ Q[i] / np.sqrt(d_k))[None, :]',
        ],
        ['scores.max()', 'scores.max(axis=0)'],
        ['(weights / weights.sum())', '(weights / weights.sum(axis=0))[0]'],
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
    {
      id: 'softmax-over-queries',
      message:
        'Your softmax runs over the queries that see a key. It runs over the keys that a query sees: each row of weights sums to 1.',
      python: [
        [
          TOKEN_BY_TOKEN,
          `    back = np.arange(n)[:, None] - np.arange(n)[None, :]
    scores = np.where((back >= 0) & (back < window), Q @ K.T / np.sqrt(d_k), -np.inf)
    weights = np.exp(scores - scores.max(axis=0, keepdims=True))
    return weights / weights.sum(axis=0, keepdims=True) @ V`,
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 24 },
      d: { label: 'width of keys', min: 1, max: 16, value: 4 },
      window: { label: 'window', min: 1, max: 64, value: 6 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 24, d = 4, window = 6, seed = 0 }) => [
      { make: 'normal', seed, shape: [n, d] },
      normal(n, d, seed + 1000),
      identity(n),
      window,
    ],
    draw: { kind: 'matrix', rows: 'queries', cols: 'keys' },
    caption: 'The band of weights. The values are unit vectors, so the output is the weights.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Local attention (sliding window); there two-sided, here causal',
  },
  reference: async ({ core }, [q, k, v, window]) => {
    const qkv = { q: matrixOf(q), k: matrixOf(k), v: matrixOf(v) };
    const context = numberOf(window);
    const pattern = { id: 'local', parameters: { context } };
    return fromMatrix((await core.sparseAttention({ ...qkv, pattern })).output);
  },
} as const satisfies Exercise;
