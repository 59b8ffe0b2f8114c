import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { fromVector, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const labels = (n: number): Input => vector(Array.from({ length: n }, (_, i) => (i % 2 ? -1 : 1)));

export const exercise = {
  id: 'smo-step',
  lab: 'kernels',
  order: 6,
  difficulty: 3,
  minutes: 30,
  buildsOn: ['gram-matrix', 'svm-decision'],
  title: 'Steps of sequential minimal optimisation',
  summary: 'How a support vector machine learns, two weights at a time.',
  task: [
    'A support vector machine maximises $\\sum_i \\alpha_i - \\frac{1}{2} \\sum_{i,j} \\alpha_i \\alpha_j y_i y_j K_{ij}$ with $0 \\le \\alpha_i \\le C$ and $\\sum_i \\alpha_i y_i = 0$, here with the Gaussian kernel $K_{ij} = e^{-\\gamma \\lVert x_i - x_j \\rVert^2}$. The sum has to stay 0, so SMO moves two weights in each step: $\\alpha_i y_i$ rises by a length $t$, and $\\alpha_j y_j$ falls by $t$.',
    'The score of a point is $s_p = y_p - \\sum_q \\alpha_q y_q K_{pq}$. A point can rise if $\\alpha_p < C$ where $y_p = 1$, or $\\alpha_p > 0$ where $y_p = -1$; it can fall in the opposite cases. Take as $i$ the point with the highest score that can rise. Take as $j$ the point that can fall, has $s_j < s_i$, and has the largest $(s_i - s_j)^2 / \\eta_{ij}$ with $\\eta_{ij} = K_{ii} + K_{jj} - 2 K_{ij}$. Of equal ones take the first.',
    'The best length is $t = (s_i - s_j)/\\eta_{ij}$, cut where $\\alpha_i$ or $\\alpha_j$ reaches $0$ or $C$.',
    'Write `smo(X, y, gamma, C, steps)`. It returns $\\alpha$ after that many steps from $\\alpha = 0$. There are at most three, and the machine has not converged before.',
  ],
  entry: 'smo',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'N×d', what: 'points, one in each row' },
    { name: 'y', type: 'vector', shape: 'N', what: 'their labels, 1 or −1' },
    { name: 'gamma', type: 'number', what: 'how fast the kernel falls, γ > 0' },
    { name: 'C', type: 'number', what: 'the bound of every weight' },
    { name: 'steps', type: 'integer', what: 'how many pairs are moved' },
  ],
  results: [{ name: 'alpha', type: 'vector', shape: 'N', what: 'the weights after the steps' }],
  cases: [
    { name: 'two points by hand', args: [rows([[0], [1]]), vector([1, -1]), 1, 10, 1] },
    { name: 'a step cut at C', args: [rows([[0], [1]]), vector([1, -1]), 1, 0.5, 1] },
    { name: 'which pair comes first', args: [normal(6, 2, 121), labels(6), 0.5, 10, 1] },
    { name: 'two cut steps', args: [normal(6, 2, 122), labels(6), 0.5, 0.25, 2] },
    {
      name: 'a free step after another',
      hidden: true,
      args: [rows([[0], [0.5], [4], [5.5]]), vector([1, -1, 1, -1]), 1, 20, 2],
    },
    { name: 'three cut steps', hidden: true, args: [normal(8, 3, 123), labels(8), 0.25, 0.25, 3] },
  ],
  drawn: (draw, nth) => {
    const n = draw.integer(6, 9);
    const d = draw.integer(2, 4);
    // Of the points that can fall at first, the first one is far from the one that rises, and the second is near.
    const along: Readonly<Record<number, number>> = { 0: 0, 1: 3, 3: 0.5 };
    const placed = Array.from({ length: n }, (_, p) =>
      Array.from({ length: d }, (_, c) =>
        p in along ? (c === 0 ? (along[p] as number) : 0) : draw.real(-2, 2),
      ),
    );
    return [
      nth === 0 ? rows(placed) : normal(n, d, draw.seed()),
      labels(n),
      [0.25, 0.5, 0.75][nth] ?? 0.5,
      [8, 0.25, 0.125][nth] ?? 0.25,
      [1, 2, 3][nth] ?? 1,
    ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-4,
    reason: 'float32 keeps 7 digits of K, and η of two near points is a small difference of them.',
  },
  hints: [
    'Start each step with all scores: y − K(α∘y). At α = 0 they are the labels.',
    'A point with y = 1 rises when its α grows, one with y = −1 when its α shrinks. So the room of i is C − α_i or α_i, by its label.',
    'The length is the smallest of three: (s_i − s_j)/η, the room of i to rise, and the room of j to fall. Then α_i += y_i·t and α_j −= y_j·t.',
  ],
  variants: [
    {
      id: 'no-clipping',
      message: 'Your weights go above C. Cut the length where one of the two reaches its bound.',
      python: [['min(ahead[j] / bend[j], room_i, room_j)', 'ahead[j] / bend[j]']],
      javascript: [['Math.min(free, roomI, roomJ)', 'free']],
      cpp: [['std::min({free, room_i, room_j})', 'free']],
    },
    {
      id: 'no-curvature',
      message:
        'You took as j the point with the lowest score alone. Its partner is the one with the largest (s_i − s_j)²/η, which looks at the kernel between both.',
      python: [['ahead**2 / np.maximum(bend, 1e-12)', 'ahead**2']],
      javascript: [['ahead ** 2 / bend', 'ahead ** 2']],
      cpp: [['ahead * ahead / bend', 'ahead * ahead']],
    },
    {
      id: 'no-mixed-part',
      message:
        'Your η lacks −2·K_ij. The step changes both weights, so the curvature along it has their kernel too.',
      python: [[' - 2 * K[i]', '']],
      javascript: [[' - 2 * K.get(i, t)', '']],
      cpp: [[' - 2 * K(i, t)', '']],
    },
    {
      id: 'label-of-j',
      message:
        'You took t away from α_j itself. What falls is α_j·y_j: for y_j = −1 the weight grows, else Σ α y does not stay 0.',
      python: [['alpha[j] -= y[j] * length', 'alpha[j] -= length']],
      javascript: [['alpha[j] -= y.get(0, j) * length', 'alpha[j] -= length']],
      cpp: [['alpha(j) - y(j) * length', 'alpha(j) - length']],
    },
    {
      id: 'one-step',
      message: 'You made one step and stopped. Compute the scores again and move the next pair.',
      python: [['range(steps)', 'range(1)']],
      javascript: [['step < steps', 'step < 1']],
    },
  ],
  figure: {
    knobs: {
      gamma: { label: 'γ', min: 0.1, max: 4, step: 0.1, value: 0.5 },
      C: { label: 'C', min: 0.1, max: 4, step: 0.1, value: 0.5 },
      steps: { label: 'steps', min: 1, max: 3, value: 2 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ gamma = 0.5, C = 0.5, steps = 2, seed = 1 }) => [
      normal(12, 2, seed),
      labels(12),
      gamma,
      C,
      steps,
    ],
    draw: {
      kind: 'curve',
      x: 'point',
      values: Array.from({ length: 12 }, (_, i) => i + 1),
      y: 'α',
    },
    caption:
      'The weights of twelve points after the steps: two of them move in each, none beyond C.',
  },
  source: {
    title: 'Working Set Selection Using Second Order Information (Fan, Chen and Lin 2005)',
    url: 'https://www.jmlr.org/papers/v6/fan05a.html',
    where: 'algorithm 2 and WSS 2',
  },
  reference: async ({ core }, [x, y, gamma, c, steps]) => {
    const { alpha } = await core.supportVectorClassification({
      x: matrixOf(x),
      y: matrixOf(y),
      kernel: { id: 'rbf', parameters: { gamma: numberOf(gamma) } },
      c: numberOf(c),
      tolerance: 1e-6,
      maxSteps: numberOf(steps),
    });
    return fromVector(alpha);
  },
} as const satisfies Exercise;
