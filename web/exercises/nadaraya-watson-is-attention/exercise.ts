import { eighths, normal, rows } from '../../src/exercises/common-inputs';
import { array, fromMatrix, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

const unitVectors = (n: number) =>
  array(
    [n, n],
    Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
  );

export const exercise = {
  id: 'nadaraya-watson-is-attention',
  lab: 'kernel-attention',
  order: 2,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['gram-matrix'],
  title: 'Nadaraya–Watson is attention',
  summary: 'A weighted mean from 1964 whose weights are a softmax.',
  task: [
    'Nadaraya and Watson’s estimator at a query $q$ is the mean of the values, weighted by closeness: $\\sum_j k(q, k_j)\\, v_j / \\sum_j k(q, k_j)$. Take the Gaussian kernel $k(q, k_j) = e^{-\\gamma \\lVert q - k_j \\rVert^2}$.',
    'The weights of one query are the softmax of $-\\gamma \\lVert q - k_j \\rVert^2$ over the keys. Where all keys are far away, all kernel values underflow; the softmax’s trick helps here too.',
    'Write `nadaraya_watson(Q, K, V, gamma)`. It returns the outputs and the weights.',
  ],
  entry: 'nadaraya_watson',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'weighted means of the values' },
    { name: 'weights', type: 'matrix', shape: 'n×m', what: 'each row sums to 1' },
  ],
  cases: [
    {
      name: 'one query between two keys, by hand',
      args: [rows([[0.5]]), rows([[0], [1]]), rows([[10], [20]]), 1],
    },
    {
      name: 'four queries, six keys',
      args: [normal(4, 2, 81), normal(6, 2, 82), normal(6, 3, 83), 0.5],
    },
    {
      name: 'a query far from all keys',
      args: [
        rows([[40, 0]]),
        rows([
          [0, 0],
          [1, 0],
          [0, 2],
        ]),
        normal(3, 2, 84),
        1,
      ],
    },
    {
      name: 'one key',
      hidden: true,
      args: [normal(3, 2, 85), normal(1, 2, 86), normal(1, 2, 87), 2],
    },
    {
      name: 'sharp weights',
      hidden: true,
      args: [normal(5, 3, 88), normal(9, 3, 89), normal(9, 2, 90), 3],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(2, 6), draw.integer(3, 8), draw.integer(2, 4)];
    // Far away in one direction, where exp gives zeros only; all squares are exact in float32.
    const far = eighths(n, d, draw).map(([, ...rest]) => [draw.pick([-40, 40]), ...rest]);
    const near = eighths(m, d, draw).map(([, ...rest]) => [draw.integer(0, 1) / 64, ...rest]);
    return [
      nth === 2 ? rows(far) : normal(n, d, draw.seed()),
      nth === 2 ? rows(near) : normal(m, d, draw.seed()),
      normal(m, 2, draw.seed()),
      [0.25, 0.75, 1.5][nth] ?? 1,
    ];
  },
  tolerance: {
    rtol: 2e-3,
    atol: 2e-4,
    reason:
      'Squared distances of some 1600 are right to 1e-4 in float32, and exponents are differences of them.',
  },
  hints: [
    'Make the squared distances of every query from every key first.',
    'Multiply by −γ and take the softmax along the keys: each row sums to 1.',
    'Subtract the largest exponent of each row before exp. It cancels in the quotient.',
  ],
  variants: [
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows. Each query, a row, spreads its weight over the keys.',
      python: [
        ['exponents.max(axis=1', 'exponents.max(axis=0'],
        ['weights.sum(axis=1', 'weights.sum(axis=0'],
      ],
      cpp: [
        ['max(exponents, 1, true)', 'max(exponents, 0, true)'],
        ['sum(values, 1, true)', 'sum(values, 0, true)'],
      ],
    },
    {
      id: 'no-max',
      message:
        'Far from every key all your kernel values underflow, and 0/0 is NaN. Subtract the largest exponent of each row.',
      python: [['np.exp(exponents - exponents.max(axis=1, keepdims=True))', 'np.exp(exponents)']],
      javascript: [['exponents.minus(exponents.maxRows()).exp()', 'exponents.exp()']],
      cpp: [['exp(exponents - max(exponents, 1, true))', 'exp(exponents)']],
    },
    {
      id: 'dot-products',
      message:
        'Your weights are those of the products q·k, softmax attention without a bias. The keys have different lengths, so −γ‖k‖² belongs in the exponent.',
      python: [['-gamma * squared', '2 * gamma * Q @ K.T']],
    },
    {
      id: 'no-sum',
      message: 'Your weights do not sum to 1. Divide each row by its sum.',
      python: [['weights = weights / weights.sum(axis=1, keepdims=True)', 'weights = weights * 1']],
      javascript: [['values.div(values.sumRows())', 'values']],
    },
    {
      id: 'distance-not-squared',
      message: 'Your exponent has the distance, not its square: that is a Laplacian kernel.',
      python: [['-gamma * squared', '-gamma * np.sqrt(np.maximum(squared, 0))']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'queries and keys', min: 1, max: 32, value: 12 },
      gamma: { label: 'γ', min: 0.05, max: 8, step: 0.05, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 12, gamma = 1, seed = 0 }) => [
      normal(n, 2, seed),
      normal(n, 2, seed + 1000),
      normal(n, 2, seed + 2000),
      gamma,
    ],
    draw: { kind: 'matrix', path: [1], rows: 'query', cols: 'key' },
    caption: 'The weights: with a large γ each query listens to its nearest key.',
  },
  source: {
    title: 'Transformer Dissection: a unified understanding of attention via the lens of kernel',
    url: 'https://arxiv.org/abs/1908.11775',
    where: 'section 2',
  },
  reference: async ({ core }, [q, k, v, gamma]) => {
    // The bias −γ‖k‖² makes the softmax of 2γ·q·k the Gaussian weights, without underflow.
    const { biasedWeights } = await core.compareSmootherWithAttention({
      kernel: 'rbf',
      parameters: { gamma: numberOf(gamma) },
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
    });
    // A linear kernel of these weights with the unit vectors gives them back.
    const { output, weights } = await core.nadarayaWatson({
      kernel: { id: 'linear' },
      q: biasedWeights,
      k: matrixOf(unitVectors(biasedWeights.cols)),
      v: matrixOf(v),
    });
    return [fromMatrix(output), fromMatrix(weights)];
  },
} as const satisfies Exercise;
