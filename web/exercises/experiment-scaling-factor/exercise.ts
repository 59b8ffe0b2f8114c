import { fallingScores, largeScores, normal, rows } from '../../src/exercises/common-inputs';
import { dict, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'experiment-scaling-factor',
  lab: 'surgeon',
  order: 6,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['attention', 'stable-softmax'],
  title: 'What the factor 1/√d_k does',
  summary: 'The same queries and keys with the factor and without: how sharp is the softmax?',
  task: [
    'Products of random queries and keys grow like $\\sqrt{d_k}$, and softmax of large scores is nearly one-hot. Write `experiment_scaling_factor(Q, K)`, which measures it for one pair of matrices. It draws nothing at random itself, so that the result is the same on every run.',
    'Make the weights twice: softmax of $QK^\\top$ (unscaled) and of $QK^\\top/\\sqrt{d_k}$ (scaled), row by row. Return a dict (in JavaScript an object, in C++ a map) of four numbers:',
    '`max_unscaled` and `max_scaled`: the largest weight of each row, averaged over the rows.',
    '`entropy_unscaled` and `entropy_scaled`: the entropy $-\\sum_j p_j\\ln p_j$ of each row in nats, with $0\\ln 0 = 0$, averaged over the rows.',
    'Scores can be as large as ±2000.',
  ],
  entry: 'experiment_scaling_factor',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
  ],
  results: [
    {
      name: 'measures',
      type: 'dict',
      what: 'max_unscaled, max_scaled, entropy_unscaled, entropy_scaled',
    },
  ],
  cases: [
    {
      name: 'two queries, by hand',
      args: [
        rows([
          [1, 0, 0, 0],
          [0, 2, 0, 0],
        ]),
        rows([
          [4, 0, 1, 0],
          [0, 0, 0, 1],
          [0, 1, 0, 0],
        ]),
      ],
    },
    { name: 'd_k = 4', args: [normal(6, 4, 41), normal(6, 4, 42)] },
    { name: 'd_k = 8, more keys than queries', args: [normal(5, 8, 43), normal(9, 8, 44)] },
    { name: 'd_k = 64', hidden: true, args: [normal(8, 64, 45), normal(8, 64, 46)] },
    {
      name: 'scores of ±2000',
      hidden: true,
      args: [
        rows([
          [20, 0, 0, 0],
          [0, -20, 0, 0],
          [0, 0, 0, 1],
        ]),
        rows([
          [100, 0, 0, 1],
          [-100, 100, 0, 2],
          [0, -100, 0, 0],
        ]),
      ],
    },
    { name: 'one key', hidden: true, args: [normal(3, 5, 47), normal(1, 5, 48)] },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(1, 9), draw.integer(3, 9), draw.integer(2, 40)];
    if (nth === 1) return fallingScores(n, m, draw);
    if (nth === 2) return largeScores(n, m, draw);
    return [normal(n, d, draw.seed()), normal(m, d, draw.seed())];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core sums the scores in float32; an unscaled score of 30 is off by about 1e-5.',
  },
  hints: [
    'Write the softmax of rows as a function of its own (you have one: stable_softmax) and call it twice.',
    'd_k is the number of columns of Q and K. The factor divides the scores before the softmax.',
    'For the entropy put a 1 in place of a weight of 0 inside the logarithm; sum within rows, then take the mean.',
  ],
  variants: [
    {
      id: 'never-scaled',
      message: 'Your scaled numbers equal the unscaled ones: the factor is missing.',
      python: [['scores / np.sqrt(K.shape[1])', 'scores']],
      javascript: [['scores.div(Math.sqrt(K.cols))', 'scores']],
      cpp: [['scores / std::sqrt(K.shape(1))', 'scores']],
    },
    {
      id: 'scaled-by-d',
      message: 'You divide the scores by d_k. The factor is its square root.',
      python: [['np.sqrt(K.shape[1])', 'K.shape[1]']],
      javascript: [['Math.sqrt(K.cols)', 'K.cols']],
      cpp: [['std::sqrt(K.shape(1))', 'static_cast<double>(K.shape(1))']],
    },
    {
      id: 'multiplied',
      message: 'You multiply by √d_k, which makes the softmax sharper still. Divide by it.',
      python: [['scores / np.sqrt', 'scores * np.sqrt']],
    },
    {
      id: 'scaled-weights',
      message:
        'You divided the weights by √d_k after the softmax. The factor belongs to the scores, before it.',
      python: [
        ['row_softmax(scores / np.sqrt(K.shape[1]))', 'row_softmax(scores) / np.sqrt(K.shape[1])'],
      ],
    },
    {
      id: 'swapped-names',
      message: 'You swapped the two: scaled is the one with the factor.',
      python: [
        ['"unscaled": row_softmax(scores)', '"scaled": row_softmax(scores)'],
        ['"scaled": row_softmax(scores / ', '"unscaled": row_softmax(scores / '],
      ],
    },
    {
      id: 'picture-maximum',
      message:
        'Your maxima are the largest weight of the whole picture. Take the largest of each row, then the mean.',
      python: [['weights.max(axis=1).mean()', 'weights.max()']],
      javascript: [['weights.maxRows().sum() / weights.rows', 'weights.max()']],
      cpp: [['mean(max(weights, 1))', 'max(weights)']],
    },
    {
      id: 'wrong-axis',
      message: 'Your columns sum to 1, not your rows. Softmax goes over the keys of each query.',
      python: [
        ['scores.max(axis=1, keepdims=True)', 'scores.max(axis=0, keepdims=True)'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=0, keepdims=True)'],
      ],
      javascript: [
        ['scores.maxRows()', 'scores.transpose().maxRows().transpose()'],
        ['weights.sumRows()', 'weights.sumCols()'],
      ],
      cpp: [
        ['max(scores, 1, true)', 'max(scores, 0, true)'],
        ['sum(weights, 1, true)', 'sum(weights, 0, true)'],
      ],
    },
    {
      id: 'bits',
      message: 'Your entropies are in bits. Use the natural logarithm: nats.',
      python: [['np.log(', 'np.log2(']],
      javascript: [['Math.log(', 'Math.log2(']],
      cpp: [['log(where', 'log2(where']],
    },
    {
      id: 'log-of-zero',
      message:
        'Your entropy is NaN where a weight is 0, which happens as soon as scores are large. Count such a weight as 0.',
      python: [['np.where(weights > 0, weights, 1.0)', 'weights']],
      cpp: [['where(weights > 0.0, weights, 1.0)', 'where(weights > -1.0, weights, 1.0)']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 2000: exp overflows. Subtract each row’s largest score first.',
      python: [['np.exp(scores - scores.max(axis=1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.maxRows()).exp()', 'scores.exp()']],
    },
    {
      id: 'entropy-summed',
      message: 'Your entropies are sums over all rows. Average over the rows.',
      python: [['.sum(axis=1).mean()', '.sum()']],
    },
  ],
  figure: {
    knobs: {
      d_k: { label: 'width d_k', min: 1, max: 256, value: 64 },
      n: { label: 'tokens n', min: 2, max: 64, value: 16 },
      seed: { label: 'seed', min: 0, max: 99, value: 3 },
    },
    args: ({ d_k = 64, n = 16, seed = 3 }) => [normal(n, d_k, seed), normal(n, d_k, seed + 100)],
    draw: {
      kind: 'curve',
      path: [],
      x: 'd_k',
      values: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      y: 'mean largest weight, mean entropy',
    },
    caption:
      'Without the factor the largest weight of a row goes to 1 and the entropy to 0 as d_k grows. With it both stay where they are; where that is depends on the number of keys.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'Task 3a. Vaswani et al. 2017, section 3.2.1',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  reference: async ({ core }, [Q, K]) => {
    const [q, k] = [matrixOf(Q), matrixOf(K)];
    const v = { rows: k.rows, cols: 1, data: new Float32Array(k.rows) };
    const measure = async (scale: number) => {
      const { weights } = await core.attention({ q, k, v, scale });
      return core.analyzeAttentionPatterns({ weights, rank: false });
    };
    const [unscaled, scaled] = [await measure(1), await measure(1 / Math.sqrt(k.cols))];
    return dict({
      max_unscaled: unscaled.meanMax,
      max_scaled: scaled.meanMax,
      entropy_unscaled: unscaled.meanEntropy,
      entropy_scaled: scaled.meanEntropy,
    });
  },
} as const satisfies Exercise;
