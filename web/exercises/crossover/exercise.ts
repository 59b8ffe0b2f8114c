import { numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'crossover',
  lab: 'complexity',
  order: 3,
  difficulty: 1,
  minutes: 8,
  buildsOn: ['count-operations'],
  title: 'Find the crossover',
  summary: 'From how many tokens on does the linear order take fewer multiply-adds?',
  task: [
    'A feature map $\\varphi$ turns the $d$ columns of $Q$ and $K$ into $D$. Then $\\varphi(Q)$ and $\\varphi(K)$ are $n\\times D$, and $V$ is $n\\times d_v$.',
    'The standard order still works on $Q$ and $K$ themselves: $n^2 d + n^2 d_v$ multiply-adds. The linear order works on the features: $2\\,n\\,D\\,d_v$. (The normaliser and the feature map itself are left out.)',
    'Write `crossover(d, d_v, D)`: the length $n^*$ at which both take the same. It need not be a whole number; do not round it.',
  ],
  entry: 'crossover',
  parameters: [
    { name: 'd', type: 'integer', what: 'columns of Q and K' },
    { name: 'd_v', type: 'integer', what: 'columns of V' },
    { name: 'D', type: 'integer', what: 'features of φ' },
  ],
  results: [{ name: 'n_star', type: 'number', what: 'the length at which both cost the same' }],
  cases: [
    { name: 'by hand', args: [2, 3, 5] },
    { name: 'as many features as columns', args: [64, 64, 64] },
    { name: 'Taylor features of 16 columns', args: [16, 64, 273] },
    { name: 'one column each', args: [1, 1, 1] },
    { name: 'values narrower than keys', hidden: true, args: [64, 16, 256] },
    { name: 'many random features', hidden: true, args: [24, 48, 100_000] },
    { name: 'fewer features than columns', hidden: true, args: [128, 32, 10] },
  ],
  drawn: (draw) => [draw.integer(1, 256), draw.integer(1, 256), draw.integer(1, 9999)],
  tolerance: {
    rtol: 1e-9,
    atol: 0,
    reason: 'One division in float64; the order of factors is free.',
  },
  hints: [
    'Set the two counts equal. What can be divided out on both sides?',
    'After dividing by n: n·(d + d_v) on one side. What is left on the other?',
    'Solve for n. Check by hand: with d = d_v = D the answer is D.',
  ],
  variants: [
    {
      id: 'one-product-of-linear',
      message:
        'Your answer is half of n*. The linear order has two products, KᵀV and Q times it, and both take n·D·d_v.',
      python: [['2 * D * d_v', 'D * d_v']],
      javascript: [['2 * D * dV', 'D * dV']],
      cpp: [['2.0 * static_cast<double>(D * d_v)', '1.0 * static_cast<double>(D * d_v)']],
    },
    {
      id: 'always-D',
      message:
        'You returned D. That is right where d = d_v only; in general both widths have a say.',
      python: [['2 * D * d_v / (d + d_v)', 'D']],
      javascript: [['(2 * D * dV) / (d + dV)', 'D']],
    },
    {
      id: 'one-product-of-standard',
      message:
        'Your standard order has only its first product, n²·d. The scores times V take n²·d_v more.',
      python: [['/ (d + d_v)', '/ d']],
      javascript: [['(d + dV)', 'd']],
      cpp: [['static_cast<double>(d + d_v)', 'static_cast<double>(d)']],
    },
    {
      id: 'keys-for-values',
      message:
        'Your linear order counts 2·n·D·d. Its products sum φ(k)vᵀ, so the width of V counts there, not that of K.',
      python: [['2 * D * d_v', '2 * D * d']],
    },
    {
      id: 'd-for-D',
      message:
        'You put d where D belongs. d is the width of Q and K; the linear order works on their features, and of those there are D.',
      python: [['2 * D * d_v', '2 * d * d_v']],
      javascript: [['2 * D * dV', '2 * d * dV']],
      cpp: [['D * d_v', 'd * d_v']],
    },
    {
      id: 'rounded',
      message: 'You rounded. n* need not be a whole number; return it as it comes.',
      python: [['2 * D * d_v / (d + d_v)', '2 * D * d_v // (d + d_v)']],
    },
    {
      id: 'with-normaliser',
      message:
        'You counted the normaliser too. The task leaves it out: the linear order takes 2·n·D·d_v.',
      python: [['2 * D * d_v', '2 * D * (d_v + 1)']],
    },
    {
      id: 'upside-down',
      message: 'Your fraction is upside down: you returned 1/n*.',
      python: [['2 * D * d_v / (d + d_v)', '(d + d_v) / (2 * D * d_v)']],
    },
  ],
  figure: {
    knobs: {
      d: { label: 'columns of Q and K, d', min: 1, max: 256, value: 64 },
      d_v: { label: 'columns of V, d_v', min: 1, max: 256, value: 48 },
      features: { label: 'features D', min: 1, max: 4096, value: 256 },
    },
    args: ({ d = 64, d_v = 48, features = 256 }) => [d, d_v, features],
    draw: {
      kind: 'curve',
      x: 'features',
      values: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
      y: 'crossover n*',
      log: true,
    },
    caption:
      'The crossover over the number of features. Below the line the standard order takes fewer multiply-adds, above it the linear one.',
  },
  source: { title: 'Lab 02: The Kernel Trick', where: 'The Math in Detail' },
  reference: ({ core }, args) =>
    core.linearCrossover({
      dK: numberOf(args[0]),
      dV: numberOf(args[1]),
      D: numberOf(args[2]),
    }),
} as const satisfies Exercise;
