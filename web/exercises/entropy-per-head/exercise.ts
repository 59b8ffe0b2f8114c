import { weightStack } from '../../src/exercises/common-inputs';
import { array, matricesOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** How many heads the figure shows. */
const shown = 8;

/** Causal heads, each sharper than the one before. */
const heads = (count: number, n: number, seed: number, from: number, step: number): Input =>
  weightStack(count, n, seed, (head) => ({
    sharpness: from + step * head,
    near: 0.1,
    causal: true,
  }));

const drawnHeads = (draw: Draw): Input =>
  heads(
    draw.integer(2, 5),
    draw.integer(4, 12),
    draw.integer(1, 5000),
    draw.real(0.5, 1.5),
    draw.real(0.4, 1.2),
  );

/** Heads that look at one key each, in turns of `stride`: their mean is spread, they are not. */
const pointed = (count: number, n: number): Input => ({
  make: 'values',
  shape: [count, n, n],
  data: Array.from({ length: count * n * n }, (_, at) => {
    const [head, i, j] = [Math.floor(at / (n * n)), Math.floor(at / n) % n, at % n];
    return j === i % (head + 1) ? 1 : 0;
  }),
});

export const exercise = {
  id: 'entropy-per-head',
  lab: 'heads',
  order: 4,
  difficulty: 1,
  minutes: 12,
  buildsOn: ['analyze-attention-patterns'],
  title: 'The entropy of every head',
  summary: 'How spread out each head looks, in nats and as a share of the most that it could be.',
  task: [
    'The entropy of a row of weights, $-\\sum_j p_j\\ln p_j$ in nats with $0\\ln 0 = 0$, says over how many keys it is spread: 0 for one key, $\\ln k$ for $k$ equal ones. In a causal head that most depends on the row: row $i$, counted from 0, sees only $i+1$ keys, so it has at most $\\ln(i+1)$.',
    'Write `entropy_per_head(weights)` for a stack of causal heads, $h\\times n\\times n$. Return two vectors of $h$ numbers: the mean entropy of each head’s rows, and the mean over rows of the entropy divided by the most that this row can have.',
    'Row 0 sees one key and has no choice. It counts in the first mean, with 0, and not in the second: that one is over rows 1 to $n-1$. There are at least two tokens.',
  ],
  entry: 'entropy_per_head',
  parameters: [
    {
      name: 'weights',
      type: 'stack',
      shape: 'h×n×n',
      what: 'causal heads: rows sum to 1, no weight above the diagonal',
    },
  ],
  results: [
    { name: 'entropy', type: 'vector', shape: 'h', what: 'mean entropy of a row, in nats' },
    { name: 'share', type: 'vector', shape: 'h', what: 'mean share of the most, 0 to 1' },
  ],
  cases: [
    {
      name: 'two tokens, two heads, by hand',
      args: [{ make: 'values', shape: [2, 2, 2], data: [1, 0, 0.5, 0.5, 1, 0, 0, 1] }],
    },
    { name: 'three heads, each sharper', args: [heads(3, 6, 1, 1, 1)] },
    { name: 'one key for each row', args: [pointed(3, 5)] },
    { name: 'equal weights', args: [heads(2, 4, 2, 0, 0)] },
    { name: 'one head', hidden: true, args: [heads(1, 8, 3, 2, 0)] },
    { name: 'as many heads as tokens', hidden: true, args: [heads(5, 5, 4, 0.5, 0.8)] },
    { name: 'eight heads, fourteen tokens', hidden: true, args: [heads(8, 14, 5, 0.2, 0.5)] },
  ],
  drawn: (draw) => [drawnHeads(draw)],
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason: 'Weights come as float32, so a row sums to 1 only to seven digits.',
  },
  hints: [
    'The last axis holds the keys of one row. Sum there first: that leaves h×n entropies.',
    'ln 0 is −∞ and 0·(−∞) is NaN: put a 1 in place of a 0 inside the logarithm only.',
    'The most that row i can have is ln(i + 1). Divide row by row, then take the mean; leave row 0 out, where that is ln 1 = 0.',
  ],
  variants: [
    {
      id: 'bits',
      message: 'Your entropies are in bits. Use the natural logarithm: nats.',
      python: [['logs = np.log(', 'logs = np.log2(']],
      javascript: [['-w * Math.log(w)', '-w * Math.log2(w)']],
      cpp: [['logs = log(', 'logs = log2(']],
    },
    {
      id: 'log-of-zero',
      message:
        'Your entropy is NaN where a weight is 0, and in a causal head half of them are: the logarithm of 0 is −∞, and 0 times it is NaN. Count such a weight as 0.',
      python: [['np.where(weights > 0, weights, 1.0)', 'weights']],
      javascript: [['w > 0 ? -w * Math.log(w) : 0', '-w * Math.log(w)']],
      cpp: [['where(weights > 0.0, weights, 1.0)', 'where(weights > -1.0, weights, 1.0)']],
    },
    {
      id: 'share-of-ln-n',
      message:
        'Your shares are of ln n, which only the last row can reach. Row i sees i + 1 keys: divide each row by its own ln(i + 1).',
      python: [['np.log(np.arange(2, n + 1))', 'np.log(n)']],
      javascript: [['Math.log(i + 1)', 'Math.log(n)']],
      cpp: [['log(arange(2, static_cast<double>(n + 1)))', 'std::log(n)']],
    },
    {
      id: 'ratio-of-means',
      message:
        'Your share is the mean entropy divided by the mean of the most. Divide row by row first and average the shares, or the long rows count for more.',
      python: [['shares.mean(axis=1)', 'entropies[:, 1:].mean(axis=1) / most.mean()']],
    },
    {
      id: 'averaged-heads-first',
      message:
        'You averaged the heads first, so all have one entropy. The mean of sharp heads that look at different keys is spread out, and none of them is: keep the heads apart.',
      python: [
        [
          '    n = weights.shape[1]',
          '    weights = weights.mean(axis=0, keepdims=True) + 0 * weights\n    n = weights.shape[1]',
        ],
      ],
    },
    {
      id: 'columns',
      message:
        'You summed over the queries. A row of weights belongs to one query, and its entropy is a sum over the keys, the last axis.',
      python: [['.sum(axis=2)', '.sum(axis=1)']],
      javascript: [['.sumRows()', '.sumCols().transpose()']],
      cpp: [['sum(weights * logs, 2)', 'sum(weights * logs, 1)']],
    },
    {
      id: 'first-row-in-share',
      message:
        'Row 0 counts in your share, as 0. It sees one key and could have no entropy at all: leave it out, and average over n − 1 rows.',
      python: [['shares.mean(axis=1)', 'shares.sum(axis=1) / n']],
      javascript: [['share / (n - 1)', 'share / n']],
      cpp: [['mean(shares, 1)', 'sum(shares, 1) / n']],
    },
    {
      id: 'first-row-left-out',
      message:
        'Your mean entropy leaves row 0 out. Only the share does: the entropy of row 0 is 0, and it counts.',
      python: [['entropies.mean(axis=1), ', 'entropies[:, 1:].mean(axis=1), ']],
      javascript: [['entropies.sum() / n', 'entropies.sum() / (n - 1)']],
    },
    {
      id: 'summed',
      message: 'Your first result is the sum over the rows. Take the mean.',
      python: [['entropies.mean(axis=1), ', 'entropies.sum(axis=1), ']],
    },
    {
      id: 'one-key-more',
      message:
        'Your rows have one key too few in the most: row i, counted from 0, sees itself too, i + 1 keys.',
      python: [['most = np.log(np.arange(2, n + 1))', 'most = np.log(np.arange(1, n))']],
    },
    {
      id: 'negative',
      message: 'Your entropies have the wrong sign: logarithms of weights are negative.',
      python: [['-(weights * logs)', '(weights * logs)']],
      cpp: [['-sum(weights', 'sum(weights']],
    },
    {
      id: 'mean-over-keys',
      message:
        'You averaged over the keys. An entropy is a sum over the keys of a row; the mean is over the rows.',
      python: [['.sum(axis=2)', '.mean(axis=2)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 48, value: 12 },
      sharpest: { label: 'sharpness of the last head', min: 0, max: 8, step: 0.25, value: 4 },
      seed: { label: 'seed', min: 0, max: 99, value: 3 },
    },
    args: ({ n = 12, sharpest = 4, seed = 3 }) => [
      heads(shown, n, seed, 0, sharpest / (shown - 1)),
    ],
    draw: {
      kind: 'curve',
      path: [1],
      x: 'head',
      values: Array.from({ length: shown }, (_, at) => at),
      y: 'share of the largest entropy',
    },
    caption:
      'The share of each head, from one that spreads evenly to the sharpest. Every head begins from the same noise and looks nearly as often at near keys.',
  },
  source: {
    title: 'What Does BERT Look At? An Analysis of BERT’s Attention',
    url: 'https://arxiv.org/abs/1906.04341',
    where: 'section 3.3: entropy; the share of the causal most is ours',
  },
  reference: async ({ core }, [weights]) => {
    const found = await Promise.all(
      matricesOf(weights).map((head) =>
        core.analyzeAttentionPatterns({ weights: head, mask: { kind: 'causal' }, rank: false }),
      ),
    );
    const shares = found.map(({ rows: { uniformity } }) => {
      // NaN where one key is visible, which is row 0.
      const free = uniformity.slice(1);
      return free.reduce((sum, one) => sum + one, 0) / free.length;
    });
    return [
      array(
        [found.length],
        found.map(({ meanEntropy }) => meanEntropy),
      ),
      array([found.length], shares),
    ];
  },
} as const satisfies Exercise;
