import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

const xs = Array.from({ length: 81 }, (_, i) => (i - 40) / 10);

export const exercise = {
  id: 'squared-relu-feature-map',
  lab: 'feature-maps',
  order: 3,
  difficulty: 1,
  minutes: 4,
  buildsOn: ['relu-feature-map'],
  title: 'Squared ReLU',
  summary: 'φ(x) = max(0, x)²: a smoother start at 0, and the zeros of ReLU.',
  task: [
    '$\\varphi(x) = \\max(0, x)^2$, entry by entry. At 0 it starts with slope 0, so that its derivative has no jump, and large entries count for more than in ReLU.',
    'Write `squared_relu_feature_map(x)`. It takes a matrix and returns one of the same shape.',
    'The course text calls it always positive. It is not: wherever ReLU is 0, so is its square.',
  ],
  entry: 'squared_relu_feature_map',
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
    { name: 'five random vectors', args: [normal(5, 4, 36)] },
    { name: 'no entry positive', args: [rows([[-1, -3, -80, -0]])] },
    { name: 'large and small entries', hidden: true, args: [rows([[80, -80, 0.01, -0.01, 1000]])] },
    { name: 'more columns than rows', hidden: true, args: [normal(2, 9, 37, 4)] },
    { name: 'square matrix', hidden: true, args: [normal(4, 4, 38)] },
  ],
  drawn: (draw) => [
    normal(draw.integer(1, 9), draw.integer(3, 9), draw.seed(), draw.pick([1, 30])),
  ],
  tolerance: { rtol: 1e-6, atol: 1e-8, reason: 'One product in float32: 7 digits.' },
  hints: [
    'Two steps: ReLU, and a square. Think about their order.',
    'If you square first, nothing is negative any more and the maximum has nothing to do.',
    'x ** 2 squares every entry; x @ x would be a product of matrices.',
  ],
  variants: [
    {
      id: 'square-first',
      message:
        'Negative entries came back as positive ones: you squared before you took the maximum.',
      python: [['np.maximum(x, 0) ** 2', 'np.maximum(x**2, 0)']],
      javascript: [['x.maximum(0).map((value) => value * value)', 'x.mul(x).maximum(0)']],
      cpp: [['square(maximum(x, 0))', 'maximum(square(x), 0)']],
    },
    {
      id: 'not-squared',
      message: 'That is ReLU. The square is missing.',
      python: [['np.maximum(x, 0) ** 2', 'np.maximum(x, 0)']],
      javascript: [['.map((value) => value * value)', '']],
      cpp: [['square(maximum(x, 0))', 'maximum(x, 0)']],
    },
    {
      id: 'wrong-side',
      message: 'You squared the negative entries and dropped the positive ones.',
      python: [['np.maximum', 'np.minimum']],
    },
    {
      id: 'signed-square',
      message: 'Negative entries became −x². They become 0: features must not be negative.',
      python: [['np.maximum(x, 0) ** 2', 'x * np.abs(x)']],
    },
    {
      id: 'doubled',
      message:
        'You doubled the entries instead of squaring them: ** 2 is the square, * 2 the double.',
      python: [['** 2', '* 2']],
    },
    {
      id: 'largest-along-axis',
      message:
        'You got one number for each column: np.max(x, 0) reads the 0 as an axis. You want the larger of each entry and 0.',
      python: [['np.maximum', 'np.max']],
    },
    {
      id: 'summed',
      message:
        'You summed the squares of each row. That is a squared length; the feature map keeps its entries apart.',
      python: [['np.maximum(x, 0) ** 2', '(np.maximum(x, 0) ** 2).sum(axis=1)']],
      cpp: [['square(maximum(x, 0))', 'sum(square(maximum(x, 0)), 1)']],
    },
  ],
  figure: {
    knobs: {},
    args: () => [rows([xs])],
    draw: { kind: 'curve', x: 'x', values: xs, y: 'φ(x)' },
    caption: 'φ(x) = max(0, x)². Flat on the left, without a kink at 0, steep on the right.',
  },
  source: {
    title: 'Primer: Searching for Efficient Transformers for Language Modeling',
    url: 'https://arxiv.org/abs/2109.08668',
    where: 'squared ReLU; Lab 03, squared_relu_feature_map(x)',
  },
  reference: async ({ core }, [x]) =>
    fromMatrix(await core.applyFeatureMap({ x: matrixOf(x), featureMap: { id: 'squared_relu' } })),
} as const satisfies Exercise;
