import { eighths, normal, positiveValues, rows, vector } from '../../src/exercises/common-inputs';
import {
  arrayOf,
  fromMatrices,
  fromMatrix,
  identity,
  matrixOf,
  numberOf,
  transposed,
} from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

/** 1 for the first `kept` of m tokens, 0 for the filling behind them. */
const filled = (m: number, kept: number): Input =>
  vector(Array.from({ length: m }, (_, at) => (at < kept ? 1 : 0)));

interface Sizes {
  readonly n: number;
  readonly m: number;
  readonly width: number;
  readonly other?: number;
  readonly heads: number;
  readonly kept?: number;
  readonly seed: number;
}

/** All arguments: X n×width, Y m×other. Scores are of about the size 1. */
function module({ n, m, width, other = width, heads, kept = m, seed }: Sizes): readonly Input[] {
  return [
    normal(n, width, seed),
    normal(m, other, seed + 1),
    normal(width, width, seed + 2, 1.5 / Math.sqrt(width)),
    normal(other, width, seed + 3, 1.5 / Math.sqrt(other)),
    normal(other, width, seed + 4, 1.5 / Math.sqrt(other)),
    normal(width, width, seed + 5, 1 / Math.sqrt(width)),
    heads,
    filled(m, kept),
  ];
}

/**
 * Two heads of width 4 that have the same scores, qKᵀ, for rows that may be as large as 40. The last token of Y is
 * filling, and the values are Y times `values`, 4×8.
 */
function large(
  asking: readonly number[][],
  answering: readonly number[][],
  values: Input,
): Input[] {
  const twice = rows(
    [0, 1, 2, 3].map((at) => Array.from({ length: 8 }, (_, col) => (col % 4 === at ? 1 : 0))),
  );
  return [
    rows(asking.map((row) => [...row, ...row])),
    rows(answering),
    ...[identity(8), twice, values, identity(8)],
    2,
    filled(answering.length, answering.length - 1),
  ];
}

export const exercise = {
  id: 'cross-attention-module',
  lab: 'heads',
  order: 2,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['cross-attention', 'multi-head-attention'],
  title: 'A cross-attention layer',
  summary: 'Many heads, two sequences: each with its own length, its own width and its filling.',
  task: [
    'A decoder reads its source through layers of many heads. $X$ asks ($n$ tokens of width $d_{\\text{model}}$) and $Y$ answers ($m$ tokens of width $d_y$). The queries are $XW_q$, the keys $YW_k$, the values $YW_v$, each with $d_{\\text{model}}$ columns; with $d_{\\text{head}} = d_{\\text{model}}/h$, head $i$, counted from 0, owns the columns $i\\,d_{\\text{head}}$ up to $(i+1)\\,d_{\\text{head}}$ of each.',
    'Write `cross_attention_module(X, Y, W_q, W_k, W_v, W_o, num_heads, keep)`:',
    '$$\\operatorname{head}_i=\\operatorname{softmax}\\!\\left(\\frac{Q_iK_i^\\top}{\\sqrt{d_{\\text{head}}}}\\right)V_i,\\qquad \\text{output}=[\\operatorname{head}_1,\\dots,\\operatorname{head}_h]\\,W_o$$',
    '`keep` has $m$ entries, 1 for a token of $Y$ and 0 for filling, which no query of any head may see. No causal mask belongs here. The first token of $Y$ is never filling.',
    'Return the output, $n\\times d_{\\text{model}}$, and the weights of every head, $h\\times n\\times m$. Scores may be as large as ±1000.',
  ],
  entry: 'cross_attention_module',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d_model', what: 'the sequence that asks' },
    { name: 'Y', type: 'matrix', shape: 'm×d_y', what: 'the sequence that answers' },
    { name: 'W_q', type: 'matrix', shape: 'd_model×d_model', what: 'makes queries' },
    { name: 'W_k', type: 'matrix', shape: 'd_y×d_model', what: 'makes keys' },
    { name: 'W_v', type: 'matrix', shape: 'd_y×d_model', what: 'makes values' },
    { name: 'W_o', type: 'matrix', shape: 'd_model×d_model', what: 'mixes the merged heads' },
    { name: 'num_heads', type: 'integer', what: 'h; divides d_model' },
    { name: 'keep', type: 'vector', shape: 'm', what: '1 for a token of Y, 0 for filling' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_model', what: 'what each token of X read' },
    { name: 'weights', type: 'stack', shape: 'h×n×m', what: 'rows that sum to 1, head by head' },
  ],
  cases: [
    {
      name: 'one token asks two, two heads, by hand',
      args: [
        rows([[1, 1]]),
        rows([[0], [1]]),
        identity(2),
        rows([[0, 2]]),
        rows([[10, 100]]),
        identity(2),
        2,
        vector([1, 1]),
      ],
    },
    {
      name: 'three ask five of another width',
      args: module({ n: 3, m: 5, width: 6, other: 4, heads: 2, seed: 1 }),
    },
    {
      name: 'two of six are filling',
      args: module({ n: 4, m: 6, width: 6, other: 5, heads: 3, kept: 4, seed: 11 }),
    },
    {
      name: 'as many tokens here as there',
      args: module({ n: 5, m: 5, width: 4, heads: 2, kept: 3, seed: 21 }),
    },
    {
      name: 'scores of ±1000',
      args: large(
        [
          [40, 0, 0.5, 0],
          [-40, 0.25, 0, 1],
        ],
        [
          [40, 0, 1, 0],
          [40, 0.5, 0, 1],
          [40, 0, 0, 0],
          [40, 0.75, 0.75, 0.75],
        ],
        { make: 'range', shape: [4, 8], start: 0.5, step: 0.03125 },
      ),
    },
    {
      name: 'more ask than answer',
      hidden: true,
      args: module({ n: 7, m: 3, width: 8, other: 3, heads: 4, seed: 31 }),
    },
    {
      name: 'all but one are filling',
      hidden: true,
      args: module({ n: 3, m: 4, width: 4, other: 6, heads: 2, kept: 1, seed: 41 }),
    },
    {
      name: 'a single query',
      hidden: true,
      args: module({ n: 1, m: 6, width: 6, heads: 6, kept: 5, seed: 51 }),
    },
    {
      name: 'as many heads as queries, tokens and columns',
      hidden: true,
      args: module({ n: 4, m: 4, width: 4, heads: 4, kept: 3, seed: 61 }),
    },
  ],
  drawn: (draw, nth) => {
    if (nth === 2) {
      // Both heads have the same scores, near ±1600. All values are positive, so that nothing cancels.
      const [n, m] = [draw.integer(2, 4), draw.integer(3, 6)];
      const asking = eighths(n, 3, draw).map((row) => [draw.pick([-40, 40]), ...row]);
      const answering = eighths(m, 3, draw).map((row) => [40, ...row]);
      return large(asking, answering, positiveValues(4, 8, draw));
    }
    const heads = draw.integer(2, 3);
    const n = draw.integer(3, 6);
    const m = nth === 0 ? n : draw.integer(4, 8);
    const width = heads * draw.integer(2, 4);
    return module({
      ...{ n, m, width, heads, kept: m - 1, seed: draw.integer(1, 5000) },
      other: nth === 0 ? width : draw.integer(3, 7),
    });
  },
  tolerance: {
    rtol: 1e-3,
    atol: 2e-5,
    reason:
      'The core works in float32, and three products in a row lose a digit more than attention alone.',
  },
  hints: [
    'Which sequence gives the number of rows of the weights, and which the number of columns? Everything that is read comes from Y.',
    'Cutting into heads needs the number of tokens of that sequence: n for the queries, m for keys and values.',
    'Mask before the softmax: with NumPy np.where(keep == 0, -np.inf, scores) lends the m entries to every head and every query.',
  ],
  variants: [
    {
      id: 'values-of-x',
      message: 'Your values come from X. What is read comes from the sequence that answers: YW_v.',
      python: [['split(Y @ W_v)', 'split(X @ W_v)']],
      javascript: [['Y.times(WV)', 'X.times(WV)']],
      cpp: [['matmul(Y, W_v)', 'matmul(X, W_v)']],
    },
    {
      id: 'self-attention',
      message: 'You look at X only, which is self-attention. Keys and values come from Y.',
      python: [
        ['split(Y @ W_k)', 'split(X @ W_k)'],
        ['split(Y @ W_v)', 'split(X @ W_v)'],
      ],
    },
    {
      id: 'sources-swapped',
      message:
        'You made queries from Y, and keys and values from X. X asks: its tokens are the rows of the weights.',
      python: [
        ['split(X @ W_q)', 'split(Y @ W_q)'],
        ['split(Y @ W_k)', 'split(X @ W_k)'],
        ['split(Y @ W_v)', 'split(X @ W_v)'],
      ],
    },
    {
      id: 'filling-seen',
      message:
        'Your queries see the filling: `keep` changes nothing. Mask the scores of tokens that are 0 in it, in every head.',
      python: [['np.where(keep == 0, -np.inf, scores)', 'scores']],
      javascript: [['keep.get(0, j) === 0 ? -Infinity : score', 'score']],
      cpp: [['where(keep == 0.0, -INFINITY, scores)', 'scores']],
    },
    {
      id: 'filling-seen-by-later-heads',
      message:
        'Only your first head leaves the filling out. What is filling is filling for every head.',
      python: [
        [
          'np.where(keep == 0, -np.inf, scores)',
          'np.where((keep == 0) & (np.arange(num_heads)[:, None, None] == 0), -np.inf, scores)',
        ],
      ],
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
      id: 'filling-taken-out-after',
      message:
        'You took the filling out after the softmax: your rows no longer sum to 1. Take it out of the scores.',
      python: [
        ['    scores = np.where(keep == 0, -np.inf, scores)\n', ''],
        ['    merged =', '    weights = weights * (keep != 0)\n    merged ='],
      ],
    },
    {
      id: 'keep-inverted',
      message:
        'You hide the tokens and keep the filling, as torch’s key_padding_mask would have it. Here 1 means “a token”, 0 means “filling”.',
      evidence: 'fixed',
      python: [
        [
          'np.where(keep == 0, -np.inf, scores)',
          'np.where((keep != 0) & (keep.min() == 0), -np.inf, scores)',
        ],
      ],
    },
    {
      id: 'keep-for-queries',
      message:
        'You masked the rows: `keep` belongs to the tokens of Y, and these are the columns of the weights.',
      python: [
        [
          'np.where(keep == 0, -np.inf, scores)',
          'np.where((keep == 0)[: X.shape[0], None] if len(keep) == X.shape[0] else keep == 0, -1e9, scores)',
        ],
      ],
    },
    {
      id: 'causal',
      message:
        'You used a causal mask. The whole of Y is known before X begins: every query may see every token of Y.',
      python: [
        [
          'np.where(keep == 0, -np.inf, scores)',
          'np.where((keep == 0) | (np.tri(X.shape[0], Y.shape[0]) == 0), -np.inf, scores)',
        ],
      ],
    },
    {
      id: 'no-output-projection',
      message:
        'You returned the merged heads as they are. The last step multiplies them by W_o, which lets the heads mix.',
      python: [['merged @ W_o', 'merged']],
      javascript: [['merged.times(WO)', 'merged']],
      cpp: [['matmul(merged, W_o)', 'merged']],
    },
    {
      id: 'reshape-only',
      message:
        'You reshaped straight to h×tokens×d_head, so each head got whole rows of the first tokens. Cut the columns first, then swap two axes.',
      python: [
        [
          'Z.reshape(Z.shape[0], num_heads, Z.shape[1] // num_heads).transpose(1, 0, 2)',
          'Z.reshape(num_heads, Z.shape[0], Z.shape[1] // num_heads)',
        ],
        ['.transpose(1, 0, 2).reshape(X.shape[0], -1)', '.reshape(X.shape[0], -1)'],
      ],
      cpp: [
        [
          'transpose(Z.reshape({Z.shape(0), num_heads, Z.shape(1) / num_heads}), {1, 0, 2})',
          'Z.reshape({num_heads, Z.shape(0), Z.shape(1) / num_heads})',
        ],
        ['transpose(matmul(weights, V), {1, 0, 2}).reshape', 'matmul(weights, V).reshape'],
      ],
    },
    {
      id: 'scaled-by-model-width',
      message:
        'You divided by the root of d_model. Each dot product runs over the width of one head: divide by the root of d_model / h.',
      python: [['np.sqrt(Q.shape[2])', 'np.sqrt(X.shape[1])']],
      javascript: [['Math.sqrt(width)', 'Math.sqrt(Q.cols)']],
      cpp: [['std::sqrt(Q.shape(2))', 'std::sqrt(X.shape(1))']],
    },
    {
      id: 'wrong-axis',
      message:
        'Your columns sum to 1, not your rows. Each token of X shares out a weight of 1 over the tokens of Y.',
      python: [
        ['scores.max(axis=-1', 'scores.max(axis=-2'],
        ['weights.sum(axis=-1', 'weights.sum(axis=-2'],
        ['-np.inf', '-1e9'],
      ],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      evidence: 'fixed',
      python: [['np.exp(scores - scores.max(axis=-1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['kept.minus(kept.maxRows()).exp()', 'kept.exp()']],
      cpp: [['exp(kept - max(kept, -1, true))', 'exp(kept)']],
    },
    {
      id: 'weights-averaged',
      message:
        'You returned the mean of the heads’ weights, as torch does by default. Return those of every head.',
      python: [['return merged @ W_o, weights', 'return merged @ W_o, weights.mean(axis=0)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens of X', min: 1, max: 24, value: 6 },
      m: { label: 'tokens of Y', min: 2, max: 24, value: 10 },
      filling: { label: 'filling at the end of Y', min: 0, max: 12, value: 3 },
      heads: { label: 'heads', min: 1, max: 8, value: 3 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 6, m = 10, filling = 3, heads = 3, seed = 1 }) =>
      module({
        ...{ n, m, heads, width: 4 * heads, other: 5, seed: 10 * seed },
        kept: Math.max(1, m - filling),
      }),
    draw: { kind: 'matrix', path: [1], rows: 'queries, head by head', cols: 'tokens of Y' },
    caption:
      'The weights of every head, one below the other. Each row is a token of X and sums to 1; the columns of the filling stay empty.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Cross-Attention(X, Y); here with heads and filling',
  },
  reference: async ({ core }, [X, Y, wq, wk, wv, wo, numHeads, keep]) => {
    const { output, heads } = await core.multiHeadAttention({
      x: matrixOf(X),
      yk: matrixOf(Y),
      weights: {
        heads: numberOf(numHeads),
        wq: transposed(matrixOf(wq)),
        wk: transposed(matrixOf(wk)),
        wv: transposed(matrixOf(wv)),
        wo: transposed(matrixOf(wo)),
      },
      keepKeys: [...arrayOf(keep).data].map((one) => one !== 0),
    });
    return [fromMatrix(output), fromMatrices(heads.weights)];
  },
} as const satisfies Exercise;
