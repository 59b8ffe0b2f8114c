import { normal } from '../../src/exercises/common-inputs';
import { fromMatrix, identity, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

export const exercise = {
  id: 'k-nearest',
  lab: 'surgeon',
  order: 13,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['masked-rows'],
  title: 'Attention to the k nearest keys',
  summary: 'Each query looks only at the k keys that score highest with it.',
  task: [
    'Many weights of a softmax are tiny. Sparse attention drops them: each query keeps the $k$ keys ' +
      'with its largest scores $s_{ij} = q_i \\cdot k_j / \\sqrt{d_k}$ and forgets the others.',
    'The softmax runs over the kept keys only, so their weights sum to 1:',
    '$$w_{ij} = \\frac{e^{s_{ij}}}{\\sum_{l \\in N_i} e^{s_{il}}} \\text{ for } j \\in N_i$$',
    'and $w_{ij} = 0$ for all others, with $N_i$ the $k$ nearest keys of query $i$. Return the output $W V$ and the weights $W$. ' +
      '$1 \\le k \\le m$; the scores of a query are all different; they may be as large as 1000, so ' +
      'subtract the maximum.',
  ],
  entry: 'knn_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'k', type: 'integer', what: 'how many keys each query keeps' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'weighted mean of the values' },
    { name: 'weights', type: 'matrix', shape: 'n×m', what: 'k entries of each row are not 0' },
  ],
  cases: [
    {
      name: 'one query, two of four keys, by hand',
      args: [
        { make: 'values', shape: [1, 1], data: [1] },
        { make: 'values', shape: [4, 1], data: [0, 3, -2, 2] },
        { make: 'values', shape: [4, 1], data: [10, 20, 30, 40] },
        2,
      ],
    },
    {
      name: 'five queries, eight keys, k = 3',
      args: [normal(5, 4, 1), normal(8, 4, 2), normal(8, 3, 3), 3],
    },
    {
      name: 'only the nearest key, k = 1',
      args: [normal(6, 3, 4), normal(4, 3, 5), normal(4, 2, 6), 1],
    },
    {
      name: 'scores of 1000 and −1000',
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
      name: 'all keys, k = m',
      hidden: true,
      args: [normal(3, 4, 8), normal(5, 4, 9), normal(5, 2, 10), 5],
    },
    {
      name: 'sixteen by sixteen, k = 4',
      hidden: true,
      args: [normal(16, 8, 11), normal(16, 8, 12), normal(16, 8, 13), 4],
    },
    {
      name: 'only negative scores, k = 2',
      hidden: true,
      args: [
        { make: 'uniform', seed: 14, shape: [4, 3], low: 0.5, high: 2 },
        { make: 'uniform', seed: 15, shape: [6, 3], low: -3, high: -0.5 },
        normal(6, 3, 16),
        2,
      ],
    },
  ],
  drawn: (draw) => {
    const [n, m, d] = [draw.integer(1, 6), draw.integer(3, 9), draw.integer(2, 5)];
    // The first column orders the keys by steps of 1; the others move a score by less than half of that,
    // so that no two scores tie and rounding cannot choose another key.
    const places = Array.from({ length: m }, (_, at) => at - m / 2 + 0.25);
    for (let at = m - 1; at > 0; --at) {
      const other = draw.integer(0, at);
      [places[at], places[other]] = [places[other] as number, places[at] as number];
    }
    const matrix = (rows: number, first: (row: number) => number, size: number): Input => ({
      make: 'values',
      shape: [rows, d],
      data: Array.from({ length: rows * d }, (_, at) =>
        at % d === 0 ? first(at / d) : draw.real(-size, size),
      ),
    });
    return [
      matrix(n, () => draw.pick([-2, -1, 1, 2]), 1),
      matrix(m, (row) => places[row] as number, 0.1),
      normal(m, draw.integer(1, 4), draw.seed()),
      draw.integer(1, m),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights. No two ' +
      'scores of a query are closer than that, so both keep the same keys.',
  },
  hints: [
    'Find, for each row of scores, the k-th largest. Everything below it is out.',
    'What is out must get weight 0 after the softmax: give it the score −∞ before.',
    'np.sort(scores, axis=1)[:, -k:] holds the k largest of each row; their minimum is the limit.',
  ],
  variants: [
    {
      id: 'nearest-queries',
      message:
        'You ranked along the wrong axis: each key kept its k best queries. Each query, a row, ' +
        'chooses among its keys.',
      python: [
        [
          'np.sort(scores, axis=1)[:, -k:].min(axis=1, keepdims=True)',
          'np.sort(scores, axis=0)[-k:].min(axis=0, keepdims=True)',
        ],
      ],
      cpp: [
        ['sort(scores, 1).slice(1, -k, {})', 'sort(scores, 0).slice(0, -k, {})'],
        ['min(largest, 1, true)', 'min(largest, 0, true)'],
      ],
    },
    {
      id: 'one-key-too-many',
      message:
        'You kept one key more than k. Check where the k largest begin in the sorted scores.',
      python: [['[:, -k:]', '[:, -k - 1:]']],
      javascript: [['falling[k - 1]', 'falling[Math.min(k, falling.length - 1)]']],
      cpp: [['slice(1, -k, {})', 'slice(1, -k - 1, {})']],
    },
    {
      id: 'smallest',
      message: 'You kept the k smallest scores. The nearest keys are those with the largest.',
      python: [
        ['[:, -k:].min(axis=1, keepdims=True)', '[:, :k].max(axis=1, keepdims=True)'],
        ['scores >= limit', 'scores <= limit'],
      ],
      javascript: [
        ['(a, b) => b - a', '(a, b) => a - b'],
        ['score >= limits[i]', 'score <= limits[i]'],
      ],
    },
    {
      id: 'cut-after-softmax',
      message:
        'You dropped keys after the softmax, so the weights left over sum to less than 1. Drop them ' +
        'before, or normalise again.',
      python: [
        [
          `    weights = np.exp(kept - kept.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)`,
          `    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = np.where(scores >= limit, exps, 0) / exps.sum(axis=1, keepdims=True)`,
        ],
      ],
      javascript: [
        [
          'const weights = exps.div(exps.sumRows());',
          'const weights = exps.div(scores.minus(scores.maxRows()).exp().sumRows());',
        ],
      ],
    },
    {
      id: 'zero-instead-of-minus-infinity',
      message:
        'You gave dropped keys the score 0, and e⁰ is 1: they still get weight. Their weight has to ' +
        'be 0.',
      python: [
        ['np.where(scores >= limit, scores, -np.inf)', 'np.where(scores >= limit, scores, 0)'],
      ],
      javascript: [['score : -Infinity', 'score : 0']],
      cpp: [['scores, -INFINITY', 'scores, 0']],
    },
    {
      id: 'largest-magnitude',
      message:
        'You ranked scores by their size without the sign. A very negative score is far away, not near.',
      python: [
        ['np.sort(scores, axis=1)', 'np.sort(np.abs(scores), axis=1)'],
        ['scores >= limit', 'np.abs(scores) >= limit'],
      ],
    },
    {
      id: 'all-keys',
      message: 'Your weights spread over all keys: k changed nothing.',
      python: [['np.where(scores >= limit, scores, -np.inf)', 'scores']],
    },
    {
      id: 'no-max',
      message:
        'A score of 1000 overflowed the exponential and left NaN. Subtract the largest score of each ' +
        'row first: the weights stay the same.',
      evidence: 'fixed',
      python: [['np.exp(kept - kept.max(axis=1, keepdims=True))', 'np.exp(kept)']],
      javascript: [['kept.minus(kept.maxRows()).exp()', 'kept.exp()']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(Q.shape[1])', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows: your softmax runs along the wrong axis. Each query, a row, spreads its weight over the keys it kept.',
      python: [
        ['kept.max(axis=1', 'kept.max(axis=0'],
        ['weights.sum(axis=1', 'weights.sum(axis=0'],
      ],
      javascript: [
        ['kept.maxRows()', 'kept.transpose().maxRows().transpose()'],
        ['exps.sumRows()', 'exps.sumCols()'],
      ],
      cpp: [
        ['max(kept, 1, true)', 'max(kept, 0, true)'],
        ['sum(exps, 1, true)', 'sum(exps, 0, true)'],
      ],
    },
    {
      id: 'sum-along-columns',
      message:
        'You divide by the sums of the columns. Each query has a sum of its own, over the keys of its row.',
      python: [['weights.sum(axis=1', 'weights.sum(axis=0']],
      javascript: [['exps.sumRows()', 'exps.sumCols()']],
      cpp: [['sum(exps, 1, true)', 'sum(exps, 0, true)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 16 },
      d: { label: 'width of keys', min: 1, max: 16, value: 4 },
      k: { label: 'keys kept', min: 1, max: 64, value: 4 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 16, d = 4, k = 4, seed = 0 }) => [
      { make: 'normal', seed, shape: [n, d] },
      normal(n, d, seed + 1000),
      identity(n),
      Math.min(k, n),
    ],
    draw: { kind: 'matrix', path: [1], rows: 'queries', cols: 'keys' },
    caption: 'The weights: k cells of each row are not empty.',
  },
  source: {
    title: 'Explicit Sparse Transformer: Concentrated Attention Through Explicit Selection',
    url: 'https://arxiv.org/abs/1912.11637',
    where: "section 3; Project 4's second bonus challenge",
  },
  reference: async ({ core }, [q, k, v, count]) => {
    const qkv = { q: matrixOf(q), k: matrixOf(k), v: matrixOf(v) };
    const { output, weights, pattern } = await core.sparseAttention({
      ...qkv,
      pattern: { kind: 'nearestKeys', k: numberOf(count) },
    });
    const { n, m, rowStart, columns } = pattern;
    const lists = { kind: 'lists', rowStart, columns } as const;
    const spread = await core.patternMatrix({ n, m, pattern: lists, values: weights });
    return [fromMatrix(output), fromMatrix(spread)];
  },
} as const satisfies Exercise;
