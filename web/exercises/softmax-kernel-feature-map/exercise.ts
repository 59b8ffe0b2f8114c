import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'softmax-kernel-feature-map',
  lab: 'feature-maps',
  order: 4,
  difficulty: 3,
  minutes: 30,
  buildsOn: ['elu-plus-one'],
  title: 'Random features for softmax',
  summary: 'Positive random features: their products are e^{q·k/√d} on average.',
  task: [
    "Let $x' = x / d^{1/4}$. For a random vector $w$ with entries from $N(0, 1)$, the product of $e^{w\\cdot q' - \\lVert q'\\rVert^2/2}$ and $e^{w\\cdot k' - \\lVert k'\\rVert^2/2}$ is $e^{q\\cdot k/\\sqrt d}$ on average, which is what softmax exponentiates. With $m$ such vectors, the rows of a matrix $W$, the features are $\\varphi(x) = \\tfrac{1}{\\sqrt m}\\, e^{W x' - \\lVert x'\\rVert^2/2}$: as many as $W$ has rows.",
    'Write `softmax_kernel_feature_map(x, projection_matrix)`. Row $i$ of the result is $\\varphi$ of row $i$ of `x`; `projection_matrix` is $W$, $m \\times d$, already drawn.',
    'The course text’s hint speaks of cosines and sines. They estimate the same number, but can be negative, and are worst where softmax is small; the paper rejects them for these exponentials. Nothing is subtracted for stability here: that would change the features, though not the weights.',
  ],
  entry: 'softmax_kernel_feature_map',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'queries or keys, one in each row' },
    {
      name: 'projection_matrix',
      type: 'matrix',
      shape: 'm×d',
      what: 'W, one random vector in each row',
    },
  ],
  results: [{ name: 'phi', type: 'matrix', shape: 'n×m', what: 'φ(x), all entries positive' }],
  cases: [
    {
      name: 'by hand: d = 1, W = (0, 2)',
      args: [rows([[0], [1], [-1]]), rows([[0], [2]])],
    },
    { name: 'five vectors, eight features', args: [normal(5, 4, 41), normal(8, 4, 42)] },
    { name: 'fewer features than columns', args: [normal(4, 6, 43), normal(3, 6, 44)] },
    { name: 'zeros', hidden: true, args: [rows([[0, -0, 0]]), normal(5, 3, 45)] },
    { name: 'long vectors', hidden: true, args: [normal(3, 5, 46, 3), normal(6, 5, 47)] },
    { name: 'one feature', hidden: true, args: [normal(6, 2, 48), normal(1, 2, 49)] },
    {
      name: 'as many features as columns and rows',
      hidden: true,
      args: [normal(4, 4, 50), normal(4, 4, 51)],
    },
  ],
  drawn: (draw) => {
    const d = draw.integer(1, 6);
    return [
      normal(draw.integer(1, 8), d, draw.seed()),
      normal(draw.integer(1, 10), d, draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-9,
    reason:
      'The reference is float32: a rounding of 1e-7 in the exponent, times exponents of up to 50. Features may be as small as 1e-8.',
  },
  hints: [
    'Write down the three pieces: the projections W·x′ (n×m), one number ‖x′‖²/2 for each row (n×1), and the factor 1/√m.',
    'Scale x first and use the scaled x for both the projections and the norms. d is the number of columns, and the root is a fourth one.',
    'The norm of a row is subtracted from all m projections of that row: keep it as a column, with keepdims=True.',
  ],
  variants: [
    {
      id: 'cosine-sine',
      message:
        'You return cosines and sines, 2m of them. They can be negative; the exponentials wanted here cannot.',
      python: [
        [
          'np.exp(x @ projection_matrix.T - half_norms)',
          'np.exp(half_norms) * np.concatenate(\n' +
            '        [np.cos(x @ projection_matrix.T), np.sin(x @ projection_matrix.T)], axis=1\n' +
            '    )',
        ],
      ],
    },
    {
      id: 'no-norm',
      message:
        'The term −‖x′‖²/2 is missing. Without it long vectors get features that are too large, and the average is not e^{q·k/√d}.',
      python: [['x @ projection_matrix.T - half_norms', 'x @ projection_matrix.T']],
      javascript: [['.minus(halfNorms)', '']],
      cpp: [[' - half_norms) / std::sqrt(m)', ') / std::sqrt(m)']],
    },
    {
      id: 'norm-not-halved',
      message: 'You subtract the whole squared length. It is half of it.',
      python: [['keepdims=True) / 2', 'keepdims=True)']],
      javascript: [['.div(2)', '']],
      cpp: [['1, true) / 2', '1, true)']],
    },
    {
      id: 'not-scaled',
      message:
        'x went in unscaled, so your features stand for e^{q·k}. Softmax has e^{q·k/√d}: divide x by d^{1/4} first.',
      python: [['x / d**0.25', 'x']],
      javascript: [['x.div(d ** 0.25)', 'x']],
      cpp: [['std::pow(d, 0.25)', 'std::pow(d, 0.0)']],
    },
    {
      id: 'square-root-of-d',
      message:
        'You divide x by √d. Queries and keys are both divided, so q·k would end up divided by d: each takes the fourth root.',
      python: [['x / d**0.25', 'x / d**0.5']],
      javascript: [['d ** 0.25', 'd ** 0.5']],
    },
    {
      id: 'norm-of-unscaled',
      message: 'You subtract half the squared length of x. Take it of x′, the scaled vector.',
      python: [['(x * x)', '(x * x * d**0.5)']],
    },
    {
      id: 'norm-of-all',
      message:
        'You subtract one number from everything: the sum over the whole matrix. Each row has a norm of its own; sum along its columns.',
      python: [['.sum(axis=1, keepdims=True)', '.sum()']],
    },
    {
      id: 'not-averaged',
      message:
        'The factor 1/√m is missing: φ(q)·φ(k) would be a sum over m estimates instead of their mean.',
      python: [[' / np.sqrt(m)', '']],
      javascript: [['.div(Math.sqrt(m))', '']],
    },
    {
      id: 'divided-by-m',
      message:
        'You divide by m. The factor is on queries and on keys, so each takes the root: 1/√m.',
      python: [['/ np.sqrt(m)', '/ m']],
      cpp: [['/ std::sqrt(m)', '/ m']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 16 },
      d: { label: 'columns d', min: 1, max: 32, value: 4 },
      m: { label: 'features m', min: 1, max: 64, value: 16 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 16, d = 4, m = 16, seed = 1 }) => [normal(n, d, seed), normal(m, d, seed + 100)],
    draw: { kind: 'matrix', rows: 'token', cols: 'feature' },
    caption:
      'φ of random vectors: a few large entries among many small ones. The mean over features is carried by those few, so it takes many features to be accurate; more of them as d grows.',
  },
  source: {
    title: 'Rethinking Attention with Performers',
    url: 'https://arxiv.org/abs/2009.14794',
    where: 'lemma 1; Lab 03, softmax_kernel_feature_map(x, projection_matrix)',
  },
  reference: async ({ core }, [x, projection]) =>
    fromMatrix(
      await core.applyFeatureMap({
        x: matrixOf(x),
        featureMap: {
          id: 'softmax_kernel',
          projection: matrixOf(projection),
          parameters: { stabilize: 0 },
        },
      }),
    ),
} as const satisfies Exercise;
