import { normal } from '../../src/exercises/common-inputs';
import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'split-merge-heads',
  lab: 'surgeon',
  order: 8,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['attention'],
  title: 'Split into heads, merge again',
  summary: 'Cut a matrix into heads, turn each up or down, and put them side by side again.',
  task: [
    'Multi-head attention cuts the $d_{\\text{model}}$ numbers of every token into $h$ pieces, lets ' +
      'each head work on its own piece, and joins the pieces again. Here the work of head $i$ is ' +
      'only to multiply its piece by a gate $g_i$ (a gate of 0 prunes the head).',
    'With $d_{\\text{head}} = d_{\\text{model}} / h$, head $i$ owns the columns ' +
      '$i\\,d_{\\text{head}}$ up to $(i+1)\\,d_{\\text{head}}$ of every token. Return two things: ' +
      '`heads`, the stack of shape $h \\times n \\times d_{\\text{head}}$ before the gates, with ' +
      '$\\text{heads}[i, t, c] = X[t,\\ i\\,d_{\\text{head}} + c]$; and `merged`, the gated heads in ' +
      'their old places, $n \\times d_{\\text{model}}$.',
    'With every gate at 1, `merged` is `X` again. `num_heads` divides $d_{\\text{model}}$.',
  ],
  entry: 'split_and_merge',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d_model', what: 'one token in each row' },
    { name: 'num_heads', type: 'integer', what: 'h; divides d_model' },
    { name: 'gates', type: 'vector', shape: 'h', what: 'one factor for each head' },
  ],
  results: [
    { name: 'heads', type: 'stack', shape: 'h×n×d_head', what: 'the heads before their gates' },
    { name: 'merged', type: 'matrix', shape: 'n×d_model', what: 'the gated heads side by side' },
  ],
  cases: [
    {
      name: 'two tokens, two heads, by hand',
      args: [
        { make: 'range', shape: [2, 4], start: 1 },
        2,
        { make: 'values', shape: [2], data: [1, 10] },
      ],
    },
    {
      name: 'three heads, one of them pruned',
      args: [normal(5, 6, 1), 3, { make: 'values', shape: [3], data: [1, 0, -2] }],
    },
    {
      name: 'as many heads as tokens',
      args: [normal(4, 12, 2), 4, { make: 'values', shape: [4], data: [0.5, 2, -1, 3] }],
    },
    {
      name: 'one head is the whole',
      args: [normal(3, 4, 3), 1, { make: 'values', shape: [1], data: [2] }],
    },
    {
      name: 'heads of width 1',
      hidden: true,
      args: [normal(4, 6, 4), 6, { make: 'normal', seed: 5, shape: [6] }],
    },
    {
      name: 'many tokens, all gates 1',
      hidden: true,
      args: [normal(12, 8, 6), 2, { make: 'full', shape: [2], value: 1 }],
    },
    {
      name: 'a single token',
      hidden: true,
      args: [normal(1, 8, 7), 4, { make: 'values', shape: [4], data: [1, 2, 3, 4] }],
    },
  ],
  drawn: (draw) => {
    const heads = draw.integer(1, 5);
    return [
      normal(draw.integer(1, 9), heads * draw.integer(1, 4), draw.seed()),
      heads,
      { make: 'normal', seed: draw.seed(), shape: [heads] },
    ];
  },
  tolerance: {
    rtol: 1e-6,
    atol: 1e-7,
    reason:
      'Numbers are only moved and multiplied once: one rounding of float32 (6e-8 of the value).',
  },
  hints: [
    'Write down where entry (token t, column j) of X must go: head j // d_head, column j % d_head.',
    'Cutting the last axis in two moves nothing in memory: n×d_model becomes n×h×d_head. Only then ' +
      'bring the axis of heads to the front.',
    'Merging is splitting backwards: axis of tokens to the front, n×h×d_head, then join the last two ' +
      'axes. A reshape never moves numbers, a transpose does.',
  ],
  variants: [
    {
      id: 'reshape-only',
      message:
        'You reshaped straight to h×n×d_head, so each head got whole rows of the first tokens ' +
        'instead of its columns of every token. Cut the columns first, then swap two axes.',
      python: [
        ['X.reshape(n, num_heads, d_head).transpose(1, 0, 2)', 'X.reshape(num_heads, n, d_head)'],
        ['gated.transpose(1, 0, 2).reshape(n, d_model)', 'gated.reshape(n, d_model)'],
      ],
      cpp: [
        [
          'transpose(X.reshape({n, num_heads, d_model / num_heads}), {1, 0, 2})',
          'X.reshape({num_heads, n, d_model / num_heads})',
        ],
        ['transpose(gated, {1, 0, 2}).reshape', 'gated.reshape'],
      ],
    },
    {
      id: 'interleaved',
      message:
        'Your heads took every h-th column, like cards dealt in turn. A head owns neighbouring ' +
        'columns: look at which of the two new axes counts heads.',
      python: [
        [
          'X.reshape(n, num_heads, d_head).transpose(1, 0, 2)',
          'X.reshape(n, d_head, num_heads).transpose(2, 0, 1)',
        ],
        [
          'gated.transpose(1, 0, 2).reshape(n, d_model)',
          'gated.transpose(1, 2, 0).reshape(n, d_model)',
        ],
      ],
      javascript: [
        [
          'X.slice(0, X.rows, h * dHead, (h + 1) * dHead)',
          'Matrix.zeros(X.rows, dHead).map((_, t, c) => X.get(t, c * numHeads + h))',
        ],
        [
          'return [heads, merged];',
          'return [heads, X.map((x, _, j) => x * gates.get(0, j % numHeads))];',
        ],
      ],
    },
    {
      id: 'merge-without-transpose',
      message:
        'The split is right, but merging you joined the axes while heads still came first, so rows ' +
        'of `merged` mix tokens. Bring the tokens to the front before you reshape.',
      python: [['gated.transpose(1, 0, 2).reshape(n, d_model)', 'gated.reshape(n, d_model)']],
      cpp: [['transpose(gated, {1, 0, 2}).reshape', 'gated.reshape']],
    },
    {
      id: 'gates-forgotten',
      message: 'Your `merged` is X as it was: the gates were not applied to the heads.',
      python: [['heads * gates[:, None, None]', 'heads']],
      javascript: [['head.mul(gates.get(0, h))', 'head']],
    },
    {
      id: 'gated-heads-returned',
      message:
        'The first result should hold the heads as they were cut, before their gates; yours have ' +
        'already been multiplied.',
      python: [['return heads, merged', 'return gated, merged']],
      javascript: [['heads.push(head)', 'heads.push(gated)']],
    },
    {
      id: 'heads-added',
      message:
        'You added the heads on top of one another. Merging puts them side by side, each in the ' +
        'columns it came from, so the result is n×d_model again.',
      python: [['gated.transpose(1, 0, 2).reshape(n, d_model)', 'gated.sum(axis=0)']],
      javascript: [['merged.concatCols(gated)', 'merged.plus(gated)']],
      cpp: [['transpose(gated, {1, 0, 2}).reshape({n, d_model})', 'sum(gated, 0)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 32, value: 8 },
      heads: { label: 'heads', min: 1, max: 8, value: 4 },
      width: { label: 'width of a head', min: 1, max: 8, value: 4 },
      pruned: { label: 'pruned head', min: 0, max: 7, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 8, heads = 4, width = 4, pruned = 1, seed = 0 }) => [
      { make: 'normal', seed, shape: [n, heads * width] },
      heads,
      {
        make: 'values',
        shape: [heads],
        data: Array.from({ length: heads }, (_, head) => (head === pruned ? 0 : 1)),
      },
    ],
    draw: { kind: 'matrix', path: [1], rows: 'tokens', cols: 'features', signed: true },
    caption: 'Merged heads, one of them pruned: its columns are blank, and they lie side by side.',
  },
  source: {
    title: 'Are Sixteen Heads Really Better than One?',
    url: 'https://arxiv.org/abs/1905.10650',
    where: 'section 2.3: a gate for each head',
  },
  reference: async ({ arrays }, [x, numHeads, gates]) => {
    const { shape, data } = arrayOf(x);
    const [n = 0, width = 0] = shape;
    const count = numberOf(numHeads);
    const mark = arrays.mark();
    try {
      const whole = arrays.from(data, [n, count, width / count]);
      const heads = arrays.transpose(whole, [1, 0, 2]);
      const factors = arrays.from(arrayOf(gates).data, [1, count, 1]);
      // The gates meet the heads where these still lie side by side: nothing has to be moved back.
      const merged = arrays.binary('multiply', whole, factors);
      return [
        array([count, n, width / count], arrays.values(heads)),
        array(shape, arrays.values(merged)),
      ];
    } finally {
      arrays.release(mark);
    }
  },
} as const satisfies Exercise;
