import { normal, rows, sizeKnobs } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'elu-feature-map',
  lab: 'kernel-trick',
  order: 4,
  difficulty: 1,
  minutes: 8,
  buildsOn: ['simple-feature-map'],
  title: 'ELU + 1',
  summary: 'The feature map of the first linear transformer: positive everywhere.',
  task: [
    '$\\operatorname{ELU}(x)$ is $x$ for $x > 0$ and $e^x - 1$ otherwise, never below $-1$. One more makes it positive: $\\varphi(x) = \\operatorname{ELU}(x) + 1$, which is $x + 1$ for $x > 0$ and $e^x$ otherwise.',
    'Write `elu_feature_map(x)`. It takes a matrix and returns $\\varphi$ of every entry.',
    'Entries may be large. A branch that is not chosen must not spoil the result.',
  ],
  entry: 'elu_feature_map',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'queries or keys, one in each row' },
  ],
  results: [{ name: 'phi', type: 'matrix', shape: 'n×d', what: 'φ(x), all entries positive' }],
  cases: [
    {
      name: 'by hand',
      args: [
        rows([
          [-2, -1, 0],
          [0.5, 1, 2],
        ]),
      ],
    },
    { name: 'five random vectors', args: [normal(5, 4, 24)] },
    { name: 'large entries', args: [rows([[-1000, -30, 30, 1000]])] },
    { name: 'zeros of both signs', hidden: true, args: [rows([[0, -0]])] },
    { name: 'more columns than rows', hidden: true, args: [normal(2, 9, 25, 4)] },
    { name: 'one column', hidden: true, args: [normal(7, 1, 26)] },
  ],
  drawn: (draw, nth) => [
    normal(draw.integer(1, 9), draw.integer(3, 9), draw.seed(), [1, 4, 20][nth]),
  ],
  tolerance: {
    rtol: 1e-5,
    atol: 0,
    reason:
      'The reference is float32: 7 digits. No absolute part: e^x − 1 + 1 in two steps loses the digits of small features.',
  },
  hints: [
    'Decide for each entry by its sign. In NumPy np.where(condition, a, b) takes from a or b, entry by entry.',
    'Put the + 1 into both branches first: e^x − 1 + 1 is just e^x.',
    'np.where computes both of its branches for all entries. Where x is 1000, e^x is infinite: harmless if it is not chosen, harmful if you multiply it by 0.',
  ],
  variants: [
    {
      id: 'elu',
      message:
        'That is ELU itself, negative below 0. Add 1: features have to be positive for the weights to be.',
      python: [
        ['x + 1', 'x'],
        ['np.exp(np.minimum(x, 0))', 'np.exp(np.minimum(x, 0)) - 1'],
      ],
      javascript: [
        ['value + 1', 'value'],
        ['Math.exp(value)', 'Math.exp(value) - 1'],
      ],
      cpp: [
        ['x + 1', 'x'],
        ['exp(minimum(x, 0))', 'exp(minimum(x, 0)) - 1'],
      ],
    },
    {
      id: 'one-only-above',
      message:
        'The + 1 reached only the entries above 0: those below are still ELU, too small by 1.',
      python: [['np.exp(np.minimum(x, 0))', 'np.exp(np.minimum(x, 0)) - 1']],
      javascript: [['Math.exp(value)', 'Math.exp(value) - 1']],
    },
    {
      id: 'one-only-below',
      message:
        'Entries above 0 are too small by 1. There ELU(x) is x, so φ(x) is x + 1; only then is φ continuous at 0.',
      python: [['x + 1', 'x']],
    },
    {
      id: 'too-much-below',
      message:
        'Entries below 0 are too large by 1. ELU is e^x − 1 there, and the + 1 takes that − 1 away again.',
      python: [['np.exp(np.minimum(x, 0))', 'np.exp(np.minimum(x, 0)) + 1']],
      cpp: [['exp(minimum(x, 0))', 'exp(minimum(x, 0)) + 1']],
    },
    {
      id: 'sides-exchanged',
      message:
        'The branches are exchanged: the exponential is for x ≤ 0, the straight line for x > 0.',
      python: [
        ['x > 0', 'x <= 0'],
        ['np.exp(np.minimum(x, 0))', 'np.exp(x)'],
      ],
    },
    {
      id: 'exponential-everywhere',
      message:
        'You took e^x on both sides. For x > 0 the map is the straight line x + 1, which does not overflow.',
      python: [['np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))', 'np.exp(x)']],
      javascript: [['value > 0 ? value + 1 : Math.exp(value)', 'Math.exp(value)']],
    },
    {
      id: 'masks-multiplied',
      message:
        'For large x you get NaN: 0 · ∞. You multiply both branches by masks; choose between them instead, or keep e^x from overflowing.',
      evidence: 'fixed',
      python: [
        [
          'np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))',
          '(x > 0) * (x + 1) + (x <= 0) * np.exp(x)',
        ],
      ],
      cpp: [['where(x > 0, x + 1, exp(minimum(x, 0)))', '(x > 0) * (x + 1) + (x <= 0) * exp(x)']],
    },
    {
      id: 'relu-plus-one',
      message:
        'Everything below 0 became 1: that is ReLU + 1. The map should fall towards 0 there, as e^x does.',
      python: [['np.exp(np.minimum(x, 0))', '1']],
    },
  ],
  figure: {
    knobs: sizeKnobs,
    args: ({ n = 16, d = 8, seed = 1 }) => [normal(n, d, seed)],
    draw: { kind: 'matrix', rows: 'token', cols: 'feature' },
    caption:
      'φ of random vectors. All entries are positive; those below 1 come from negative x. Sums of positive products differ little from key to key, so that the weights of this map are nearly equal.',
  },
  source: {
    title: 'Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention',
    url: 'https://arxiv.org/abs/2006.16236',
    where: 'equation 7',
  },
  reference: async ({ core }, [x]) =>
    fromMatrix(await core.applyFeatureMap({ x: matrixOf(x), featureMap: { id: 'elu_plus_one' } })),
} as const satisfies Exercise;
