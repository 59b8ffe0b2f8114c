import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { fromVector, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const random = (n: number, seed: number): Input => ({ make: 'normal', shape: [n], seed });

export const exercise = {
  id: 'kernel-ridge',
  lab: 'kernels',
  order: 5,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['gram-matrix', 'functional-gradient-step'],
  title: 'Kernel ridge regression',
  summary: 'The best function of the whole space, from one linear system.',
  task: [
    'Of all functions of the RKHS of the Gaussian kernel $k(x, z) = e^{-\\gamma \\lVert x - z \\rVert^2}$, kernel ridge regression takes the one with the smallest $\\frac{1}{N} \\sum_i (f(x_i) - y_i)^2 + \\lambda \\lVert f \\rVert^2$.',
    'By the representer theorem it is $f = \\sum_i \\alpha_i\\, k(x_i, \\cdot)$, and the coefficients solve $(K + N \\lambda I)\\, \\alpha = y$. The $N$ is there because the loss is a mean.',
    'Write `kernel_ridge(X, y, gamma, lam, Z)`. It returns the values of $f$ at the rows of `Z`. The matrix of the system is symmetric and positive definite; in JavaScript you write the elimination yourself, and no rows have to be exchanged.',
  ],
  entry: 'kernel_ridge',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'N×d', what: 'points, one in each row' },
    { name: 'y', type: 'vector', shape: 'N', what: 'the values to be met' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
    { name: 'lam', type: 'number', what: 'λ > 0, the price of the norm' },
    { name: 'Z', type: 'matrix', shape: 'M×d', what: 'where to predict, a point in each row' },
  ],
  results: [{ name: 'f', type: 'vector', shape: 'M', what: 'the prediction at each row of Z' }],
  cases: [
    {
      name: 'two points by hand',
      args: [rows([[0], [1]]), vector([1, -1]), 1, 0.5, rows([[0], [0.25], [1]])],
    },
    {
      name: 'the plane',
      args: [normal(6, 2, 101), random(6, 102), 0.5, 0.125, normal(4, 2, 103)],
    },
    {
      name: 'a low price',
      args: [normal(5, 2, 104), random(5, 105), 2, 0.03125, normal(7, 2, 106)],
    },
    {
      name: 'a high price makes f flat',
      hidden: true,
      args: [normal(7, 3, 107), random(7, 108), 0.25, 4, normal(3, 3, 109)],
    },
    {
      name: 'near points with two values',
      hidden: true,
      args: [rows([[1], [1.5], [-1]]), vector([2, 0, 1]), 0.75, 0.25, rows([[1], [0]])],
    },
    { name: 'one point', hidden: true, args: [rows([[2]]), vector([3]), 1, 0.5, rows([[2.5]])] },
  ],
  drawn: (draw, nth) => {
    const [n, d] = [draw.integer(3, 8), draw.integer(2, 4)];
    return [
      normal(n, d, draw.seed()),
      random(n, draw.seed()),
      [0.25, 0.75, 1.5][nth] ?? 1,
      [0.125, 0.25, 0.75][nth] ?? 0.5,
      normal(draw.integer(2, 6), d, draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-4,
    reason: 'float32 keeps 7 digits of K, and small λ multiply its error in the solution.',
  },
  hints: [
    'Make the Gram matrix of the points, and add N·λ to its diagonal.',
    'Solve for α rather than invert: np.linalg.solve in NumPy, solve in C++.',
    'The prediction at z is Σ αᵢ k(xᵢ, z): the kernel between Z and X, M×N, times α.',
  ],
  variants: [
    {
      id: 'sum-not-mean',
      message:
        'You added λ and not N·λ. That solves the problem with the sum of the errors; here the loss is their mean.',
      python: [['len(y) * lam *', 'lam *']],
      javascript: [['y.cols * lam', 'lam']],
      cpp: [['n * lam *', 'lam *']],
    },
    {
      id: 'no-ridge',
      message:
        'Your f goes through every value: λ is missing on the diagonal, and noise is learned with the rest.',
      python: [['K + len(y) * lam * np.eye(len(y))', 'K']],
      javascript: [['value + y.cols * lam', 'value']],
      cpp: [[' + n * lam * eye(y.size())', '']],
    },
    {
      id: 'no-system',
      message:
        'You took the values y as coefficients. Bumps overlap, so α has to be solved for from (K + NλI)α = y.',
      python: [['np.linalg.solve(K + len(y) * lam * np.eye(len(y)), y)', 'y']],
      javascript: [['solve(ridge, y)', 'y']],
      cpp: [['solve(gaussian(X, X) + n * lam * eye(y.size()), y)', 'y']],
    },
    {
      id: 'everywhere',
      message:
        'You added N·λ to every entry of K. It belongs on the diagonal alone, as N·λ times the identity.',
      python: [['len(y) * lam * np.eye(len(y))', 'len(y) * lam']],
      javascript: [['i === j ? value + y.cols * lam : value', 'value + y.cols * lam']],
    },
    {
      id: 'distance-not-squared',
      message: 'Your exponent has the distance, not its square.',
      python: [['-gamma * (gaps**2).sum(axis=2)', '-gamma * np.sqrt((gaps**2).sum(axis=2))']],
      cpp: [['-gamma * sum(gaps * gaps, 2)', '-gamma * sqrt(sum(gaps * gaps, 2))']],
    },
  ],
  figure: {
    knobs: {
      gamma: { label: 'γ', min: 0.1, max: 8, step: 0.1, value: 1 },
      lam: { label: 'λ', min: 0.005, max: 1, step: 0.005, value: 0.05 },
    },
    args: ({ gamma = 1, lam = 0.05 }) => {
      const places = Array.from({ length: 13 }, (_, i) => (i - 6) / 2);
      return [
        rows(places.map((x) => [x])),
        vector(places.map((x) => (x < 0 ? -1 : 1))),
        gamma,
        lam,
        rows(Array.from({ length: 81 }, (_, i) => [(i - 40) / 10])),
      ];
    },
    draw: {
      kind: 'curve',
      x: 'z',
      values: Array.from({ length: 81 }, (_, i) => (i - 40) / 10),
      y: 'f(z)',
    },
    caption:
      'f for thirteen points of a jump: larger λ makes it flatter, and beyond the points it is 0.',
  },
  source: {
    title: 'Ridge Regression Learning Algorithm in Dual Variables (Saunders et al. 1998)',
    url: 'https://dl.acm.org/doi/10.5555/645527.657464',
    where: 'section 2',
  },
  reference: async ({ core }, [x, y, gamma, lam, z]) => {
    const { predictions } = await core.kernelRidge({
      x: matrixOf(x),
      y: matrixOf(y),
      kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
      lambda: numberOf(lam),
      scaling: 'mean',
      z: matrixOf(z),
    });
    return fromVector(predictions);
  },
} as const satisfies Exercise;
