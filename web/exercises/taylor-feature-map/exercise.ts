import { normal } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'taylor-feature-map',
  lab: 'linear-attention',
  order: 3,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['compute-implicit-attention'],
  title: 'The Taylor feature map',
  summary: 'Features whose products are 1 + s + s²/2, the beginning of eˢ.',
  task: [
    'Softmax attention weighs keys by $e^s$ with $s = q \\cdot k / \\sqrt{d}$. Based replaces $e^s$ by ' +
      'its Taylor polynomial of order 2, because that is an inner product of finitely many features:',
    '$$\\varphi(q) \\cdot \\varphi(k) = 1 + s + \\frac{s^2}{2}$$',
    'Write $\\varphi$ for the rows $x$ of a matrix. It has $1 + d + d^2$ features, in this order: a ' +
      'constant 1; the entries of $u = x / d^{1/4}$; and all products $u_i u_j / \\sqrt{2}$, the one of ' +
      '$(i, j)$ at place $1 + d + i\\,d + j$.',
    'Why it works: the products of entries of $u$ in queries and keys sum to $s$, because $d^{1/4}$ ' +
      'divides on both sides; and the products of pairs sum to $s^2$, as $\\left(\\sum_i a_i\\right)^2 = ' +
      '\\sum_{i,j} a_i a_j$. Nothing is random here, and the same map serves queries and keys.',
  ],
  entry: 'taylor_feature_map',
  parameters: [{ name: 'x', type: 'matrix', shape: 'n×d', what: 'queries or keys' }],
  results: [{ name: 'features', type: 'matrix', shape: 'n×(1 + d + d²)', what: 'φ of each row' }],
  cases: [
    {
      name: 'one number: 1, x, x²/√2',
      args: [{ make: 'values', shape: [3, 1], data: [0, 1, -2] }],
    },
    {
      name: 'width 4, by hand: 1, x/√2, products/√8',
      args: [{ make: 'values', shape: [2, 4], data: [1, 2, 3, 4, 0, 0, -1, 0] }],
    },
    {
      name: 'five rows of width 3',
      args: [normal(5, 3, 1)],
    },
    {
      name: 'large entries',
      args: [normal(2, 5, 2, 30)],
    },
    {
      name: 'sixteen rows of width 8',
      hidden: true,
      args: [normal(16, 8, 3)],
    },
    {
      name: 'rows of 0',
      hidden: true,
      args: [{ make: 'full', shape: [2, 3], value: 0 }],
    },
    {
      name: 'one row of width 2',
      hidden: true,
      args: [normal(1, 2, 4)],
    },
  ],
  drawn: (draw, nth) => [
    normal(draw.integer(1, 9), draw.integer(2, 9), draw.seed(), [1, 1, 8][nth]),
  ],
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason: 'Three roundings of float32 per feature: 2e-7 of its size.',
  },
  hints: [
    'Build three blocks of columns and join them: a column of ones, the scaled x, all products.',
    'The products of one row are its outer product with itself, read row by row.',
    'x[:, :, None] * x[:, None, :] is n×d×d; reshape it to n×d². The ½ of s²/2 is shared: 1/√2 in ' +
      'queries, 1/√2 in keys.',
  ],
  variants: [
    {
      id: 'no-half',
      message:
        'Your products lack the factor 1/√2: φ(q)·φ(k) becomes 1 + s + s², not 1 + s + s²/2.',
      python: [[' / np.sqrt(2)', '']],
      javascript: [[' / Math.SQRT2', '']],
      cpp: [[' / std::sqrt(2.0)', '']],
    },
    {
      id: 'half-on-both-sides',
      message:
        'You put the whole ½ into φ. It is applied in queries and in keys, so the product has s²/4. ' +
        'Each side takes the root.',
      python: [['/ np.sqrt(2)', '/ 2']],
      javascript: [['/ Math.SQRT2', '/ 2']],
    },
    {
      id: 'no-constant',
      message: 'The constant feature 1 is missing: without it φ(q)·φ(k) is s + s²/2.',
      python: [['[np.ones((n, 1)), x, ', '[x, ']],
      javascript: [['one.concatCols(scaled)', 'scaled']],
    },
    {
      id: 'no-scale',
      message:
        'Your x is not divided by d^(1/4), so s is q·k instead of q·k/√d and the polynomial is far ' +
        'from its good range.',
      python: [['x = x / d ** 0.25', 'x = x / 1']],
      javascript: [['x.div(d ** 0.25)', 'x.clone()']],
    },
    {
      id: 'scaled-by-root-d',
      message:
        'You divided x by √d. That happens to queries and to keys, so s came out as q·k/d. Each side ' +
        'takes d^(1/4).',
      python: [['d ** 0.25', 'd ** 0.5']],
      javascript: [['d ** 0.25', 'd ** 0.5']],
      cpp: [['std::pow(d, 0.25)', 'std::pow(d, 0.5)']],
    },
    {
      id: 'products-not-scaled',
      message:
        'The linear features are scaled, the products are made of the unscaled x. They too need ' +
        'x / d^(1/4), once for each factor.',
      python: [
        ['x = x / d ** 0.25', 'scaled = x / d ** 0.25'],
        ['(n, 1)), x, ', '(n, 1)), scaled, '],
      ],
    },
    {
      id: 'squares-only',
      message:
        'You have only the squares xᵢ². The square of a sum has mixed products as well: all d² pairs ' +
        '(i, j).',
      python: [
        ['x[:, :, None] * x[:, None, :]', 'x * x'],
        ['pairs.reshape(n, d * d)', 'pairs'],
      ],
      cpp: [
        ['expand_dims(u, 2) * expand_dims(u, 1)', 'u * u'],
        ['pairs.reshape({n, d * d})', 'pairs'],
      ],
    },
    {
      id: 'each-pair-once',
      message:
        'You kept each pair of entries once. Then mixed products count half as much as they should: ' +
        '(i, j) and (j, i) both belong in, d² products in all.',
      python: [
        [
          'pairs = x[:, :, None] * x[:, None, :] / np.sqrt(2)',
          'pairs = np.stack([x[:, i] * x[:, j] for i in range(d) for j in range(i, d)], axis=1) / np.sqrt(2)',
        ],
        ['pairs.reshape(n, d * d)', 'pairs'],
      ],
    },
    {
      id: 'no-linear-part',
      message: 'The features xᵢ themselves are missing, and with them the s of 1 + s + s²/2.',
      python: [['(n, 1)), x, ', '(n, 1)), ']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'rows', min: 1, max: 64, value: 12 },
      d: { label: 'width', min: 1, max: 8, value: 4 },
      scale: { label: 'size of the entries', min: 0.1, max: 3, step: 0.1, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 12, d = 4, scale = 1, seed = 0 }) => [
      { make: 'normal', seed, shape: [n, d], scale },
    ],
    draw: { kind: 'matrix', rows: 'rows of x', cols: 'features', signed: true },
    caption: 'The features: a column of ones, the scaled entries, then all products.',
  },
  source: {
    title: 'Simple linear attention language models balance the recall-throughput tradeoff',
    url: 'https://arxiv.org/abs/2402.18668',
    where: 'Taylor linear attention; the kernels tutorial, "Feature map in this paper"',
  },
  reference: async ({ core }, [x]) =>
    fromMatrix(await core.applyFeatureMap({ x: matrixOf(x), featureMap: { id: 'taylor' } })),
} as const satisfies Exercise;
