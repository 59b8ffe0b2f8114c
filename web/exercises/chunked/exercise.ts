import { normal } from '../../src/exercises/common-inputs';
import { fromMatrix, identity, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'chunked',
  lab: 'linear-attention',
  order: 2,
  difficulty: 3,
  minutes: 40,
  buildsOn: ['recurrent-step', 'create-causal-mask'],
  title: 'Causal linear attention in chunks',
  summary: 'Masked products inside a chunk, a state between chunks: causal, and linear in n.',
  task: [
    'Token by token, causal linear attention is linear in $n$ but cannot use matrix products; with a ' +
      'mask over $n \\times n$ scores it can, but is quadratic. In chunks it has both.',
    '`Q` and `K` are features already, $\\varphi(q_i)$ and $\\varphi(k_i)$ in their rows. Take ' +
      '`chunk_size` tokens at a time (the last chunk may be shorter) with the state $S$, $z$ of all ' +
      'chunks before, at first 0. For the rows of one chunk, $Q_c$, $K_c$, $V_c$:',
    '$$O_c = \\frac{Q_c S + A V_c}{Q_c z + A \\mathbf{1} + 10^{-6}}$$',
    'with $A = \\operatorname{tril}(Q_c K_c^\\top)$, and each row divided by its own denominator. ' +
      '$\\operatorname{tril}$ keeps the diagonal: a token sees itself. Then $S$ grows by $K_c^\\top V_c$ and $z$ by the sum of the rows of $K_c$. The result must ' +
      'not depend on `chunk_size`, and for a fixed one the work must grow with $n$, not with $n^2$.',
  ],
  entry: 'chunked_linear_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×D', what: 'features of the queries' },
    { name: 'K', type: 'matrix', shape: 'n×D', what: 'features of the keys' },
    { name: 'V', type: 'matrix', shape: 'n×d_v', what: 'values' },
    { name: 'chunk_size', type: 'integer', what: 'tokens in a chunk, at least 1' },
  ],
  results: [{ name: 'output', type: 'matrix', shape: 'n×d_v', what: 'one row for each token' }],
  cases: [
    {
      name: 'equal features: means of the past, by hand',
      args: [
        { make: 'full', shape: [4, 2], value: 1 },
        { make: 'full', shape: [4, 2], value: 1 },
        { make: 'values', shape: [4, 1], data: [2, 4, 9, 1] },
        2,
      ],
    },
    {
      name: 'eight tokens, chunks of 3',
      args: [
        { make: 'uniform', seed: 1, shape: [8, 4], low: 0.1, high: 2 },
        { make: 'uniform', seed: 2, shape: [8, 4], low: 0.1, high: 2 },
        normal(8, 5, 3),
        3,
      ],
    },
    {
      name: 'chunks of 1: the recurrent form',
      args: [
        { make: 'uniform', seed: 4, shape: [5, 3], low: 0.1, high: 2 },
        { make: 'uniform', seed: 5, shape: [5, 3], low: 0.1, high: 2 },
        normal(5, 2, 6),
        1,
      ],
    },
    {
      name: 'queries without features',
      args: [
        {
          make: 'uniform',
          seed: 7,
          shape: [4, 2],
          set: [
            [0, 0],
            [1, 0],
            [6, 0],
            [7, 0],
          ],
        },
        { make: 'uniform', seed: 8, shape: [4, 2], low: 0.1, high: 2 },
        normal(4, 3, 9),
        2,
      ],
    },
    {
      name: 'a chunk longer than the sequence',
      hidden: true,
      args: [
        { make: 'uniform', seed: 10, shape: [6, 3], low: 0.1, high: 2 },
        { make: 'uniform', seed: 11, shape: [6, 3], low: 0.1, high: 2 },
        normal(6, 3, 12),
        16,
      ],
    },
    {
      name: 'twenty-five tokens, a last chunk of one',
      hidden: true,
      args: [
        { make: 'uniform', seed: 13, shape: [25, 8], low: 0.1, high: 2 },
        { make: 'uniform', seed: 14, shape: [25, 8], low: 0.1, high: 2 },
        normal(25, 4, 15),
        4,
      ],
    },
    {
      name: 'features of a thousandth',
      hidden: true,
      args: [
        { make: 'uniform', seed: 16, shape: [9, 3], low: 0.0005, high: 0.002 },
        { make: 'uniform', seed: 17, shape: [9, 3], low: 0.0005, high: 0.002 },
        normal(9, 2, 18),
        4,
      ],
    },
  ],
  drawn: (draw) => {
    const [n, d] = [draw.integer(4, 30), draw.integer(1, 8)];
    return [
      { make: 'uniform', seed: draw.seed(), shape: [n, d], low: 0.1, high: 2 },
      { make: 'uniform', seed: draw.seed(), shape: [n, d], low: 0.1, high: 2 },
      normal(n, draw.integer(1, 6), draw.seed()),
      draw.integer(1, n + 2),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32 and adds in another order: sums of positive features are exact to 1e-6 ' +
      'of their size.',
  },
  cost: {
    sizes: [32, 64, 128, 512],
    args: (n, draw) => {
      const d = draw.integer(3, 5);
      return [
        { make: 'uniform', seed: draw.seed(), shape: [n, d], low: 0.1, high: 2 },
        { make: 'uniform', seed: draw.seed(), shape: [n, d], low: 0.1, high: 2 },
        normal(n, draw.integer(3, 5), draw.seed()),
        8,
      ];
    },
    maxSlope: 1.3,
    most: (n) => 3000 * n,
    wanted: 'n·(2·D·d_v + C·(D + d_v)) multiply-adds with chunks of C',
  },
  hints: [
    'Start from the recurrent step and let one step take in a whole chunk: S grows by K_cᵀV_c.',
    'What a token sees is in two parts: chunks before (through S and z) and its own chunk up to itself ' +
      '(through tril). Add them in numerator and denominator alike.',
    'Per chunk: A = tril(q @ k.T), numerator q @ S + A @ v, denominator q @ z + row sums of A + 1e-6, ' +
      'and only then update S and z.',
  ],
  variants: [
    {
      id: 'inside-not-causal',
      message:
        'Inside a chunk your tokens see later ones: chunks of 1 come out right, larger ones do not. ' +
        'Mask the products within the chunk.',
      python: [['np.tril(q @ k.T)', 'q @ k.T']],
      javascript: [['(j <= i ? x : 0)', 'x']],
      cpp: [['tril(matmul(q, transpose(k)))', 'matmul(q, transpose(k))']],
    },
    {
      id: 'itself-left-out',
      message: 'Your tokens do not see themselves: keep the diagonal of the products in the chunk.',
      python: [['np.tril(q @ k.T)', 'np.tril(q @ k.T, -1)']],
      javascript: [['j <= i ?', 'j < i ?']],
    },
    {
      id: 'state-not-carried',
      message:
        'Each chunk began anew, or knew only the one before it. S and z have to add up over all chunks.',
      evidence: 'fixed',
      python: [
        ['S = S + k.T @ v', 'S = k.T @ v'],
        ['z = z + k.sum(axis=0)', 'z = k.sum(axis=0)'],
      ],
      javascript: [
        ['S.plus(k.transpose().times(v))', 'k.transpose().times(v)'],
        ['z.plus(k.sumCols())', 'k.sumCols()'],
      ],
      cpp: [
        ['S = S + matmul', 'S = matmul'],
        ['z = z + sum', 'z = sum'],
      ],
    },
    {
      id: 'state-never-read',
      message:
        'Your chunks know nothing of the chunks before them: the part that comes from the state is ' +
        'missing.',
      python: [
        ['q @ S + inside @ v', 'inside @ v'],
        ['q @ z + inside.sum(axis=1)', 'inside.sum(axis=1)'],
      ],
    },
    {
      id: 'own-chunk-twice',
      message:
        'The chunk was in the state before its queries read, so its tokens count twice (and later ones ' +
        'are seen). Read first, then update S and z.',
      python: [
        [
          '        numerator = q @ S',
          '        S = S + k.T @ v\n        z = z + k.sum(axis=0)\n        numerator = q @ S',
        ],
        [
          '(denominator[:, None] + 1e-6)\n        S = S + k.T @ v\n        z = z + k.sum(axis=0)\n',
          '(denominator[:, None] + 1e-6)\n',
        ],
      ],
    },
    {
      id: 'no-normaliser',
      message: 'The denominator is missing: divide each row by what its query has met, plus 1e-6.',
      python: [['numerator / (denominator[:, None] + 1e-6)', 'numerator']],
      javascript: [['numerator.div(denominator.plus(1e-6))', 'numerator']],
    },
    {
      id: 'normaliser-of-state-only',
      message:
        'Your denominator counts only the chunks before. The tokens of the own chunk up to the query ' +
        'belong in it too.',
      python: [['q @ z + inside.sum(axis=1)', 'q @ z']],
    },
    {
      id: 'no-epsilon',
      message:
        'A query whose features are all 0 divided 0 by 0. Add the small constant to the denominator.',
      evidence: 'fixed',
      python: [['denominator[:, None] + 1e-6', 'denominator[:, None]']],
      javascript: [['denominator.plus(1e-6)', 'denominator']],
    },
    {
      id: 'last-chunk-dropped',
      message:
        'The tokens of the last, shorter chunk got no output. Go on as long as a chunk begins before ' +
        'the end.',
      python: [['range(0, n, chunk_size)', 'range(0, n - chunk_size + 1, chunk_size)']],
    },
    {
      id: 'one-chunk',
      message:
        'Your numbers are right, but the products of all pairs of tokens were computed. Mask inside ' +
        'one chunk at a time.',
      python: [['    n, D = Q.shape\n', '    n, D = Q.shape\n    chunk_size = n\n']],
      javascript: [['  let S =', '  chunkSize = Q.rows;\n  let S =']],
      cpp: [['  Array S =', '  chunk_size = n;\n  Array S =']],
      evidence: 'cost',
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 16 },
      features: { label: 'features', min: 1, max: 16, value: 4 },
      chunk: { label: 'tokens in a chunk', min: 1, max: 64, value: 4 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 16, features = 4, chunk = 4, seed = 0 }) => [
      { make: 'uniform', seed, shape: [n, features] },
      { make: 'uniform', seed: seed + 1000, shape: [n, features] },
      identity(n),
      chunk,
    ],
    draw: { kind: 'matrix', rows: 'tokens', cols: 'tokens they see' },
    caption:
      'The weights your sums amount to: the values are unit vectors. The size of a chunk must not show.',
  },
  source: {
    title: 'Transformer Quality in Linear Time',
    url: 'https://arxiv.org/abs/2202.10447',
    where: 'section 3.3: chunks; the formula with the normaliser of Transformers are RNNs',
  },
  reference: async ({ core }, [q, k, v, chunkSize]) => {
    const { output } = await core.linearAttention({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      featureMap: { id: 'identity' },
      causal: true,
      epsilon: 1e-6,
      chunk: numberOf(chunkSize),
    });
    return fromMatrix(output);
  },
} as const satisfies Exercise;
