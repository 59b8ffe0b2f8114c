import { largeScores, type Made, positiveValues } from '../../src/exercises/common-inputs';
import { beside, columns, fromMatrices, matricesOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const stack = (heads: number, rows: number, cols: number, seed: number, scale = 1): Input => ({
  make: 'normal',
  shape: [heads, rows, cols],
  seed,
  scale,
});

/** The rows of a matrix, dealt out to heads. */
const inHeads = (matrix: Made, shape: readonly number[]): Input => ({ ...matrix, shape });

export const exercise = {
  id: 'grouped-query',
  lab: 'surgeon',
  order: 19,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['multi-query'],
  title: 'Grouped-query attention',
  summary: 'Many heads of queries, few of keys and values: neighbours share.',
  task: [
    'Multi-query attention gives all heads one set of keys and values, plain multi-head attention gives each its own. Grouped-query attention lies between: $h$ heads of queries, $g$ heads of keys and values, and $g$ divides $h$. The cache of keys and values is $h/g$ times smaller than with plain heads.',
    'Neighbours share: the first $h/g$ heads of queries read the first head of keys and values, the next $h/g$ the second, and so on. Counted from 0, head $i$ reads head $\\lfloor i\\,g/h\\rfloor$.',
    'Write `grouped_query_attention(Q, K, V)`, which returns for every head of queries',
    '$$O_i = \\operatorname{softmax}\\!\\left(\\frac{Q_i K_{\\lfloor i g/h\\rfloor}^\\top}{\\sqrt{d_k}}\\right) V_{\\lfloor i g/h\\rfloor}$$',
    'as a stack. $d_k$ is the width of one head. Scores may be as large as 1000.',
  ],
  entry: 'grouped_query_attention',
  parameters: [
    { name: 'Q', type: 'stack', shape: 'h×n×d_k', what: 'the queries of each head' },
    { name: 'K', type: 'stack', shape: 'g×m×d_k', what: 'keys; g divides h' },
    { name: 'V', type: 'stack', shape: 'g×m×d_v', what: 'values' },
  ],
  results: [{ name: 'output', type: 'stack', shape: 'h×n×d_v', what: 'the output of each head' }],
  cases: [
    {
      name: 'four heads, two of keys, by hand',
      args: [
        { make: 'values', shape: [4, 1, 1], data: [0, 0, 0, 0] },
        { make: 'values', shape: [2, 2, 1], data: [0, 1, 2, 3] },
        { make: 'values', shape: [2, 2, 1], data: [1, 3, 10, 30] },
      ],
    },
    {
      name: 'six heads, two of keys',
      args: [stack(6, 3, 4, 1), stack(2, 5, 4, 2), stack(2, 5, 3, 3)],
    },
    {
      name: 'as many of keys as of queries: plain heads',
      args: [stack(3, 4, 2, 4), stack(3, 4, 2, 5), stack(3, 4, 2, 6)],
    },
    {
      name: 'one of keys: multi-query',
      args: [stack(4, 3, 3, 7), stack(1, 6, 3, 8), stack(1, 6, 2, 9)],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        {
          make: 'values',
          shape: [2, 1, 4],
          data: [20, 20, 20, 20, -20, -20, -20, -20],
        },
        {
          make: 'values',
          shape: [2, 3, 4],
          data: [
            ...[25, 25, 25, 25, 25, 25, 25, 24.875, -25, -25, -25, -25],
            ...[25, 25, 25, 25, -25, -25, -25, -24.875, -25, -25, -25, -25],
          ],
        },
        stack(2, 3, 2, 10),
      ],
    },
    {
      name: 'eight heads, four of keys',
      hidden: true,
      args: [stack(8, 2, 4, 11), stack(4, 7, 4, 12), stack(4, 7, 5, 13)],
    },
    {
      name: 'nine heads, three of keys',
      hidden: true,
      args: [stack(9, 4, 3, 14), stack(3, 4, 3, 15), stack(3, 4, 4, 16)],
    },
  ],
  drawn: (draw, nth) => {
    const [g, each] = [draw.integer(2, 4), draw.integer(2, 3)];
    const [n, m, d] = [draw.integer(2, 5), draw.integer(3, 7), draw.integer(2, 5)];
    const dV = draw.integer(1, 4);
    if (nth === 2) {
      const [q, k] = largeScores(g * each * n, g * m, draw);
      const v = positiveValues(g * m, dV, draw);
      return [inHeads(q, [g * each, n, 4]), inHeads(k, [g, m, 4]), inHeads(v, [g, m, dV])];
    }
    return [
      stack(g * each, n, d, draw.seed()),
      stack(g, m, d, draw.seed()),
      stack(g, m, dV, draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: about seven digits of scores, a few fewer after exp.',
  },
  hints: [
    'How many heads of queries share one head of keys? Which head of keys does query head 2 of 6 read where there are 2?',
    'In NumPy, np.repeat(K, h // g, axis=0) writes each head of keys h/g times in a row. np.tile would write them in turns, which gives other neighbours.',
    'With a loop: head i reads K[i // (h // g)] and V[i // (h // g)].',
  ],
  variants: [
    {
      id: 'in-turns',
      message:
        'Your heads take turns: head i reads keys i mod g. Neighbours share: the first h/g heads read the first keys.',
      python: [
        ['np.repeat(K, share, axis=0)', 'np.tile(K, (share, 1, 1))'],
        ['np.repeat(V, share, axis=0)', 'np.tile(V, (share, 1, 1))'],
      ],
      javascript: [['Math.floor(i / share)', 'i % K.length']],
      cpp: [
        ['repeat(K, share, 0)', 'tile(K, {share, 1, 1})'],
        ['repeat(V, share, 0)', 'tile(V, {share, 1, 1})'],
      ],
    },
    {
      id: 'values-in-turns',
      message:
        'Your keys are shared by neighbours, but your values in turns. Both follow the same rule.',
      python: [['np.repeat(V, share, axis=0)', 'np.tile(V, (share, 1, 1))']],
      cpp: [['repeat(V, share, 0)', 'tile(V, {share, 1, 1})']],
    },
    {
      id: 'first-keys-only',
      message:
        'All your heads read the first head of keys and values, which is multi-query attention.',
      python: [
        ['np.repeat(K, share, axis=0)', 'K[:1]'],
        ['np.repeat(V, share, axis=0)', 'V[:1]'],
      ],
      javascript: [['Math.floor(i / share)', '0']],
      cpp: [
        ['repeat(K, share, 0)', 'K.slice(0, 0, 1)'],
        ['repeat(V, share, 0)', 'V.slice(0, 0, 1)'],
      ],
    },
    {
      id: 'averaged',
      message:
        'You average the heads of keys and values, and all heads read the mean. Each group has its own.',
      python: [
        ['np.repeat(K, share, axis=0)', 'K.mean(axis=0, keepdims=True)'],
        ['np.repeat(V, share, axis=0)', 'V.mean(axis=0, keepdims=True)'],
      ],
      cpp: [
        ['repeat(K, share, 0)', 'mean(K, 0, true)'],
        ['repeat(V, share, 0)', 'mean(V, 0, true)'],
      ],
    },
    {
      id: 'groups-backwards',
      message: 'Your groups run backwards: the first heads of queries read the last keys.',
      python: [
        ['np.repeat(K, share, axis=0)', 'np.repeat(K[::-1], share, axis=0)'],
        ['np.repeat(V, share, axis=0)', 'np.repeat(V[::-1], share, axis=0)'],
      ],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(Q.shape[2])', '']],
      javascript: [['.div(Math.sqrt(queries.cols))', '']],
      cpp: [[' / std::sqrt(Q.shape(2))', '']],
    },
    {
      id: 'scaled-by-all-heads',
      message:
        'You divide by the square root of the width of all heads together. d_k is the width of one.',
      python: [['np.sqrt(Q.shape[2])', 'np.sqrt(Q.shape[0] * Q.shape[2])']],
      javascript: [['Math.sqrt(queries.cols)', 'Math.sqrt(Q.length * queries.cols)']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['np.exp(scores - scores.max(axis=-1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.maxRows()).exp()', 'scores.exp()']],
      cpp: [['exp(scores - max(scores, -1, true))', 'exp(scores)']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows: your softmax runs over the queries. Each query shares out a weight of 1 over the keys.',
      python: [
        ['scores.max(axis=-1', 'scores.max(axis=-2'],
        ['weights.sum(axis=-1', 'weights.sum(axis=-2'],
      ],
      cpp: [
        ['max(scores, -1, true)', 'max(scores, -2, true)'],
        ['sum(exps, -1, true)', 'sum(exps, -2, true)'],
      ],
    },
  ],
  figure: {
    knobs: {
      g: { label: 'heads of keys g', min: 1, max: 8, value: 2 },
      share: { label: 'heads of queries for each', min: 1, max: 4, value: 3 },
      seed: { label: 'seed', min: 0, max: 99, value: 4 },
    },
    args: ({ g = 2, share = 3, seed = 4 }) => [
      stack(g * share, 4, 4, seed),
      stack(g, 6, 4, seed + 100, 0.5),
      // The values of head k lie around k: its readers are told apart by eye.
      {
        make: 'values',
        shape: [g, 6, 12],
        data: Array.from({ length: g * 72 }, (_, at) => Math.floor(at / 72) + 1 + (at % 5) / 20),
      },
    ],
    draw: { kind: 'matrix', rows: 'query, head by head', cols: 'column' },
    caption:
      'The outputs of all heads, four queries each, one below the other. The values of the k-th head of keys lie a little above k, so every step in the picture is where a group ends.',
  },
  source: {
    title: 'GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints',
    url: 'https://arxiv.org/abs/2305.13245',
    where: "section 2; Project 4's fourth bonus challenge",
  },
  reference: async ({ core }, [Q, K, V]) => {
    const [q, k, v] = [matricesOf(Q), matricesOf(K), matricesOf(V)];
    const { output } = await core.groupedQueryAttention({
      q: beside(q),
      k: beside(k),
      v: beside(v),
      heads: q.length,
      kvHeads: k.length,
    });
    const width = output.cols / q.length;
    return fromMatrices(q.map((_, head) => columns(output, head * width, (head + 1) * width)));
  },
} as const satisfies Exercise;
