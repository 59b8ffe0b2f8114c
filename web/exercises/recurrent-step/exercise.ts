import { normal } from '../../src/exercises/common-inputs';
import { fromMatrix, fromVector, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

export const exercise = {
  id: 'recurrent-step',
  lab: 'linear-attention',
  order: 1,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['linear-attention-order'],
  title: 'Linear attention as a recurrent step',
  summary: 'Take in one token and answer its query from a state that never grows.',
  task: [
    'Causal linear attention needs no cache of past tokens. All it remembers is a matrix ' +
      '$S = \\sum_j \\varphi(k_j)\\, v_j^\\top$ and a vector $z = \\sum_j \\varphi(k_j)$ over the ' +
      'tokens so far: the same size after ten tokens as after a million.',
    'Write one step. `q` and `k` are features already, $\\varphi(q_t)$ and $\\varphi(k_t)$. First take ' +
      'the new token into the state, then read with its query:',
    '$$S_t = S_{t-1} + \\varphi(k_t)\\, v_t^\\top$$',
    '$$z_t = z_{t-1} + \\varphi(k_t)$$',
    '$$\\text{output} = \\frac{\\varphi(q_t)^\\top S_t}{\\varphi(q_t) \\cdot z_t + 10^{-6}}$$',
    'Return the output and the new state. The $10^{-6}$ is added to the denominator, so that a query ' +
      'whose features are all 0 gets 0 and not NaN. There is no factor $1/\\sqrt{d}$ here: whatever ' +
      'scaling there is belongs to the feature map.',
  ],
  entry: 'recurrent_step',
  parameters: [
    { name: 'S', type: 'matrix', shape: 'D×d_v', what: 'sum of φ(k)vᵀ so far' },
    { name: 'z', type: 'vector', shape: 'D', what: 'sum of φ(k) so far' },
    { name: 'q', type: 'vector', shape: 'D', what: "features of the token's query" },
    { name: 'k', type: 'vector', shape: 'D', what: "features of the token's key" },
    { name: 'v', type: 'vector', shape: 'd_v', what: "the token's value" },
  ],
  results: [
    { name: 'output', type: 'vector', shape: 'd_v', what: 'what the query reads' },
    { name: 'S', type: 'matrix', shape: 'D×d_v', what: 'the new S' },
    { name: 'z', type: 'vector', shape: 'D', what: 'the new z' },
  ],
  cases: [
    {
      name: 'the second token, by hand',
      args: [
        { make: 'values', shape: [2, 3], data: [1, 2, 3, 0, 0, 0] },
        { make: 'values', shape: [2], data: [1, 0] },
        { make: 'values', shape: [2], data: [1, 1] },
        { make: 'values', shape: [2], data: [0, 3] },
        { make: 'values', shape: [3], data: [4, 0, -4] },
      ],
    },
    {
      name: 'the first token: an empty state',
      args: [
        { make: 'full', shape: [4, 3], value: 0 },
        { make: 'full', shape: [4], value: 0 },
        { make: 'uniform', seed: 1, shape: [4], low: 0.1, high: 2 },
        { make: 'uniform', seed: 2, shape: [4], low: 0.1, high: 2 },
        { make: 'normal', seed: 3, shape: [3] },
      ],
    },
    {
      name: 'six features, values of width 4',
      args: [
        normal(6, 4, 4),
        { make: 'uniform', seed: 5, shape: [6], low: 1, high: 4 },
        { make: 'uniform', seed: 6, shape: [6], low: 0.1, high: 2 },
        { make: 'uniform', seed: 7, shape: [6], low: 0.1, high: 2 },
        { make: 'normal', seed: 8, shape: [4] },
      ],
    },
    {
      name: 'a query whose features are all 0',
      args: [
        normal(3, 2, 9),
        { make: 'uniform', seed: 10, shape: [3], low: 1, high: 4 },
        { make: 'full', shape: [3], value: 0 },
        { make: 'uniform', seed: 11, shape: [3], low: 0.1, high: 2 },
        { make: 'normal', seed: 12, shape: [2] },
      ],
    },
    {
      name: 'as many features as values are wide',
      hidden: true,
      args: [
        normal(5, 5, 13),
        { make: 'uniform', seed: 14, shape: [5], low: 1, high: 4 },
        { make: 'uniform', seed: 15, shape: [5], low: 0.1, high: 2 },
        { make: 'uniform', seed: 16, shape: [5], low: 0.1, high: 2 },
        { make: 'normal', seed: 17, shape: [5] },
      ],
    },
    {
      name: 'features of a thousandth',
      hidden: true,
      args: [
        { make: 'full', shape: [3, 2], value: 0 },
        { make: 'full', shape: [3], value: 0 },
        { make: 'uniform', seed: 18, shape: [3], low: 0.0005, high: 0.002 },
        { make: 'uniform', seed: 19, shape: [3], low: 0.0005, high: 0.002 },
        { make: 'normal', seed: 20, shape: [2] },
      ],
    },
    {
      name: 'one feature, one value',
      hidden: true,
      args: [
        { make: 'values', shape: [1, 1], data: [6] },
        { make: 'values', shape: [1], data: [2] },
        { make: 'values', shape: [1], data: [0.5] },
        { make: 'values', shape: [1], data: [1] },
        { make: 'values', shape: [1], data: [-3] },
      ],
    },
  ],
  drawn: (draw) => {
    const [features, dV] = [draw.integer(1, 8), draw.integer(1, 6)];
    const positive = (low: number, high: number): Input => ({
      ...{ make: 'uniform', seed: draw.seed(), shape: [features], low, high },
    });
    return [
      normal(features, dV, draw.seed()),
      positive(1, 4),
      positive(0.1, 2),
      positive(0.1, 2),
      { make: 'normal', seed: draw.seed(), shape: [dV] },
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-6,
    reason: 'The core works in float32: sums of a few products are exact to 1e-6 of their size.',
  },
  hints: [
    'Three lines: S grows, z grows, then the output is read from the new S and z.',
    'φ(k)vᵀ is an outer product: entry (a, b) is k[a]·v[b], as S has D rows and d_v columns.',
    'The query reads with q @ S, a vector of d_v numbers, over one number, q @ z + 1e-6.',
  ],
  variants: [
    {
      id: 'read-before-write',
      message:
        'You read from the state before the new token was in it, so a token does not see itself. ' +
        'Update first, then read.',
      python: [
        [
          '    # Write first, then read: a token sees itself.\n',
          '    output = (q @ S) / (q @ z + 1e-6)\n',
        ],
        ['    z = z + k\n    output = (q @ S) / (q @ z + 1e-6)\n', '    z = z + k\n'],
      ],
      javascript: [
        [
          'q.times(grownS).div(q.mul(grownZ).sum() + 1e-6)',
          'q.times(S).div(q.mul(z).sum() + 1e-6)',
        ],
      ],
    },
    {
      id: 'z-not-updated',
      message:
        'Your z stayed what it was. Each token adds its φ(k) to z as well, or the denominator knows ' +
        'nothing of it.',
      python: [['    z = z + k\n', '']],
      javascript: [['z.plus(k)', 'z.clone()']],
      cpp: [['z + k;', 'z;']],
    },
    {
      id: 'no-normaliser',
      message: 'The denominator is missing: divide what you read by φ(q)·z + 1e-6.',
      python: [['(q @ S) / (q @ z + 1e-6)', 'q @ S']],
      javascript: [['.div(q.mul(grownZ).sum() + 1e-6)', '']],
    },
    {
      id: 'no-epsilon',
      message:
        'A query whose features are all 0 divided 0 by 0. Add the small constant to the denominator.',
      evidence: 'fixed',
      python: [['q @ z + 1e-6', 'q @ z']],
      javascript: [['.sum() + 1e-6', '.sum()']],
      cpp: [[' + 1e-6', '']],
    },
    {
      id: 'state-overwritten',
      message:
        'Your new state holds only the new token: what came before is gone. Add to the state instead ' +
        'of replacing it.',
      python: [
        ['S = S + k[:, None]', 'S = k[:, None]'],
        ['z = z + k', 'z = k'],
      ],
    },
    {
      id: 'outer-product-transposed',
      message:
        'Your outer product is the wrong way round, v φ(k)ᵀ. S has a row for each feature and a ' +
        'column for each entry of the value.',
      python: [['k[:, None] * v[None, :]', 'v[:, None] * k[None, :]']],
      cpp: [['outer(k, v)', 'outer(v, k)']],
    },
    {
      id: 'query-written',
      message:
        'You wrote the features of the query into the state. Keys are stored, queries only read.',
      python: [
        ['S + k[:, None]', 'S + q[:, None]'],
        ['z + k', 'z + q'],
      ],
      javascript: [
        ['k.transpose().times(v)', 'q.transpose().times(v)'],
        ['z.plus(k)', 'z.plus(q)'],
      ],
    },
    {
      id: 'old-state-returned',
      message:
        'Your output is right, but you returned the state as it came in. The next token needs the new one.',
      python: [['return output, S, z', 'return output, S - k[:, None] * v[None, :], z - k']],
      javascript: [['[output, grownS, grownZ]', '[output, S, z]']],
    },
  ],
  figure: {
    knobs: {
      features: { label: 'features', min: 1, max: 64, value: 16 },
      width: { label: 'width of values', min: 1, max: 64, value: 16 },
      memory: { label: 'weight of the past', min: 0, max: 2, step: 0.1, value: 0.5 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ features = 16, width = 16, memory = 0.5, seed = 0 }) => [
      { make: 'normal', seed, shape: [features, width], scale: memory },
      { make: 'full', shape: [features], value: 1 },
      { make: 'uniform', seed: seed + 1000, shape: [features] },
      { make: 'uniform', seed: seed + 2000, shape: [features], high: 2 },
      { make: 'normal', seed: seed + 3000, shape: [width] },
    ],
    draw: {
      kind: 'matrix',
      path: [1],
      rows: 'features',
      cols: 'entries of the value',
      signed: true,
    },
    caption:
      'The state S after the step: with no past it is one outer product, rows and columns alike.',
  },
  source: {
    title: 'Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention',
    url: 'https://arxiv.org/abs/2006.16236',
    where: 'section 3.4, equations 16 to 20; ε as in its code',
  },
  reference: async ({ core }, [S, z, q, k, v]) => {
    const { output, state } = await core.linearAttention({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      featureMap: { id: 'identity' },
      causal: true,
      epsilon: 1e-6,
      state: { s: matrixOf(S), z: matrixOf(z) },
    });
    return [fromVector(output), fromMatrix(state.s), fromVector(state.z)];
  },
} as const satisfies Exercise;
