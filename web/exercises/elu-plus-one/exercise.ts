import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

const xs = Array.from({ length: 81 }, (_, i) => (i - 60) / 10);

export const exercise = {
  id: 'elu-plus-one',
  lab: 'feature-maps',
  order: 1,
  difficulty: 1,
  minutes: 10,
  buildsOn: ['kernel-trick'],
  title: 'ELU + 1 that stays positive',
  summary: 'φ(x) = ELU(x) + 1, positive in exact arithmetic. Keep it so on a computer.',
  task: [
    '$\\varphi(x) = \\operatorname{ELU}(x) + 1$ is $x + 1$ for $x > 0$ and $e^x$ otherwise. It is always positive, the course text says, so that no denominator $\\varphi(q)\\cdot\\sum\\varphi(k)$ can vanish.',
    'Computed as ELU and then $+1$, it is not: $e^{-80} - 1$ rounds to $-1$, and $-1 + 1 = 0$. In float32 that happens from $x = -17.4$ downwards.',
    'Write `elu_plus_one(x)`. It takes a matrix and returns $\\varphi$ of every entry, correct to five digits however small it is, also beside large entries. (JavaScript’s matrices are float32 and are not graded on tiny entries.)',
  ],
  entry: 'elu_plus_one',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'queries or keys, one in each row' },
  ],
  results: [{ name: 'phi', type: 'matrix', shape: 'n×d', what: 'φ(x), all entries positive' }],
  cases: [
    {
      name: 'by hand',
      args: [
        rows([
          [-1, 0],
          [1, 2],
        ]),
      ],
    },
    { name: 'six random vectors', args: [normal(6, 5, 31)] },
    {
      name: 'far below 0',
      args: [
        rows([
          [-20, -30],
          [-40, -80],
        ]),
      ],
    },
    { name: 'far above 0', args: [rows([[20, 80, 1000, 1e6]])] },
    { name: 'zeros of both signs', hidden: true, args: [rows([[0, -0]])] },
    { name: 'both ends in one row', hidden: true, args: [rows([[-60, 800, -1e-3, 1e-3, -5]])] },
    { name: 'more columns than rows', hidden: true, args: [normal(2, 8, 32, 10)] },
  ],
  drawn: (draw, nth) => [
    normal(draw.integer(1, 9), draw.integer(3, 9), draw.seed(), [1, 4, 20][nth]),
  ],
  tolerance: {
    rtol: 1e-5,
    atol: 0,
    reason:
      'No absolute part: a feature of 1e-35 counts as much as one of 1. float32 keeps 7 digits.',
  },
  hints: [
    'Work out both branches on paper with the + 1 inside. One of them gets simpler.',
    'Below 0 the map is e^x alone. Never take 1 away and add it again.',
    'np.where evaluates both branches: where x is 1000 the unused e^x overflows. Give it the smaller of x and 0.',
  ],
  variants: [
    {
      id: 'lost-to-rounding',
      message:
        'Far below 0 your features lost their digits, or became 0: you subtract 1 from e^x and add it back. Put the + 1 into the branches.',
      evidence: 'fixed',
      python: [
        [
          'np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))',
          'np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1) + 1',
        ],
      ],
      cpp: [
        ['where(x > 0, x + 1, exp(minimum(x, 0)))', 'where(x > 0, x, exp(minimum(x, 0)) - 1) + 1'],
      ],
    },
    {
      id: 'elu',
      message: 'That is ELU without the + 1: it is negative below 0, down to −1.',
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
      id: 'relu-plus-one',
      message: 'Everything below 0 became 1: that is ReLU + 1. Below 0 the map is e^x.',
      python: [['np.exp(np.minimum(x, 0))', '1']],
      javascript: [['Math.exp(value)', '1']],
    },
    {
      id: 'cut-line',
      message:
        'You keep the straight line x + 1 below 0 and cut it off at 0. From 0 downwards the map bends into e^x and never reaches 0.',
      python: [['np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))', 'np.maximum(x + 1, 0)']],
    },
    {
      id: 'exponential-everywhere',
      message:
        'You took e^x on both sides. For x > 0 the map is the straight line x + 1, which does not overflow.',
      python: [['np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))', 'np.exp(x)']],
      cpp: [['where(x > 0, x + 1, exp(minimum(x, 0)))', 'exp(x)']],
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
    },
    {
      id: 'softplus',
      message:
        'That is softplus, ln(1 + e^x): smooth and positive as well, but 0.69 at 0 where this map is 1.',
      python: [['np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))', 'np.log(1 + np.exp(x))']],
      javascript: [['value > 0 ? value + 1 : Math.exp(value)', 'Math.log(1 + Math.exp(value))']],
    },
    {
      id: 'sides-exchanged',
      message: 'The branches are exchanged: e^x is for x ≤ 0, the straight line for x > 0.',
      python: [
        ['x > 0', 'x <= 0'],
        ['np.exp(np.minimum(x, 0))', 'np.exp(x)'],
      ],
    },
  ],
  figure: {
    knobs: {},
    args: () => [rows([xs])],
    draw: { kind: 'curve', x: 'x', values: xs, y: 'φ(x)', log: true },
    caption:
      'φ(x) on a logarithmic axis: a straight line downwards as far as you look, never 0. That is what positive means for a denominator.',
  },
  source: {
    title: 'Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention',
    url: 'https://arxiv.org/abs/2006.16236',
    where: 'equation 7; Lab 03, elu_plus_one(x)',
  },
  reference: async ({ core }, [x]) =>
    fromMatrix(await core.applyFeatureMap({ x: matrixOf(x), featureMap: { id: 'elu_plus_one' } })),
} as const satisfies Exercise;
