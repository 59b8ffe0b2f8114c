import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const phases = (D: number, seed: number): Input => ({
  ...{ make: 'uniform', shape: [D], seed },
  ...{ low: 0, high: 6.28125 },
});

export const exercise = {
  id: 'random-fourier-features',
  lab: 'kernel-attention',
  order: 1,
  difficulty: 2,
  minutes: 10,
  buildsOn: ['gram-matrix'],
  title: 'Random Fourier features',
  summary: 'Cosines of random frequencies whose products are a Gaussian kernel on average.',
  task: [
    'A kernel of $x - y$ is the mean of $2\\cos(w \\cdot x + b)\\cos(w \\cdot y + b)$ over frequencies $w$ from its Fourier transform and phases $b$ uniform in $[0, 2\\pi)$.',
    'With $D$ of them, $z(x) = \\sqrt{2/D}\\,\\cos(W^\\top x + b)$ has $z(x) \\cdot z(y) \\approx k(x, y)$.',
    'Write `random_fourier_features(X, W, b)`. It takes points as the rows of `X`, the frequencies as the columns of `W`, a phase for each of them, and returns the features, one row for each point.',
  ],
  entry: 'random_fourier_features',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d', what: 'points, one in each row' },
    { name: 'W', type: 'matrix', shape: 'd×D', what: 'frequencies, one in each column' },
    { name: 'b', type: 'vector', shape: 'D', what: 'phases' },
  ],
  results: [{ name: 'Z', type: 'matrix', shape: 'n×D', what: 'features' }],
  cases: [
    {
      name: 'one frequency by hand',
      args: [rows([[0], [1]]), rows([[2]]), { make: 'values', shape: [1], data: [0] }],
    },
    {
      name: 'four points, six features',
      args: [normal(4, 3, 61), normal(3, 6, 62), phases(6, 63)],
    },
    { name: 'one point', args: [normal(1, 2, 64), normal(2, 16, 65), phases(16, 66)] },
    {
      name: 'thirty-two features',
      hidden: true,
      args: [normal(5, 4, 67), normal(4, 32, 68), phases(32, 69)],
    },
    {
      name: 'as many features as points',
      hidden: true,
      args: [normal(5, 2, 70), normal(2, 5, 71), phases(5, 72)],
    },
  ],
  drawn: (draw) => {
    const [n, d, D] = [draw.integer(2, 6), draw.integer(2, 5), draw.integer(3, 12)];
    return [normal(n, d, draw.seed()), normal(d, D, draw.seed()), phases(D, draw.seed())];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-5,
    reason: 'float32 has 6 decimals of a phase of some units, and the cosine keeps them.',
  },
  hints: [
    'All phases at once: a matrix product and a row that is added to each of its rows.',
    'The factor makes the products means: there are D terms, and cos² is ½ on average.',
    'np.sqrt(2 / D), and D is W.shape[1].',
  ],
  variants: [
    {
      id: 'no-phase',
      message:
        'You left the phases b out. Without them z(x)·z(y) also has cos(w·(x + y)) in it, which is not a kernel of x − y.',
      python: [['X @ W + b', 'X @ W']],
      javascript: [['.plus(b)', '']],
      cpp: [['matmul(X, W) + b', 'matmul(X, W)']],
    },
    {
      id: 'no-factor',
      message: 'Your features lack the factor √(2/D), so their products grow with D.',
      python: [['np.sqrt(2 / W.shape[1]) * ', '']],
      javascript: [['.mul(Math.sqrt(2 / W.cols))', '']],
    },
    {
      id: 'factor-of-pairs',
      message:
        'Your factor is √(1/D): that is for pairs of cosine and sine. A cosine alone needs √(2/D).',
      python: [['np.sqrt(2 / W.shape[1])', 'np.sqrt(1 / W.shape[1])']],
      javascript: [['Math.sqrt(2 / W.cols)', 'Math.sqrt(1 / W.cols)']],
      cpp: [['std::sqrt(2.0', 'std::sqrt(1.0']],
    },
    {
      id: 'sine',
      message:
        'You took the sine. On average the products are the same, but the formula asks for the cosine.',
      python: [['np.cos', 'np.sin']],
      javascript: [['Math.cos', 'Math.sin']],
    },
    {
      id: 'width-of-points',
      message:
        'Your factor has d, the width of the points, where D, the number of features, belongs.',
      python: [['W.shape[1]', 'W.shape[0]']],
      cpp: [['W.shape(1)', 'W.shape(0)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'points', min: 1, max: 24, value: 8 },
      D: { label: 'features', min: 1, max: 64, value: 24 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 8, D = 24, seed = 0 }) => [
      normal(n, 2, seed),
      normal(2, D, seed + 1000),
      phases(D, seed + 2000),
    ],
    draw: { kind: 'matrix', rows: 'point', cols: 'feature', signed: true },
    caption: 'The features: each row a point, each column one cosine.',
  },
  source: {
    title: 'Random Features for Large-Scale Kernel Machines (Rahimi and Recht 2007)',
    url: 'https://papers.nips.cc/paper/3182-random-features-for-large-scale-kernel-machines',
    where: 'algorithm 1',
  },
  reference: async ({ core }, [x, w, b]) =>
    fromMatrix(
      await core.randomFourierFeatures({ x: matrixOf(x), w: matrixOf(w), b: matrixOf(b) }),
    ),
} as const satisfies Exercise;
