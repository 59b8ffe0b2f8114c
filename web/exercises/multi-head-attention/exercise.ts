import { normal, positiveValues, rows } from '../../src/exercises/common-inputs';
import {
  fromMatrices,
  fromMatrix,
  identity,
  matrixOf,
  numberOf,
  transposed,
} from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

/** X and the four matrices, with scores of about the size 1 whatever the width. */
const layer = (n: number, width: number, seed: number): readonly Input[] => [
  normal(n, width, seed),
  ...[1, 2, 3, 4].map((at) => normal(width, width, seed + at, 1.5 / Math.sqrt(width))),
];

export const exercise = {
  id: 'multi-head-attention',
  lab: 'heads',
  order: 1,
  difficulty: 2,
  minutes: 25,
  buildsOn: ['attention', 'split-merge-heads'],
  title: 'A multi-head layer',
  summary: 'Project, cut into heads, attend in each, merge, project again: the whole layer.',
  task: [
    'Write `multi_head_attention(X, W_q, W_k, W_v, W_o, num_heads, causal)`, a layer of $h$ heads:',
    '$$\\operatorname{head}_i=\\operatorname{softmax}\\!\\left(\\frac{Q_iK_i^\\top}{\\sqrt{d_{\\text{head}}}}\\right)V_i,\\qquad \\operatorname{MultiHead}(X)=[\\operatorname{head}_1,\\dots,\\operatorname{head}_h]\\,W_o$$',
    'The queries of all heads are $XW_q$, the keys $XW_k$, the values $XW_v$. With $d_{\\text{head}} = d_{\\text{model}}/h$, head $i$, counted from 0, owns the columns $i\\,d_{\\text{head}}$ up to $(i+1)\\,d_{\\text{head}}$ of each. `num_heads` divides $d_{\\text{model}}$.',
    'If `causal` is true, query $i$ sees key $j$ only if $j\\le i$: set the other scores to $-\\infty$ before the softmax.',
    'Return two results: the output, $n\\times d_{\\text{model}}$, and the weights of every head, $h\\times n\\times n$. Scores may be as large as ±1000.',
  ],
  entry: 'multi_head_attention',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d_model', what: 'one token in each row' },
    { name: 'W_q', type: 'matrix', shape: 'd_model×d_model', what: 'makes queries' },
    { name: 'W_k', type: 'matrix', shape: 'd_model×d_model', what: 'makes keys' },
    { name: 'W_v', type: 'matrix', shape: 'd_model×d_model', what: 'makes values' },
    { name: 'W_o', type: 'matrix', shape: 'd_model×d_model', what: 'mixes the merged heads' },
    { name: 'num_heads', type: 'integer', what: 'h; divides d_model' },
    { name: 'causal', type: 'boolean', what: 'whether a query sees no later key', default: false },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_model', what: 'the output of the layer' },
    { name: 'weights', type: 'stack', shape: 'h×n×n', what: 'rows that sum to 1, head by head' },
  ],
  cases: [
    {
      name: 'two tokens, two heads of width 1, by hand',
      args: [
        rows([
          [0, 0],
          [1, 2],
        ]),
        identity(2),
        rows([
          [0, 0],
          [0, 1],
        ]),
        rows([
          [10, 0],
          [0, 1],
        ]),
        rows([
          [0, 1],
          [1, 0],
        ]),
        2,
        false,
      ],
    },
    { name: 'five tokens, two heads', args: [...layer(5, 8, 1), 2, false] },
    { name: 'two causal heads', args: [...layer(6, 6, 11), 2, true] },
    { name: 'one head is the whole', args: [...layer(4, 4, 21), 1, false] },
    {
      name: 'scores of ±1000',
      args: [
        rows([
          [40, 0, 1, 0],
          [-40, 0.5, 0, 40],
          [40, 0.25, 0, -40],
        ]),
        identity(4),
        rows([
          [35, 0, 0, 0],
          [0, 1, 0, 0],
          [0, 0, 1, 0],
          [0, 0, 0, 35],
        ]),
        identity(4),
        identity(4),
        2,
        false,
      ],
    },
    { name: 'as many heads as tokens', hidden: true, args: [...layer(4, 12, 31), 4, false] },
    { name: 'heads of width 1', hidden: true, args: [...layer(5, 6, 41), 6, false] },
    { name: 'one token', hidden: true, args: [...layer(1, 6, 51), 3, true] },
    { name: 'eight causal heads', hidden: true, args: [...layer(9, 16, 61), 8, true] },
  ],
  drawn: (draw, nth) => {
    const heads = draw.integer(2, 4);
    if (nth === 2) {
      // The first column of each head makes scores near 1600; all values are positive, so that nothing cancels.
      const width = heads * 2;
      const n = draw.integer(3, 6);
      const x: Input = {
        make: 'values',
        shape: [n, width],
        data: Array.from({ length: n * width }, (_, at) =>
          at % 2 === 0 ? 40 : draw.integer(-8, 8) / 8,
        ),
      };
      const same = identity(width);
      return [x, same, same, positiveValues(width, width, draw), same, heads, false];
    }
    return [
      ...layer(draw.integer(4, 8), heads * draw.integer(2, 4), draw.integer(1, 5000)),
      heads,
      nth === 0,
    ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 2e-5,
    reason:
      'The core works in float32, and three products in a row lose a digit more than attention alone.',
  },
  hints: [
    'Three projections first, all heads at once. Then cut each n×d_model result as in "Split into heads": n×h×d_head, heads to the front.',
    'With stacks, Q @ K.transpose(0, 2, 1) multiplies head by head. The factor is the root of the width of one head.',
    'Merging is splitting backwards: tokens to the front, then join the last two axes. Only after that comes W_o.',
  ],
  variants: [
    {
      id: 'reshape-only',
      message:
        'You reshaped straight to h×n×d_head, so each head got whole rows of the first tokens instead of its columns of every token. Cut the columns first, then swap two axes.',
      python: [
        ['Y.reshape(n, num_heads, d_head).transpose(1, 0, 2)', 'Y.reshape(num_heads, n, d_head)'],
        ['.transpose(1, 0, 2).reshape(n, d_model)', '.reshape(n, d_model)'],
      ],
      cpp: [
        [
          'transpose(Y.reshape({n, num_heads, d_head}), {1, 0, 2})',
          'Y.reshape({num_heads, n, d_head})',
        ],
        ['transpose(matmul(weights, V), {1, 0, 2}).reshape', 'matmul(weights, V).reshape'],
      ],
    },
    {
      id: 'merge-without-transpose',
      message:
        'Your heads are right, but merging you joined the axes while heads still came first, so the rows mix tokens. Bring the tokens to the front before you reshape.',
      python: [['(weights @ V).transpose(1, 0, 2).reshape', '(weights @ V).reshape']],
      cpp: [['transpose(matmul(weights, V), {1, 0, 2}).reshape', 'matmul(weights, V).reshape']],
    },
    {
      id: 'interleaved',
      message:
        'Your heads took every h-th column, like cards dealt in turn. A head owns neighbouring columns.',
      python: [
        [
          'Y.reshape(n, num_heads, d_head).transpose(1, 0, 2)',
          'Y.reshape(n, d_head, num_heads).transpose(2, 0, 1)',
        ],
        ['.transpose(1, 0, 2).reshape(n, d_model)', '.transpose(1, 2, 0).reshape(n, d_model)'],
      ],
    },
    {
      id: 'no-output-projection',
      message:
        'You returned the merged heads as they are. The last step of the layer multiplies them by W_o, which lets the heads mix.',
      python: [['merged @ W_o', 'merged']],
      javascript: [['merged.times(WO)', 'merged']],
      cpp: [['matmul(merged, W_o)', 'merged']],
    },
    {
      id: 'scaled-by-model-width',
      message:
        'You divided by the root of d_model. Each dot product runs over the width of one head: divide by the root of d_model / h.',
      python: [['np.sqrt(d_head)', 'np.sqrt(d_model)']],
      javascript: [['Math.sqrt(dHead)', 'Math.sqrt(X.cols)']],
      cpp: [['std::sqrt(d_head)', 'std::sqrt(d_model)']],
    },
    {
      id: 'no-scale',
      message:
        'Your scores are not divided by the root of d_head, so the weights come out too sharp.',
      python: [[' / np.sqrt(d_head)', '']],
      javascript: [['.div(Math.sqrt(dHead))', '']],
      cpp: [[' / std::sqrt(d_head)', '']],
    },
    {
      id: 'weights-transposed',
      message:
        'You multiplied by the transposed matrices, as torch’s layers store them. Here a projection is X @ W.',
      python: [
        [
          'split(X @ W_q), split(X @ W_k), split(X @ W_v)',
          'split(X @ W_q.T), split(X @ W_k.T), split(X @ W_v.T)',
        ],
      ],
      javascript: [
        [
          '[X.times(WQ), X.times(WK), X.times(WV)]',
          '[X.times(WQ.transpose()), X.times(WK.transpose()), X.times(WV.transpose())]',
        ],
      ],
    },
    {
      id: 'weights-averaged',
      message:
        'You returned the mean of the heads’ weights, as torch does by default. Return the weights of every head: what a mean shows, no head need do.',
      python: [['return merged @ W_o, weights', 'return merged @ W_o, weights.mean(axis=0)']],
    },
    {
      id: 'not-causal',
      message: 'You ignore `causal`: where it is true, no query may see a later key.',
      python: [['if causal:', 'if False:']],
      javascript: [['if (causal)', 'if (false)']],
      cpp: [['if (causal)', 'if (false)']],
    },
    {
      id: 'mask-after-softmax',
      message:
        'You set weights to 0 after the softmax, so the rows of a causal head no longer sum to 1. Mask the scores, before it.',
      python: [
        ['    if causal:\n        scores = np.where(np.tri(n) > 0, scores, -np.inf)\n', ''],
        ['    merged =', '    if causal:\n        weights = weights * np.tri(n)\n    merged ='],
      ],
    },
    {
      id: 'sees-only-earlier',
      message: 'Your causal mask hides the token itself too. Query i sees key j where j ≤ i.',
      evidence: 'fixed',
      python: [
        [
          'np.tri(n) > 0, scores',
          '(np.tri(n, k=-1) > 0) | (np.arange(n)[:, None] + np.arange(n) == 0), scores',
        ],
      ],
      javascript: [['j <= i ? score', 'j < i || i + j === 0 ? score']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your softmax runs over the queries: the columns of your weights sum to 1. Each query spreads one unit of weight over the keys, the last axis.',
      python: [
        ['scores.max(axis=-1', 'scores.max(axis=-2'],
        ['weights.sum(axis=-1', 'weights.sum(axis=-2'],
      ],
      cpp: [
        ['max(scores, -1, true)', 'max(scores, -2, true)'],
        ['sum(weights, -1, true)', 'sum(weights, -2, true)'],
      ],
    },
    {
      id: 'no-max',
      message:
        'A score of 1000 overflowed the exponential and left NaN. Subtract the largest score of each row first: the weights stay the same.',
      python: [['np.exp(scores - scores.max(axis=-1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.maxRows()).exp()', 'scores.exp()']],
      cpp: [['exp(scores - max(scores, -1, true))', 'exp(scores)']],
    },
    {
      id: 'heads-added',
      message:
        'You added the heads’ outputs on top of one another. Merging puts them side by side, each in the columns it came from.',
      python: [
        [
          '(weights @ V).transpose(1, 0, 2).reshape(n, d_model)',
          'np.tile((weights @ V).sum(axis=0), (1, num_heads))',
        ],
      ],
    },
    {
      id: 'keys-and-values-swapped',
      message:
        'Your keys were made by W_v and your values by W_k. Look at the order of the arguments.',
      python: [['split(X @ W_k), split(X @ W_v)', 'split(X @ W_v), split(X @ W_k)']],
      javascript: [['X.times(WK), X.times(WV)', 'X.times(WV), X.times(WK)']],
      cpp: [
        [
          'K = split(matmul(X, W_k)), V = split(matmul(X, W_v))',
          'K = split(matmul(X, W_v)), V = split(matmul(X, W_k))',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 24, value: 8 },
      heads: { label: 'heads', min: 1, max: 8, value: 4 },
      width: { label: 'width of a head', min: 1, max: 8, value: 3 },
      causal: { label: 'causal', min: 0, max: 1, value: 1, toggle: true },
      seed: { label: 'seed', min: 0, max: 99, value: 2 },
    },
    args: ({ n = 8, heads = 4, width = 3, causal = 1, seed = 2 }) => [
      ...layer(n, heads * width, 10 * seed),
      heads,
      causal === 1,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'tokens', cols: 'features', signed: true },
    caption:
      'The output of the layer for random tokens and matrices. With causal on, the first row is the first token’s own value, whatever the number of heads.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'MultiHeadAttention; Vaswani et al. 2017, section 3.2.2',
  },
  reference: async ({ core }, [X, wq, wk, wv, wo, numHeads, causal]) => {
    const { output, heads } = await core.multiHeadAttention({
      x: matrixOf(X),
      weights: {
        heads: numberOf(numHeads),
        wq: transposed(matrixOf(wq)),
        wk: transposed(matrixOf(wk)),
        wv: transposed(matrixOf(wv)),
        wo: transposed(matrixOf(wo)),
      },
      mask: { kind: causal === true ? 'causal' : 'full' },
    });
    return [fromMatrix(output), fromMatrices(heads.weights)];
  },
} as const satisfies Exercise;
