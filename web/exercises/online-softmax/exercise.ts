import {
  fallingScores,
  largeScores,
  narrowQkv,
  normal,
  positiveValues,
} from '../../src/exercises/common-inputs';
import {
  fromMatrix,
  fromVector,
  identity,
  matrixOf,
  numberOf,
} from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'online-softmax',
  lab: 'surgeon',
  order: 11,
  difficulty: 3,
  minutes: 40,
  buildsOn: ['stable-softmax', 'attention'],
  title: 'Online softmax, as in FlashAttention',
  summary: 'Exact attention in blocks of keys, without ever holding the n×m matrix.',
  task: [
    'Softmax seems to need a whole row of scores at once: its maximum and its sum. FlashAttention ' +
      'gets by with one block of keys at a time. For every query it keeps three things: the largest ' +
      'score so far $m$, the sum so far $\\ell = \\sum_j e^{s_j - m}$, and the weighted values so far ' +
      '$o = \\sum_j e^{s_j - m} v_j$.',
    'A new block brings scores $s_j = q \\cdot k_j / \\sqrt{d_k}$ and a new maximum ' +
      "$m' = \\max(m, \\max_j s_j)$. What was summed so far was measured from the old maximum, so it is " +
      'moved to the new one:',
    "$$\\ell' = e^{m - m'} \\ell + \\sum_j e^{s_j - m'}$$",
    "$$o' = e^{m - m'} o + \\sum_j e^{s_j - m'} v_j$$",
    'Start with $m = -\\infty$, $\\ell = 0$, $o = 0$ and take `block_size` keys at a time; the last ' +
      'block may be shorter. Return the output $o / \\ell$ for every query, and $m + \\ln \\ell$, the ' +
      'logarithm of the sum of $e^{s_j}$ over all keys. No array with $n \\times m$ entries may be made.',
  ],
  entry: 'online_softmax_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'block_size', type: 'integer', what: 'keys in a block, at least 1' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'attention output' },
    { name: 'logsumexp', type: 'vector', shape: 'n', what: 'ln Σ exp(score) of each query' },
  ],
  cases: [
    {
      name: 'one query, growing scores, blocks of 1',
      args: [
        { make: 'values', shape: [1, 1], data: [1] },
        { make: 'range', shape: [3, 1] },
        { make: 'values', shape: [3, 1], data: [10, 20, 40] },
        1,
      ],
    },
    {
      name: 'five queries, eight keys, blocks of 3',
      args: [normal(5, 4, 1), normal(8, 4, 2), normal(8, 3, 3), 3],
    },
    {
      name: 'all keys in one block',
      args: [normal(4, 2, 4), normal(6, 2, 5), normal(6, 4, 6), 10],
    },
    {
      name: 'scores from 1000 down to −1000',
      args: [
        { make: 'values', shape: [2, 4], data: [20, 20, 20, 20, -20, -20, -20, -20] },
        {
          make: 'values',
          shape: [4, 4],
          data: [25, 25, 25, 25, 25, 25, 25, 24.875, -25, -25, -25, -25, -25, -25, -25, -24.875],
        },
        normal(4, 2, 7),
        2,
      ],
    },
    {
      name: 'scores near 800 beside scores near −800',
      hidden: true,
      args: [
        { make: 'values', shape: [3, 4], data: [40, 0, 1, 0, -40, 1, 0, 0, 40, 0, 0, 1] },
        {
          make: 'values',
          shape: [4, 4],
          data: [40, 1, 0, 2, 40, 0, 2, 1, 40, 2, 1, 0, 40, 1, 1, 1],
        },
        { make: 'values', shape: [4, 2], data: [1, 8, 2, 4, 4, 2, 8, 1] },
        2,
      ],
    },
    {
      name: 'sixteen by sixteen, blocks of 4',
      hidden: true,
      args: [normal(16, 8, 8, 2), normal(16, 8, 9, 2), normal(16, 8, 10), 4],
    },
    {
      name: 'blocks of 1',
      hidden: true,
      args: [normal(3, 4, 11), normal(7, 4, 12), normal(7, 2, 13), 1],
    },
    {
      name: 'a last block of one key',
      hidden: true,
      args: [normal(6, 3, 14), normal(13, 3, 15), normal(13, 5, 16), 4],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(2, 9), draw.integer(3, 14), draw.integer(1, 8)];
    const [dV, block] = [draw.integer(1, 5), draw.integer(1, m + 1)];
    if (nth === 1)
      return [...fallingScores(n, m, draw), positiveValues(m, dV, draw), draw.integer(1, 2)];
    return nth === 2
      ? [...largeScores(n, m, draw), positiveValues(m, dV, draw), block]
      : [
          normal(n, d, draw.seed()),
          normal(m, d, draw.seed(), 2),
          normal(m, dV, draw.seed()),
          block,
        ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights and ' +
      'logarithms.',
  },
  cost: {
    sizes: [16, 32, 64, 256],
    args: (n, draw) => [...narrowQkv(n, draw), 8],
    of: 'largest',
    maxSlope: 1.3,
    most: (n) => 60 * n,
    wanted: 'n·block_size entries at a time',
  },
  hints: [
    'Keep m and ℓ as columns (n×1) and o as n×d_v. Update all three in a loop over blocks of keys.',
    'The factor exp(m − m′) is 1 for queries whose maximum stayed, and 0 in the first block, where m ' +
      'is −∞. It multiplies both ℓ and o.',
    'Per block: scores, new maximum, weights = exp(scores − new maximum), factor; then ℓ, o, m. Divide ' +
      'by ℓ once, at the end.',
  ],
  variants: [
    {
      id: 'output-not-rescaled',
      message:
        'When the maximum grew, your sum moved to the new maximum but the weighted values stayed ' +
        'with the old one. Both need the factor exp(m − m′).',
      python: [['total * correction +', 'total +']],
      javascript: [['total.mul(correction)', 'total']],
      cpp: [['total * correction +', 'total +']],
    },
    {
      id: 'sum-not-rescaled',
      message:
        'When the maximum grew, your weighted values moved to the new maximum but the sum stayed ' +
        'with the old one. Both need the factor exp(m − m′).',
      python: [['running_sum * correction +', 'running_sum +']],
      javascript: [['runningSum.mul(correction)', 'runningSum']],
    },
    {
      id: 'nothing-rescaled',
      message:
        'Each block is measured from another maximum, and you add them as if it were the same. Move ' +
        'what was summed so far to the new maximum first.',
      python: [
        ['total * correction +', 'total +'],
        ['running_sum * correction +', 'running_sum +'],
      ],
    },
    {
      id: 'max-of-block-only',
      message:
        'Your maximum follows the latest block even when that is smaller. Then the factor ' +
        'exp(m − m′) explodes: the running maximum may only grow.',
      python: [
        [
          'np.maximum(running_max, scores.max(axis=1, keepdims=True))',
          'scores.max(axis=1, keepdims=True)',
        ],
      ],
      javascript: [['runningMax.maximum(scores.maxRows())', 'scores.maxRows()']],
      cpp: [['maximum(running_max, max(scores, 1, true))', 'max(scores, 1, true)']],
    },
    {
      id: 'one-maximum-for-all',
      message:
        'You measure all queries from one maximum. A query whose scores lie far below it loses all of its weights, and 0/0 is NaN: each query, a row, keeps a maximum of its own.',
      python: [['scores.max(axis=1, keepdims=True)', 'scores.max()']],
      javascript: [['scores.maxRows()', 'scores.max()']],
      cpp: [['max(scores, 1, true)', 'max(scores)']],
    },
    {
      id: 'factor-upside-down',
      message:
        'Your factor is exp(m′ − m), the wrong way round: a larger maximum must make the old sums ' +
        'smaller.',
      python: [['np.exp(running_max - new_max)', 'np.exp(new_max - running_max)']],
      cpp: [['exp(running_max - new_max)', 'exp(new_max - running_max)']],
    },
    {
      id: 'normalised-per-block',
      message:
        'You normalised inside every block and added the results. Blocks do not count equally: add ' +
        'unnormalised sums and divide once, at the end.',
      python: [
        [
          '+ weights @ V[start:start + block_size]',
          '+ weights / weights.sum(axis=1, keepdims=True) @ V[start:start + block_size]',
        ],
        ['total / running_sum', 'total'],
      ],
    },
    {
      id: 'not-divided',
      message: 'You returned the weighted sum of the values as it is. Divide it by ℓ at the end.',
      python: [['total / running_sum', 'total']],
      javascript: [['total.div(runningSum)', 'total']],
    },
    {
      id: 'last-block-dropped',
      message:
        'The keys of the last, shorter block are missing from your sums. Go on as long as a block ' +
        'begins before the end.',
      python: [
        ['range(0, K.shape[0], block_size)', 'range(0, K.shape[0] - block_size + 1, block_size)'],
      ],
      javascript: [['start < K.rows', 'start + blockSize <= K.rows']],
    },
    {
      id: 'logsumexp-without-max',
      message:
        'The second result is only ln ℓ. The sum is measured from the maximum, which has to be added.',
      python: [['running_max + np.log(running_sum)', 'np.log(running_sum)']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(d_k)', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
    },
    {
      id: 'whole-matrix',
      message:
        'Your numbers are right, but all n×m scores existed at once. Keep no more than one block of ' +
        'them at a time.',
      python: [['for start in', 'block_size = K.shape[0]\n    for start in']],
      javascript: [['let runningMax', 'blockSize = K.rows;\n  let runningMax']],
      cpp: [
        [
          '  for (Index start = 0; start < K.shape(0); start += block_size) {',
          '  block_size = K.shape(0);\n  for (Index start = 0; start < K.shape(0); start += block_size) {',
        ],
      ],
      evidence: 'cost',
    },
    {
      id: 'wrong-axis',
      message:
        'Your maximum and your sum run over the queries of a block, the wrong axis. Each query, a row, has a maximum and a sum of its own, over the keys.',
      python: [
        ['scores.max(axis=1', 'scores.max(axis=0'],
        ['weights.sum(axis=1', 'weights.sum(axis=0'],
      ],
      cpp: [
        ['max(scores, 1, true)', 'max(scores, 0, true)'],
        ['sum(weights, 1, true)', 'sum(weights, 0, true)'],
      ],
    },
    {
      id: 'sum-over-queries',
      message:
        'Your sum ℓ runs over the queries of a block. It runs over its keys: one sum for each query, a column of n.',
      python: [['weights.sum(axis=1', 'weights.sum(axis=0']],
      cpp: [['sum(weights, 1, true)', 'sum(weights, 0, true)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 16 },
      d: { label: 'width of keys', min: 1, max: 16, value: 4 },
      block: { label: 'keys in a block', min: 1, max: 64, value: 4 },
      scale: { label: 'size of the entries', min: 0.5, max: 8, step: 0.5, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 16, d = 4, block = 4, scale = 1, seed = 0 }) => [
      { make: 'normal', seed, shape: [n, d], scale },
      { make: 'normal', seed: seed + 1000, shape: [n, d], scale },
      identity(n),
      block,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'queries', cols: 'keys' },
    caption:
      'The weights your sums amount to: the values are unit vectors. The size of a block must not show.',
  },
  source: {
    title: 'FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness',
    url: 'https://arxiv.org/abs/2205.14135',
    where: "algorithm 1; Project 4's first bonus challenge",
  },
  reference: async ({ core }, [q, k, v, blockSize]) => {
    const qkv = { q: matrixOf(q), k: matrixOf(k), v: matrixOf(v) };
    const keyTile = numberOf(blockSize);
    const { output, logSumExp } = await core.flashAttention({ ...qkv, keyTile });
    return [fromMatrix(output), fromVector(logSumExp)];
  },
} as const satisfies Exercise;
