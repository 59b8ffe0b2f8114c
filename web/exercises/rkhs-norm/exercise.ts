import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const drawnVector = (n: number, seed: number): Input => ({ make: 'normal', shape: [n], seed });

export const exercise = {
  id: 'rkhs-norm',
  lab: 'kernels',
  order: 3,
  difficulty: 2,
  minutes: 10,
  buildsOn: ['gram-matrix'],
  title: 'The norm of a function made of bumps',
  summary: '‖Σαᵢk(xᵢ, ·)‖ needs the Gram matrix and nothing else.',
  task: [
    'The function $f = \\sum_i \\alpha_i k(x_i, \\cdot)$ is a vector of the RKHS. Its inner products are $\\langle k(x, \\cdot), k(y, \\cdot) \\rangle = k(x, y)$.',
    'So $\\lVert f \\rVert^2 = \\sum_i \\sum_j \\alpha_i \\alpha_j k(x_i, x_j)$: no grid, no integral.',
    'Write `rkhs_norm(X, alpha, gamma)` for the Gaussian kernel $k(x, y) = e^{-\\gamma \\lVert x - y \\rVert^2}$. It returns $\\lVert f \\rVert$.',
  ],
  entry: 'rkhs_norm',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d', what: 'the points of the bumps' },
    { name: 'alpha', type: 'vector', shape: 'n', what: 'the weights of the bumps' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
  ],
  results: [{ name: 'norm', type: 'number', what: 'the norm of f' }],
  cases: [
    { name: 'one bump by hand', args: [rows([[3, 4]]), vector([2]), 1] },
    { name: 'two bumps of opposite sign', args: [rows([[0], [0.5]]), vector([1, -1]), 1] },
    { name: 'five bumps', args: [normal(5, 2, 51), drawnVector(5, 52), 0.5] },
    { name: 'eight sharp bumps', hidden: true, args: [normal(8, 3, 53), drawnVector(8, 54), 3] },
    { name: 'far apart', hidden: true, args: [normal(4, 2, 55, 20), drawnVector(4, 56), 1] },
  ],
  drawn: (draw, nth) => {
    const n = draw.integer(3, 8);
    return [
      normal(n, draw.integer(1, 4), draw.seed()),
      drawnVector(n, draw.seed()),
      [0.25, 0.75, 2][nth] ?? 1,
    ];
  },
  tolerance: {
    rtol: 2e-3,
    atol: 1e-4,
    reason: 'Weights of both signs cancel, so float32’s error of K counts several times.',
  },
  hints: [
    'Make K first: it is the Gram matrix of the points.',
    'The double sum is αᵀKα.',
    'You are asked for the norm, not its square.',
  ],
  variants: [
    {
      id: 'squared',
      message: 'That is ‖f‖². Take its root.',
      python: [['np.sqrt(alpha @ K @ alpha)', 'alpha @ K @ alpha']],
      javascript: [
        ['Math.sqrt(alpha.times(K).mul(alpha).sum())', 'alpha.times(K).mul(alpha).sum()'],
      ],
      cpp: [
        ['std::sqrt(dot(alpha, matmul(K, alpha)).item())', 'dot(alpha, matmul(K, alpha)).item()'],
      ],
    },
    {
      id: 'euclidean',
      message:
        'That is the length of the list α. Bumps near each other overlap: the products k(xᵢ, xⱼ) belong between the weights.',
      python: [['alpha @ K @ alpha', 'alpha @ alpha']],
      javascript: [['alpha.times(K).mul(alpha)', 'alpha.mul(alpha)']],
    },
    {
      id: 'values',
      message:
        'That is the length of the values f(xᵢ), ‖Kα‖. The norm of f has one K between the weights, not two.',
      python: [['alpha @ K @ alpha', '(K @ alpha) @ (K @ alpha)']],
      cpp: [['dot(alpha, matmul(K, alpha))', 'dot(matmul(K, alpha), matmul(K, alpha))']],
    },
    {
      id: 'linear',
      message: 'You used the products of the points, a linear kernel. Here the kernel is Gaussian.',
      python: [['np.exp(-gamma * np.maximum(squared, 0))', 'X @ X.T']],
    },
  ],
  figure: {
    knobs: { gamma: { label: 'γ', min: 0.1, max: 4, step: 0.1, value: 1 } },
    args: ({ distance = 1, gamma = 1 }) => [rows([[0], [distance]]), vector([1, -1]), gamma],
    draw: {
      kind: 'curve',
      x: 'distance',
      values: Array.from({ length: 31 }, (_, i) => i / 10),
      y: 'norm',
    },
    caption:
      'The norm of two opposite bumps over their distance: nothing where they cancel, as if alone when far apart.',
  },
  source: {
    title: 'Theory of Reproducing Kernels (Aronszajn 1950)',
    url: 'https://doi.org/10.1090/S0002-9947-1950-0051437-7',
    where: 'part I, section 2',
  },
  reference: async ({ core }, [x, alpha, gamma]) =>
    Math.sqrt(
      await core.rkhsSquaredNorm({
        kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
        x: matrixOf(x),
        alpha: matrixOf(alpha),
      }),
    ),
} as const satisfies Exercise;
