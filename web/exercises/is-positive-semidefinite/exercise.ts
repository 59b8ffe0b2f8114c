import { normal, rows } from '../../src/exercises/common-inputs';
import { array, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'is-positive-semidefinite',
  lab: 'kernels',
  order: 7,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['gram-matrix'],
  title: 'A witness against a kernel',
  summary: 'Whether a Gram matrix is positive semidefinite, and weights that show that it is not.',
  task: [
    'A symmetric function $k$ is a kernel if every Gram matrix is positive semidefinite: $\\alpha^\\top K \\alpha \\ge 0$ for all weights $\\alpha$. That is so exactly if no eigenvalue of $K$ is below 0. Weights with $\\alpha^\\top K \\alpha < 0$ are a witness: they prove that $k$ is not a kernel.',
    'Take the sigmoid $k(x, y) = \\tanh(\\gamma\\, x \\cdot y + c)$, which is called a kernel and is none. For some points its Gram matrix is positive semidefinite all the same.',
    'Write `is_positive_semidefinite(X, gamma, offset)`. It returns whether the Gram matrix of the rows of `X` is positive semidefinite, and the witness: the eigenvector of the smallest eigenvalue, with length 1 and its entry of largest magnitude positive. Where there is no witness, it returns zeros. An eigenvalue counts as negative if it is below $-10^{-6}$ times the largest magnitude of one.',
    'NumPy and C++ have `eigh`. In JavaScript, high powers of $2sI - K$ with $s = \\lVert K \\rVert_F$ leave nothing but the wanted eigenvector.',
  ],
  entry: 'is_positive_semidefinite',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d', what: 'points, one in each row' },
    { name: 'gamma', type: 'number', what: 'γ > 0' },
    { name: 'offset', type: 'number', what: 'c' },
  ],
  results: [
    { name: 'verdict', type: 'boolean', what: 'whether K is positive semidefinite' },
    { name: 'witness', type: 'vector', shape: 'n', what: 'weights with αᵀKα < 0, or zeros' },
  ],
  cases: [
    { name: 'two points by hand', args: [rows([[0.5], [2]]), 1, 0] },
    { name: 'a negative diagonal', args: [rows([[1], [2]]), 0.5, -1] },
    { name: 'one point: no witness', args: [rows([[1, 2]]), 1, 0] },
    {
      name: 'right angles: no witness',
      args: [
        rows([
          [1, 0],
          [0, 2],
        ]),
        0.5,
        0,
      ],
    },
    { name: 'five points of the plane', hidden: true, args: [normal(5, 2, 161), 1, -0.5] },
    {
      name: 'three right angles: no witness',
      hidden: true,
      args: [
        rows([
          [1, 0, 0],
          [0, 2, 0],
          [0, 0, 0.5],
        ]),
        1,
        0,
      ],
    },
    { name: 'seven points', hidden: true, args: [normal(7, 2, 162), 0.5, -0.25] },
  ],
  // The third point is far out: tanh flattens its own kernel value more than its value with the first.
  // The second set has two points at right angles, whose Gram matrix is diagonal: there is no witness.
  drawn: (draw, nth) => {
    const first = [
      [draw.integer(4, 8) / 16, 0],
      [0, draw.integer(8, 16) / 16],
    ];
    const third = [draw.integer(32, 48) / 16, draw.integer(2, 4) / 16];
    return [
      rows(nth === 1 ? first : [...first, third]),
      [1, 0.75, 1.25][nth] ?? 1,
      [0, 0, -0.5][nth] ?? 0,
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'tanh and the eigenvectors are in float64, and powers of a matrix find them to 1e-6.',
  },
  hints: [
    'eigh returns the eigenvalues in rising order, and the eigenvectors as columns.',
    'Compare the first eigenvalue with −1e−6 times the largest magnitude; rounding alone makes small negative ones.',
    'v and −v are both eigenvectors: multiply by the sign of the entry with the largest magnitude.',
  ],
  variants: [
    {
      id: 'largest',
      message:
        'Your weights belong to the largest eigenvalue: with them αᵀKα is as large as it can be. The witness belongs to the smallest.',
      python: [['vectors[:, 0]', 'vectors[:, -1]']],
      cpp: [['vectors.col(0)', 'vectors.col(-1)']],
    },
    {
      id: 'row',
      message: 'You took a row of the matrix of eigenvectors. They are its columns.',
      python: [['vectors[:, 0]', 'vectors[0]']],
      cpp: [['vectors.col(0)', 'vectors.row(0)']],
    },
    {
      id: 'entries',
      message:
        'You looked for negative entries of K. A matrix with positive entries can have a negative eigenvalue, and one with negative entries need not.',
      python: [['values[0] >= -1e-6 * np.abs(values).max()', 'K.min() >= 0']],
      javascript: [['smallest >= -1e-6 * size', 'K.min() >= 0']],
      cpp: [['values(0) >= -1e-6 * max(abs(values)).item()', 'min(K).item() >= 0']],
    },
    {
      id: 'no-offset',
      message: 'You left out c: k(x, y) = tanh(γ·x·y + c).',
      python: [['gamma * X @ X.T + offset', 'gamma * X @ X.T']],
      javascript: [['.plus(offset)', '']],
      cpp: [[' + offset', '']],
    },
    {
      id: 'linear',
      message:
        'You left out tanh. The products of points are a kernel: with c ≥ 0 there is never a witness.',
      python: [['np.tanh(gamma * X @ X.T + offset)', 'gamma * X @ X.T + offset']],
      javascript: [['Math.tanh(value)', 'value']],
    },
  ],
  figure: {
    knobs: {
      gamma: { label: 'γ', min: 0.1, max: 4, step: 0.1, value: 1 },
      offset: { label: 'c', min: -2, max: 2, step: 0.1, value: -0.5 },
    },
    args: ({ gamma = 1, offset = -0.5 }) => [
      rows(Array.from({ length: 16 }, (_, i) => [(i - 7.5) / 4])),
      gamma,
      offset,
    ],
    draw: {
      kind: 'curve',
      path: [1],
      x: 'point',
      values: Array.from({ length: 16 }, (_, i) => (i - 7.5) / 4),
      y: 'α',
    },
    caption: 'The witness, as weights of sixteen points on a line; zeros where there is none.',
  },
  source: {
    title: 'Learning with Kernels (Schölkopf and Smola 2002)',
    url: 'https://mitpress.mit.edu/9780262536578/learning-with-kernels/',
    where: 'section 2.2',
  },
  reference: async ({ core }, [x, gamma, offset]) => {
    const points = matrixOf(x);
    const { positiveSemidefinite, witness } = await core.checkDefiniteness({
      kernel: { id: 'sigmoid', parameters: { gamma: numberOf(gamma), coef0: numberOf(offset) } },
      x: points,
      tolerance: 1e-6,
    });
    const none = new Float64Array(points.rows);
    return [positiveSemidefinite, array([points.rows], positiveSemidefinite ? none : witness)];
  },
} as const satisfies Exercise;
