import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const labels = (n: number): Input => vector(Array.from({ length: n }, (_, i) => (i % 2 ? -1 : 1)));
const weights = (n: number, seed: number): Input => ({
  make: 'uniform',
  shape: [n],
  seed,
  low: 0.25,
  high: 2,
});

export const exercise = {
  id: 'svm-decision',
  lab: 'kernels',
  order: 4,
  difficulty: 1,
  minutes: 10,
  buildsOn: ['gram-matrix'],
  title: 'What a support vector machine decides',
  summary: 'The decision function from the support vectors that are kept.',
  task: [
    'After training, a support vector machine keeps the points with $\\alpha_i > 0$. Its decision at a point $z$ is $f(z) = \\sum_i \\alpha_i y_i\\, k(x_i, z) + b$, and the sign of $f(z)$ is the label.',
    'Write `svm_decision(X, y, alpha, b, gamma, Z)` for the Gaussian kernel $k(x, z) = e^{-\\gamma \\lVert x - z \\rVert^2}$. It returns $f$ at every row of `Z`: the numbers, not their signs.',
  ],
  entry: 'svm_decision',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'N×d', what: 'the support vectors, one in each row' },
    { name: 'y', type: 'vector', shape: 'N', what: 'their labels, 1 or −1' },
    { name: 'alpha', type: 'vector', shape: 'N', what: 'their weights, above 0' },
    { name: 'b', type: 'number', what: 'the bias' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
    { name: 'Z', type: 'matrix', shape: 'M×d', what: 'where to decide, a point in each row' },
  ],
  results: [{ name: 'f', type: 'vector', shape: 'M', what: 'the decision at each row of Z' }],
  cases: [
    {
      name: 'two support vectors by hand',
      args: [rows([[0], [1]]), vector([1, -1]), vector([2, 1]), 0.5, 1, rows([[0], [0.5], [1]])],
    },
    {
      name: 'the plane',
      args: [normal(6, 2, 81), labels(6), weights(6, 82), -0.25, 0.5, normal(4, 2, 83)],
    },
    {
      name: 'narrow bumps',
      args: [normal(5, 2, 84), labels(5), weights(5, 85), 0.75, 3, normal(7, 2, 86)],
    },
    {
      name: 'far from all points only the bias is left',
      hidden: true,
      args: [normal(4, 2, 87), labels(4), weights(4, 88), -1.5, 1, rows([[50, 50]])],
    },
    {
      name: 'wide vectors',
      hidden: true,
      args: [normal(7, 6, 89), labels(7), weights(7, 90), 0.125, 0.125, normal(3, 6, 91)],
    },
  ],
  drawn: (draw, nth) => {
    const [n, d] = [draw.integer(3, 7), draw.integer(2, 4)];
    return [
      normal(n, d, draw.seed()),
      labels(n),
      weights(n, draw.seed()),
      [0.5, -0.75, 1.25][nth] ?? 0.5,
      [0.25, 0.5, 1][nth] ?? 0.5,
      normal(draw.integer(2, 8), d, draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-4,
    reason: 'float32 keeps 7 digits, and bumps of both signs cancel in the sum.',
  },
  hints: [
    'The kernel between the rows of Z and those of X is an M×N matrix.',
    'Multiply it by the vector of the products α_i·y_i.',
    'In NumPy: Z[:, None, :] − X[None, :, :] has all differences; square, sum over the last axis, exp, and @.',
  ],
  variants: [
    {
      id: 'no-labels',
      message:
        'You added all bumps with a plus sign. The label of each support vector says which way its bump points.',
      python: [['(alpha * y)', 'alpha']],
      javascript: [['alpha.mul(y)', 'alpha']],
      cpp: [['alpha * y', 'alpha']],
    },
    {
      id: 'no-bias',
      message: 'The bias b is missing: far from all points f is b, not 0.',
      python: [[' + b', '']],
      javascript: [['.plus(b)', '']],
      cpp: [[' + b', '']],
    },
    {
      id: 'bias-subtracted',
      message:
        'You subtracted the bias. Some libraries store ρ = −b; here b is added, as the formula says.',
      python: [['+ b', '- b']],
      javascript: [['.plus(b)', '.minus(b)']],
      cpp: [['+ b', '- b']],
    },
    {
      id: 'signs',
      message: 'You returned the labels. The exercise asks for f itself; its size says how sure.',
      python: [
        [
          'np.exp(-gamma * distances) @ (alpha * y) + b',
          'np.sign(np.exp(-gamma * distances) @ (alpha * y) + b)',
        ],
      ],
      cpp: [
        [
          'matmul(exp(-gamma * distances), alpha * y) + b',
          'sign(matmul(exp(-gamma * distances), alpha * y) + b)',
        ],
      ],
    },
    {
      id: 'distance-not-squared',
      message: 'Your exponent has the distance, not its square.',
      python: [['-gamma * distances', '-gamma * np.sqrt(distances)']],
      javascript: [['distances.mul(-gamma)', 'distances.sqrt().mul(-gamma)']],
    },
  ],
  figure: {
    knobs: {
      gamma: { label: 'γ', min: 0.1, max: 8, step: 0.1, value: 1 },
      b: { label: 'b', min: -1, max: 1, step: 0.05, value: 0 },
    },
    args: ({ gamma = 1, b = 0, x = 0 }) => [
      rows([[-1.5], [-0.5], [0.5], [1.5]]),
      vector([1, -1, -1, 1]),
      vector([1, 1, 1, 1]),
      b,
      gamma,
      rows(Array.from({ length: 81 }, (_, i) => [x + (i - 40) / 10])),
    ],
    draw: {
      kind: 'curve',
      x: 'z',
      values: Array.from({ length: 81 }, (_, i) => (i - 40) / 10),
      y: 'f(z)',
    },
    caption: 'f on a line with four support vectors of one weight: two upwards, two downwards.',
  },
  source: {
    title: 'Support-Vector Networks (Cortes and Vapnik 1995)',
    url: 'https://doi.org/10.1007/BF00994018',
    where: 'section 4',
  },
  reference: async ({ core }, [x, y, alpha, b, gamma, z]) => {
    const signs = arrayOf(y).data;
    const { data } = arrayOf(alpha);
    const { data: values } = await core.rkhsValues({
      kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
      x: matrixOf(x),
      alpha: {
        rows: data.length,
        cols: 1,
        data: Float32Array.from(data, (one, i) => ((signs[i] ?? 0) > 0 ? one : -one)),
      },
      z: matrixOf(z),
    });
    return array(
      [values.length],
      Array.from(values, (value) => value + numberOf(b)),
    );
  },
} as const satisfies Exercise;
