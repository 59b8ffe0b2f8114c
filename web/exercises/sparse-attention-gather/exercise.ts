import {
  largeScores,
  narrowQkv,
  normal,
  positiveValues,
  rows,
} from '../../src/exercises/common-inputs';
import { arrayOf, fromMatrix, identity, matrixOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** Lists of keys as a matrix of whole numbers, filled up with −1. */
const lists = (keys: readonly (readonly number[])[], width: number): Input => ({
  ...rows(keys.map((list) => [...list, ...new Array<number>(width - list.length).fill(-1)])),
  dtype: 'int64',
});

/** For each of n queries up to `most` different keys of m, in an order that the run draws; some have none. */
function drawnLists(n: number, m: number, most: number, draw: Draw): Input {
  const keys = Array.from({ length: n }, (_, i) => {
    // The first query sees nothing, the second as much as there may be; strides keep the keys different.
    const count = i === 0 ? 0 : i === 1 ? most : draw.integer(1, most - 1);
    const [first, step] = [draw.integer(0, m - 1), draw.pick([1, m - 1])];
    return Array.from({ length: count }, (_, at) => (first + at * step) % m);
  });
  return lists(keys, most);
}

/** The part of the Python solution that a variant with all scores at once replaces. */
const GATHERED = `    for i in range(len(Q)):
        # Only these rows of K and V are read; −1 fills the list up and is no key.
        kept = keys[i][keys[i] >= 0]
        if len(kept) == 0:
            continue
        scores = K[kept] @ Q[i] / np.sqrt(Q.shape[1])
        weights = np.exp(scores - scores.max())
        output[i] = (weights / weights.sum()) @ V[kept]
    return output`;

export const exercise = {
  id: 'sparse-attention-gather',
  lab: 'long-texts',
  order: 5,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['sliding-window'],
  title: 'Gather, do not mask',
  summary: 'Attention over any list of keys for each query, at the cost of the cells kept.',
  task: [
    'A pattern saves nothing while all scores are computed and most are thrown away. It saves when the keys of a query are gathered first, and only they are looked at.',
    'Row $i$ of `keys` lists the keys that query $i$ sees, in any order and none of them twice. Lists are of different lengths, so they are filled up with −1 at the end; −1 is no key. Over the listed keys it is ordinary attention: scores $q_i \\cdot k_j / \\sqrt{d_k}$, softmax (subtract the maximum, scores may reach 1000), weighted mean of the values.',
    'A query whose list is empty gets a row of zeros. The work has to grow with the cells kept: with $k$ keys in each list $n\\,k\\,(d_k + d_v)$ multiply-adds, not $n^2$.',
  ],
  entry: 'sparse_attention_gather',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'keys', type: 'matrix', shape: 'n×k', what: 'the keys of each query, whole numbers' },
  ],
  results: [{ name: 'output', type: 'matrix', shape: 'n×d_v', what: 'one row for each query' }],
  cases: [
    {
      name: 'equal scores, by hand',
      args: [
        { make: 'full', shape: [3, 2], value: 0 },
        { make: 'full', shape: [4, 2], value: 0 },
        rows([[1], [3], [5], [9]]),
        lists([[0], [0, 3], [3, 1, 2]], 3),
      ],
    },
    {
      name: 'six queries, lists out of order',
      args: [
        normal(6, 4, 1),
        normal(6, 4, 2),
        normal(6, 3, 3),
        lists([[0], [1, 0], [5, 2], [3, 0, 4], [1], [2, 5, 4]], 3),
      ],
    },
    {
      name: 'a query that sees nothing',
      args: [normal(3, 3, 4), normal(5, 3, 5), normal(5, 2, 6), lists([[4, 1], [], [0]], 2)],
    },
    {
      name: 'scores of 1000',
      args: [
        { make: 'full', shape: [3, 4], value: 20 },
        rows([
          [25, 25, 25, 25],
          [25, 25, 25, 24.875],
          [-25, -25, -25, -25],
          [25, 25, 24.75, 25],
        ]),
        normal(4, 2, 7),
        lists([[1, 0], [2], [3, 2, 0]], 3),
      ],
    },
    {
      name: 'every key, backwards',
      hidden: true,
      args: [
        normal(2, 4, 8),
        normal(4, 4, 9),
        normal(4, 4, 10),
        lists(
          [
            [3, 2, 1, 0],
            [2, 3, 0, 1],
          ],
          4,
        ),
      ],
    },
    {
      name: 'nobody sees anything',
      hidden: true,
      args: [normal(2, 2, 11), normal(3, 2, 12), normal(3, 5, 13), lists([[], []], 2)],
    },
    {
      name: 'fewer keys than queries',
      hidden: true,
      args: [
        normal(5, 3, 14),
        normal(2, 3, 15),
        normal(2, 3, 16),
        lists([[0], [1], [1, 0], [], [0, 1]], 2),
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(5, 9), draw.integer(8, 14), draw.integer(2, 5)];
    const keys = drawnLists(n, m, 4, draw);
    return nth === 2
      ? [...largeScores(n, m, draw), positiveValues(m, draw.integer(1, 4), draw), keys]
      : [
          normal(n, d, draw.seed()),
          normal(m, d, draw.seed()),
          normal(m, draw.integer(1, 4), draw.seed()),
          keys,
        ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  cost: {
    sizes: [16, 32, 64, 256],
    args: (n, draw) => {
      const step = draw.integer(3, 7);
      const keys = Array.from({ length: n }, (_, i) =>
        [0, 1, 2, 3].map((at) => (i + at * step) % n),
      );
      const apart = keys.map((list) => [...new Set(list)]);
      return [...narrowQkv(n, draw), lists(apart, 4)];
    },
    maxSlope: 1.35,
    most: (n) => 3000 * n,
    wanted: 'n·k·(d_k + d_v) multiply-adds for lists of k keys',
  },
  hints: [
    'Go through the queries one by one. Which entries of its list are keys, and what if there are none?',
    'With those numbers as an index, K[kept] holds just the rows that count, in the order of the list; V[kept] in the same order.',
    'kept = keys[i][keys[i] >= 0]; K[kept] @ Q[i] are the scores; softmax them and weigh V[kept].',
  ],
  variants: [
    {
      id: 'filler-as-key',
      message:
        'Your queries look at −1 as if it were a key; in Python that is the last one. It only fills the list up: leave it out.',
      python: [['keys[i][keys[i] >= 0]', 'keys[i]']],
    },
    {
      id: 'filler-as-first-key',
      message: 'Your queries take key 0 where the list is filled up with −1. −1 is no key at all.',
      python: [['keys[i][keys[i] >= 0]', 'np.maximum(keys[i], 0)']],
      javascript: [
        [
          'if (keys.get(i, at) >= 0) kept.push(keys.get(i, at));',
          'kept.push(Math.max(keys.get(i, at), 0));',
        ],
      ],
      cpp: [
        [
          'if (keys(i, at) >= 0) kept.push_back(keys(i, at));',
          'kept.push_back(std::max(keys(i, at), 0.0));',
        ],
      ],
    },
    {
      id: 'key-zero-lost',
      message: 'Your queries never look at key 0. It is a key like the others; only −1 is none.',
      python: [['keys[i] >= 0', 'keys[i] > 0']],
      javascript: [['keys.get(i, at) >= 0', 'keys.get(i, at) > 0']],
      cpp: [['keys(i, at) >= 0', 'keys(i, at) > 0']],
    },
    {
      id: 'nothing-seen',
      message:
        'A query that sees nothing gets NaN or an error in your code. Its row of the output is zeros.',
      python: [
        [
          `        if len(kept) == 0:
            continue
`,
          `        if len(kept) == 0:
            output[i] = np.nan
            continue
`,
        ],
      ],
    },
    {
      id: 'mean-for-nothing',
      message:
        'A query that sees nothing gets the mean of all values in your code, as −10⁹ in place of −∞ makes it. Its row is zeros.',
      python: [
        [
          `        if len(kept) == 0:
            continue
`,
          `        if len(kept) == 0:
            output[i] = V.mean(axis=0)
            continue
`,
        ],
      ],
    },
    {
      id: 'values-from-the-front',
      message:
        'Your weights meet the wrong values: the first ones instead of those of the listed keys. Gather the values as you gather the keys.',
      python: [['@ V[kept]', '@ V[:len(kept)]']],
      javascript: [['total = total.plus(V.row(j)', 'total = total.plus(V.row(at)']],
      cpp: [
        [
          'mean += weights(at) * V.row(static_cast<Index>(kept[static_cast<std::size_t>(at)]))',
          'mean += weights(at) * V.row(at)',
        ],
      ],
    },
    {
      id: 'sorted-values',
      message:
        'Your values are in another order than your scores. Take both in the order of the list.',
      python: [['@ V[kept]', '@ V[np.sort(kept)]']],
    },
    {
      id: 'all-keys',
      message: 'Your queries see every key: the lists change nothing.',
      python: [['kept = keys[i][keys[i] >= 0]', 'kept = np.arange(len(K))']],
    },
    {
      id: 'plain-mean',
      message:
        'You returned the plain mean of the listed values. Weigh them by the softmax of their scores.',
      python: [['weights = np.exp(scores - scores.max())', 'weights = np.ones(len(kept))']],
    },
    {
      id: 'not-normalised',
      message: 'Your weights do not sum to 1: divide the exponentials by their sum.',
      python: [['(weights / weights.sum()) @', 'weights @']],
      javascript: [['.div(sum)', '']],
    },
    {
      id: 'no-max',
      message:
        'A score of 1000 overflowed the exponential and left NaN. Subtract the largest score of the list first: the weights stay the same.',
      python: [['np.exp(scores - scores.max())', 'np.exp(scores)']],
      javascript: [['Math.exp(score - largest)', 'Math.exp(score)']],
      cpp: [['exp(scores - max(scores))', 'exp(scores)']],
    },
    {
      id: 'one-shift',
      message:
        'You subtract one number for all queries. Each query has a largest score of its own, over its list: with another one all its weights may be 0.',
      python: [['scores.max()', '(K @ Q.T / np.sqrt(Q.shape[1])).max()']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(Q.shape[1])', '']],
      javascript: [[' / Math.sqrt(Q.cols)', '']],
      cpp: [[' / std::sqrt(Q.shape(1))', '']],
    },
    {
      id: 'all-scores',
      message:
        'Your numbers are right, but you computed a score for every pair and masked most of them. Compute only those of the listed keys.',
      evidence: 'cost',
      python: [
        [
          GATHERED,
          `    mask = np.zeros((len(Q), len(K)), dtype=bool)
    for i in range(len(Q)):
        mask[i, keys[i][keys[i] >= 0]] = True
    scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    seen = mask.any(axis=1)
    scores = scores[seen]
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    output[seen] = weights / weights.sum(axis=1, keepdims=True) @ V
    return output`,
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 48, value: 24 },
      step: { label: 'stride of the listed keys', min: 1, max: 12, value: 3 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 24, step = 3, seed = 0 }) => [
      normal(n, 4, seed),
      normal(n, 4, seed + 1000),
      identity(n),
      // The own token and strides back from it, the farthest first; every seventh sees nothing.
      lists(
        Array.from({ length: n }, (_, i) =>
          i % 7 === 6 ? [] : [3, 2, 1, 0].map((at) => i - at * step).filter((j) => j >= 0),
        ),
        4,
      ),
    ],
    draw: { kind: 'matrix', rows: 'queries', cols: 'keys' },
    caption:
      'The weights on the listed keys. The values are unit vectors, so the output is the weights; a query without keys has an empty row.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Implement sparse attention patterns; O(n × w) instead of O(n²)',
  },
  reference: async ({ core }, [q, k, v, keys]) => {
    const qkv = { q: matrixOf(q), k: matrixOf(k), v: matrixOf(v) };
    const { shape, data } = arrayOf(keys);
    const width = shape[1] ?? 0;
    const rowStart = new Int32Array(qkv.q.rows + 1);
    const columns: number[] = [];
    for (let i = 0; i < qkv.q.rows; i++) {
      const listed = data.subarray(i * width, (i + 1) * width).filter((j) => j >= 0);
      columns.push(...listed.sort());
      rowStart[i + 1] = columns.length;
    }
    const pattern = { kind: 'lists', rowStart, columns: Int32Array.from(columns) } as const;
    return fromMatrix((await core.sparseAttention({ ...qkv, pattern })).output);
  },
} as const satisfies Exercise;
