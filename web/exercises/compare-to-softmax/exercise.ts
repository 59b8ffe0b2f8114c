import { largeScores, qkv, rows } from '../../src/exercises/common-inputs';
import { dict, featureMapOf, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, GivenValue } from '../../src/exercises/types';

const maps = ['elu_plus_one', 'relu', 'squared_relu'] as const;
const map = (name: string): GivenValue => ({ kind: 'given', name });

export const exercise = {
  id: 'compare-to-softmax',
  lab: 'feature-maps',
  order: 6,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['compute-implicit-attention'],
  title: 'How far from softmax?',
  summary: 'Mean squared error, largest difference and correlation of two attention matrices.',
  task: [
    'Compare two attention matrices of the same queries and keys: softmax attention $P = \\operatorname{softmax}(QK^{\\top}/\\sqrt d)$, and the implicit attention $A$ of a feature map, $A_{ij} = \\varphi(q_i)\\cdot\\varphi(k_j) \\,/\\, \\bigl(\\sum_l \\varphi(q_i)\\cdot\\varphi(k_l) + 10^{-6}\\bigr)$. The course text leaves the $1/\\sqrt d$ out of its formula; softmax attention has it.',
    'Write `compare_to_softmax(Q, K, feature_map)`. It returns three named numbers over all $n \\cdot m$ cells: `mse`, the mean of $(A - P)^2$; `max_diff`, the largest $|A - P|$; and `correlation`, Pearson’s coefficient of the cells of $A$ and of $P$.',
    'Logits can be large. The softmax has to stand that.',
  ],
  entry: 'compare_to_softmax',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'feature_map', type: 'feature_map', what: 'φ, from n×d to n×D' },
  ],
  results: [{ name: 'metrics', type: 'dict', what: 'mse, max_diff and correlation' }],
  cases: [
    {
      name: 'two queries, three keys, ReLU',
      args: [
        rows([
          [1, 2],
          [-1, 1],
        ]),
        rows([
          [1, 0],
          [2, 1],
          [0, -1],
        ]),
        map('relu'),
      ],
    },
    {
      name: 'eight tokens, ELU + 1',
      args: [...qkv({ n: 8, d: 6, seed: 71 }).slice(0, 2), map('elu_plus_one')],
    },
    {
      name: 'more keys than queries, squared ReLU',
      args: [...qkv({ n: 4, m: 9, d: 4, seed: 72 }).slice(0, 2), map('squared_relu')],
    },
    {
      name: 'logits in the thousands, ELU + 1',
      args: [...qkv({ n: 5, m: 6, d: 4, seed: 73, scale: 40 }).slice(0, 2), map('elu_plus_one')],
    },
    {
      name: 'one query, ReLU',
      hidden: true,
      args: [...qkv({ n: 1, m: 6, d: 8, seed: 74 }).slice(0, 2), map('relu')],
    },
    {
      name: 'more queries than keys, ELU + 1',
      hidden: true,
      args: [...qkv({ n: 12, m: 5, d: 3, seed: 75 }).slice(0, 2), map('elu_plus_one')],
    },
    {
      name: 'a query that misses every key, ReLU',
      hidden: true,
      args: [
        rows([
          [-1, -2],
          [1, 0.5],
          [0.5, 2],
        ]),
        rows([
          [1, 1],
          [2, -1],
          [0, 3],
        ]),
        map('relu'),
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(3, 9), draw.integer(4, 9), draw.integer(3, 8)];
    return nth === 2
      ? [...largeScores(n, m, draw), map('elu_plus_one')]
      : [
          ...qkv({ n, m, d, seed: draw.seed() }).slice(0, 2),
          map(draw.pick(['elu_plus_one', 'relu', 'squared_relu'])),
        ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-5,
    reason:
      'Both matrices are float32 in the reference, and the correlation divides two small sums.',
  },
  hints: [
    'Make the two n×m matrices first. You may have functions for both already.',
    'For the softmax subtract each row’s largest logit before exp: e^1000 is not a number a computer has.',
    'np.corrcoef(a, b) of two flattened matrices is a 2×2 matrix: the correlation stands beside its diagonal.',
  ],
  variants: [
    {
      id: 'no-scale',
      message:
        'Your softmax is sharper than it should be: the factor 1/√d is missing. It keeps the logits of random vectors near 1.',
      python: [[' / np.sqrt(Q.shape[1])', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
      cpp: [[' / std::sqrt(static_cast<double>(Q.shape(1)))', '']],
    },
    {
      id: 'softmax-over-queries',
      message:
        'Your softmax runs over the queries: its columns sum to 1. Each query spreads its weight over the keys.',
      python: [
        ['logits.max(axis=1', 'logits.max(axis=0'],
        ['powers.sum(axis=1', 'powers.sum(axis=0'],
      ],
      javascript: [
        ['logits.maxRows()', 'logits.transpose().maxRows().transpose()'],
        ['powers.sumRows()', 'powers.sumCols()'],
      ],
      cpp: [
        ['max(logits, 1, true)', 'max(logits, 0, true)'],
        ['sum(powers, 1, true)', 'sum(powers, 0, true)'],
      ],
    },
    {
      id: 'no-max-subtraction',
      message:
        'Logits in the thousands give NaN: exp overflows and ∞/∞ is left. Subtract each row’s largest logit first; the quotient stays the same.',
      python: [['logits - logits.max(axis=1, keepdims=True)', 'logits']],
      cpp: [['exp(logits - max(logits, 1, true))', 'exp(logits)']],
    },
    {
      id: 'as-the-text-has-it',
      message:
        'Your softmax is the course text’s formula as it stands. Two things are missing: the factor 1/√d, and the largest logit of each row to subtract before exp overflows.',
      python: [
        [' / np.sqrt(Q.shape[1])', ''],
        ['logits - logits.max(axis=1, keepdims=True)', 'logits'],
      ],
      javascript: [
        ['.div(Math.sqrt(Q.cols))', ''],
        ['logits.minus(logits.maxRows()).exp()', 'logits.exp()'],
      ],
    },
    {
      id: 'no-epsilon',
      message:
        'Where a query misses every key your implicit weights are 0/0. Add 1e-6 to the row’s sum: such a row has weights of 0.',
      evidence: 'fixed',
      python: [[' + 1e-6', '']],
      cpp: [[' + 1e-6', '']],
    },
    {
      id: 'implicit-over-queries',
      message:
        'Your implicit weights sum to 1 down the columns. Each query divides by its own sum over the keys, as in the softmax.',
      python: [['scores.sum(axis=1', 'scores.sum(axis=0']],
    },
    {
      id: 'implicit-not-normalised',
      message:
        'You compare the softmax with bare φ(q)·φ(k). Divide each row by its sum first, so that both are weights.',
      python: [[' / (scores.sum(axis=1, keepdims=True) + 1e-6)', '']],
      javascript: [['scores.div(scores.sumRows().plus(1e-6))', 'scores']],
      cpp: [[' / (sum(scores, 1, true) + 1e-6)', '']],
    },
    {
      id: 'sum-of-squares',
      message: 'Your mse grows with the number of cells: you sum the squares. Take their mean.',
      python: [['(difference**2).mean()', '(difference**2).sum()']],
      javascript: [['mean(difference.mul(difference))', 'difference.mul(difference).sum()']],
      cpp: [['mean(square(difference))', 'sum(square(difference))']],
    },
    {
      id: 'root',
      message: 'Your mse is the root of the mean square. Without the root it is the mean square.',
      python: [['(difference**2).mean()', 'np.sqrt((difference**2).mean())']],
    },
    {
      id: 'mean-then-square',
      message:
        'You square the mean difference, which is almost 0 since both rows sum to 1. Square first, then average.',
      python: [['(difference**2).mean()', 'difference.mean() ** 2']],
    },
    {
      id: 'signed-maximum',
      message:
        'Your max_diff looks only at cells where A is above P. Take absolute values: too little counts as much as too much.',
      evidence: 'fixed',
      python: [['np.abs(difference).max()', 'difference.max()']],
      javascript: [['difference.map(Math.abs).max()', 'difference.max()']],
      cpp: [['max(abs(difference))', 'max(difference)']],
    },
    {
      id: 'cosine',
      message:
        'Your correlation is too high: it is the cosine of the two matrices. Subtract the mean weight from each first.',
      python: [
        [
          'np.corrcoef(implicit.ravel(), softmax.ravel())[0, 1]',
          '(implicit * softmax).sum() / np.sqrt((implicit**2).sum() * (softmax**2).sum())',
        ],
      ],
      javascript: [
        ['A.minus(mean(A))', 'A'],
        ['B.minus(mean(B))', 'B'],
      ],
    },
    {
      id: 'mean-of-rows',
      message:
        'You average one correlation per row. Here all cells count as one long list: flatten both matrices.',
      python: [
        [
          'np.corrcoef(implicit.ravel(), softmax.ravel())[0, 1]',
          'sum(np.corrcoef(a, b)[0, 1] for a, b in zip(implicit, softmax)) / len(Q)',
        ],
      ],
    },
    {
      id: 'whole-matrix',
      message:
        'Your correlation is a 2×2 matrix: np.corrcoef gives all pairs. Take the entry beside the diagonal.',
      python: [['softmax.ravel())[0, 1]', 'softmax.ravel())']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 16 },
      d: { label: 'columns d', min: 1, max: 32, value: 8 },
      scale: { label: 'size of the entries', min: 0.25, max: 4, step: 0.25, value: 1 },
      map: { label: 'map: 1 ELU + 1, 2 ReLU, 3 squared ReLU', min: 1, max: 3, step: 1, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 16, d = 8, scale = 1, map: choice = 1, seed = 1 }) => [
      ...qkv({ n, d, seed, scale }).slice(0, 2),
      map(maps[choice - 1] ?? maps[0]),
    ],
    draw: {
      kind: 'curve',
      path: ['correlation'],
      x: 'scale',
      values: [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4],
      y: 'correlation with softmax',
    },
    caption:
      'Correlation over the size of the entries. Large logits make softmax pick single keys; none of these maps follows it there.',
  },
  source: { title: 'Lab 03: Feature Maps', where: 'compare_to_softmax(Q, K, feature_map)' },
  reference: async ({ core }, [q, k, featureMap]) => {
    const keys = matrixOf(k);
    const { mse, maxDifference, correlation } = await core.compareToSoftmax({
      q: matrixOf(q),
      k: keys,
      // The outputs are of no interest here.
      v: { rows: keys.rows, cols: 1, data: new Float32Array(keys.rows) },
      featureMap: featureMapOf(featureMap),
      epsilon: 1e-6,
    });
    return dict({ mse, max_diff: maxDifference, correlation });
  },
} as const satisfies Exercise;
