import { qkv, rows, wholeNumbers } from '../../src/exercises/common-inputs';
import { dict, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

// 2⁶⁰ + 1 is 2⁶⁰ in float32 and in float64 alike, whatever the order of the two summands.
const huge = 2 ** 60;

export const exercise = {
  id: 'verify-associativity',
  lab: 'kernel-trick',
  order: 5,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['standard-attention-order', 'linear-attention-order'],
  title: 'Are both orders equal?',
  summary: 'Compare (QKᵀ)V with Q(KᵀV) on actual numbers, and say when two results count as equal.',
  task: [
    'In exact arithmetic $(QK^{\\top})V = Q(K^{\\top}V)$. A computer rounds after each step, so that two orders give two results. Measure how far they are apart.',
    'Write `verify_associativity(Q, K, V)`. Compute $S = (QK^{\\top})V$ and $L = Q(K^{\\top}V)$ and return three named results: `max_abs_difference`, the largest $|S - L|$; `max_rel_difference`, the largest $|S - L| / |L|$ among the entries with $L \\ne 0$ (0 if there are none); and `equal`: whether $|S - L| \\le 10^{-3} + 10^{-5}\\,|L|$ in every entry.',
    'Why the $10^{-3}$? The course text asks for `rtol=1e-5` alone. In float32 that fails for $n = 100$, $d = 64$ with every seed we tried, though nothing is wrong: where an entry nearly cancels, a small difference is large relative to it.',
  ],
  entry: 'verify_associativity',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
  ],
  results: [
    {
      name: 'report',
      type: 'dict',
      what: 'max_abs_difference, max_rel_difference and equal',
    },
  ],
  cases: [
    {
      name: 'whole numbers: no rounding at all',
      args: [
        rows([
          [1, 0],
          [2, -1],
        ]),
        rows([
          [1, 1],
          [0, 3],
        ]),
        rows([
          [1, 2],
          [3, 4],
        ]),
      ],
    },
    { name: 'eight random tokens', args: qkv({ n: 8, d: 4, seed: 13 }) },
    {
      name: 'the standard order loses a 1 beside 2⁶⁰',
      args: [
        rows([[1, 1]]),
        rows([
          [huge, 1],
          [-huge, 0],
        ]),
        rows([[1], [1]]),
      ],
    },
    {
      name: 'the same, with small values',
      args: [
        rows([[1, 1]]),
        rows([
          [huge, 1],
          [-huge, 0],
        ]),
        rows([[2 ** -12], [2 ** -12]]),
      ],
    },
    {
      name: 'the linear order loses a 2',
      hidden: true,
      args: [
        rows([[1, 1]]),
        rows([
          [huge, -huge],
          [2, 0],
        ]),
        rows([[1], [1]]),
      ],
    },
    {
      name: 'both results are 0',
      hidden: true,
      args: [
        ...qkv({ n: 3, d: 2, seed: 14 }).slice(0, 2),
        { make: 'full', shape: [3, 4], value: 0 },
      ],
    },
    {
      name: 'more keys than queries',
      hidden: true,
      args: qkv({ n: 5, m: 12, d: 3, dV: 2, seed: 15 }),
    },
    {
      name: 'only one of four entries differs',
      hidden: true,
      args: [
        rows([
          [1, 1],
          [0, 3],
        ]),
        rows([
          [huge, 1],
          [-huge, 0],
        ]),
        rows([
          [1, 0],
          [1, 0],
        ]),
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [a, b, v] = [draw.integer(1, 9), draw.integer(1, 9), draw.integer(1, 9)];
    // Each order loses what stands beside 2⁶⁰ in its first product: the sum of a and b, or a alone.
    const keys =
      nth === 0
        ? [
            [huge, a],
            [-huge, b],
          ]
        : [
            [huge, -huge],
            [a, 0],
          ];
    if (nth < 2) return [rows([[1, 1]]), rows(keys), rows([[v], [v]])];
    const [n, m, d] = [draw.integer(1, 6), draw.integer(1, 6), draw.integer(1, 5)];
    // Whole numbers: no rounding at all.
    return [
      wholeNumbers(n, d, draw),
      wholeNumbers(m, d, draw),
      wholeNumbers(m, draw.integer(1, 4), draw),
    ];
  },
  tolerance: {
    rtol: 1e-5,
    atol: 5e-4,
    reason:
      'The reference rounds to float32, Python to float64: differences that are rounding alone (below 5e-4) are not graded.',
  },
  hints: [
    'Brackets decide the order: (Q @ K.T) @ V and Q @ (K.T @ V) are different computations.',
    'Take absolute values before you look for the largest: a difference of −1 is as bad as one of 1.',
    'For the relative difference keep only the entries where L is not 0, and mind that there may be none. `equal` asks all entries, each with a bound of its own.',
  ],
  variants: [
    {
      id: 'same-order-twice',
      message:
        'Your two results never differ: you compute the same order twice. Without brackets Q @ K.T @ V is (QKᵀ)V already.',
      python: [['Q @ (K.T @ V)', 'Q @ K.T @ V']],
      javascript: [['Q.times(K.transpose().times(V))', 'Q.times(K.transpose()).times(V)']],
      cpp: [['matmul(Q, matmul(transpose(K), V))', 'matmul(matmul(Q, transpose(K)), V)']],
    },
    {
      id: 'signed',
      message:
        'A difference came out negative, and so passed every bound. Take its absolute value first.',
      python: [['np.abs(standard - linear)', 'standard - linear']],
      javascript: [['standard.minus(linear).map(Math.abs)', 'standard.minus(linear)']],
      cpp: [['abs(standard - linear)', 'standard - linear']],
    },
    {
      id: 'relative-bound-only',
      message:
        'Your `equal` says no where an entry nearly cancels: a bound relative to |L| alone leaves it no room. Add the absolute 1e-3.',
      evidence: 'fixed',
      python: [['1e-3 + 1e-5 * size', '1e-5 * size']],
      cpp: [['1e-3 + 1e-5 * size', '1e-5 * size']],
    },
    {
      id: 'exactly-equal',
      message:
        'Your `equal` wants the same bits. Rounding alone makes random inputs differ; allow |S − L| ≤ 1e-3 + 1e-5·|L|.',
      evidence: 'fixed',
      python: [['difference <= 1e-3 + 1e-5 * size', 'standard == linear']],
      javascript: [['gap - (1e-3 + 1e-5 * size.get(i, j))', 'gap']],
    },
    {
      id: 'relative-to-standard',
      message:
        'Your relative difference divides by |S|. Divide by |L|, the result of the linear order.',
      python: [['size = np.abs(linear)', 'size = np.abs(standard)']],
      javascript: [['size = linear.map', 'size = standard.map']],
      cpp: [['size = abs(linear)', 'size = abs(standard)']],
    },
    {
      id: 'mean',
      message:
        'You average the differences. One entry that is far off hides among many good ones; take the largest.',
      evidence: 'fixed',
      python: [
        ['difference.max()', 'difference.mean()'],
        ['relative.max()', 'relative.mean()'],
      ],
    },
    {
      id: 'zero-over-zero',
      message:
        'Your relative difference is not a number where L is 0: 0/0. Leave those entries out.',
      python: [['difference[size > 0] / size[size > 0]', '(difference / size).reshape(-1)']],
    },
    {
      id: 'one-is-enough',
      message: 'Your `equal` is true as soon as one entry agrees. Every entry has to.',
      evidence: 'fixed',
      python: [['np.all(', 'np.any(']],
      cpp: [['all(difference', 'any(difference']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 16 },
      d: { label: 'columns d', min: 1, max: 32, value: 8 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 16, d = 8, seed = 1 }) => qkv({ n, d, seed }),
    draw: {
      kind: 'curve',
      path: ['max_abs_difference'],
      x: 'n',
      values: [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
      y: 'largest |S − L|',
      log: true,
    },
    caption:
      'The largest difference over the number of tokens: pure rounding. The reference rounds to float32 (7 digits), Python and C++ to float64 (16 digits): nine powers of ten between them, and both grow with n.',
  },
  source: { title: 'Lab 02: The Kernel Trick', where: 'verify_associativity(Q, K, V)' },
  reference: async ({ core }, [q, k, v]) => {
    const report = await core.verifyAssociativity({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      rtol: 1e-5,
      atol: 1e-3,
    });
    return dict({
      max_abs_difference: report.maxDifference,
      max_rel_difference: report.maxRelativeDifference,
      equal: report.equal,
    });
  },
} as const satisfies Exercise;
