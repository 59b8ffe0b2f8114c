import { largeScores, normal, positiveValues, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, identity, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

export const exercise = {
  id: 'attention',
  lab: 'surgeon',
  order: 1,
  difficulty: 2,
  minutes: 25,
  buildsOn: [],
  title: 'Scaled dot-product attention',
  summary: 'Scores, factor, mask, softmax, weighted sum: attention of one head from scratch.',
  task: [
    'Write `attention(Q, K, V, mask, scale)` for one head:',
    '$$\\operatorname{softmax}\\!\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V$$',
    'with $Q$ of shape $n\\times d_k$, $K$ of shape $m\\times d_k$ and $V$ of shape $m\\times d_v$. Return two results: the output, $n\\times d_v$, and the weights, $n\\times m$.',
    'If `scale` is false, leave the factor $1/\\sqrt{d_k}$ out.',
    'If there is a `mask` ($n\\times m$), query $i$ may see key $j$ where its entry is 1 and not where it is 0: set those scores to $-\\infty$ before the softmax. Every query sees at least one key here.',
    'Scores can be as large as ±1000. Neither may the weights be NaN then.',
  ],
  entry: 'attention',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    {
      name: 'mask',
      type: 'matrix',
      shape: 'n×m',
      what: '1 where a query may see a key, 0 where not; may be missing',
      default: null,
    },
    { name: 'scale', type: 'boolean', what: 'whether to divide by √d_k', default: true },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'weights times V' },
    { name: 'weights', type: 'matrix', shape: 'n×m', what: 'rows that sum to 1' },
  ],
  cases: [
    {
      name: 'two tokens, by hand',
      args: [
        rows([
          [2, 0, 0, 0],
          [0, 2, 0, 0],
        ]),
        rows([
          [1, 0, 0, 0],
          [0, 3, 0, 0],
        ]),
        rows([[10], [20]]),
        null,
        true,
      ],
    },
    {
      name: 'more keys than queries, narrow values',
      args: [normal(4, 8, 1), normal(6, 8, 2), normal(6, 3, 3), null, true],
    },
    {
      name: 'a causal mask',
      args: [
        normal(5, 4, 4),
        normal(5, 4, 5),
        normal(5, 4, 6),
        { make: 'mask', of: 'causal', shape: [5, 5] },
        true,
      ],
    },
    {
      name: 'without the factor',
      args: [normal(4, 6, 7), normal(5, 6, 8), normal(5, 2, 9), null, false],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        rows([
          [20, 0, 0, 0],
          [-20, 20, 0, 0],
          [0, 0, 1, 0],
        ]),
        rows([
          [100, 0, 0, 0],
          [0, 100, 0, 0],
          [0, 0, 1, 2],
        ]),
        rows([
          [1, 2],
          [3, 4],
          [5, 6],
        ]),
        null,
        true,
      ],
    },
    {
      name: 'a causal mask, and the largest scores are hidden',
      hidden: true,
      args: [
        { make: 'full', shape: [4, 1], value: 40 },
        { make: 'values', shape: [4, 1], data: [-40, -39.875, 39.875, 40] },
        { make: 'values', shape: [4, 2], data: [1, 8, 2, 4, 4, 2, 8, 1] },
        { make: 'mask', of: 'causal', shape: [4, 4] },
        true,
      ],
    },
    {
      name: 'a mask with holes, wide values',
      hidden: true,
      args: [
        normal(7, 4, 10),
        normal(5, 4, 11),
        normal(5, 9, 12),
        // The first column kept: no row is without a key.
        {
          make: 'mask',
          of: 'random',
          shape: [7, 5],
          seed: 3,
          keep: 0.5,
          set: [0, 5, 10, 15, 20, 25, 30].map((at) => [at, 1] as const),
        },
        true,
      ],
    },
    {
      name: 'one query, one key',
      hidden: true,
      args: [normal(1, 3, 13), normal(1, 3, 14), normal(1, 2, 15), null, true],
    },
    {
      name: 'a causal mask without the factor',
      hidden: true,
      args: [
        normal(6, 8, 16),
        normal(6, 8, 17),
        normal(6, 5, 18),
        { make: 'mask', of: 'causal', shape: [6, 6] },
        false,
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(2, 9), draw.integer(3, 9), draw.integer(1, 9)];
    const dV = draw.integer(1, 9);
    if (nth === 2) return [...largeScores(n, m, draw), positiveValues(m, dV, draw), null, true];
    const v = normal(m, dV, draw.seed());
    const q = normal(n, d, draw.seed());
    const k = normal(m, d, draw.seed());
    // The first column kept: no row is without a key.
    const set = Array.from({ length: n }, (_, row) => [row * m, 1] as const);
    const mask: Input = { make: 'mask', of: 'random', shape: [n, m], seed: draw.seed(), set };
    return [q, k, v, nth === 0 ? mask : null, nth === 0];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: about seven digits of scores, a few fewer after exp.',
  },
  hints: [
    'Five lines, in this order: scores, factor, mask, softmax over the keys, times V.',
    'softmax works row by row: each query shares out a weight of 1. Subtract the row’s largest score before exp.',
    'Keep the summed axis when you divide (`keepdims=True` in NumPy, `sumRows()` in JavaScript), so that each row is divided by its own sum.',
  ],
  variants: [
    {
      id: 'no-scale',
      message: 'Your scores are never divided by √d_k. Look at what `scale` asks for.',
      python: [['if scale:', 'if False:']],
      javascript: [['if (scale)', 'if (false)']],
      cpp: [['if (scale)', 'if (scale && false)']],
    },
    {
      id: 'always-scaled',
      message: 'You divide by √d_k even where `scale` is false.',
      python: [['if scale:', 'if True:']],
      javascript: [['if (scale)', 'if (true)']],
    },
    {
      id: 'scale-by-d',
      message: 'You divide the scores by d_k. The factor is its square root.',
      python: [['np.sqrt(K.shape[1])', 'K.shape[1]']],
      javascript: [['Math.sqrt(K.cols)', 'K.cols']],
      cpp: [['std::sqrt(K.shape(1))', 'static_cast<double>(K.shape(1))']],
    },
    {
      id: 'multiplied',
      message: 'You multiply by √d_k, which makes large scores larger still. The factor is 1/√d_k.',
      python: [['scores / np.sqrt', 'scores * np.sqrt']],
      javascript: [['scores.div(Math.sqrt', 'scores.mul(Math.sqrt']],
      cpp: [['scores / std::sqrt', 'scores * std::sqrt']],
    },
    {
      id: 'scale-by-d-v',
      message:
        'You divide by the square root of the width of V. The factor belongs to the scores, so it is the width of Q and K that counts.',
      python: [['np.sqrt(K.shape[1])', 'np.sqrt(V.shape[1])']],
      javascript: [['Math.sqrt(K.cols)', 'Math.sqrt(V.cols)']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows. Softmax goes over the keys: each query shares out one unit of weight.',
      python: [
        ['scores.max(axis=1, keepdims=True)', 'scores.max(axis=0, keepdims=True)'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=0, keepdims=True)'],
      ],
      javascript: [
        [
          'scores.minus(scores.maxRows()).exp()',
          'scores.transpose().minus(scores.transpose().maxRows()).exp().transpose()',
        ],
        ['weights.div(weights.sumRows())', 'weights.div(weights.sumCols())'],
      ],
      cpp: [
        ['max(scores, 1, true)', 'max(scores, 0, true)'],
        ['sum(weights, 1, true)', 'sum(weights, 0, true)'],
      ],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['scores = scores - scores.max(axis=1, keepdims=True)', 'scores = scores']],
      javascript: [['.minus(scores.maxRows())', '']],
      cpp: [['scores - max(scores, 1, true)', 'scores']],
    },
    {
      id: 'mask-after-softmax',
      message:
        'You masked after the softmax: the rows that lose weights no longer sum to 1. Mask the scores before it.',
      python: [
        ['np.where(mask == 0, -np.inf, scores)', 'scores'],
        [
          'return weights @ V',
          'weights = weights if mask is None else weights * mask\n    return weights @ V',
        ],
      ],
      javascript: [
        ['mask.get(i, j) === 0 ? -Infinity : score', 'score'],
        ['return [weights', 'if (mask) weights = weights.mul(mask);\n  return [weights'],
      ],
    },
    {
      id: 'mask-after-exp',
      message:
        'You mask after exp. The maximum then counts hidden scores: where they are much larger than those that are seen, all weights of a row are 0, and 0/0 is NaN. Put −∞ into the scores before the maximum.',
      python: [
        ['    if mask is not None:\n        scores = np.where(mask == 0, -np.inf, scores)\n', ''],
        [
          'weights = np.exp(scores)\n',
          'weights = np.exp(scores)\n    if mask is not None:\n        weights = weights * mask\n',
        ],
      ],
      javascript: [
        [
          '  if (mask) scores = scores.map((score, i, j) => (mask.get(i, j) === 0 ? -Infinity : score));\n',
          '',
        ],
        ['.exp();', '.exp();\n  if (mask) weights = weights.mul(mask);'],
      ],
      cpp: [
        [
          '  if (mask) scores = where(*mask == 0, -std::numeric_limits<double>::infinity(), scores);\n',
          '',
        ],
        [
          '  weights = weights / sum(weights, 1, true);',
          '  if (mask) weights = weights * *mask;\n  weights = weights / sum(weights, 1, true);',
        ],
      ],
      evidence: 'fixed',
    },
    {
      id: 'one-sum-for-all',
      message:
        'All your weights together sum to 1. Each row has a sum of its own: name the axis, and keep it.',
      python: [['weights.sum(axis=1, keepdims=True)', 'weights.sum()']],
      javascript: [['weights.sumRows()', 'weights.sum()']],
      cpp: [['sum(weights, 1, true)', 'sum(weights)']],
    },
    {
      id: 'axis-not-kept',
      message:
        'Your sums of the rows lie along the columns: without keepdims=True they are a row of numbers, and column j is divided by the sum of row j. Keep the axis.',
      python: [['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=1)']],
      cpp: [['sum(weights, 1, true)', 'sum(weights, 1)']],
      evidence: 'fixed',
    },
    {
      id: 'mask-with-zero',
      message:
        'Your masked scores are 0, and exp(0) is 1: blocked keys still get weight. Which score becomes a weight of 0?',
      python: [['-np.inf', '0.0']],
      javascript: [['-Infinity', '0']],
      cpp: [['-std::numeric_limits<double>::infinity()', '0.0']],
    },
    {
      id: 'mask-inverted',
      message:
        'Your mask is turned round: you block the keys that may be seen. In this mask 1 means “may be seen”.',
      python: [['mask == 0', 'mask != 0']],
      cpp: [['*mask == 0', '*mask != 0']],
    },
    {
      id: 'mask-added',
      message:
        'You added the mask to the scores. That is for masks of 0 and −∞; this one has 1 where a key may be seen and 0 where not.',
      python: [['np.where(mask == 0, -np.inf, scores)', 'scores + mask']],
    },
    {
      id: 'mask-ignored',
      message: 'Your weights do not change with the mask.',
      python: [['if mask is not None:', 'if False:']],
      javascript: [['if (mask)', 'if (false)']],
    },
    {
      id: 'swapped-results',
      message: 'You return the weights first. The output comes first, then the weights.',
      python: [['return weights @ V, weights', 'return weights, weights @ V']],
    },
    {
      id: 'sum-along-columns',
      message:
        'You divide by the sums of the columns. Each row has a sum of its own: it becomes a row of weights that sum to 1.',
      python: [['weights.sum(axis=1', 'weights.sum(axis=0']],
      javascript: [['weights.sumRows()', 'weights.sumCols()']],
      cpp: [['sum(weights, 1, true)', 'sum(weights, 0, true)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 16 },
      d: { label: 'width d_k', min: 1, max: 64, value: 8 },
      seed: { label: 'seed', min: 0, max: 99, value: 7 },
      masked: { label: 'causal mask', min: 0, max: 1, value: 1, toggle: true },
      scaled: { label: 'factor 1/√d_k', min: 0, max: 1, value: 1, toggle: true },
    },
    args: ({ n = 16, d = 8, masked = 1, scaled = 1, seed = 7 }) => [
      normal(n, d, seed),
      normal(n, d, seed + 100),
      identity(n),
      masked === 1 ? { make: 'mask', of: 'causal', shape: [n, n] } : null,
      scaled === 1,
    ],
    draw: { kind: 'matrix', path: [1], rows: 'query', cols: 'key' },
    caption:
      'Your weights: each row is one query, and its cells sum to 1. Take the factor out at a large d_k and the rows become almost one-hot.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'Task 1. Vaswani et al. 2017, section 3.2.1',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  reference: async ({ core }, [Q, K, V, mask, scale]) => {
    const { output, weights } = await core.attention({
      q: matrixOf(Q),
      k: matrixOf(K),
      v: matrixOf(V),
      mask: mask === null ? { kind: 'full' } : { kind: 'matrix', keep: matrixOf(mask) },
      ...(scale === false && { scale: 1 }),
    });
    return [fromMatrix(output), fromMatrix(weights)];
  },
} as const satisfies Exercise;
