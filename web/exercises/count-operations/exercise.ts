import { numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'count-operations',
  lab: 'complexity',
  order: 1,
  difficulty: 1,
  minutes: 8,
  buildsOn: [],
  title: 'Count the multiply-adds of both orders',
  summary:
    'The same three matrices, two orders of multiplying: how many multiply-adds does each take?',
  task: [
    'The product of an $a\\times b$ and a $b\\times c$ matrix has $a\\cdot c$ entries, each a sum of $b$ products: it takes $a\\cdot b\\cdot c$ multiply-adds.',
    'Let $Q$ and $K$ be $n\\times d$ and $V$ be $n\\times d_v$. Write `count_operations(n, d, d_v)`. It returns two numbers: the multiply-adds of $(QK^\\top)V$, the standard order, and those of $Q(K^\\top V)$, the linear order. Each order has two products; count both. No softmax, no feature map, no normaliser.',
    'A multiply-add counts once here. (Counted as FLOPs it would be two.) Do not make the matrices: for $n = 10^6$ they would not fit.',
  ],
  entry: 'count_operations',
  parameters: [
    { name: 'n', type: 'integer', what: 'tokens: rows of Q, K and V' },
    { name: 'd', type: 'integer', what: 'columns of Q and K' },
    { name: 'd_v', type: 'integer', what: 'columns of V' },
  ],
  results: [
    { name: 'standard', type: 'number', what: 'multiply-adds of (QKᵀ)V' },
    { name: 'linear', type: 'number', what: 'multiply-adds of Q(KᵀV)' },
  ],
  cases: [
    { name: 'three tokens, by hand', args: [3, 2, 4] },
    { name: 'the lesson’s n = 4096, d = 64', args: [4096, 64, 64] },
    { name: 'values narrower than keys', args: [100, 64, 16] },
    { name: 'a million tokens', args: [1_000_000, 64, 128] },
    { name: 'odd sizes, to the last digit', args: [9999, 255, 253] },
    { name: 'one token', hidden: true, args: [1, 8, 5] },
    { name: 'fewer tokens than columns', hidden: true, args: [16, 128, 32] },
    { name: 'values wider than keys', hidden: true, args: [30_000, 24, 96] },
  ],
  drawn: (draw) => [draw.integer(1, 9999), draw.integer(1, 256), draw.integer(1, 256)],
  tolerance: { rtol: 0, atol: 0, reason: 'Whole numbers below 2⁵³ are exact in float64.' },
  hints: [
    'Write down the shape of each intermediate result: QKᵀ in one order, KᵀV in the other.',
    'In the standard order the first product is n×d times d×n, the second n×n times n×d_v.',
    'In the linear order the first product is d×n times n×d_v, the second n×d times d×d_v.',
  ],
  variants: [
    {
      id: 'one-product',
      message:
        'You counted only the first product of each order. Each order multiplies twice; add the second product.',
      python: [
        ['n * n * d + n * n * d_v', 'n * n * d'],
        ['d * n * d_v + n * d * d_v', 'd * n * d_v'],
      ],
      javascript: [
        ['n * n * d + n * n * dV', 'n * n * d'],
        ['d * n * dV + n * d * dV', 'd * n * dV'],
      ],
      cpp: [
        ['n * n * d + n * n * d_v', 'n * n * d'],
        ['d * n * d_v + n * d * d_v', 'd * n * d_v'],
      ],
    },
    {
      id: 'forgot-d-v',
      message:
        'Your counts do not depend on d_v. V has d_v columns, and they need not be as many as those of Q and K.',
      python: [
        ['n * n * d + n * n * d_v', 'n * n * d + n * n * d'],
        ['d * n * d_v + n * d * d_v', 'd * n * d + n * d * d'],
      ],
      javascript: [
        ['n * n * d + n * n * dV', 'n * n * d + n * n * d'],
        ['d * n * dV + n * d * dV', 'd * n * d + n * d * d'],
      ],
    },
    {
      id: 'linear-square-d',
      message:
        'Your linear order counts n·d² for each product. The middle matrix KᵀV is d×d_v, not d×d.',
      python: [['d * n * d_v + n * d * d_v', 'd * n * d + n * d * d']],
    },
    {
      id: 'second-product-as-first',
      message:
        'Your standard order counts the first product twice. The second one multiplies the n×n scores with V, which has d_v columns.',
      python: [['n * n * d + n * n * d_v', 'n * n * d + n * n * d']],
    },
    {
      id: 'flops',
      message: 'Your counts are twice too large: these are FLOPs. Count a multiply-add as one.',
      python: [['return standard, linear', 'return 2 * standard, 2 * linear']],
      cpp: [
        ['static_cast<double>(standard)', '2.0 * static_cast<double>(standard)'],
        ['static_cast<double>(linear)', '2.0 * static_cast<double>(linear)'],
      ],
    },
    {
      id: 'swapped',
      message: 'Your two numbers are the right ones in the wrong places: standard comes first.',
      python: [['return standard, linear', 'return linear, standard']],
      javascript: [['return [standard, linear]', 'return [linear, standard]']],
    },
    {
      id: 'single-precision',
      message:
        'Your counts went through float32, which has no odd numbers above 2²⁴. Count with whole numbers.',
      python: [
        [
          'return standard, linear',
          'import numpy as np\n    return float(np.float32(standard)), float(np.float32(linear))',
        ],
      ],
      javascript: [
        ['return [standard, linear]', 'return [Math.fround(standard), Math.fround(linear)]'],
      ],
    },
    {
      id: 'entries-not-operations',
      message:
        'You counted the entries of the results, not the work. Every entry is a sum of products; multiply by how many.',
      python: [
        ['n * n * d + n * n * d_v', 'n * n + n * d_v'],
        ['d * n * d_v + n * d * d_v', 'd * d_v + n * d_v'],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 16_384, value: 1024 },
      d: { label: 'columns of Q and K, d', min: 1, max: 256, value: 64 },
      d_v: { label: 'columns of V, d_v', min: 1, max: 256, value: 16 },
    },
    args: ({ n = 1024, d = 64, d_v = 16 }) => [n, d, d_v],
    draw: {
      kind: 'curve',
      x: 'n',
      values: [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384],
      y: 'multiply-adds',
      log: true,
    },
    caption:
      'Multiply-adds of both orders over the number of tokens. On logarithmic axes n² is a line of slope 2 and n one of slope 1; they cross where the orders cost the same.',
  },
  source: {
    title: 'Lab 02: The Kernel Trick',
    where: 'The Math in Detail (which counts one of the two products)',
  },
  reference: async ({ core }, args) => {
    const [n, d, dV] = [numberOf(args[0]), numberOf(args[1]), numberOf(args[2])];
    const standard = await core.costOf({ mechanism: 'standard', shape: { n, dK: d, dV } });
    const linear = await core.linearMultiplyAdds({ n, D: d, dV, normalize: false });
    return [standard.multiplyAdds, linear];
  },
} as const satisfies Exercise;
