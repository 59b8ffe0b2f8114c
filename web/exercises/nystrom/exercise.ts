import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise } from '../../src/exercises/types';

/** Landmarks near the corners of a grid with steps of 1.5: none so near to another that K_LL is badly conditioned. */
const spread = (count: number, shift: (i: number) => number) =>
  rows(
    Array.from({ length: count }, (_, i) => [
      1.5 * (i % 3) - 1.5 + shift(2 * i),
      1.5 * Math.floor(i / 3) - 0.75 + shift(2 * i + 1),
    ]),
  );
const drawnSpread = (draw: Draw) => spread(draw.integer(2, 6), () => draw.integer(-4, 4) / 16);

export const exercise = {
  id: 'nystrom',
  lab: 'kernel-attention',
  order: 4,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['gram-matrix'],
  title: 'The Nyström approximation',
  summary: 'A Gram matrix of low rank, from the kernel with a few landmarks.',
  task: [
    'The Gram matrix of $n$ points has $n^2$ entries. The Nyström method computes the kernel with $m$ landmarks only: $K_{XL}$ of the points with the landmarks, $n \\times m$, and $K_{LL}$ of the landmarks, $m \\times m$.',
    'The approximation is $\\tilde K = K_{XL} K_{LL}^{-1} K_{LX}$, which has rank $m$ at most. It takes every bump $k(x_i, \\cdot)$ for its projection onto the span of the landmarks’ bumps, so it is exact at the landmarks.',
    'Write `nystrom(X, L, gamma)` for the Gaussian kernel $k(x, y) = e^{-\\gamma \\lVert x - y \\rVert^2}$. It returns $\\tilde K$ for the rows of `X`. $K_{LL}$ is symmetric and positive definite; in JavaScript you write the elimination yourself, and no rows have to be exchanged.',
  ],
  entry: 'nystrom',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d', what: 'points, one in each row' },
    { name: 'L', type: 'matrix', shape: 'm×d', what: 'landmarks, one in each row, all different' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
  ],
  results: [{ name: 'K', type: 'matrix', shape: 'n×n', what: 'the approximate Gram matrix' }],
  cases: [
    { name: 'one landmark by hand', args: [rows([[0], [1]]), rows([[0]]), 1] },
    { name: 'four landmarks of the plane', args: [normal(6, 2, 141), spread(4, () => 0), 0.5] },
    { name: 'a sharp kernel', args: [normal(5, 2, 142), spread(3, () => 0.25), 2] },
    {
      name: 'points that are the landmarks',
      hidden: true,
      args: [spread(5, () => 0), spread(5, () => 0), 0.75],
    },
    {
      name: 'more landmarks than points',
      hidden: true,
      args: [normal(3, 2, 143), spread(6, () => 0.125), 1],
    },
    { name: 'one point', hidden: true, args: [normal(1, 2, 144), spread(2, () => 0), 0.5] },
  ],
  drawn: (draw, nth) => [
    normal(draw.integer(3, 8), 2, draw.seed()),
    drawnSpread(draw),
    [0.5, 1, 1.5][nth] ?? 1,
  ],
  tolerance: {
    rtol: 2e-3,
    atol: 1e-4,
    reason: 'float32 keeps 7 digits of K, and the inverse of K_LL multiplies its error.',
  },
  hints: [
    'One function that makes the kernel between two lists of points serves for both matrices.',
    'K_LX is the transpose of K_XL.',
    'Solve K_LL·W = K_LX for W (m×n) rather than invert; then K̃ = K_XL·W.',
  ],
  variants: [
    {
      id: 'no-inverse',
      message:
        'You left out K_LL⁻¹. Landmarks overlap, so what several of them say is counted several times.',
      python: [['np.linalg.solve(gaussian(L, L, gamma), across.T)', 'across.T']],
      javascript: [['solve(gaussian(L, L, gamma), across.transpose())', 'across.transpose()']],
      cpp: [['solve(gaussian(L, L), transpose(across))', 'transpose(across)']],
    },
    {
      id: 'not-inverted',
      message:
        'You multiplied by K_LL. It has to be divided by: where X are the landmarks, K·K⁻¹·K is K.',
      python: [
        ['np.linalg.solve(gaussian(L, L, gamma), across.T)', 'gaussian(L, L, gamma) @ across.T'],
      ],
      javascript: [
        [
          'solve(gaussian(L, L, gamma), across.transpose())',
          'gaussian(L, L, gamma).times(across.transpose())',
        ],
      ],
      cpp: [
        ['solve(gaussian(L, L), transpose(across))', 'matmul(gaussian(L, L), transpose(across))'],
      ],
    },
    {
      id: 'whole-gram',
      message:
        'You returned the exact Gram matrix of X. It is what the approximation avoids: use the kernel with the landmarks only.',
      python: [
        ['across @ np.linalg.solve(gaussian(L, L, gamma), across.T)', 'gaussian(X, X, gamma)'],
      ],
      javascript: [
        ['across.times(solve(gaussian(L, L, gamma), across.transpose()))', 'gaussian(X, X, gamma)'],
      ],
      cpp: [['matmul(across, solve(gaussian(L, L), transpose(across)))', 'gaussian(X, X)']],
    },
    {
      id: 'linear-landmarks',
      message:
        'You inverted the products of the landmarks. Between both kernels stands the landmarks’ own Gaussian kernel.',
      python: [
        ['np.linalg.solve(gaussian(L, L, gamma), across.T)', 'np.linalg.pinv(L @ L.T) @ across.T'],
      ],
    },
    {
      id: 'distance-not-squared',
      message: 'Your exponent has the distance, not its square.',
      python: [['-gamma * (gaps**2).sum(axis=2)', '-gamma * np.sqrt((gaps**2).sum(axis=2))']],
      javascript: [['squared.maximum(0).mul', 'squared.maximum(0).sqrt().mul']],
      cpp: [['-gamma * sum(gaps * gaps, 2)', '-gamma * sqrt(sum(gaps * gaps, 2))']],
    },
  ],
  figure: {
    knobs: {
      m: { label: 'landmarks', min: 1, max: 12, value: 4 },
      gamma: { label: 'γ', min: 0.1, max: 4, step: 0.1, value: 1 },
    },
    args: ({ m = 4, gamma = 1 }) => [
      rows(Array.from({ length: 33 }, (_, i) => [(i - 16) / 4])),
      rows(Array.from({ length: m }, (_, i) => [-4 + (8 * (i + 0.5)) / m])),
      gamma,
    ],
    draw: { kind: 'matrix', rows: 'point', cols: 'point' },
    caption: 'K̃ for points along a line: exact around each landmark, near 0 far from all of them.',
  },
  source: {
    title: 'Using the Nyström Method to Speed Up Kernel Machines (Williams and Seeger 2001)',
    url: 'https://papers.nips.cc/paper/1866-using-the-nystrom-method-to-speed-up-kernel-machines',
    where: 'section 2',
  },
  reference: async ({ core }, [x, landmarks, gamma]) => {
    const features = await core.nystroemFeatures({
      kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
      x: matrixOf(x),
      landmarks: matrixOf(landmarks),
    });
    // The products of the features are the approximate kernel.
    return fromMatrix(await core.kernelGram({ kernel: { id: 'linear' }, x: features }));
  },
} as const satisfies Exercise;
