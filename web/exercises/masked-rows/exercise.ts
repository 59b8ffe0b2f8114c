import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'masked-rows',
  lab: 'surgeon',
  order: 7,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['stable-softmax'],
  title: 'Rows that may see nothing',
  summary: 'A softmax under a mask that gives zeros, not NaN, where a query sees no key at all.',
  task: [
    'Write `masked_softmax(scores, mask)`. Both are $n\\times m$; query $i$ may see key $j$ where the mask is 1 and not where it is 0. Each row becomes a softmax over the keys it may see; blocked keys get a weight of exactly 0.',
    'A row in which everything is blocked has nothing to share out: all its weights are 0. The plain way gives NaN there, because its largest score is $-\\infty$ and $-\\infty-(-\\infty)$ is NaN; a large negative number in place of $-\\infty$ gives equal weights over the forbidden keys.',
    'Scores can be as large as ±1000, and a row of large negative scores that may be seen still sums to 1.',
  ],
  entry: 'masked_softmax',
  parameters: [
    { name: 'scores', type: 'matrix', shape: 'n×m', what: 'one row for each query' },
    { name: 'mask', type: 'matrix', shape: 'n×m', what: '1 where a query may see a key, else 0' },
  ],
  results: [{ name: 'weights', type: 'matrix', shape: 'n×m', what: 'rows that sum to 1, or to 0' }],
  cases: [
    {
      name: 'three queries by hand, the second sees nothing',
      args: [
        rows([
          [0, 0, 5],
          [1, 2, 3],
          [Math.log(3), 0, -4],
        ]),
        rows([
          [1, 1, 0],
          [0, 0, 0],
          [1, 1, 0],
        ]),
      ],
    },
    {
      name: 'everything may be seen',
      args: [normal(3, 5, 31), { make: 'full', shape: [3, 5], value: 1 }],
    },
    {
      name: 'a random mask with two empty rows',
      args: [
        normal(6, 4, 32, 2),
        { make: 'mask', of: 'random', shape: [6, 4], seed: 2, emptyRows: [1, 4] },
      ],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        rows([
          [1000, 999, 0],
          [-1000, -1001, 1000],
          [1000, -1000, 0],
        ]),
        rows([
          [1, 1, 1],
          [1, 1, 0],
          [0, 0, 0],
        ]),
      ],
    },
    {
      name: 'nobody sees anything',
      hidden: true,
      args: [normal(2, 3, 33), { make: 'full', shape: [2, 3], value: 0 }],
    },
    {
      name: 'a causal mask',
      hidden: true,
      args: [normal(7, 7, 34), { make: 'mask', of: 'causal', shape: [7, 7] }],
    },
  ],
  drawn: (draw) => {
    const [n, m] = [draw.integer(2, 9), draw.integer(3, 9)];
    const emptyRows = [draw.integer(0, n - 1)];
    return [
      normal(n, m, draw.seed(), 2),
      { make: 'mask', of: 'random', shape: [n, m], seed: draw.seed(), emptyRows },
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-6,
    reason: 'The core takes exp in float32: about seven digits of each weight.',
  },
  hints: [
    'Start with −∞ for blocked scores. Only two numbers make trouble in an empty row: its maximum and its sum.',
    'If the maximum of a row is −∞, subtract 0 instead; then every exp of that row is 0.',
    'If the sum of a row is 0, divide by 1 instead. (Replacing NaN afterwards passes as well, but it would also hide a NaN that came in with the scores.)',
  ],
  variants: [
    {
      id: 'nan-rows',
      message:
        'Rows that may see nothing are NaN. Look at what happens to a row whose largest score is −∞.',
      python: [
        ['np.where(np.isinf(largest), 0.0, largest)', 'largest'],
        ['np.where(total == 0, 1.0, total)', 'total'],
      ],
      javascript: [
        ['(x === -Infinity ? 0 : x)', 'x'],
        ['(x === 0 ? 1 : x)', 'x'],
      ],
      cpp: [
        ['where(isinf(largest), 0.0, largest)', 'largest * 1.0'],
        ['where(total == 0.0, 1.0, total)', 'total'],
      ],
    },
    {
      id: 'equal-weights',
      message:
        'Rows that may see nothing have equal weights over the keys that are forbidden: a large negative number is not −∞.',
      python: [['-np.inf', '-1e9']],
      javascript: [['mask.get(i, j) === 0 ? -Infinity', 'mask.get(i, j) === 0 ? -1e9']],
      cpp: [['-std::numeric_limits<double>::infinity()', '-1e9']],
    },
    {
      id: 'mask-after-softmax',
      message:
        'You masked after the softmax: the remaining weights of a row no longer sum to 1. Mask the scores before it.',
      python: [
        ['np.where(mask == 0, -np.inf, scores)', 'scores'],
        ['weights / np.where(total == 0, 1.0, total)', 'weights / total * mask'],
      ],
      javascript: [
        ['mask.get(i, j) === 0 ? -Infinity : score', 'score'],
        ['return weights.div', 'return weights.mul(mask).div'],
      ],
    },
    {
      id: 'mask-with-zero',
      message:
        'Your blocked scores are 0, and exp(0) is 1: blocked keys still get weight. Which score becomes a weight of 0?',
      python: [['-np.inf', '0.0']],
      javascript: [['mask.get(i, j) === 0 ? -Infinity', 'mask.get(i, j) === 0 ? 0']],
    },
    {
      id: 'mask-inverted',
      message:
        'Your mask is turned round: you block the keys that may be seen. Here 1 means “may be seen”.',
      python: [['mask == 0', 'mask != 0']],
      javascript: [['mask.get(i, j) === 0', 'mask.get(i, j) !== 0']],
      cpp: [['mask == 0.0', 'mask != 0.0']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores only. Without subtracting each row’s maximum exp overflows at 1000, and at −1000 a row that may be seen becomes empty.',
      evidence: 'fixed',
      python: [['np.exp(scores - largest)', 'np.exp(scores)']],
      cpp: [['exp(kept - largest)', 'exp(kept)']],
    },
    {
      id: 'wrong-axis',
      message: 'Your columns sum to 1, not your rows. Take maximum and sum along each row.',
      python: [
        ['scores.max(axis=1, keepdims=True)', 'scores.max(axis=0, keepdims=True)'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=0, keepdims=True)'],
      ],
      cpp: [
        ['max(kept, 1, true)', 'max(kept, 0, true)'],
        ['sum(weights, 1, true)', 'sum(weights, 0, true)'],
      ],
    },
    {
      id: 'sum-along-columns',
      message:
        'You divide by the sums of the columns. Each row has a sum of its own: it becomes a row of weights that sum to 1.',
      python: [['weights.sum(axis=1', 'weights.sum(axis=0']],
      cpp: [['sum(weights, 1, true)', 'sum(weights, 0, true)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'queries and keys n', min: 1, max: 64, value: 12 },
      keep: { label: 'share that may be seen', min: 0, max: 1, step: 0.05, value: 0.25 },
      seed: { label: 'seed', min: 0, max: 99, value: 9 },
    },
    args: ({ n = 12, keep = 0.25, seed = 9 }) => [
      { make: 'normal', shape: [n, n], seed },
      { make: 'mask', of: 'random', shape: [n, n], seed, keep, emptyRows: [Math.floor(n / 2)] },
    ],
    draw: { kind: 'matrix', rows: 'query', cols: 'key' },
    caption:
      'Weights under a random mask. The query in the middle may see nothing: its row is 0, not NaN.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'Key Implementation Details, Handling NaN',
  },
  reference: async ({ core }, [scores, mask]) => {
    const bias = matrixOf(scores);
    // Queries and keys of zeros: the bias alone is the score.
    const zeros = (rows: number) => ({ rows, cols: 1, data: new Float32Array(rows) });
    const { weights } = await core.attention({
      q: zeros(bias.rows),
      k: zeros(bias.cols),
      v: zeros(bias.cols),
      bias,
      mask: { kind: 'matrix', keep: matrixOf(mask) },
    });
    return fromMatrix(weights);
  },
} as const satisfies Exercise;
