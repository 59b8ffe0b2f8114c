import { normal, rows, tiedScores } from '../../src/exercises/common-inputs';
import { dict, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'gradient-quantiles',
  lab: 'surgeon',
  order: 20,
  difficulty: 2,
  minutes: 25,
  buildsOn: ['attention-backward', 'experiment-scaling-factor'],
  title: 'Do gradients vanish without the factor?',
  summary: 'The mean says no, the median says yes: measure both.',
  task: [
    'It is often said that without $1/\\sqrt{d_k}$ the gradients vanish. Whether that is true depends on what one measures. Write `gradient_quantiles(Q, K, V, dO, scale)`, which measures how strongly each query learns.',
    'Compute $dQ$, the gradient of the queries, as in the exercise on attention backwards. If `scale` is false, the factor $1/\\sqrt{d_k}$ is missing throughout: in the scores, and so in the gradient too.',
    'Take the norm $\\lVert dq_i\\rVert_2$ of each row of $dQ$ and return a dict (in JavaScript an object, in C++ a map) of four numbers: `mean`, their mean, and their quantiles `tenth` (0.1), `median` (0.5) and `ninetieth` (0.9).',
    'The quantile $p$ of $n$ numbers in rising order stands at place $p(n-1)$, counted from 0; between two places it is interpolated linearly, as `np.quantile` does. Scores may be as large as 1000.',
  ],
  entry: 'gradient_quantiles',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'dO', type: 'matrix', shape: 'n×d_v', what: 'the gradient of the output' },
    { name: 'scale', type: 'boolean', what: 'whether scores are divided by √d_k', default: true },
  ],
  results: [
    {
      name: 'norms',
      type: 'dict',
      what: 'mean, tenth, median, ninetieth of the norms of dQ’s rows',
    },
  ],
  cases: [
    {
      name: 'two queries, two keys, by hand',
      args: [rows([[0], [0]]), rows([[1], [3]]), rows([[10], [20]]), rows([[1], [3]]), true],
    },
    {
      name: 'six queries of width 4',
      args: [normal(6, 4, 1), normal(6, 4, 2), normal(6, 3, 3), normal(6, 3, 4), true],
    },
    {
      name: 'the same without the factor',
      args: [normal(6, 4, 1), normal(6, 4, 2), normal(6, 3, 3), normal(6, 3, 4), false],
    },
    {
      name: 'eight queries of width 64, no factor',
      args: [normal(8, 64, 5), normal(8, 64, 6), normal(8, 16, 7), normal(8, 16, 8), false],
    },
    {
      name: 'eight queries of width 64',
      hidden: true,
      args: [normal(8, 64, 5), normal(8, 64, 6), normal(8, 16, 7), normal(8, 16, 8), true],
    },
    {
      name: 'one query',
      hidden: true,
      args: [normal(1, 5, 9), normal(7, 5, 10), normal(7, 2, 11), normal(1, 2, 12), true],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        rows([
          [20, 20, 20, 20],
          [-20, -20, -20, -20],
          [0, 0, 0, 1],
        ]),
        rows([
          [25, 25, 25, 25],
          [25, 25, 25, 24.875],
          [-25, -25, -25, -25],
        ]),
        normal(3, 2, 13),
        normal(3, 2, 14),
        true,
      ],
    },
    {
      name: 'eleven queries, more keys',
      hidden: true,
      args: [normal(11, 6, 15), normal(14, 6, 16), normal(14, 4, 17), normal(11, 4, 18), false],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(3, 12), draw.integer(3, 9), draw.integer(2, 16)];
    const dV = draw.integer(2, 6);
    const [q, k] =
      nth === 2 ? tiedScores(n, m, draw) : [normal(n, d, draw.seed()), normal(m, d, draw.seed())];
    return [q, k, normal(m, dV, draw.seed()), normal(n, dV, draw.seed()), nth !== 1];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 5e-5,
    reason:
      'A gradient of the scores is a difference of numbers of about 1 in float32; where they nearly cancel, five digits after the point remain, and the factor of up to 8 in the keys is left.',
  },
  hints: [
    'You have written dQ already: attention_backward. Here the factor is a number, 1 or 1/√d_k, that stands in two places.',
    'The norm of a row is the root of the sum of its squares: one number for each query. Only then come mean and quantiles.',
    'np.quantile(norms, [0.1, 0.5, 0.9]). By hand: sort, take place p(n − 1), and go on from the entry below it by the share that is left.',
  ],
  variants: [
    {
      id: 'mean-for-median',
      message:
        'Your median is the mean. A few large gradients lift the mean; the median is the one in the middle.',
      python: [['"median": median', '"median": norms.mean()']],
      javascript: [['median: quantile(norms, 0.5)', 'median: mean']],
      cpp: [['{"median", quantile(norms, 0.5).item()}', '{"median", mean(norms).item()}']],
    },
    {
      id: 'entries',
      message:
        'You take the sizes of all entries of dQ. Each query has one number here: the norm of its row.',
      python: [['np.sqrt((dQ * dQ).sum(axis=1))', 'np.abs(dQ)']],
    },
    {
      id: 'squares',
      message: 'Your numbers are squares of norms: the root is missing.',
      python: [['np.sqrt((dQ * dQ).sum(axis=1))', '(dQ * dQ).sum(axis=1)']],
      javascript: [['dQ.mul(dQ).sumRows().sqrt()', 'dQ.mul(dQ).sumRows()']],
      cpp: [['sqrt(sum(dQ * dQ, 1))', 'sum(dQ * dQ, 1)']],
    },
    {
      id: 'sums-of-sizes',
      message:
        'You add the sizes of a row’s entries. The norm ‖·‖₂ is the root of the sum of their squares.',
      python: [['np.sqrt((dQ * dQ).sum(axis=1))', 'np.abs(dQ).sum(axis=1)']],
    },
    {
      id: 'columns',
      message: 'You take norms of the columns of dQ. A query is a row.',
      python: [['(dQ * dQ).sum(axis=1)', '(dQ * dQ).sum(axis=0)']],
      javascript: [['dQ.mul(dQ).sumRows()', 'dQ.mul(dQ).sumCols()']],
      cpp: [['sum(dQ * dQ, 1)', 'sum(dQ * dQ, 0)']],
    },
    {
      id: 'no-interpolation',
      message:
        'You take the nearest entry below. Between two places a quantile is interpolated: place p(n − 1) may be 2.5.',
      python: [
        [
          'np.quantile(norms, [0.1, 0.5, 0.9])',
          '[np.sort(norms)[int(p * (len(norms) - 1))] for p in (0.1, 0.5, 0.9)]',
        ],
      ],
      javascript: [['return low + (place - below) * (high - low);', 'return low;']],
    },
    {
      id: 'falling-order',
      message:
        'Your tenth and your ninetieth have changed places: quantiles count from the smallest.',
      python: [['tenth, median, ninetieth = ', 'ninetieth, median, tenth = ']],
      javascript: [['(a, b) => a - b', '(a, b) => b - a']],
    },
    {
      id: 'always-scaled',
      message: 'Your numbers do not change with `scale`: where it is false, the factor is 1.',
      python: [['1 / np.sqrt(K.shape[1]) if scale else 1.0', '1 / np.sqrt(K.shape[1])']],
      javascript: [['scale ? 1 / Math.sqrt(K.cols) : 1', '1 / Math.sqrt(K.cols)']],
      cpp: [['scale ? 1 / std::sqrt(K.shape(1)) : 1.0', '1 / std::sqrt(K.shape(1))']],
    },
    {
      id: 'never-scaled',
      message: 'Your scores are never divided by √d_k. Look at what `scale` asks for.',
      python: [['1 / np.sqrt(K.shape[1]) if scale else 1.0', '1.0']],
      javascript: [['scale ? 1 / Math.sqrt(K.cols) : 1', '1']],
    },
    {
      id: 'factor-in-scores-only',
      message:
        'Your scores have the factor and your gradient has not: what multiplies the scores multiplies dQ too.',
      python: [['factor * dS @ K', 'dS @ K']],
      javascript: [['dS.times(K).mul(factor)', 'dS.times(K)']],
      cpp: [['factor * matmul(dS, K)', 'matmul(dS, K)']],
    },
    {
      id: 'no-row-sum',
      message:
        'Your dS is P·dP alone. A row of weights sums to 1, so a weight grows at the cost of the others: subtract each row’s Σ P·dP.',
      python: [['dP - (P * dP).sum(axis=1, keepdims=True)', 'dP']],
      javascript: [['dP.minus(P.mul(dP).sumRows())', 'dP']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['scores - scores.max(axis=1, keepdims=True)', 'scores']],
      cpp: [['exp(scores - max(scores, 1, true))', 'exp(scores)']],
    },
  ],
  figure: {
    knobs: {
      d_k: { label: 'width d_k', min: 1, max: 256, value: 64 },
      n: { label: 'tokens n', min: 2, max: 64, value: 32 },
      scaled: { label: 'factor 1/√d_k', min: 0, max: 1, value: 0, toggle: true },
      seed: { label: 'seed', min: 0, max: 99, value: 3 },
    },
    args: ({ d_k = 64, n = 32, scaled = 0, seed = 3 }) => [
      normal(n, d_k, seed),
      normal(n, d_k, seed + 100),
      normal(n, 16, seed + 200),
      normal(n, 16, seed + 300),
      scaled === 1,
    ],
    draw: {
      kind: 'curve',
      path: [],
      x: 'd_k',
      values: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      y: 'norm of a row of dQ',
      log: true,
    },
    caption:
      'Without the factor the mean grows, the median stays behind it, and the tenth falls by powers of ten: some queries learn almost nothing and a few learn wildly. With the factor all four lie close together.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'The “hard way” lesson and Task 3a, “Gradient magnitude”',
  },
  reference: async ({ core }, [Q, K, V, dO, scale]) => {
    const { dQ } = await core.attentionBackward({
      q: matrixOf(Q),
      k: matrixOf(K),
      v: matrixOf(V),
      dO: matrixOf(dO),
      ...(scale === false && { scale: 1 }),
    });
    const found = await core.gradientQuantiles({ gradient: dQ, probabilities: [0.1, 0.5, 0.9] });
    const [tenth = Number.NaN, median = Number.NaN, ninetieth = Number.NaN] = found.rowNorms;
    return dict({ mean: found.meanRowNorm, tenth, median, ninetieth });
  },
} as const satisfies Exercise;
