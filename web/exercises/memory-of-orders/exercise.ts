import { numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'memory-of-orders',
  lab: 'complexity',
  order: 2,
  difficulty: 1,
  minutes: 6,
  buildsOn: ['count-operations'],
  title: 'Measure what lies between',
  summary: 'Both orders make a matrix on the way to the output: how many bytes does each one hold?',
  task: [
    'Each order of multiplying makes one matrix between the inputs and the output. $(QK^\\top)V$ makes the scores $QK^\\top$; $Q(K^\\top V)$ makes $K^\\top V$.',
    'Let $Q$ and $K$ be $n\\times d$ and $V$ be $n\\times d_v$, every number of a matrix taking `bytes_per_number` bytes. Write `memory_of_orders(n, d, d_v, bytes_per_number)`. It returns two numbers: the bytes of $QK^\\top$ and the bytes of $K^\\top V$.',
    'Count only this one matrix of each order: not the inputs, not the output. Return bytes, not KiB or MiB.',
  ],
  entry: 'memory_of_orders',
  parameters: [
    { name: 'n', type: 'integer', what: 'tokens: rows of Q, K and V' },
    { name: 'd', type: 'integer', what: 'columns of Q and K' },
    { name: 'd_v', type: 'integer', what: 'columns of V' },
    { name: 'bytes_per_number', type: 'integer', what: '4 for float32, 2 for float16' },
  ],
  results: [
    { name: 'standard', type: 'number', what: 'bytes of QKᵀ' },
    { name: 'linear', type: 'number', what: 'bytes of KᵀV' },
  ],
  cases: [
    { name: 'three tokens, by hand', args: [3, 2, 5, 4] },
    { name: '4096 tokens in float32', args: [4096, 64, 64, 4] },
    { name: 'values narrower than keys, float16', args: [1000, 64, 16, 2] },
    { name: 'a million tokens', args: [1_000_000, 128, 64, 4] },
    { name: 'one token in float64', hidden: true, args: [1, 8, 6, 8] },
    { name: 'fewer tokens than columns', hidden: true, args: [20, 96, 128, 4] },
    { name: 'one byte a number', hidden: true, args: [70_000, 32, 48, 1] },
  ],
  drawn: (draw) => [
    draw.integer(1, 9999),
    draw.integer(1, 256),
    draw.integer(1, 256),
    draw.pick([1, 2, 4, 8]),
  ],
  tolerance: { rtol: 0, atol: 0, reason: 'Whole numbers below 2⁵³ are exact in float64.' },
  hints: [
    'What is the shape of QKᵀ? And that of KᵀV? One of them does not depend on n.',
    'A matrix of r rows and c columns holds r·c numbers.',
    'Each number takes bytes_per_number bytes.',
  ],
  variants: [
    {
      id: 'no-bytes',
      message: 'You returned how many numbers the matrices hold. How many bytes does each take?',
      evidence: 'fixed',
      python: [
        ['n * n * bytes_per_number', 'n * n'],
        ['d * d_v * bytes_per_number', 'd * d_v'],
      ],
      javascript: [
        ['n * n * bytesPerNumber', 'n * n'],
        ['d * dV * bytesPerNumber', 'd * dV'],
      ],
      cpp: [
        ['n * n * bytes_per_number', 'n * n + 0 * bytes_per_number'],
        ['d * d_v * bytes_per_number', 'd * d_v'],
      ],
    },
    {
      id: 'square-d',
      message: 'Your second matrix is d×d. KᵀV has one column for each column of V.',
      python: [['d * d_v * bytes_per_number', 'd * d * bytes_per_number']],
      javascript: [['d * dV * bytesPerNumber', 'd * d * bytesPerNumber']],
      cpp: [['d * d_v * bytes_per_number', 'd * d * bytes_per_number + 0 * d_v']],
    },
    {
      id: 'grows-with-n',
      message:
        'Your KᵀV grows with the number of tokens. Its rows are the columns of K: the sum over tokens is already taken.',
      python: [['d * d_v * bytes_per_number', 'n * d_v * bytes_per_number']],
    },
    {
      id: 'linear-in-n',
      message:
        'Your QKᵀ is n×d. It holds a score for every pair of tokens; look at its shape again.',
      python: [['n * n * bytes_per_number', 'n * d * bytes_per_number']],
    },
    {
      id: 'bits',
      message: 'Your numbers are eight times too large: bits. Return bytes.',
      python: [['return standard, linear', 'return 8 * standard, 8 * linear']],
    },
    {
      id: 'mebibytes',
      message: 'You returned MiB. Return bytes: do not divide by 1024².',
      python: [['return standard, linear', 'return standard / 1024**2, linear / 1024**2']],
    },
    {
      id: 'swapped',
      message: 'Your two numbers are the right ones in the wrong places: standard comes first.',
      python: [['return standard, linear', 'return linear, standard']],
      javascript: [['return [standard, linear]', 'return [linear, standard]']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 65_536, value: 4096 },
      d: { label: 'columns of Q and K, d', min: 1, max: 256, value: 64 },
      d_v: { label: 'columns of V, d_v', min: 1, max: 256, value: 64 },
      bytes: { label: 'bytes of a number', min: 1, max: 8, value: 4 },
    },
    args: ({ n = 4096, d = 64, d_v = 64, bytes = 4 }) => [n, d, d_v, bytes],
    draw: {
      kind: 'curve',
      x: 'n',
      values: [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536],
      y: 'bytes',
      log: true,
    },
    caption:
      'Bytes of the matrix in the middle over the number of tokens. The scores grow with n²; KᵀV stays as it is.',
  },
  source: {
    title: 'Lab 02: The Kernel Trick',
    where: 'Standard and linear order: “explicitly form the (n, n) matrix”, “never form it”',
  },
  reference: async ({ core }, args) => {
    const [n, d, dV] = [numberOf(args[0]), numberOf(args[1]), numberOf(args[2])];
    const bytes = numberOf(args[3]);
    // A band as wide as the matrix has all of its cells.
    const scores = await core.bandCells({ n, w: n });
    // The state of linear attention is KᵀV and, for the normaliser, d numbers more.
    const state = await core.stateFloats({ kind: 'linear', heads: 1, D: d, dV });
    return [scores * bytes, (state - d) * bytes];
  },
} as const satisfies Exercise;
