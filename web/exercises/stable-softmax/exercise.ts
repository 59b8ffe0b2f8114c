import { normal, rows } from '../../src/exercises/common-inputs';
import { array, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

const blocked = Number.NEGATIVE_INFINITY;

export const exercise = {
  id: 'stable-softmax',
  lab: 'surgeon',
  order: 5,
  difficulty: 1,
  minutes: 10,
  buildsOn: [],
  title: 'Softmax that does not overflow',
  summary: 'Rows of logits to rows of weights, also where exp of the logits would be infinite.',
  task: [
    'Write `stable_softmax(logits)`: each row of the matrix becomes weights that sum to 1,',
    '$$p_{ij} = \\frac{e^{x_{ij}}}{\\sum_l e^{x_{il}}}$$',
    'Computed as it stands this fails: $e^{710}$ is infinite in float64 ($e^{89}$ in float32), and infinity divided by infinity is NaN. A row does not change when you subtract the same number from all of its logits. Choose that number so that nothing can overflow and no row loses all of its weights.',
    'A logit can be $-\\infty$: its weight is 0. No row is $-\\infty$ throughout.',
  ],
  entry: 'stable_softmax',
  parameters: [{ name: 'logits', type: 'matrix', shape: 'n×m', what: 'one row for each query' }],
  results: [{ name: 'weights', type: 'matrix', shape: 'n×m', what: 'rows that sum to 1' }],
  cases: [
    {
      name: 'by hand: logits 0 and ln 3',
      args: [
        rows([
          [0, Math.log(3)],
          [5, 5],
        ]),
      ],
    },
    { name: 'random logits', args: [normal(4, 6, 21, 2)] },
    {
      name: 'logits of ±1000',
      args: [
        rows([
          [1000, 1001, 999],
          [-1000, -1000, -1001],
          [1000, -1000, 0],
        ]),
      ],
    },
    {
      name: 'one logit far above its row’s mean',
      hidden: true,
      args: [
        rows([
          [1500, -1500, -1500, -1500],
          [1, 2, 3, 4],
        ]),
      ],
    },
    {
      name: 'some logits of −∞',
      hidden: true,
      args: [
        rows([
          [0, blocked, 1],
          [blocked, blocked, -800],
        ]),
      ],
    },
    { name: 'one column', hidden: true, args: [rows([[3], [-7], [900]])] },
    {
      name: 'more columns than rows',
      hidden: true,
      args: [{ make: 'uniform', shape: [3, 12], seed: 5, low: -30, high: 30 }],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m] = [draw.integer(2, 8), draw.integer(3, 9)];
    if (nth === 0) return [normal(n, m, draw.seed(), 3)];
    // Rows of large logits, several of them close together.
    const far = Array.from({ length: n }, () => draw.pick([-1, 1]) * draw.integer(300, 2000));
    return [rows(far.map((base) => Array.from({ length: m }, () => base + draw.integer(0, 4))))];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-6,
    reason: 'The core takes exp in float32: about seven digits of each weight.',
  },
  hints: [
    'Which number may you subtract from a row so that the largest exp is 1?',
    'Subtract the largest logit of each row, not of the whole matrix: a row far below it would vanish.',
    'Then exp, then divide each row by its own sum; keep the axis you sum over.',
  ],
  variants: [
    {
      id: 'no-max',
      message:
        'Right for small logits, NaN for logits of 1000: exp overflows, or all of a row’s weights vanish. Subtract something from each row first.',
      python: [['np.exp(logits - largest)', 'np.exp(logits)']],
      javascript: [['logits.minus(logits.maxRows()).exp()', 'logits.exp()']],
      cpp: [['exp(logits - max(logits, 1, true))', 'exp(logits)']],
    },
    {
      id: 'global-max',
      message:
        'You subtract the largest logit of the whole matrix. A row far below it loses all of its weights, and 0/0 is NaN.',
      python: [['logits.max(axis=1, keepdims=True)', 'logits.max()']],
      javascript: [['logits.maxRows()', 'logits.max()']],
      cpp: [['max(logits, 1, true)', 'max(logits)']],
    },
    {
      id: 'mean-subtracted',
      message:
        'You subtract the mean of each row. A logit far above its mean still overflows: what is the largest number in the row?',
      evidence: 'fixed',
      python: [['logits.max(axis=1, keepdims=True)', 'logits.mean(axis=1, keepdims=True)']],
    },
    {
      id: 'wrong-axis',
      message: 'Your columns sum to 1, not your rows. Take maximum and sum along each row.',
      python: [
        ['logits.max(axis=1, keepdims=True)', 'logits.max(axis=0, keepdims=True)'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=0, keepdims=True)'],
      ],
      javascript: [
        ['logits.maxRows()', 'logits.transpose().maxRows().transpose()'],
        ['weights.sumRows()', 'weights.sumCols()'],
      ],
      cpp: [
        ['max(logits, 1, true)', 'max(logits, 0, true)'],
        ['sum(weights, 1, true)', 'sum(weights, 0, true)'],
      ],
    },
    {
      id: 'one-sum-for-all',
      message: 'All your weights together sum to 1. Divide each row by its own sum.',
      python: [['weights.sum(axis=1, keepdims=True)', 'weights.sum()']],
      javascript: [['weights.sumRows()', 'weights.sum()']],
      cpp: [['sum(weights, 1, true)', 'sum(weights)']],
    },
    {
      id: 'one-row-of-all',
      message:
        'You treat the whole matrix as one row: one maximum and one sum for all. Each row has its own of both.',
      python: [
        ['logits.max(axis=1, keepdims=True)', 'logits.max()'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum()'],
      ],
      javascript: [
        ['logits.maxRows()', 'logits.max()'],
        ['weights.sumRows()', 'weights.sum()'],
      ],
      cpp: [
        ['max(logits, 1, true)', 'max(logits)'],
        ['sum(weights, 1, true)', 'sum(weights)'],
      ],
    },
    {
      id: 'axes-not-kept',
      message:
        'Your maxima and sums of the rows lie along the columns: without keepdims=True they are a row of numbers, and entry j of each row meets those of row j. Keep the axis.',
      python: [
        ['logits.max(axis=1, keepdims=True)', 'logits.max(axis=1)'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=1)'],
      ],
      evidence: 'fixed',
    },
    {
      id: 'sum-axis-not-kept',
      message:
        'Your sums of the rows lie along the columns: without keepdims=True they are a row of numbers, and column j is divided by the sum of row j. Keep the axis.',
      python: [['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=1)']],
      evidence: 'fixed',
    },
    {
      id: 'not-normalised',
      message: 'Your rows do not sum to 1: the division by the sum is missing.',
      python: [['weights / weights.sum(axis=1, keepdims=True)', 'weights']],
      javascript: [['weights.div(weights.sumRows())', 'weights']],
    },
    {
      id: 'log-weights',
      message: 'You return logarithms of the weights. Return the weights.',
      python: [
        [
          'return weights / weights.sum(axis=1, keepdims=True)',
          'return logits - largest - np.log(weights.sum(axis=1, keepdims=True))',
        ],
      ],
    },
    {
      id: 'sum-along-columns',
      message:
        'You divide by the sums of the columns. Each row has a sum of its own: it becomes a row of weights that sum to 1.',
      python: [['weights.sum(axis=1', 'weights.sum(axis=0']],
      javascript: [['weights.sumRows()', 'weights.sumCols()']],
      cpp: [['sum(weights, 1, true)', 'sum(weights, 0, true)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'rows n', min: 1, max: 64, value: 12 },
      size: { label: 'size of the logits', min: 0, max: 1000, value: 3 },
      seed: { label: 'seed', min: 0, max: 99, value: 4 },
    },
    args: ({ n = 12, size = 3, seed = 4 }) => [
      { make: 'normal', shape: [n, n], seed, scale: size },
    ],
    draw: { kind: 'matrix', rows: 'query', cols: 'key' },
    caption:
      'Weights of random logits. The larger the logits, the nearer each row comes to choosing a single key.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'Key Implementation Details, Numerical Stability',
  },
  reference: async ({ core }, [logits]) => {
    const { rows, cols, data } = matrixOf(logits);
    const all = await Promise.all(
      Array.from({ length: rows }, (_, row) =>
        core.softmax({
          x: { rows: 1, cols, data: data.slice(row * cols, (row + 1) * cols) },
        }),
      ),
    );
    return array(
      [rows, cols],
      all.flatMap(({ weights }) => [...weights.data]),
    );
  },
} as const satisfies Exercise;
