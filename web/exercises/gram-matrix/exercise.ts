import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'gram-matrix',
  lab: 'kernels',
  order: 1,
  difficulty: 1,
  minutes: 10,
  buildsOn: [],
  title: 'The Gram matrix of a Gaussian kernel',
  summary: 'All kernel values of all pairs of points, with one matrix product.',
  task: [
    'The Gram matrix of points $x_1, \\dots, x_n$ has the kernel of every pair: $K_{ij} = k(x_i, x_j)$. Take the Gaussian kernel $k(x, y) = e^{-\\gamma \\lVert x - y \\rVert^2}$.',
    'A squared distance is made of products: $\\lVert x - y \\rVert^2 = \\lVert x \\rVert^2 + \\lVert y \\rVert^2 - 2\\, x \\cdot y$. So one matrix product and the norms of the rows are enough.',
    'Write `gram_matrix(X, gamma)`. It takes the points as the rows of `X` and returns $K$.',
  ],
  entry: 'gram_matrix',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d', what: 'points, one in each row' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
  ],
  results: [{ name: 'K', type: 'matrix', shape: 'n×n', what: 'the kernel of every pair' }],
  cases: [
    { name: 'two points by hand', args: [rows([[0], [1]]), 1] },
    { name: 'five points of the plane', args: [normal(5, 2, 41), 0.5] },
    { name: 'a sharp kernel', args: [normal(6, 3, 42), 4] },
    {
      name: 'one point twice',
      hidden: true,
      args: [
        rows([
          [1, 2],
          [1, 2],
          [0, 1],
        ]),
        0.75,
      ],
    },
    { name: 'a wide kernel', hidden: true, args: [normal(7, 8, 43), 0.0625] },
    { name: 'one point', hidden: true, args: [normal(1, 3, 44), 2] },
  ],
  drawn: (draw, nth) => [
    normal(draw.integer(2, 8), draw.integer(2, 5), draw.seed()),
    [0.125, 0.5, 1.5][nth] ?? 1,
  ],
  tolerance: {
    rtol: 1e-3,
    atol: 1e-5,
    reason: 'float32 keeps 7 digits of the norms, and the exponent is a difference of them.',
  },
  hints: [
    'Start with the squared norms of the rows: one number for each point.',
    'The distance of i and j is norms[i] + norms[j] − 2·(XXᵀ)[i, j]. Broadcasting adds a column and a row.',
    'norms[:, None] + norms[None, :] has shape n×n.',
  ],
  variants: [
    {
      id: 'distance-not-squared',
      message: 'Your exponent has the distance, not its square. The Gaussian kernel squares it.',
      python: [['np.maximum(squared, 0)', 'np.sqrt(np.maximum(squared, 0))']],
      cpp: [['maximum(squared, 0)', 'sqrt(maximum(squared, 0))']],
    },
    {
      id: 'sign',
      message:
        'Your values grow with the distance and are above 1. The exponent needs its minus sign.',
      python: [['-gamma *', 'gamma *']],
      javascript: [['mul(-gamma)', 'mul(gamma)']],
      cpp: [['exp(-gamma', 'exp(gamma']],
    },
    {
      id: 'factor-two',
      message:
        'The mixed part is −2·x·y, and yours lacks the 2: on the diagonal you do not get e⁰ = 1.',
      python: [['- 2 * X @ X.T', '- X @ X.T']],
      javascript: [['mul(-2)', 'mul(-1)']],
      cpp: [['- 2 * matmul', '- matmul']],
    },
    {
      id: 'half',
      message:
        'Your exponent is γ/2 times the squared distance. That is the form with a variance, e^{−‖x − y‖²/(2σ²)}; here it is γ itself.',
      python: [['-gamma *', '-gamma / 2 *']],
      javascript: [['mul(-gamma)', 'mul(-gamma / 2)']],
    },
    {
      id: 'linear',
      message:
        'You returned the products of the points, the linear kernel. Put the distances into e^{−γ…}.',
      python: [['np.exp(-gamma * np.maximum(squared, 0))', 'X @ X.T']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'points', min: 1, max: 32, value: 12 },
      gamma: { label: 'γ', min: 0.05, max: 4, step: 0.05, value: 0.5 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 12, gamma = 0.5, seed = 0 }) => [normal(n, 2, seed), gamma],
    draw: { kind: 'matrix', rows: 'point', cols: 'point' },
    caption: 'K: 1 on the diagonal, near 0 for points far from each other.',
  },
  source: {
    title: 'Learning with Kernels (Schölkopf and Smola 2002)',
    url: 'https://mitpress.mit.edu/9780262536578/learning-with-kernels/',
    where: 'section 2.2',
  },
  reference: async ({ core }, [x, gamma]) =>
    fromMatrix(
      await core.kernelGram({
        kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
        x: matrixOf(x),
      }),
    ),
} as const satisfies Exercise;
