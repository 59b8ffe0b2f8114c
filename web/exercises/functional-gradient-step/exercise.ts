import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const random = (n: number, seed: number, scale = 1): Input => ({
  make: 'normal',
  shape: [n],
  seed,
  scale,
});

export const exercise = {
  id: 'functional-gradient-step',
  lab: 'kernels',
  order: 2,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['gram-matrix'],
  title: 'One step in a space of functions',
  summary: 'Gradient descent on a function, written in its coefficients.',
  task: [
    'A function $f = \\sum_i \\alpha_i\\, k(x_i, \\cdot)$ with the Gaussian kernel $k(x, y) = e^{-\\gamma \\lVert x - y \\rVert^2}$ is to make $J(f) = \\frac{1}{N} \\sum_i (f(x_i) - y_i)^2 + \\lambda \\lVert f \\rVert^2$ small.',
    'The gradient in the function space is $\\frac{2}{N} \\sum_i (f(x_i) - y_i)\\, k(x_i, \\cdot) + 2 \\lambda f$, because the derivative of $f(x_i)$ by $f$ is $k(x_i, \\cdot)$. It is a sum of the same bumps, so a step changes nothing but the coefficients.',
    'Write `functional_gradient_step(X, y, alpha, gamma, rate, lam)`. It returns the coefficients after one step $f \\leftarrow f - \\text{rate} \\cdot \\nabla J$.',
  ],
  entry: 'functional_gradient_step',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'N×d', what: 'points, one in each row' },
    { name: 'y', type: 'vector', shape: 'N', what: 'the values to be met' },
    { name: 'alpha', type: 'vector', shape: 'N', what: 'the coefficients before the step' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
    { name: 'rate', type: 'number', what: 'the learning rate' },
    { name: 'lam', type: 'number', what: 'λ, the price of the norm' },
  ],
  results: [{ name: 'alpha', type: 'vector', shape: 'N', what: 'the coefficients after the step' }],
  cases: [
    {
      name: 'two points by hand',
      args: [rows([[0], [1]]), vector([1, -1]), vector([0.5, 0.25]), 1, 0.5, 0.25],
    },
    {
      name: 'five points of the plane',
      args: [normal(5, 2, 61), random(5, 62), random(5, 63), 0.5, 0.25, 0.5],
    },
    {
      name: 'from f = 0',
      args: [normal(4, 2, 64), random(4, 65), vector([0, 0, 0, 0]), 1, 0.5, 0.125],
    },
    {
      name: 'no price on the norm',
      hidden: true,
      args: [normal(6, 3, 66), random(6, 67), random(6, 68), 0.75, 0.5, 0],
    },
    {
      name: 'a high price',
      hidden: true,
      args: [normal(7, 2, 69), random(7, 70), random(7, 71), 2, 0.125, 3],
    },
    {
      name: 'one point',
      hidden: true,
      args: [normal(1, 3, 72), random(1, 73), vector([2]), 1, 0.25, 0.5],
    },
  ],
  drawn: (draw, nth) => {
    const n = draw.integer(3, 8);
    return [
      normal(n, draw.integer(2, 4), draw.seed()),
      random(n, draw.seed(), 2),
      random(n, draw.seed(), 2),
      [0.25, 0.75, 1.5][nth] ?? 1,
      [0.125, 0.375, 0.5][nth] ?? 0.25,
      [0.75, 0.125, 0.5][nth] ?? 0.5,
    ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-4,
    reason: 'float32 keeps 7 digits, and coefficients are differences of larger numbers.',
  },
  hints: [
    'First the values of f at the points: K α, with the Gram matrix of the points.',
    'Read off from the gradient what it takes away from α_i: a part for the bump at x_i, and a part for f itself.',
    'The step is α ← (1 − 2·rate·λ)·α − (2·rate/N)·(Kα − y).',
  ],
  variants: [
    {
      id: 'gradient-by-coefficients',
      message:
        'You multiplied the errors by K once more: that is the gradient by the coefficients α. In the function space the errors themselves are the coefficients of the gradient.',
      python: [['K @ alpha - y', 'K @ (K @ alpha - y)']],
      javascript: [['alpha.times(K).minus(y)', 'alpha.times(K).minus(y).times(K)']],
      cpp: [['matmul(K, alpha) - y', 'matmul(K, matmul(K, alpha) - y)']],
    },
    {
      id: 'no-mean',
      message: 'You added the errors without dividing by N: the loss is a mean over the points.',
      python: [['/ len(y)', '']],
      javascript: [['/ y.cols', '']],
      cpp: [['/ n *', '*']],
    },
    {
      id: 'no-shrinking',
      message: 'Your step leaves out λ: what was there before has to shrink by 1 − 2·rate·λ.',
      python: [['(1 - 2 * rate * lam) * alpha', 'alpha']],
      javascript: [['.mul(1 - 2 * rate * lam)', '']],
      cpp: [['(1 - 2 * rate * lam) * alpha', 'alpha']],
    },
    {
      id: 'uphill',
      message: 'Your step goes up the gradient of the loss. Descent takes the errors away.',
      python: [['* alpha - 2', '* alpha + 2']],
      javascript: [['.minus(errors', '.plus(errors']],
      cpp: [['* alpha - 2', '* alpha + 2']],
    },
    {
      id: 'without-kernel',
      message:
        'You compared α with y. The value of f at a point is the sum of all bumps there, Kα.',
      python: [['K @ alpha - y', 'alpha - y']],
    },
  ],
  figure: {
    knobs: {
      rate: { label: 'learning rate', min: 0, max: 2, step: 0.05, value: 0.5 },
      lam: { label: 'λ', min: 0, max: 1, step: 0.05, value: 0.1 },
    },
    args: ({ rate = 0.5, lam = 0.1 }) => {
      const places = Array.from({ length: 25 }, (_, i) => (i - 12) / 4);
      return [
        rows(places.map((x) => [x])),
        vector(places.map((x) => (x < 0 ? -1 : 1))),
        vector(places.map(() => 0)),
        1,
        rate,
        lam,
      ];
    },
    draw: {
      kind: 'curve',
      x: 'place of the bump',
      values: Array.from({ length: 25 }, (_, i) => (i - 12) / 4),
      y: 'α',
    },
    caption:
      'The coefficients after one step from f = 0 towards a jump: one bump at each point, as high as its error.',
  },
  source: {
    title: 'Online Learning with Kernels (Kivinen, Smola and Williamson 2004)',
    url: 'https://doi.org/10.1109/TSP.2004.830991',
    where: 'section 3',
  },
  reference: async ({ core }, [x, y, alpha, gamma, rate, lam]) => {
    const made = await core.functionalDescent({
      x: matrixOf(x),
      y: matrixOf(y),
      start: matrixOf(alpha),
      kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
      learningRate: numberOf(rate),
      lambda: numberOf(lam),
      steps: 1,
    });
    return array(arrayOf(alpha).shape, made.alpha.data);
  },
} as const satisfies Exercise;
