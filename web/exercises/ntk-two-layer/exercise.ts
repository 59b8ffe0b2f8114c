import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'ntk-two-layer',
  lab: 'kernel-attention',
  order: 3,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['gram-matrix'],
  title: 'The kernel of an infinitely wide network',
  summary: 'The neural tangent kernel of a network with one hidden ReLU layer, in closed form.',
  task: [
    'A network $f(x) = \\frac{1}{\\sqrt m} \\sum_{j=1}^m a_j \\operatorname{relu}(w_j \\cdot x)$ has weights from $N(0, 1)$. Its tangent kernel is $\\Theta(x, y) = \\nabla f(x) \\cdot \\nabla f(y)$, with the gradient by all weights. For $m \\to \\infty$ it no longer depends on the draw.',
    'With the angle $\\theta$ between $x$ and $y$, the weights $a_j$ of the last layer give $\\frac{\\lVert x \\rVert \\lVert y \\rVert}{2\\pi} \\bigl(\\sin\\theta + (\\pi - \\theta) \\cos\\theta\\bigr)$, and the weights $w_j$ give $\\frac{\\pi - \\theta}{2\\pi}\\, x \\cdot y$. The kernel is the sum of both.',
    'Write `ntk_two_layer(X)`. It returns the kernel of every pair of rows.',
  ],
  entry: 'ntk_two_layer',
  parameters: [{ name: 'X', type: 'matrix', shape: 'n×d', what: 'points, one in each row' }],
  results: [{ name: 'theta', type: 'matrix', shape: 'n×n', what: 'the kernel of every pair' }],
  cases: [
    {
      name: 'right angles by hand',
      args: [
        rows([
          [1, 0],
          [0, 2],
        ]),
      ],
    },
    { name: 'five points of the plane', args: [normal(5, 2, 51)] },
    { name: 'wide points', args: [normal(4, 8, 52)] },
    {
      name: 'opposite points',
      hidden: true,
      args: [
        rows([
          [1, 2],
          [-1, -2],
          [2, -1],
        ]),
      ],
    },
    {
      name: 'one point at two lengths',
      hidden: true,
      args: [
        rows([
          [0.5, 1],
          [2, 4],
        ]),
      ],
    },
    { name: 'one point', hidden: true, args: [normal(1, 3, 53)] },
  ],
  drawn: (draw) => [normal(draw.integer(2, 7), draw.integer(2, 6), draw.seed())],
  tolerance: {
    rtol: 2e-3,
    atol: 2e-3,
    reason:
      'Where vectors are parallel, arccos turns a rounding of 1e-7 in the cosine into 5e-4 in the angle.',
  },
  hints: [
    'The cosine of the angle is x·y/(‖x‖‖y‖). All products of rows are one matrix product.',
    'Keep the cosine within −1 … 1 before arccos: rounding can put it a little outside, and arccos is NaN there.',
    'On the diagonal the angle is 0, and the kernel is ½‖x‖² + ½‖x‖² = ‖x‖².',
  ],
  variants: [
    {
      id: 'last-layer-only',
      message:
        'You returned the kernel of training the last layer alone. The weights of the first layer add (π − θ)/(2π)·x·y.',
      python: [['return last_layer + slopes * products', 'return last_layer']],
      javascript: [['return lastLayer + slope * product', 'return lastLayer']],
      cpp: [['= last_layer + slope * product;', '= last_layer;']],
    },
    {
      id: 'first-layer-only',
      message:
        'You returned the part of the first layer alone. The weights of the last layer add the part with the sine.',
      python: [['return last_layer + slopes * products', 'return slopes * products']],
      javascript: [['return lastLayer + slope * product', 'return slope * product']],
      cpp: [['= last_layer + slope * product;', '= slope * product;']],
    },
    {
      id: 'angle-not-turned',
      message:
        'You weighted with the angle θ itself. Two neurons’ ReLUs are both active with probability (π − θ)/(2π): most for equal vectors.',
      python: [['(np.pi - angles)', 'angles']],
      javascript: [['(Math.PI - angle)', 'angle']],
      cpp: [['(kPi - angle)', 'angle']],
    },
    {
      id: 'he-factor',
      message:
        'Your kernel is twice as large: that is the network with a factor √2 in each layer (He). Here the weights are N(0, 1) without a factor.',
      python: [
        ['return last_layer + slopes * products', 'return 2 * (last_layer + slopes * products)'],
      ],
      javascript: [
        ['return lastLayer + slope * product', 'return 2 * (lastLayer + slope * product)'],
      ],
    },
    {
      id: 'no-lengths',
      message:
        'You left out the lengths: the sine is multiplied by ‖x‖‖y‖. On points of length 1 one does not see it.',
      python: [['lengths * np.sin(angles)', 'np.sin(angles)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'points on the circle', min: 2, max: 64, value: 32 },
    },
    args: ({ n = 32 }) => [
      rows(
        Array.from({ length: n }, (_, i) => [
          Math.cos((2 * Math.PI * i) / n),
          Math.sin((2 * Math.PI * i) / n),
        ]),
      ),
    ],
    draw: { kind: 'matrix', rows: 'point', cols: 'point', signed: true },
    caption:
      'Θ for points around the unit circle: 1 on the diagonal, below 0 before the right angle is far behind, 0 for opposite points.',
  },
  source: {
    title: 'Neural Tangent Kernel: Convergence and Generalization in Neural Networks',
    url: 'https://arxiv.org/abs/1806.07572',
    where: 'theorem 1; Cho and Saul 2009, equation 6',
  },
  reference: async ({ core }, [x]) => {
    const points = matrixOf(x);
    const { ntk } = await core.neuralTangentKernel({
      x: points,
      y: points,
      layers: 1,
      weightStd: 1,
      scaleInputs: false,
    });
    return fromMatrix(ntk);
  },
} as const satisfies Exercise;
