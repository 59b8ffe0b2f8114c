import { fallingScores, largeScores, normal, rows } from '../../src/exercises/common-inputs';
import { array, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'compare-masking',
  lab: 'surgeon',
  order: 14,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['attention', 'create-causal-mask', 'create-reverse-mask'],
  title: 'Three masks compared',
  summary:
    'Causal, none, reverse: how much of the weight lies on the past, and how much on the future?',
  task: [
    'Write `compare_masking(Q, K)`. Make the attention weights of the same queries and keys three times: with the causal mask (query $i$ sees the keys $j\\le i$), without a mask, and with the reverse mask (query $i$ sees the keys $j\\ge i$). In all three the scores are $QK^\\top/\\sqrt{d_k}$, and the softmax runs over the keys that a query sees.',
    'Return a $3\\times 3$ matrix. Its rows are the masks in this order: causal, none, reverse. Its columns say where the weight lies: on the past ($j<i$), on the token itself ($j=i$), on the future ($j>i$). Each entry is the weight there, summed over the keys and averaged over the queries, so that every row sums to 1.',
    'A language model that writes text has no future tokens: whatever weight lies there in training is weight that it cannot use later. Scores can be as large as ±1000.',
  ],
  entry: 'compare_masking',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'keys' },
  ],
  results: [
    {
      name: 'shares',
      type: 'matrix',
      shape: '3×3',
      what: 'rows: causal, none, reverse; columns: past, itself, future',
    },
  ],
  cases: [
    { name: 'equal scores, by hand', args: [rows([[0], [0], [0]]), rows([[1], [2], [3]])] },
    { name: 'six tokens', args: [normal(6, 4, 61), normal(6, 4, 62)] },
    { name: 'ten tokens of width 8', args: [normal(10, 8, 63), normal(10, 8, 64)] },
    { name: 'one token', hidden: true, args: [normal(1, 3, 65), normal(1, 3, 66)] },
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
      ],
    },
    { name: 'sixteen tokens', hidden: true, args: [normal(16, 8, 67), normal(16, 8, 68)] },
  ],
  drawn: (draw, nth) => {
    const [n, d] = [draw.integer(3, 12), draw.integer(2, 9)];
    if (nth === 1) return fallingScores(n, n, draw);
    return nth === 2
      ? largeScores(n, n, draw)
      : [normal(n, d, draw.seed()), normal(n, d, draw.seed())];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core takes exp in float32: about seven digits of each weight.',
  },
  hints: [
    'Three matrices of ones and zeros say where the past, the token itself and the future are. The masks are sums of them.',
    'A masked score is −∞ before the softmax. No row is empty: every token sees itself under all three masks.',
    'Multiply the weights by one of the three matrices entry by entry, take the sum of everything, divide by n.',
  ],
  variants: [
    {
      id: 'mask-with-zero',
      message:
        'Your masked scores are 0, and exp(0) is 1: the causal row still has weight on the future. A masked score is −∞.',
      python: [['-np.inf', '0.0']],
      javascript: [['-Infinity', '0']],
      cpp: [['-INFINITY', '0.0']],
    },
    {
      id: 'mask-after-softmax',
      message:
        'You masked after the softmax: the causal and the reverse row no longer sum to 1. Mask the scores before it.',
      python: [
        ['np.where(seen == 0, -np.inf, scores)', 'scores'],
        ['rows.append([(weights * part)', 'rows.append([(weights * seen * part)'],
      ],
      javascript: [
        ['seen.get(i, j) === 0 ? -Infinity : score', 'score'],
        ['weights.mul(part)', 'weights.mul(seen).mul(part)'],
      ],
    },
    {
      id: 'masks-swapped',
      message:
        'Your causal mask and your reverse mask have changed places. Causal means that a query sees the keys up to its own.',
      python: [['past + itself, ones, itself + future', 'itself + future, ones, past + itself']],
      javascript: [
        [
          'past.plus(itself), ones, itself.plus(future)',
          'itself.plus(future), ones, past.plus(itself)',
        ],
      ],
      cpp: [['past + itself, all, itself + future', 'itself + future, all, past + itself']],
    },
    {
      id: 'columns-swapped',
      message:
        'Your first and last columns have changed places: a key j before the query i (j < i, below the diagonal) is the past.',
      python: [['for part in (past, itself, future)', 'for part in (future, itself, past)']],
      javascript: [['[past, itself, future].map', '[future, itself, past].map']],
      cpp: [['{past, itself, future}) {', '{future, itself, past}) {']],
    },
    {
      id: 'without-itself',
      message:
        'Your masks hide the token itself too: one query then sees nothing, and its row is NaN. The diagonal may be seen.',
      python: [['past + itself, ones, itself + future', 'past, ones, future']],
      javascript: [['past.plus(itself), ones, itself.plus(future)', 'past, ones, future']],
    },
    {
      id: 'summed',
      message: 'Your rows sum to n. Average over the queries: divide by their number.',
      python: [['(weights * part).sum() / n', '(weights * part).sum()']],
      javascript: [['.sum() / n', '.sum()']],
      cpp: [['sum(weights * part) / n', 'sum(weights * part)']],
    },
    {
      id: 'per-cell',
      message:
        'You average over all cells of the matrix. Sum over the keys, and average over the queries only: divide by n, not by n².',
      python: [['(weights * part).sum() / n', '(weights * part).mean()']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(K.shape[1])', '']],
      javascript: [['.div(Math.sqrt(K.cols))', '']],
      cpp: [[' / std::sqrt(K.shape(1))', '']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['kept - kept.max(axis=1, keepdims=True)', 'kept']],
      javascript: [['kept.minus(kept.maxRows())', 'kept']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows: your softmax runs along the wrong axis. Each query, a row, shares out a weight of 1.',
      python: [
        ['kept.max(axis=1', 'kept.max(axis=0'],
        ['weights.sum(axis=1', 'weights.sum(axis=0'],
      ],
      cpp: [
        ['max(kept, 1, true)', 'max(kept, 0, true)'],
        ['sum(exps, 1, true)', 'sum(exps, 0, true)'],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 16 },
      d: { label: 'width d_k', min: 1, max: 32, value: 8 },
      seed: { label: 'seed', min: 0, max: 99, value: 2 },
    },
    args: ({ n = 16, d = 8, seed = 2 }) => [normal(n, d, seed), normal(n, d, seed + 100)],
    draw: {
      kind: 'matrix',
      rows: 'mask: causal, none, reverse',
      cols: 'keys: past, itself, future',
    },
    caption:
      'Where the weight lies under each mask. Without a mask nearly half of it lies on the future, and with the reverse mask all of it that is not on the token itself.',
  },
  source: { title: 'Project 4: The Attention Surgeon', where: 'Task 3c' },
  reference: async ({ core }, [Q, K]) => {
    const [q, k] = [matrixOf(Q), matrixOf(K)];
    const v = { rows: k.rows, cols: 1, data: new Float32Array(k.rows) };
    const { causal, none, reverse } = await core.compareMasking({ q, k, v });
    return array(
      [3, 3],
      [causal, none, reverse].flatMap(({ past, self, future }) => [past, self, future]),
    );
  },
} as const satisfies Exercise;
