import { qkv, rows, sizeKnobs } from '../../src/exercises/common-inputs';
import { featureMapOf, fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, GivenValue } from '../../src/exercises/types';

const maps = ['elu_plus_one', 'relu', 'squared_relu'] as const;
const map = (name: string): GivenValue => ({ kind: 'given', name });

export const exercise = {
  id: 'compute-implicit-attention',
  lab: 'feature-maps',
  order: 5,
  difficulty: 1,
  minutes: 8,
  buildsOn: ['linear-attention-order'],
  title: 'The attention matrix that linear attention hides',
  summary: 'Weights from φ(q)·φ(k), each row divided by its sum.',
  task: [
    'Linear attention never forms its weights, but it has some: its output is $AV$ with $A_{ij} = \\varphi(q_i)\\cdot\\varphi(k_j) \\,/\\, \\bigl(\\sum_l \\varphi(q_i)\\cdot\\varphi(k_l) + \\varepsilon\\bigr)$, where $\\varepsilon = 10^{-6}$ as in the paper’s code.',
    'Write `compute_implicit_attention(Q, K, feature_map)`. It returns $A$, with a row for each query. `feature_map` is $\\varphi$, a function from matrix to matrix.',
    'The $\\varepsilon$ is for queries that miss every key: with ReLU their sum is exactly 0, and their weights should be 0 rather than NaN. It is added, not used as a floor. There is no factor $1/\\sqrt d$.',
  ],
  entry: 'compute_implicit_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'feature_map', type: 'feature_map', what: 'φ, from n×d to n×D' },
  ],
  results: [{ name: 'weights', type: 'matrix', shape: 'n×m', what: 'A' }],
  cases: [
    {
      name: 'by hand, ReLU; the last query misses every key',
      args: [
        rows([
          [1, 2],
          [-1, 1],
          [-1, -2],
        ]),
        rows([
          [1, 0],
          [2, 1],
        ]),
        map('relu'),
      ],
    },
    {
      name: 'six tokens, ELU + 1',
      args: [...qkv({ n: 6, d: 4, seed: 61 }).slice(0, 2), map('elu_plus_one')],
    },
    {
      name: 'more keys than queries, squared ReLU',
      args: [...qkv({ n: 4, m: 7, d: 6, seed: 62 }).slice(0, 2), map('squared_relu')],
    },
    {
      name: 'tiny features, beside which ε counts',
      args: [...qkv({ n: 4, m: 3, d: 4, seed: 63, scale: 0.02 }).slice(0, 2), map('squared_relu')],
    },
    {
      name: 'one query, one key',
      hidden: true,
      args: [...qkv({ n: 1, d: 3, seed: 64 }).slice(0, 2), map('elu_plus_one')],
    },
    {
      name: 'identity: a negative sum',
      hidden: true,
      args: [
        rows([
          [1, -1],
          [2, 1],
        ]),
        rows([
          [1, 3],
          [-2, 1],
          [0.5, 0.5],
        ]),
        map('identity'),
      ],
    },
    {
      name: 'more queries than keys, ReLU with few columns',
      hidden: true,
      args: [...qkv({ n: 8, m: 3, d: 2, seed: 65 }).slice(0, 2), map('relu')],
    },
  ],
  drawn: (draw) => [
    ...qkv({
      n: draw.integer(1, 9),
      m: draw.integer(2, 9),
      d: draw.integer(1, 8),
      seed: draw.seed(),
    }).slice(0, 2),
    map(draw.pick(['elu_plus_one', 'relu', 'squared_relu'])),
  ],
  tolerance: {
    rtol: 1e-4,
    atol: 1e-6,
    reason: 'Sums and quotients in float32; ε itself moves a weight by about 1e-6.',
  },
  hints: [
    'First all similarities at once, as in the standard order: one product of matrices, n×m.',
    'Each query’s weights should sum to 1. Which axis of the n×m matrix do you sum along?',
    'Keep the sums as a column (keepdims=True), so that dividing broadcasts along the row, and add ε to them.',
  ],
  variants: [
    {
      id: 'over-queries',
      message:
        'Your columns sum to 1 instead of your rows: you sum over the queries. Each query divides by its own sum over the keys.',
      python: [['axis=1', 'axis=0']],
      javascript: [['sumRows()', 'sumCols()']],
      cpp: [['sum(scores, 1, true)', 'sum(scores, 0, true)']],
    },
    {
      id: 'not-normalised',
      message: 'These are the similarities φ(q)·φ(k). Divide each row by its sum plus ε.',
      python: [[' / (scores.sum(axis=1, keepdims=True) + 1e-6)', '']],
      javascript: [['scores.div(scores.sumRows().plus(1e-6))', 'scores']],
      cpp: [[' / (sum(scores, 1, true) + 1e-6)', '']],
    },
    {
      id: 'no-epsilon',
      message: 'Where a query misses every key you divide 0 by 0. Add ε = 1e-6 to the sum.',
      evidence: 'fixed',
      python: [[' + 1e-6', '']],
      javascript: [['.plus(1e-6)', '']],
    },
    {
      id: 'epsilon-as-floor',
      message:
        'You use ε as a lower bound of the sum. It is added here; beside tiny features the two differ.',
      evidence: 'fixed',
      python: [
        ['def compute', 'import numpy as np\n\n\ndef compute'],
        [
          '(scores.sum(axis=1, keepdims=True) + 1e-6)',
          'np.maximum(scores.sum(axis=1, keepdims=True), 1e-6)',
        ],
      ],
    },
    {
      id: 'divided-by-all',
      message:
        'All your weights together sum to 1. Each row should: sum along the keys, with keepdims=True.',
      python: [['.sum(axis=1, keepdims=True)', '.sum()']],
      javascript: [['scores.sumRows().plus(1e-6)', 'scores.sum() + 1e-6']],
    },
    {
      id: 'softmax-on-top',
      message:
        'You put φ(q)·φ(k) through a softmax. The point of φ is to do without: divide by the plain sum.',
      python: [
        ['def compute', 'import numpy as np\n\n\ndef compute'],
        [
          '    return scores /',
          '    scores = np.exp(scores - scores.max(axis=1, keepdims=True))\n    return scores /',
        ],
      ],
    },
    {
      id: 'keys-unmapped',
      message: 'The queries went through the feature map, the keys did not. It belongs on both.',
      python: [['feature_map(K).T', 'K.T']],
      cpp: [['transpose(feature_map(K))', 'transpose(K)']],
    },
    {
      id: 'map-unused',
      message:
        'These are quotients of plain q·k. Apply the feature map to Q and to K first, or sums will change their signs.',
      python: [
        ['feature_map(Q)', 'Q'],
        ['feature_map(K)', 'K'],
      ],
      javascript: [
        ['featureMap(Q)', 'Q'],
        ['featureMap(K)', 'K'],
      ],
    },
    {
      id: 'transposed',
      message: 'A row of yours belongs to a key. Queries are the rows of an attention matrix.',
      python: [
        ['+ 1e-6)', '+ 1e-6)).T'],
        ['return scores', 'return (scores'],
      ],
    },
  ],
  figure: {
    knobs: {
      ...sizeKnobs,
      map: { label: 'map: 1 ELU + 1, 2 ReLU, 3 squared ReLU', min: 1, max: 3, step: 1, value: 1 },
    },
    args: ({ n = 16, d = 8, seed = 1, map: choice = 1 }) => [
      ...qkv({ n, d, seed }).slice(0, 2),
      map(maps[choice - 1] ?? maps[0]),
    ],
    draw: { kind: 'matrix', rows: 'query', cols: 'key' },
    caption:
      'The implicit weights. ELU + 1 spreads them almost evenly; squared ReLU prefers few keys, and with few columns some queries see none at all.',
  },
  source: {
    title: 'Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention',
    url: 'https://arxiv.org/abs/2006.16236',
    where: 'section 3.2; Lab 03, compute_implicit_attention(Q, K, feature_map)',
  },
  reference: async ({ core }, [q, k, featureMap]) =>
    fromMatrix(
      await core.computeImplicitAttention({
        q: matrixOf(q),
        k: matrixOf(k),
        featureMap: featureMapOf(featureMap),
        epsilon: 1e-6,
      }),
    ),
} as const satisfies Exercise;
