import { normal, rows } from '../../src/exercises/common-inputs';
import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

interface Sizes {
  readonly width: number;
  readonly heads: number;
  readonly groups: number;
  readonly dK: number;
  readonly dV?: number;
  readonly seed: number;
}

const layer = ({ width, heads, groups, dK, dV = dK, seed }: Sizes): readonly Input[] => [
  normal(width, heads * dK, seed),
  normal(width, heads * dV, seed + 1),
  heads,
  groups,
];

export const exercise = {
  id: 'grouped-from-multi',
  lab: 'heads',
  order: 8,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['grouped-query', 'multi-head-attention'],
  title: 'From many heads to groups',
  summary: 'Average the keys and values of neighbouring heads of a trained layer: a smaller cache.',
  task: [
    'A trained layer of $h$ heads becomes one with $g$ groups of keys and values without starting again (Ainslie et al. 2023): average the projections of the heads of each group, then train a little on. The queries stay as they are.',
    '`W_k` has the columns of head 0, then those of head 1, and so on, $h$ times $d_k$; `W_v` likewise, $h$ times $d_v$. Neighbours form a group: the first $h/g$ heads are group 0, the next $h/g$ group 1. $g$ divides $h$.',
    'Write `grouped_from_multi(W_k, W_v, num_heads, groups)`. Column $c$ of group $k$ is the mean over the heads of that group of their column $c$.',
    'Return three results: the new `W_k`, $d_{\\text{model}}\\times g\\,d_k$; the new `W_v`, $d_{\\text{model}}\\times g\\,d_v$; and how many numbers the cache now keeps of one token.',
  ],
  entry: 'grouped_from_multi',
  parameters: [
    { name: 'W_k', type: 'matrix', shape: 'd_model×(h·d_k)', what: 'makes the keys, head by head' },
    {
      name: 'W_v',
      type: 'matrix',
      shape: 'd_model×(h·d_v)',
      what: 'makes the values, head by head',
    },
    { name: 'num_heads', type: 'integer', what: 'h' },
    { name: 'groups', type: 'integer', what: 'g; divides h' },
  ],
  results: [
    { name: 'new_W_k', type: 'matrix', shape: 'd_model×(g·d_k)', what: 'keys, group by group' },
    { name: 'new_W_v', type: 'matrix', shape: 'd_model×(g·d_v)', what: 'values, group by group' },
    { name: 'cached', type: 'integer', what: 'numbers that the cache keeps of a token' },
  ],
  cases: [
    {
      name: 'four heads, two groups, by hand',
      args: [
        rows([
          [1, 3, 10, 30],
          [0, 2, 5, 5],
        ]),
        rows([
          [2, 4, 6, 10],
          [1, 1, -1, 1],
        ]),
        4,
        2,
      ],
    },
    {
      name: 'four heads of width 3, two groups',
      args: layer({ width: 5, heads: 4, groups: 2, dK: 3, seed: 1 }),
    },
    {
      name: 'all heads share: multi-query',
      args: layer({ width: 4, heads: 3, groups: 1, dK: 2, seed: 3 }),
    },
    {
      name: 'as many groups as heads: nothing changes',
      args: layer({ width: 4, heads: 3, groups: 3, dK: 2, seed: 5 }),
    },
    {
      name: 'values wider than keys',
      hidden: true,
      args: layer({ width: 3, heads: 6, groups: 3, dK: 2, dV: 5, seed: 7 }),
    },
    {
      name: 'six heads, two groups of three',
      hidden: true,
      args: layer({ width: 6, heads: 6, groups: 2, dK: 2, dV: 3, seed: 9 }),
    },
    {
      name: 'eight heads of width 1',
      hidden: true,
      args: layer({ width: 4, heads: 8, groups: 2, dK: 1, seed: 11 }),
    },
  ],
  drawn: (draw) => {
    const groups = draw.integer(2, 3);
    return layer({
      ...{ width: draw.integer(3, 6), groups, heads: groups * draw.integer(2, 3) },
      ...{ dK: draw.integer(2, 4), dV: draw.integer(5, 6), seed: draw.integer(1, 5000) },
    });
  },
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason: 'Means of a few float32 numbers: one rounding for each.',
  },
  hints: [
    'Write down for four heads of width 2, two groups: which columns of W_k are averaged into column 0 of the result?',
    'Cut the last axis into groups, heads of a group, columns of a head, in that order: W.reshape(d_model, g, h // g, d). Nothing moves in memory.',
    'Average over the axis of the heads of a group and join the two axes that are left. The cache keeps both a key and a value of each group.',
  ],
  variants: [
    {
      id: 'in-turns',
      message:
        'Your groups take heads in turns, head i to group i mod g. Neighbours form a group: the first h/g heads are group 0.',
      python: [
        [
          'W.reshape(W.shape[0], groups, share, W.shape[1] // num_heads)',
          'W.reshape(W.shape[0], share, groups, W.shape[1] // num_heads)',
        ],
        ['parts.mean(axis=2)', 'parts.mean(axis=1)'],
      ],
      cpp: [
        [
          '{W.shape(0), groups, share, W.shape(1) / num_heads}',
          '{W.shape(0), share, groups, W.shape(1) / num_heads}',
        ],
        ['mean(parts, 2)', 'mean(parts, 1)'],
      ],
    },
    {
      id: 'neighbouring-columns',
      message:
        'You averaged neighbouring columns, which mixes the columns of one head. Column c of a head meets column c of the other heads of its group.',
      python: [
        [
          'W.reshape(W.shape[0], groups, share, W.shape[1] // num_heads)',
          'W.reshape(W.shape[0], groups, W.shape[1] // num_heads, share)',
        ],
        ['parts.mean(axis=2)', 'parts.mean(axis=3)'],
      ],
      cpp: [
        [
          '{W.shape(0), groups, share, W.shape(1) / num_heads}',
          '{W.shape(0), groups, W.shape(1) / num_heads, share}',
        ],
        ['mean(parts, 2)', 'mean(parts, 3)'],
      ],
    },
    {
      id: 'summed',
      message:
        'You added the heads of a group. The mean is wanted: sums make the scores h/g times as large, and the softmax too sharp.',
      python: [['parts.mean(axis=2)', 'parts.sum(axis=2)']],
      javascript: [['sum.div(share)', 'sum']],
      cpp: [['mean(parts, 2)', 'sum(parts, 2)']],
    },
    {
      id: 'first-head-kept',
      message:
        'You kept the first head of each group and dropped the others. Average them: the mean keeps more of the trained layer.',
      python: [['parts.mean(axis=2)', 'parts[:, :, 0]']],
      javascript: [
        ['h < (g + 1) * share; h++', 'h < g * share + 1; h++'],
        ['sum.div(share)', 'sum'],
      ],
      cpp: [['mean(parts, 2)', 'parts.take_at(2, 0).copy()']],
    },
    {
      id: 'all-heads-averaged',
      message: 'Every group has the mean of all heads. A group averages its own heads only.',
      python: [
        [
          'parts.mean(axis=2)',
          '(parts.mean(axis=2).mean(axis=1, keepdims=True) + 0 * parts[:, :, 0])',
        ],
      ],
    },
    {
      id: 'values-not-averaged',
      message: 'Your keys are in groups, and your values are as they were. Both are shared.',
      python: [['averaged(W_k), averaged(W_v)', 'averaged(W_k), W_v']],
      javascript: [['averaged(WK), averaged(WV)', 'averaged(WK), WV']],
      cpp: [['V = averaged(W_v)', 'V = W_v']],
    },
    {
      id: 'rows-averaged',
      message: 'You averaged rows of the matrices. Rows belong to the inputs; heads are columns.',
      python: [
        [
          'averaged(W_k), averaged(W_v)',
          'averaged(W_k.T.reshape(W_k.shape)), averaged(W_v.T.reshape(W_v.shape))',
        ],
      ],
    },
    {
      id: 'cache-of-keys-only',
      message: 'Your cache holds the keys alone. It keeps a key and a value of every token.',
      python: [['return K, V, K.shape[1] + V.shape[1]', 'return K, V, K.shape[1]']],
      javascript: [['K.cols + V.cols]', 'K.cols]']],
      cpp: [['K.shape(1) + V.shape(1)}', 'K.shape(1)}']],
    },
    {
      id: 'cache-twice-the-keys',
      message: 'You counted the values as wide as the keys. Values have a width of their own, d_v.',
      python: [['return K, V, K.shape[1] + V.shape[1]', 'return K, V, 2 * K.shape[1]']],
    },
    {
      id: 'cache-of-all-heads',
      message:
        'Your cache is that of the layer before. It now keeps one key and one value for each group, not for each head.',
      python: [
        ['return K, V, K.shape[1] + V.shape[1]', 'return K, V, W_k.shape[1] + W_v.shape[1]'],
      ],
      javascript: [['K.cols + V.cols]', 'WK.cols + WV.cols]']],
    },
  ],
  figure: {
    knobs: {
      groups: { label: 'groups g', min: 1, max: 6, value: 2 },
      share: { label: 'heads of a group', min: 1, max: 6, value: 3 },
      d: { label: 'width of a head', min: 1, max: 8, value: 4 },
      seed: { label: 'seed', min: 0, max: 99, value: 2 },
    },
    args: ({ groups = 2, share = 3, d = 4, seed = 2 }) =>
      layer({ width: 8, heads: groups * share, groups, dK: d, seed: 10 * seed }),
    draw: {
      kind: 'matrix',
      path: [0],
      rows: 'inputs',
      cols: 'keys, group by group',
      signed: true,
    },
    caption:
      'The new W_k. The more heads a group averages, the paler it is: unrelated heads cancel, which is why a trained layer loses something and has to be trained on.',
  },
  source: {
    title: 'GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints',
    url: 'https://arxiv.org/abs/2305.13245',
    where: 'section 2.1',
  },
  reference: async ({ arrays }, [wk, wv, numHeads, groupCount]) => {
    const [heads, groups] = [numberOf(numHeads), numberOf(groupCount)];
    const mark = arrays.mark();
    try {
      const made = [arrayOf(wk), arrayOf(wv)].map(({ shape: [width = 0, cols = 0], data }) => {
        const whole = arrays.from(data, [width, groups, heads / groups, cols / heads]);
        const mean = arrays.reduce('mean', whole, 2);
        return array([width, (cols * groups) / heads], arrays.values(mean));
      });
      return [...made, made.reduce((sum, { shape }) => sum + (shape[1] ?? 0), 0)];
    } finally {
      arrays.release(mark);
    }
  },
} as const satisfies Exercise;
