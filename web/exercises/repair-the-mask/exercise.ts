import {
  fallingScores,
  largeScores,
  normal,
  positiveValues,
  rows,
} from '../../src/exercises/common-inputs';
import { fromMatrix, identity, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'repair-the-mask',
  lab: 'surgeon',
  order: 21,
  difficulty: 1,
  minutes: 12,
  buildsOn: ['create-causal-mask', 'attention'],
  title: 'Repair the mask',
  summary: 'Two snippets of a course text, each right on its own, keep the wrong half together.',
  task: [
    'A course text makes its causal mask of $0$ (may be seen) and $-\\infty$ (may not): the mask is to be added to the scores. Elsewhere the same text applies a mask with `masked_fill(mask == 0, -inf)`, which is for masks of $1$ (may be seen) and $0$ (may not). The code that you begin with puts the two together. It runs, and a part of its result even looks like weights.',
    'Run it first and look at the picture: which half of the matrix has the weight, and which row is NaN? Then repair it. `causal_attention(Q, K, V)` returns the output $n\\times d_v$ and the weights $n\\times n$ of causal attention: query $i$ sees the keys $j\\le i$, and its softmax runs over those.',
    'Changing NaN into 0 afterwards does not repair anything: it hides the one row that gives the mistake away. Scores may be as large as 1000.',
  ],
  entry: 'causal_attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'n×d_v', what: 'values' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'weights times V' },
    { name: 'weights', type: 'matrix', shape: 'n×n', what: '0 above the diagonal' },
  ],
  given: {
    python: `    n = Q.shape[0]
    # 0 where a query may look, minus infinity where it may not.
    mask = np.triu(np.full((n, n), -np.inf), k=1)
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores = np.where(mask == 0, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights`,
    javascript: `  const n = Q.rows;
  // 0 where a query may look, -Infinity where it may not.
  const mask = Matrix.zeros(n, n).map((_, i, j) => (j > i ? -Infinity : 0));
  let scores = Q.times(K.transpose()).div(Math.sqrt(K.cols));
  scores = scores.map((score, i, j) => (mask.get(i, j) === 0 ? -Infinity : score));
  const exps = scores.minus(scores.maxRows()).exp();
  const weights = exps.div(exps.sumRows());
  return [weights.times(V), weights];`,
    cpp: `  const Index n = Q.shape(0);
  // 0 where a query may look, minus infinity where it may not.
  const Array mask = triu(full({n, n}, -INFINITY), 1);
  Array scores = matmul(Q, transpose(K)) / std::sqrt(K.shape(1));
  scores = where(mask == 0.0, -INFINITY, scores);
  const Array exps = exp(scores - max(scores, 1, true));
  const Array weights = exps / sum(exps, 1, true);
  return {matmul(weights, V), weights};`,
  },
  cases: [
    {
      name: 'equal scores, by hand',
      args: [rows([[0], [0], [0]]), rows([[1], [2], [3]]), rows([[10], [20], [60]])],
    },
    { name: 'five tokens', args: [normal(5, 4, 1), normal(5, 4, 2), normal(5, 3, 3)] },
    { name: 'one token', args: [normal(1, 3, 4), normal(1, 3, 5), normal(1, 2, 6)] },
    {
      name: 'twelve tokens, wide values',
      hidden: true,
      args: [normal(12, 6, 7), normal(12, 6, 8), normal(12, 9, 9)],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        rows([
          [20, 20, 20, 20],
          [-20, -20, -20, -20],
          [20, 0, 0, 0],
        ]),
        rows([
          [25, 25, 25, 25],
          [25, 25, 25, 24.875],
          [-25, -25, -25, -25],
        ]),
        rows([
          [1, 2],
          [3, 4],
          [5, 6],
        ]),
      ],
    },
    {
      name: 'scores near 0, of both signs',
      hidden: true,
      args: [normal(8, 4, 10, 0.2), normal(8, 4, 11, 0.2), normal(8, 4, 12)],
    },
  ],
  drawn: (draw, nth) => {
    const [n, d] = [draw.integer(3, 10), draw.integer(2, 6)];
    const v = positiveValues(n, draw.integer(1, 5), draw);
    if (nth === 1) return [...fallingScores(n, n, draw, -1), v];
    return nth === 2
      ? [...largeScores(n, n, draw), v]
      : [normal(n, d, draw.seed()), normal(n, d, draw.seed()), v];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: about seven digits of scores, a few fewer after exp.',
  },
  hints: [
    'Print the mask for n = 3. In which cells is `mask == 0` true: in those that may be seen, or in the others?',
    'The last row of the mask is all 0. What does the given code make of that row?',
    'There are two ways, and either will do: keep the mask and add it to the scores, or keep the masked fill and make a mask of ones and zeros.',
  ],
  variants: [
    {
      id: 'as-given',
      message:
        'The code still keeps exactly the half that it should hide: `mask == 0` is true where a query may look. The last query loses everything, so its row is NaN.',
      python: [['scores + mask', 'np.where(mask == 0, -np.inf, scores)']],
      javascript: [
        [
          'scores.plus(mask)',
          'scores.map((score, i, j) => (mask.get(i, j) === 0 ? -Infinity : score))',
        ],
      ],
      cpp: [['scores = scores + mask', 'scores = where(mask == 0.0, -INFINITY, scores)']],
    },
    {
      id: 'nan-hidden',
      message:
        'You turned NaN into 0 and left the mistake: every query still looks at the future only, and now nothing tells. Which cells does `mask == 0` name?',
      python: [
        ['scores + mask', 'np.where(mask == 0, -np.inf, scores)'],
        [
          'weights / weights.sum(axis=1, keepdims=True)',
          'np.nan_to_num(weights / weights.sum(axis=1, keepdims=True))',
        ],
      ],
      javascript: [
        [
          'scores.plus(mask)',
          'scores.map((score, i, j) => (mask.get(i, j) === 0 ? -Infinity : score))',
        ],
        ['exps.div(exps.sumRows())', 'exps.div(exps.sumRows()).map((weight) => weight || 0)'],
      ],
      cpp: [
        ['scores = scores + mask', 'scores = where(mask == 0.0, -INFINITY, scores)'],
        ['exps / sum(exps, 1, true)', 'nan_to_num(exps / sum(exps, 1, true))'],
      ],
    },
    {
      id: 'reverse',
      message:
        'Your queries see themselves and the future: that is the reverse mask. No row is NaN any more, but it is the wrong triangle.',
      python: [
        ['np.triu(np.full((n, n), -np.inf), k=1)', 'np.tril(np.full((n, n), -np.inf), k=-1)'],
      ],
      javascript: [['j > i ? -Infinity', 'j < i ? -Infinity']],
      cpp: [['triu(full({n, n}, -INFINITY), 1)', 'tril(full({n, n}, -INFINITY), -1)']],
    },
    {
      id: 'without-itself',
      message:
        'Your mask hides the diagonal as well: the first query sees nothing, and its row is NaN. A token may see itself.',
      python: [['-np.inf), k=1)', '-np.inf), k=0)']],
      javascript: [['j > i', 'j >= i']],
      cpp: [['-INFINITY), 1)', '-INFINITY), 0)']],
    },
    {
      id: 'no-mask',
      message: 'Your weights are those without a mask: queries see the future.',
      python: [['scores + mask', 'scores']],
      javascript: [['scores.plus(mask)', 'scores']],
      cpp: [['scores = scores + mask', 'scores = scores + 0.0']],
    },
    {
      id: 'masked-with-zero',
      message:
        'Your hidden scores are 0, and exp(0) is 1: the future still gets weight. Only −∞ becomes a weight of 0.',
      python: [['scores + mask', 'np.where(mask == 0, scores, 0.0)']],
      javascript: [
        ['scores.plus(mask)', 'scores.map((score, i, j) => (mask.get(i, j) === 0 ? score : 0))'],
      ],
    },
    {
      id: 'mask-after-softmax',
      message:
        'You masked after the softmax: your rows no longer sum to 1. Mask the scores before it.',
      python: [
        ['scores + mask', 'scores'],
        [
          'return weights @ V',
          'weights = np.where(mask == 0, weights, 0.0)\n    return weights @ V',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 12 },
      seed: { label: 'seed', min: 0, max: 99, value: 3 },
    },
    args: ({ n = 12, seed = 3 }) => [normal(n, 8, seed), normal(n, 8, seed + 100), identity(n)],
    draw: { kind: 'matrix', path: [1], rows: 'query', cols: 'key' },
    caption:
      'The weights. A causal picture is empty above the diagonal. The given code fills exactly that triangle, and a cross marks the row that is no number.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'Task 3b, create_causal_mask, with Key Implementation Details, Masking',
  },
  reference: async ({ core }, [Q, K, V]) => {
    const { output, weights } = await core.attention({
      q: matrixOf(Q),
      k: matrixOf(K),
      v: matrixOf(V),
      mask: { kind: 'causal' },
    });
    return [fromMatrix(output), fromMatrix(weights)];
  },
} as const satisfies Exercise;
