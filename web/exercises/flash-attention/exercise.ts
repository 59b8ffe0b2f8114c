import {
  fallingScores,
  largeScores,
  normal,
  positiveValues,
} from '../../src/exercises/common-inputs';
import { fromMatrix, fromVector, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'flash-attention',
  lab: 'surgeon',
  order: 18,
  difficulty: 3,
  minutes: 45,
  buildsOn: ['online-softmax'],
  title: 'FlashAttention: tiles of queries and keys',
  summary: 'Exact attention tile by tile, and no tile above the diagonal is touched.',
  task: [
    'FlashAttention cuts the $n\\times m$ scores into tiles of `query_tile` rows and `key_tile` columns, because a tile fits into fast memory and the whole does not. The last tile of a row or a column may be smaller. For each tile of queries it walks over the tiles of keys from the first to the last, with the running maximum, sum and weighted values of the online softmax; at the end it divides, once.',
    'Write `flash_attention(Q, K, V, query_tile, key_tile, causal)`. The scores are $QK^\\top/\\sqrt{d_k}$. If `causal` is true ($n=m$ then), query $i$ sees key $j$ only if $j\\le i$. A tile of which no query sees any key is not computed at all: it is skipped. In a tile that the diagonal crosses, the hidden scores are $-\\infty$.',
    'Return three results: the output ($n\\times d_v$), the logarithm of each query’s sum $\\ln\\sum_j e^{s_{ij}}$ over the keys that it sees ($n$ numbers), and how many tiles were computed.',
    'No array may be larger than a tile, an input or the output, and so grow with $n$ times `key_tile` or with $n\\times m$. Scores may be as large as 1000.',
  ],
  entry: 'flash_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'query_tile', type: 'integer', what: 'queries in a tile, at least 1' },
    { name: 'key_tile', type: 'integer', what: 'keys in a tile, at least 1' },
    { name: 'causal', type: 'boolean', what: 'whether a query sees no later key', default: true },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'attention output' },
    { name: 'logsumexp', type: 'vector', shape: 'n', what: 'ln Σ exp(score) of each query' },
    { name: 'tiles', type: 'integer', what: 'the number of tiles that were computed' },
  ],
  cases: [
    {
      name: 'four tokens, tiles of 2, causal, by hand',
      args: [
        { make: 'full', shape: [4, 1], value: 0 },
        { make: 'range', shape: [4, 1] },
        { make: 'values', shape: [4, 1], data: [10, 20, 30, 40] },
        2,
        2,
        true,
      ],
    },
    {
      name: 'five queries, eight keys, tiles of 2×3',
      args: [normal(5, 4, 1), normal(8, 4, 2), normal(8, 3, 3), 2, 3, false],
    },
    {
      name: 'nine tokens, causal, tiles of 2×4',
      args: [normal(9, 4, 4), normal(9, 4, 5), normal(9, 2, 6), 2, 4, true],
    },
    {
      name: 'one tile holds everything',
      args: [normal(5, 3, 7), normal(5, 3, 8), normal(5, 4, 9), 8, 8, true],
    },
    {
      name: 'scores from 1000 down to −1000',
      hidden: true,
      args: [
        { make: 'values', shape: [2, 4], data: [20, 20, 20, 20, -20, -20, -20, -20] },
        {
          make: 'values',
          shape: [4, 4],
          data: [25, 25, 25, 25, 25, 25, 25, 24.875, -25, -25, -25, -25, -25, -25, -25, -24.875],
        },
        normal(4, 2, 10),
        1,
        2,
        false,
      ],
    },
    {
      name: 'causal, and the largest scores are still to come',
      hidden: true,
      args: [
        { make: 'full', shape: [4, 1], value: 40 },
        { make: 'values', shape: [4, 1], data: [-40, -39.875, 39.875, 40] },
        { make: 'values', shape: [4, 2], data: [1, 8, 2, 4, 4, 2, 8, 1] },
        4,
        2,
        true,
      ],
    },
    {
      name: 'scores near 800 beside scores near −800, in one tile',
      hidden: true,
      args: [
        { make: 'values', shape: [3, 4], data: [40, 0, 1, 0, -40, 1, 0, 0, 40, 0, 0, 1] },
        {
          make: 'values',
          shape: [4, 4],
          data: [40, 1, 0, 2, 40, 0, 2, 1, 40, 2, 1, 0, 40, 1, 1, 1],
        },
        { make: 'values', shape: [4, 2], data: [1, 8, 2, 4, 4, 2, 8, 1] },
        3,
        2,
        false,
      ],
    },
    {
      name: 'causal, tall tiles of 5×2',
      hidden: true,
      args: [normal(12, 6, 11, 2), normal(12, 6, 12, 2), normal(12, 3, 13), 5, 2, true],
    },
    {
      name: 'tiles of one cell',
      hidden: true,
      args: [normal(4, 3, 14), normal(4, 3, 15), normal(4, 2, 16), 1, 1, true],
    },
    {
      name: 'sixteen tokens, tiles of 4×4',
      hidden: true,
      args: [normal(16, 8, 17, 2), normal(16, 8, 18, 2), normal(16, 8, 19), 4, 4, true],
    },
  ],
  drawn: (draw, nth) => {
    const [n, d, dV] = [
      draw.integer(nth === 0 ? 6 : 3, 13),
      draw.integer(2, 6),
      draw.integer(1, 5),
    ];
    // The causal one has tiles that are taller than wide, so that the diagonal crosses some in their middle.
    const tiles =
      nth === 0
        ? ([draw.integer(3, 5), draw.integer(1, 2)] as const)
        : ([draw.integer(1, 5), draw.integer(1, 5)] as const);
    if (nth === 1) {
      // One tile of all queries: of the large scores of the later keys the first queries see nothing.
      const tall = [n + draw.integer(0, 2), draw.integer(2, 4)] as const;
      return [...fallingScores(n, n, draw, -1), positiveValues(n, dV, draw), ...tall, true];
    }
    const m = nth === 0 ? n : draw.integer(3, 13);
    return nth === 2
      ? [...largeScores(n, m, draw), positiveValues(m, dV, draw), ...tiles, false]
      : [
          normal(n, d, draw.seed()),
          normal(m, d, draw.seed(), 2),
          normal(m, dV, draw.seed()),
          ...tiles,
          nth === 0,
        ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights and logarithms.',
  },
  cost: {
    sizes: [64, 80, 96, 128],
    args: (n, draw) => {
      const d = draw.integer(3, 5);
      return [
        normal(n, d, draw.seed()),
        normal(n, d, draw.seed()),
        normal(n, draw.integer(3, 5), draw.seed()),
        16,
        16,
        true,
      ];
    },
    of: 'largest',
    maxSlope: 1.3,
    // A list that holds copies of Q, K and V has 15·n.
    most: (n) => 24 * n,
    wanted: 'query_tile·key_tile entries at a time',
  },
  hints: [
    'Two loops: over tiles of queries outside, over tiles of keys inside. Maximum, sum and weighted values begin anew for each tile of queries.',
    'A tile is skipped when its first key comes after its last query. Where it is not, compare the places in the whole text, first row + row within the tile, not the places within the tile.',
    'Write the finished rows into an output made before the loops: output[first:last] = total / running_sum. Count a tile when you compute its scores.',
  ],
  variants: [
    {
      id: 'nothing-skipped',
      message:
        'Your output is right, but you compute tiles that no query can see. Skip a tile whose first key comes after its last query.',
      python: [['if causal and k0 > q1 - 1:', 'if False:']],
      javascript: [['if (causal && k0 > q1 - 1) break;', '']],
      cpp: [['if (causal && k0 > q1 - 1) break;', '']],
    },
    {
      id: 'diagonal-skipped',
      message:
        'You skip tiles that the diagonal crosses. A tile is empty only if its first key comes after its last query, not after its first.',
      python: [['if causal and k0 > q1 - 1:', 'if causal and k0 > q0:']],
      javascript: [['if (causal && k0 > q1 - 1)', 'if (causal && k0 > q0)']],
      cpp: [['if (causal && k0 > q1 - 1)', 'if (causal && k0 > q0)']],
    },
    {
      id: 'maximum-of-hidden-scores',
      message:
        'Your maximum counts scores that the mask hides. Where a later key has the largest score, nothing is left of what the query sees, and 0/0 is NaN: put −∞ into the tile first, then take the maximum.',
      python: [
        [
          '            if causal:\n                scores = np.where',
          '            largest = scores.max(axis=1, keepdims=True)\n            if causal:\n                scores = np.where',
        ],
        [
          'np.maximum(running_max, scores.max(axis=1, keepdims=True))',
          'np.maximum(running_max, largest)',
        ],
      ],
      javascript: [
        [
          '      if (causal) scores =',
          '      const largest = scores.maxRows();\n      if (causal) scores =',
        ],
        ['runningMax.maximum(scores.maxRows())', 'runningMax.maximum(largest)'],
      ],
      cpp: [
        [
          '      if (causal) {',
          '      const Array largest = max(scores, 1, true);\n      if (causal) {',
        ],
        ['maximum(running_max, max(scores, 1, true))', 'maximum(running_max, largest)'],
      ],
    },
    {
      id: 'one-maximum-for-a-tile',
      message:
        'You measure all queries of a tile from one maximum. A query whose scores lie far below it loses all of its weights, and 0/0 is NaN: each query, a row, keeps a maximum of its own.',
      python: [['scores.max(axis=1, keepdims=True)', 'scores.max()']],
      javascript: [['scores.maxRows()', 'scores.max()']],
      cpp: [['max(scores, 1, true)', 'max(scores)']],
      evidence: 'fixed',
    },
    {
      id: 'tile-not-masked',
      message:
        'Your queries see later keys of their own tile. Where the diagonal crosses a tile, mask within it.',
      python: [['if causal:\n                scores', 'if False:\n                scores']],
      javascript: [['if (causal) scores =', 'if (causal && n < 0) scores =']],
      cpp: [['if (causal) {', 'if (causal && n < 0) {']],
    },
    {
      id: 'places-within-the-tile',
      message:
        'Your mask compares places within the tile. Which key is later depends on the places in the whole text: add where the tile begins.',
      python: [
        [
          'np.arange(q0, q1)[:, None] < np.arange(k0, k1)',
          'np.arange(q1 - q0)[:, None] < np.arange(k1 - k0)',
        ],
      ],
      javascript: [['k0 + j > q0 + i', 'j > i']],
      cpp: [
        ['arange(q0, q1)', 'arange(0, q1 - q0)'],
        ['arange(k0, k1)', 'arange(0, k1 - k0)'],
      ],
    },
    {
      id: 'not-rescaled',
      message:
        'Each tile is measured from another maximum, and you add them as if it were the same. Move what was summed so far by exp(m − m′) first.',
      python: [['correction = np.exp(running_max - new_max)', 'correction = 1.0']],
      javascript: [['runningMax.minus(newMax).exp()', 'Matrix.full(q1 - q0, 1, 1)']],
      cpp: [['exp(running_max - new_max)', 'ones({q1 - q0, 1})']],
    },
    {
      id: 'output-not-rescaled',
      message:
        'When the maximum grew, your sum moved to the new maximum but the weighted values stayed with the old one. Both need the factor exp(m − m′).',
      python: [['total * correction +', 'total +']],
      javascript: [['total.mul(correction)', 'total']],
      cpp: [['total * correction +', 'total +']],
    },
    {
      id: 'divided-in-each-tile',
      message:
        'You divide by the sum after each tile, and then add the next one to the quotient. Divide once, at the end.',
      python: [
        ['running_max = new_max', 'running_max = new_max\n            total = total / running_sum'],
        ['total / running_sum\n        log', 'total\n        log'],
      ],
    },
    {
      id: 'not-divided',
      message: 'Your output is never divided by the sum: your weights do not sum to 1.',
      python: [['output[q0:q1] = total / running_sum', 'output[q0:q1] = total']],
      cpp: [['total / running_sum', 'total']],
    },
    {
      id: 'sum-without-maximum',
      message:
        'Your logarithm is that of the running sum alone, which is measured from the maximum: add the maximum.',
      python: [['running_max[:, 0] + np.log', 'np.log']],
      javascript: [['runningMax.plus(runningSum.map(Math.log))', 'runningSum.map(Math.log)']],
      cpp: [['running_max + log(running_sum)', 'log(running_sum)']],
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
        'The results are right, but you make all n×m scores and cut tiles out of them: that array is what FlashAttention avoids. Multiply the rows of one tile with the keys of one tile.',
      python: [['Q[q0:q1] @ K[k0:k1].T / np.sqrt(d_k)', '(Q @ K.T)[q0:q1, k0:k1] / np.sqrt(d_k)']],
      javascript: [
        [
          'Q.slice(q0, q1).times(K.slice(k0, k1).transpose())',
          'Q.times(K.transpose()).slice(q0, q1, k0, k1)',
        ],
      ],
      cpp: [
        [
          'matmul(Q.rows(q0, q1), transpose(K.rows(k0, k1)))',
          'matmul(Q, transpose(K)).rows(q0, q1).cols(k0, k1)',
        ],
      ],
      evidence: 'cost',
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 48, value: 24 },
      tile: { label: 'tile', min: 1, max: 16, value: 6 },
      seed: { label: 'seed', min: 0, max: 99, value: 5 },
      causal: { label: 'causal', min: 0, max: 1, value: 1, toggle: true },
    },
    args: ({ n = 24, tile = 6, seed = 5, causal = 1 }) => [
      normal(n, 8, seed),
      normal(n, 8, seed + 100),
      normal(n, 12, seed + 200),
      tile,
      tile,
      causal === 1,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'query', cols: 'column', signed: true },
    caption:
      'The output, a row for each query. Turn the size of the tiles: nothing changes, because tiles are only another order of the same sums.',
  },
  source: {
    title: 'FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness',
    url: 'https://arxiv.org/abs/2205.14135',
    where: "Algorithm 1; Project 4's first bonus challenge",
  },
  reference: async ({ core }, [q, k, v, queryTile, keyTile, causal]) => {
    const { output, logSumExp, visitedTiles } = await core.flashAttention({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      queryTile: numberOf(queryTile),
      keyTile: numberOf(keyTile),
      mask: { kind: causal === false ? 'full' : 'causal' },
    });
    return [fromMatrix(output), fromVector(logSumExp), visitedTiles];
  },
} as const satisfies Exercise;
