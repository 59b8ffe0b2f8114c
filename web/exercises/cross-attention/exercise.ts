import { largeScores, normal, rows } from '../../src/exercises/common-inputs';
import {
  arrayOf,
  fromMatrix,
  identity,
  matrixOf,
  transposed,
} from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const ones = (size: number): Input => ({ make: 'full', shape: [size], value: 1 });
/** 1 for the first `kept` of `size` tokens, 0 for the padding behind them. */
const padded = (size: number, kept: number): Input => ({
  make: 'values',
  shape: [size],
  data: Array.from({ length: size }, (_, at) => (at < kept ? 1 : 0)),
});

export const exercise = {
  id: 'cross-attention',
  lab: 'surgeon',
  order: 15,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['attention'],
  title: 'Cross-attention',
  summary: 'One sequence asks, another answers: each with its own length and its own width.',
  task: [
    'In self-attention queries, keys and values come from one sequence. In cross-attention a sequence $X$ asks ($n$ tokens of width $d_x$) and another one, $Y$, answers ($m$ tokens of width $d_y$): a translation reads its source this way. The queries are $XW_q$; the keys are $YW_k$ and the values $YW_v$.',
    'Write `cross_attention(X, Y, W_q, W_k, W_v, keep)`:',
    '$$\\operatorname{softmax}\\!\\left(\\frac{(XW_q)(YW_k)^\\top}{\\sqrt{d_k}}\\right)YW_v$$',
    'The sequences of a batch are filled up to one length. `keep` has $m$ entries, 1 for a token of $Y$ and 0 for filling: no query may see filling. No causal mask belongs here, because the whole of $Y$ is known. The first token of $Y$ is never filling.',
    'Return two results: the output, $n\\times d_v$, and the weights, $n\\times m$.',
  ],
  entry: 'cross_attention',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d_x', what: 'the sequence that asks' },
    { name: 'Y', type: 'matrix', shape: 'm×d_y', what: 'the sequence that answers' },
    { name: 'W_q', type: 'matrix', shape: 'd_x×d_k', what: 'makes queries' },
    { name: 'W_k', type: 'matrix', shape: 'd_y×d_k', what: 'makes keys' },
    { name: 'W_v', type: 'matrix', shape: 'd_y×d_v', what: 'makes values' },
    { name: 'keep', type: 'vector', shape: 'm', what: '1 for a token of Y, 0 for filling' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'what each token of X read from Y' },
    { name: 'weights', type: 'matrix', shape: 'n×m', what: 'rows that sum to 1' },
  ],
  cases: [
    {
      name: 'one token asks two, by hand',
      args: [rows([[1]]), rows([[0], [1]]), rows([[2]]), rows([[1]]), rows([[10]]), ones(2)],
    },
    {
      name: 'four ask six, other widths',
      args: [
        normal(4, 5, 1),
        normal(6, 3, 2),
        normal(5, 4, 3),
        normal(3, 4, 4),
        normal(3, 2, 5),
        ones(6),
      ],
    },
    {
      name: 'filling at the end of Y',
      args: [
        normal(3, 4, 6),
        normal(7, 4, 7),
        normal(4, 4, 8),
        normal(4, 4, 9),
        normal(4, 3, 10),
        padded(7, 4),
      ],
    },
    {
      name: 'as many ask as answer',
      args: [
        normal(5, 4, 11),
        normal(5, 4, 12),
        normal(4, 6, 13),
        normal(4, 6, 14),
        normal(4, 6, 15),
        ones(5),
      ],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        rows([
          [20, 0],
          [0, -20],
        ]),
        rows([
          [60, 0],
          [0, 60],
          [1, 1],
        ]),
        rows([
          [1, 0],
          [0, 1],
        ]),
        rows([
          [1, 0],
          [0, 1],
        ]),
        normal(2, 3, 16),
        ones(3),
      ],
    },
    {
      name: 'one token answers',
      hidden: true,
      args: [
        normal(4, 3, 17),
        normal(1, 5, 18),
        normal(3, 2, 19),
        normal(5, 2, 20),
        normal(5, 3, 21),
        ones(1),
      ],
    },
    {
      name: 'many answer few, much filling',
      hidden: true,
      args: [
        normal(2, 6, 22),
        normal(12, 3, 23),
        normal(6, 5, 24, 0.5),
        normal(3, 5, 25),
        normal(3, 4, 26),
        padded(12, 5),
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m] = [draw.integer(1, 7), draw.integer(3, 9)];
    const [d, dV] = [draw.integer(2, 6), draw.integer(1, 5)];
    // The width of X is never that of the keys, by which scores are divided.
    const [dX, dY] = [d + draw.integer(1, 3), draw.integer(2, 6)];
    const filling = padded(m, draw.integer(nth === 0 ? 2 : 1, m));
    if (nth === 2) {
      const same = identity(4);
      return [...largeScores(n, m, draw), same, same, normal(4, dV, draw.seed(), 0.1), filling];
    }
    return [
      normal(n, dX, draw.seed()),
      normal(m, dY, draw.seed()),
      normal(dX, d, draw.seed(), 0.5),
      normal(dY, d, draw.seed(), 0.5),
      normal(dY, dV, draw.seed()),
      filling,
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: about seven digits of the projections, a few fewer after exp.',
  },
  hints: [
    'First three products make Q, K and V. What follows is attention of n queries over m keys.',
    'The weights have a row for each token of X and a column for each token of Y. `keep` belongs to the columns.',
    'np.where(keep == 0, -np.inf, scores) spreads the m entries of keep over all rows by itself.',
  ],
  variants: [
    {
      id: 'values-of-x',
      message: 'Your values come from X. What is read comes from the sequence that answers: YW_v.',
      python: [['V = Y @ W_v', 'V = X @ W_v']],
      javascript: [['Y.times(WV)', 'X.times(WV)']],
    },
    {
      id: 'self-attention',
      message: 'You look at X only, which is self-attention. Keys and values come from Y.',
      python: [
        ['K = Y @ W_k', 'K = X @ W_k'],
        ['V = Y @ W_v', 'V = X @ W_v'],
      ],
    },
    {
      id: 'sources-swapped',
      message:
        'You made queries from Y, and keys and values from X. X asks: its tokens are the rows of the weights.',
      python: [
        ['Q = X @ W_q', 'Q = Y @ W_q'],
        ['K = Y @ W_k', 'K = X @ W_k'],
        ['V = Y @ W_v', 'V = X @ W_v'],
      ],
    },
    {
      id: 'filling-seen',
      message:
        'Your queries see the filling: `keep` changes nothing. Mask the scores of tokens that are 0 in it.',
      python: [['np.where(keep == 0, -np.inf, scores)', 'scores']],
      javascript: [['keep.get(0, j) === 0 ? -Infinity : score', 'score']],
      cpp: [['where(keep == 0.0, -INFINITY, scores)', 'where(keep == 2.0, -INFINITY, scores)']],
    },
    {
      id: 'mask-with-zero',
      message:
        'The scores of filling are 0 with you, and exp(0) is 1: filling still gets weight. Its score has to be −∞.',
      python: [['-np.inf', '0.0']],
      javascript: [['-Infinity', '0']],
      cpp: [['-INFINITY', '0.0']],
    },
    {
      id: 'keep-inverted',
      message: 'You hide the tokens and keep the filling: 1 means “a token”, 0 means “filling”.',
      python: [['keep == 0', 'keep != 0']],
      javascript: [['keep.get(0, j) === 0', 'keep.get(0, j) !== 0']],
      cpp: [['keep == 0.0', 'keep != 0.0']],
    },
    {
      id: 'filling-taken-out-after',
      message:
        'You took the filling out after the softmax: your rows no longer sum to 1. Take it out of the scores.',
      python: [
        ['np.where(keep == 0, -np.inf, scores)', 'scores'],
        ['weights.sum(axis=1, keepdims=True)', 'weights.sum(axis=1, keepdims=True) * keep'],
      ],
    },
    {
      id: 'causal',
      message:
        'You used a causal mask. The whole of Y is known before X begins: every query may see every token of Y.',
      python: [
        ['np.where(keep == 0,', 'np.where((keep == 0) | (np.tri(Q.shape[0], K.shape[0]) == 0),'],
      ],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(K.shape[1])', '']],
      javascript: [['.div(Math.sqrt(K.cols))', '']],
      cpp: [[' / std::sqrt(K.shape(1))', '']],
    },
    {
      id: 'scaled-by-width-of-x',
      message:
        'You divide by the square root of the width of X. d_k is the width of queries and keys.',
      python: [['np.sqrt(K.shape[1])', 'np.sqrt(X.shape[1])']],
      javascript: [['Math.sqrt(K.cols)', 'Math.sqrt(X.cols)']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows. Each token of X shares out a weight of 1 over the tokens of Y.',
      python: [
        ['scores.max(axis=1', 'scores.max(axis=0'],
        ['weights.sum(axis=1', 'weights.sum(axis=0'],
      ],
      cpp: [
        ['max(kept, 1, true)', 'max(kept, 0, true)'],
        ['sum(exps, 1, true)', 'sum(exps, 0, true)'],
      ],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['np.exp(scores - scores.max(axis=1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['kept.minus(kept.maxRows())', 'kept']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens that ask n', min: 1, max: 48, value: 8 },
      m: { label: 'tokens that answer m', min: 1, max: 48, value: 16 },
      kept: { label: 'of them no filling', min: 1, max: 48, value: 12 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 8, m = 16, kept = 12, seed = 1 }) => [
      normal(n, 8, seed),
      normal(m, 6, seed + 100),
      normal(8, 8, seed + 200, 0.5),
      normal(6, 8, seed + 300, 0.5),
      normal(6, 4, seed + 400),
      padded(m, Math.min(m, kept)),
    ],
    draw: { kind: 'matrix', path: [1], rows: 'token of X', cols: 'token of Y' },
    caption:
      'Your weights: a row for each token that asks, a column for each that answers. The picture is as tall as X and as wide as Y, and the columns of filling are empty.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'third bonus challenge. Vaswani et al. 2017, section 3.2.3',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  reference: async ({ core }, [X, Y, wq, wk, wv, keep]) => {
    const value = matrixOf(wv);
    const same = { rows: value.cols, cols: value.cols, data: new Float32Array(value.cols ** 2) };
    for (let at = 0; at < value.cols; at++) same.data[at * (value.cols + 1)] = 1;
    const { output, heads } = await core.multiHeadAttention({
      x: matrixOf(X),
      yk: matrixOf(Y),
      weights: {
        heads: 1,
        wq: transposed(matrixOf(wq)),
        wk: transposed(matrixOf(wk)),
        wv: transposed(value),
        wo: same,
      },
      keepKeys: [...arrayOf(keep).data].map((one) => one !== 0),
    });
    const [weights] = heads.weights;
    if (!weights) throw new Error('the core returned no weights');
    return [fromMatrix(output), fromMatrix(weights)];
  },
} as const satisfies Exercise;
