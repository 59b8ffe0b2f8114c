/** A small exercise for the tests of the judge: divide the rows of x by their sums. */

import { fromMatrix, matrixOf } from '../../web/src/exercises/matrix-values';
import type { Exercise } from '../../web/src/exercises/types';

export const solution = `import numpy as np

def normalize_rows(x):
    sums = x.sum(axis=1, keepdims=True)
    return x / sums
`;

export const exercise: Exercise = {
  id: 'normalize-rows',
  lab: 'complexity',
  order: 99,
  difficulty: 1,
  minutes: 5,
  buildsOn: [],
  title: 'Rows that sum to one',
  summary: 'Divide each row by its sum.',
  task: ['Write `normalize_rows(x)`.'],
  entry: 'normalize_rows',
  parameters: [{ name: 'x', type: 'matrix', shape: 'n×d', what: 'positive numbers' }],
  results: [{ name: 'weights', type: 'matrix', shape: 'n×d', what: 'rows that sum to 1' }],
  cases: [
    {
      name: 'hidden',
      hidden: true,
      args: [{ make: 'uniform', seed: 2, shape: [3, 3], low: 1, high: 2 }],
    },
    { name: 'visible', args: [{ make: 'uniform', seed: 1, shape: [2, 3], low: 1, high: 2 }] },
  ],
  drawn: (draw) => [
    {
      make: 'uniform',
      seed: draw.seed(),
      shape: [draw.integer(2, 5), draw.integer(2, 5)],
      low: 1,
      high: 2,
    },
  ],
  tolerance: { rtol: 1e-6, atol: 1e-8, reason: 'One sum and one division.' },
  cost: {
    sizes: [16, 32, 64, 128],
    args: (n, draw) => [
      { make: 'uniform', seed: draw.seed(), shape: [n, draw.integer(3, 5)], low: 1, high: 2 },
    ],
    maxSlope: 1.3,
    most: (n) => 1000 * n,
    wanted: 'n·d',
  },
  hints: ['a', 'b', 'c'],
  variants: [
    {
      id: 'no-sum',
      message: 'Nothing was divided.',
      python: [['x / sums', 'x / 1']],
    },
    {
      id: 'columns',
      message: 'You divided by sums of columns.',
      python: [['axis=1', 'axis=0']],
    },
    {
      id: 'no-keepdims',
      message: 'The sums have lost an axis.',
      python: [['axis=1, keepdims=True', 'axis=1']],
    },
    {
      id: 'refuses',
      message: 'It refuses every input.',
      python: [['    sums', '    raise ValueError("no")\n    sums']],
      evidence: 'error',
    },
    {
      id: 'quadratic',
      message: 'All pairs of rows were looked at.',
      python: [['    return', '    pairs = x @ x.T\n    return']],
      evidence: 'cost',
    },
  ],
  figure: {
    knobs: {},
    args: () => [],
    draw: { kind: 'matrix', rows: 'rows', cols: 'columns' },
    caption: '',
  },
  source: { title: 'the tests' },
  // The reference itself is not what these tests check, so plain TypeScript computes it.
  reference: async (_, [x]) => {
    const { rows, cols, data } = matrixOf(x);
    const sums = Array.from({ length: rows }, (_, i) =>
      data.subarray(i * cols, (i + 1) * cols).reduce((a, b) => a + b),
    );
    return fromMatrix({
      rows,
      cols,
      data: data.map((v, at) => v / (sums[Math.floor(at / cols)] ?? 1)),
    });
  },
};
