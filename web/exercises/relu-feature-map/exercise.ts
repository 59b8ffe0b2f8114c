import { normal, rows, sizeKnobs } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'relu-feature-map',
  lab: 'feature-maps',
  order: 2,
  difficulty: 1,
  minutes: 3,
  buildsOn: ['kernel-trick'],
  title: 'ReLU as a feature map',
  summary: 'φ(x) = max(0, x): fast, never negative, and sometimes 0 everywhere.',
  task: [
    '$\\varphi(x) = \\max(0, x)$, entry by entry: what is positive stays, the rest becomes 0.',
    'Write `relu_feature_map(x)`. It takes a matrix and returns one of the same shape.',
    'The similarity $\\varphi(q)\\cdot\\varphi(k)$ counts only coordinates in which both are positive. With $d$ random coordinates it is exactly 0 with probability $(3/4)^d$: about one pair in three for $d = 4$. A query that misses every key has nothing to divide by.',
  ],
  entry: 'relu_feature_map',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'queries or keys, one in each row' },
  ],
  results: [{ name: 'phi', type: 'matrix', shape: 'n×d', what: 'φ(x), no entry negative' }],
  cases: [
    {
      name: 'by hand',
      args: [
        rows([
          [-2, 0.5, 0],
          [3, -0.25, 1],
        ]),
      ],
    },
    { name: 'five random vectors', args: [normal(5, 4, 33)] },
    { name: 'no entry positive', args: [rows([[-1, -2, -80, -0]])] },
    { name: 'large and small entries', hidden: true, args: [rows([[80, -80, 1e-6, -1e-6, 1e30]])] },
    { name: 'more columns than rows', hidden: true, args: [normal(2, 9, 34, 5)] },
    { name: 'one column', hidden: true, args: [normal(6, 1, 35)] },
  ],
  drawn: (draw) => [
    normal(draw.integer(1, 9), draw.integer(3, 9), draw.seed(), draw.pick([1, 30])),
  ],
  tolerance: {
    rtol: 1e-6,
    atol: 1e-8,
    reason: 'Nothing is rounded but the input, which is float32 already.',
  },
  hints: [
    'Every entry is compared with 0, on its own.',
    'NumPy has two functions with similar names: one finds the largest entry along an axis, the other the larger of two arrays, entry by entry.',
    'np.maximum(x, 0) takes a number as its second argument and repeats it for every entry.',
  ],
  variants: [
    {
      id: 'largest-along-axis',
      message:
        'You got the largest entry of each column: np.max(x, 0) reads the 0 as an axis. You want the larger of each entry and 0.',
      python: [['np.maximum(x, 0)', 'np.max(x, 0)']],
      cpp: [['maximum(x, 0)', 'max(x, 0)']],
    },
    {
      id: 'wrong-side',
      message: 'You kept the negative entries and dropped the positive ones.',
      python: [['np.maximum(x, 0)', 'np.minimum(x, 0)']],
      javascript: [['x.maximum(0)', 'x.map((value) => Math.min(value, 0))']],
      cpp: [['maximum(x, 0)', 'minimum(x, 0)']],
    },
    {
      id: 'absolute',
      message: 'You turned negative entries round: that is |x|. They become 0 here.',
      python: [['np.maximum(x, 0)', 'np.abs(x)']],
      javascript: [['x.maximum(0)', 'x.map(Math.abs)']],
    },
    {
      id: 'leaky',
      message:
        'Negative entries leak through, a hundredth of them. As a feature that makes weights negative; here they become 0.',
      python: [['np.maximum(x, 0)', 'np.maximum(x, 0.01 * x)']],
    },
    {
      id: 'step',
      message: 'You return 1 for each positive entry. Return the entry itself.',
      python: [['np.maximum(x, 0)', '(x > 0) * 1.0']],
    },
    {
      id: 'at-least-one',
      message: 'You compare with 1: everything smaller was lifted to 1. Compare with 0.',
      python: [['np.maximum(x, 0)', 'np.maximum(x, 1)']],
    },
    {
      id: 'squared',
      message: 'You squared the positive entries: that is the next exercise.',
      python: [['np.maximum(x, 0)', 'np.maximum(x, 0) ** 2']],
    },
  ],
  figure: {
    knobs: sizeKnobs,
    args: ({ n = 16, d = 8, seed = 1 }) => [normal(n, d, seed)],
    draw: { kind: 'matrix', rows: 'token', cols: 'feature' },
    caption:
      'φ of random vectors. Half of the entries are 0. Make d small until a whole row is empty: such a token looks at nobody and is seen by nobody.',
  },
  source: {
    title: 'Finetuning Pretrained Transformers into RNNs',
    url: 'https://arxiv.org/abs/2103.13076',
    where: 'its feature map without the learned matrix; Lab 03, relu_feature_map(x)',
  },
  reference: async ({ core }, [x]) =>
    fromMatrix(await core.applyFeatureMap({ x: matrixOf(x), featureMap: { id: 'relu' } })),
} as const satisfies Exercise;
