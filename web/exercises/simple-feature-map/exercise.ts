import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

const xs = Array.from({ length: 81 }, (_, i) => (i - 40) / 10);

export const exercise = {
  id: 'simple-feature-map',
  lab: 'kernel-trick',
  order: 3,
  difficulty: 1,
  minutes: 2,
  buildsOn: [],
  title: 'The simplest feature map',
  summary: 'φ(x) = x: queries and keys as they are.',
  task: [
    'A feature map $\\varphi$ says how alike a query and a key are: $\\varphi(q)\\cdot\\varphi(k)$. The simplest one leaves a vector as it is, $\\varphi(x) = x$, so that the similarity is the plain inner product $q\\cdot k$.',
    'Write `simple_feature_map(x)`. It takes a matrix, one vector in each row, and returns a matrix of the same shape with the same entries.',
    'It is no substitute for softmax: $q\\cdot k$ can be negative, and weights made of it need not lie between 0 and 1. It is the map for which both orders of multiplying give the same numbers as plain $QK^{\\top}V$.',
  ],
  entry: 'simple_feature_map',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'queries or keys, one in each row' },
  ],
  results: [{ name: 'phi', type: 'matrix', shape: 'n×d', what: 'φ(x)' }],
  cases: [
    {
      name: 'two vectors, by hand',
      args: [
        rows([
          [1, -2, 0.5],
          [0, 3, -1],
        ]),
      ],
    },
    { name: 'six random vectors', args: [normal(6, 4, 21)] },
    { name: 'one vector, large entries', args: [rows([[80, -80, 1000, -1000]])] },
    { name: 'more columns than rows', hidden: true, args: [normal(3, 7, 22, 3)] },
    { name: 'zeros', hidden: true, args: [rows([[0, -0, 0]])] },
    { name: 'one column', hidden: true, args: [normal(5, 1, 23)] },
  ],
  drawn: (draw) => [
    normal(draw.integer(1, 9), draw.integer(3, 9), draw.seed(), draw.pick([1, 30])),
  ],
  tolerance: { rtol: 1e-6, atol: 1e-6, reason: 'Nothing is computed; float32 keeps 7 digits.' },
  hints: [
    'There is nothing to compute.',
    'Look at the formula once more: φ(x) = x.',
    'A function that returns what it is given is called the identity.',
  ],
  variants: [
    {
      id: 'absolute',
      message:
        'Your entries lost their signs. This map keeps them, and that is why its similarities can be negative.',
      python: [['return x', 'return abs(x)']],
      javascript: [['return x', 'return x.map(Math.abs)']],
      cpp: [['return x;', 'return abs(x);']],
    },
    {
      id: 'relu',
      message:
        'Negative entries became 0: that is ReLU, a map of the next lab. This one keeps every entry.',
      python: [
        ['def simple', 'import numpy as np\n\n\ndef simple'],
        ['return x', 'return np.maximum(x, 0)'],
      ],
      javascript: [['return x', 'return x.maximum(0)']],
    },
    {
      id: 'unit-rows',
      message:
        'Your rows all have length 1, so φ(q)·φ(k) would be the cosine of their angle. Leave the length as it is.',
      python: [
        ['def simple', 'import numpy as np\n\n\ndef simple'],
        ['return x', 'return x / np.sqrt((x * x).sum(axis=1, keepdims=True))'],
      ],
    },
    {
      id: 'scaled',
      message:
        'Your entries are too small by √d. Softmax attention divides its scores by that; a feature map does not.',
      python: [['return x', 'return x / x.shape[1] ** 0.5']],
    },
    {
      id: 'square',
      message: 'You squared the entries, so x and −x would look alike. Leave them as they are.',
      python: [['return x', 'return x * x']],
      cpp: [['return x;', 'return x * x;']],
    },
    {
      id: 'transposed',
      message: 'Rows and columns are exchanged. φ works on each row and keeps it a row.',
      python: [['return x', 'return x.T']],
    },
    {
      id: 'plus-one',
      message:
        'Your entries are too large by 1. The + 1 belongs to ELU + 1, where it makes features positive.',
      python: [['return x', 'return x + 1']],
    },
  ],
  figure: {
    knobs: {},
    args: () => [rows([xs])],
    draw: { kind: 'curve', x: 'x', values: xs, y: 'φ(x)' },
    caption:
      'φ(x) = x, a straight line through 0. Half of it lies below 0: that is where the trouble with dividing by φ(q)·Σφ(k) comes from.',
  },
  source: { title: 'Lab 02: The Kernel Trick', where: 'simple_feature_map(x)' },
  reference: async ({ core }, [x]) =>
    fromMatrix(await core.applyFeatureMap({ x: matrixOf(x), featureMap: { id: 'identity' } })),
} as const satisfies Exercise;
