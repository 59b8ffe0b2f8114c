import { qkv, rows, sizeKnobs } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'standard-attention-order',
  lab: 'kernel-trick',
  order: 1,
  difficulty: 1,
  minutes: 4,
  buildsOn: [],
  title: 'Attention in the standard order',
  summary: 'First the scores of every query and key, then the values.',
  task: [
    'Compute $(QK^{\\top})V$ in the order in which it is written. First the scores $A = QK^{\\top}$: one number for every query and every key. Then the output $AV$.',
    'Write `standard_attention_order(Q, K, V)`. It returns two matrices: the output and the scores, in this order.',
    'There is no softmax here, no factor $1/\\sqrt d$ and no normaliser: this lab is about the order of the two products. Look at the shape of what stands in the middle.',
  ],
  entry: 'standard_attention_order',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: '(QKᵀ)V' },
    { name: 'scores', type: 'matrix', shape: 'n×m', what: 'QKᵀ' },
  ],
  cases: [
    {
      name: 'two tokens, by hand',
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
    { name: 'six tokens', args: qkv({ n: 6, d: 4, seed: 1 }) },
    { name: 'more keys than queries', args: qkv({ n: 4, m: 7, d: 3, dV: 2, seed: 2 }) },
    { name: 'one query, one key', hidden: true, args: qkv({ n: 1, d: 3, dV: 5, seed: 3 }) },
    {
      name: 'more queries than keys',
      hidden: true,
      args: qkv({ n: 9, m: 5, d: 6, dV: 8, seed: 4 }),
    },
    {
      name: 'entries around 30',
      hidden: true,
      args: qkv({ n: 5, m: 6, d: 4, seed: 5, scale: 30 }),
    },
  ],
  drawn: (draw) =>
    qkv({
      n: draw.integer(1, 9),
      m: draw.integer(2, 9),
      d: draw.integer(1, 6),
      dV: draw.integer(1, 6),
      seed: draw.seed(),
    }),
  tolerance: {
    rtol: 1e-5,
    atol: 1e-3,
    reason: 'The reference sums float32 products; entries that nearly cancel keep fewer digits.',
  },
  hints: [
    'Two products of matrices, nothing else. Write down the three shapes before you write the code.',
    'For QKᵀ to have an entry for query i and key j, the rows of Q meet the rows of K: K has to be turned on its side.',
    'The scores are n×m. They multiply V, which is m×d_v, from the left. Keep them: they are the second result.',
  ],
  variants: [
    {
      id: 'scaled',
      message:
        'Your scores are too small by the factor √d. Softmax attention divides by it; the plain products here do not.',
      python: [['Q @ K.T  #', 'Q @ K.T / Q.shape[1] ** 0.5  #']],
    },
    {
      id: 'softmax',
      message:
        'Your scores went through a softmax: every row sums to 1. Leave them as they are, this lab wants the bare products.',
      python: [
        ['def standard', 'import numpy as np\n\n\ndef standard'],
        [
          '    return scores @ V, scores',
          '    scores = np.exp(scores - scores.max(axis=1, keepdims=True))\n' +
            '    scores = scores / scores.sum(axis=1, keepdims=True)\n' +
            '    return scores @ V, scores',
        ],
      ],
    },
    {
      id: 'rows-sum-to-one',
      message:
        'You divided each row of scores by its sum. Nothing is normalised here, and such a sum can be 0.',
      python: [
        [
          '    return scores @ V, scores',
          '    scores = scores / scores.sum(axis=1, keepdims=True)\n    return scores @ V, scores',
        ],
      ],
    },
    {
      id: 'swapped',
      message: 'Both matrices are right, but in the wrong places: the output comes first.',
      python: [['return scores @ V, scores', 'return scores, scores @ V']],
      javascript: [['return [scores.times(V), scores]', 'return [scores, scores.times(V)]']],
      cpp: [['return {matmul(scores, V), scores}', 'return {scores, matmul(scores, V)}']],
    },
    {
      id: 'scores-transposed',
      message:
        'Your scores lie on their side: you return KQᵀ, with a row for every key. A row belongs to a query.',
      python: [['return scores @ V, scores', 'return scores @ V, scores.T']],
      javascript: [['scores.times(V), scores]', 'scores.times(V), scores.transpose()]']],
      cpp: [['matmul(scores, V), scores}', 'matmul(scores, V), transpose(scores)}']],
    },
    {
      id: 'keys-as-values',
      message: 'Your output is made of keys: the scores have to multiply V, not K.',
      python: [['return scores @ V, scores', 'return scores @ K, scores']],
    },
    {
      id: 'output-only',
      message: 'You return the output alone. The scores are wanted as well, as the second result.',
      python: [['return scores @ V, scores', 'return scores @ V']],
    },
  ],
  figure: {
    knobs: sizeKnobs,
    args: ({ n = 16, d = 8, seed = 1 }) => qkv({ n, d, seed }),
    draw: { kind: 'matrix', path: [1], rows: 'query', cols: 'key', signed: true },
    caption:
      'The scores QKᵀ, n×n of them: the matrix that the linear order never makes. Positive and negative in equal parts, since no softmax follows.',
  },
  source: {
    title: 'Lab 02: The Kernel Trick',
    where: 'standard_attention_order(Q, K, V)',
  },
  reference: async ({ core }, [q, k, v]) => {
    const { output, weights } = await core.standardAttentionOrder({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
    });
    return [fromMatrix(output), fromMatrix(weights)];
  },
} as const satisfies Exercise;
