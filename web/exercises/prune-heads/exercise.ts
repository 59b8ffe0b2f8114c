import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

interface Sizes {
  readonly heads: number;
  readonly n: number;
  readonly width: number;
  readonly outputs?: number;
  readonly seed: number;
}

/** The outputs of the heads, with means of their own, and W_o. */
const layer = ({ heads, n, width, outputs = heads * width, seed }: Sizes): readonly Input[] => [
  { make: 'normal', shape: [heads, n, width], seed, shift: 0.75 },
  normal(heads * width, outputs, seed + 1),
];

export const exercise = {
  id: 'prune-heads',
  lab: 'heads',
  order: 6,
  difficulty: 2,
  minutes: 18,
  buildsOn: ['head-importance'],
  title: 'Cut heads out',
  summary: 'Keep the most important heads; put zero or their mean in the place of the others.',
  task: [
    'Write `prune_heads(heads, W_o, importance, keep, fill_mean)`. `heads` holds the output of every head of a layer, $h\\times n\\times d_{\\text{head}}$; the layer puts them side by side, head 0 first, and multiplies by $W_o$.',
    'Keep the `keep` heads of the highest importance; of equally important ones the earlier stays. If `fill_mean` is false, every other head is replaced by zeros. If it is true, it is replaced by its mean over the $n$ tokens: the same row for every token, which is what the head says whatever it looks at. Zero is a value that the rest of the network has never seen; the mean is less of a shock.',
    'Every head stays in its own columns, pruned or not, so that it meets its own rows of $W_o$. Nothing is scaled up to make good for what is gone.',
    'Return two results: the output of the layer, $n\\times d_{\\text{model}}$; and a vector of $h$ entries, 1 for a head that was kept and 0 for one that was cut out.',
  ],
  entry: 'prune_heads',
  parameters: [
    { name: 'heads', type: 'stack', shape: 'h×n×d_head', what: 'the output of each head' },
    { name: 'W_o', type: 'matrix', shape: '(h·d_head)×d_model', what: 'mixes the merged heads' },
    { name: 'importance', type: 'vector', shape: 'h', what: 'one number for each head' },
    { name: 'keep', type: 'integer', what: 'how many heads stay, 0 to h' },
    {
      name: 'fill_mean',
      type: 'boolean',
      what: 'whether the mean takes the place of a pruned head, not zero',
      default: false,
    },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_model', what: 'the output of the layer' },
    { name: 'kept', type: 'vector', shape: 'h', what: '1 for a head that stays' },
  ],
  cases: [
    {
      name: 'two heads, one stays, by hand',
      args: [
        { make: 'values', shape: [2, 2, 1], data: [1, 3, 10, 20] },
        rows([
          [1, 0],
          [0, 1],
        ]),
        vector([0.25, 0.5]),
        1,
        false,
      ],
    },
    {
      name: 'the same with the mean',
      args: [
        { make: 'values', shape: [2, 2, 1], data: [1, 3, 10, 20] },
        rows([
          [1, 0],
          [0, 1],
        ]),
        vector([0.25, 0.5]),
        1,
        true,
      ],
    },
    {
      name: 'four heads, two stay',
      args: [
        ...layer({ heads: 4, n: 5, width: 2, seed: 1 }),
        vector([0.1, 0.7, 0.3, 0.6]),
        2,
        false,
      ],
    },
    {
      name: 'four heads, the first stays, the others are means',
      args: [
        ...layer({ heads: 4, n: 3, width: 3, seed: 3 }),
        vector([0.9, 0.2, 0.4, 0.1]),
        1,
        true,
      ],
    },
    {
      name: 'equally important heads',
      args: [
        ...layer({ heads: 4, n: 3, width: 2, seed: 5 }),
        vector([0.5, 0.5, 0.5, 0.5]),
        2,
        false,
      ],
    },
    {
      name: 'all stay',
      hidden: true,
      args: [...layer({ heads: 3, n: 4, width: 2, seed: 7 }), vector([0.3, 0.1, 0.2]), 3, true],
    },
    {
      name: 'none stays',
      hidden: true,
      args: [...layer({ heads: 3, n: 4, width: 2, seed: 9 }), vector([0.3, 0.1, 0.2]), 0, false],
    },
    {
      name: 'none stays, means',
      hidden: true,
      args: [
        ...layer({ heads: 2, n: 4, width: 3, outputs: 5, seed: 11 }),
        vector([0.3, 0.1]),
        0,
        true,
      ],
    },
    {
      name: 'as many heads as tokens and columns',
      hidden: true,
      args: [
        ...layer({ heads: 4, n: 4, width: 4, seed: 13 }),
        vector([0.2, 0.4, 0.1, 0.3]),
        2,
        true,
      ],
    },
    {
      name: 'importances that tie at the border',
      hidden: true,
      args: [
        ...layer({ heads: 5, n: 3, width: 2, seed: 15 }),
        vector([0.2, 0.4, 0.2, 0.9, 0.2]),
        3,
        false,
      ],
    },
  ],
  drawn: (draw, nth) => {
    const heads = draw.integer(4, 6);
    // Importances in an order that is neither that of the heads nor its reverse, and far from each other.
    const places = Array.from(
      { length: heads },
      (_, at) => (at * 2 + 1) % (heads + 1 - (heads % 2)),
    );
    return [
      ...layer({
        ...{ heads, n: draw.integer(3, 6), width: draw.integer(2, 4) },
        ...{ outputs: draw.integer(3, 8), seed: draw.integer(1, 5000) },
      }),
      vector(places.map((place) => (1 + place) / 8 + draw.integer(0, 3) / 64)),
      draw.integer(1, heads - 2),
      nth > 0,
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'JavaScript multiplies in float32: sums that cancel lose a few digits.',
  },
  hints: [
    'Two steps that do not depend on each other: which heads stay, and what takes the place of the others.',
    'Sort the numbers of the heads by importance, the highest first, with a sort that keeps the order of equals (NumPy: np.argsort(-importance, kind="stable")).',
    'The mean of a head over its tokens is one row of d_head numbers: heads.mean(axis=1, keepdims=True). Then merge as in "Split into heads" and multiply by W_o.',
  ],
  variants: [
    {
      id: 'most-important-cut',
      message:
        'You cut out the most important heads and kept the least. Sort from the highest importance down.',
      python: [['np.argsort(-importance, kind="stable")', 'np.argsort(importance, kind="stable")']],
      javascript: [
        [
          'importance.get(0, b) - importance.get(0, a)',
          'importance.get(0, a) - importance.get(0, b)',
        ],
      ],
      cpp: [['argsort(-importance)', 'argsort(importance)']],
    },
    {
      id: 'keep-cut-out',
      message: 'You cut out `keep` heads. That many stay; the others go.',
      python: [['order[:keep]', 'order[: count - keep]']],
      javascript: [['order.slice(0, keep)', 'order.slice(0, heads.length - keep)']],
      cpp: [['at < keep', 'at < count - keep']],
    },
    {
      id: 'first-heads-kept',
      message: 'You kept the first heads, whatever their importance.',
      python: [['order[:keep]', ':keep']],
      javascript: [['order.slice(0, keep)', 'heads.map((_, at) => at).slice(0, keep)']],
      cpp: [['static_cast<Index>(order(at))', 'at']],
    },
    {
      id: 'later-of-equals',
      message: 'Of equally important heads you kept the later. The earlier stays.',
      evidence: 'fixed',
      python: [
        ['np.argsort(-importance, kind="stable")', 'np.argsort(importance, kind="stable")[::-1]'],
      ],
    },
    {
      id: 'mean-ignored',
      message: 'You put zeros also where `fill_mean` is true.',
      python: [['heads.mean(axis=1, keepdims=True) if fill_mean else 0.0', '0.0']],
      javascript: [
        [
          'fillMean ? head.sumCols().div(head.rows) : Matrix.zeros(1, head.cols)',
          'Matrix.zeros(1, head.cols)',
        ],
      ],
      cpp: [['fill_mean ? mean(heads, 1, true) : Array(0.0)', 'Array(0.0)']],
    },
    {
      id: 'mean-of-columns',
      message:
        'You averaged over the columns of a head, which gives one number a token. The mean is over the tokens: one row of d_head numbers.',
      python: [['heads.mean(axis=1, keepdims=True)', 'heads.mean(axis=2, keepdims=True)']],
      javascript: [['head.sumCols().div(head.rows)', 'head.sumRows().div(head.cols)']],
      cpp: [['mean(heads, 1, true)', 'mean(heads, 2, true)']],
    },
    {
      id: 'mean-of-heads',
      message:
        'A pruned head got the mean of all heads. It is replaced by its own mean over the tokens.',
      python: [['heads.mean(axis=1, keepdims=True)', 'heads.mean(axis=0, keepdims=True)']],
      cpp: [['mean(heads, 1, true)', 'mean(heads, 0, true)']],
    },
    {
      id: 'one-mean',
      message:
        'You averaged a head over tokens and columns, which is one number. Each column has a mean of its own.',
      python: [['heads.mean(axis=1, keepdims=True)', 'heads.mean(axis=(1, 2), keepdims=True)']],
      javascript: [
        [
          'head.sumCols().div(head.rows)',
          'Matrix.full(1, head.cols, head.sum() / (head.rows * head.cols))',
        ],
      ],
    },
    {
      id: 'moved-up',
      message:
        'The heads that stay moved up into the columns of those that went, and met the wrong rows of W_o. Every head stays in its own columns.',
      python: [
        [
          'pruned.transpose(1, 0, 2)',
          'pruned[np.argsort(-kept, kind="stable")].transpose(1, 0, 2)',
        ],
      ],
    },
    {
      id: 'scaled-up',
      message:
        'You scaled the kept heads by h / keep, as dropout does. Nothing makes good for a pruned head.',
      python: [
        [
          'pruned = np.where(kept[:, None, None] > 0, heads, filling)',
          'pruned = np.where(kept[:, None, None] > 0, heads * (count / max(keep, 1)), filling)',
        ],
      ],
      javascript: [['? head : Matrix', '? head.mul(heads.length / Math.max(keep, 1)) : Matrix']],
    },
    {
      id: 'merge-without-transpose',
      message:
        'Merging you joined the axes while heads still came first, so rows mix tokens. Bring the tokens to the front before you reshape.',
      python: [['pruned.transpose(1, 0, 2).reshape', 'pruned.reshape']],
      cpp: [['transpose(pruned, {1, 0, 2}).reshape', 'pruned.reshape']],
    },
    {
      id: 'pruned-marked',
      message: 'Your second result marks the heads that went. 1 means that a head stays.',
      python: [['return merged @ W_o, kept', 'return merged @ W_o, 1 - kept']],
      javascript: [
        [
          'return [merged.times(WO), kept]',
          'return [merged.times(WO), kept.map((one) => 1 - one)]',
        ],
      ],
      cpp: [['return {matmul(merged, W_o), kept}', 'return {matmul(merged, W_o), 1.0 - kept}']],
    },
  ],
  figure: {
    knobs: {
      heads: { label: 'heads', min: 2, max: 8, value: 4 },
      keep: { label: 'heads that stay', min: 0, max: 8, value: 1 },
      mean: { label: 'means in place of zeros', min: 0, max: 1, value: 1, toggle: true },
      n: { label: 'tokens', min: 1, max: 24, value: 8 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ heads = 4, keep = 1, mean = 1, n = 8, seed = 1 }) => [
      { make: 'normal', shape: [heads, n, 4], seed, shift: 0.75 },
      {
        make: 'values',
        shape: [heads * 4, heads * 4],
        data: Array.from({ length: (heads * 4) ** 2 }, (_, at) =>
          at % (heads * 4 + 1) === 0 ? 1 : 0,
        ),
      },
      vector(Array.from({ length: heads }, (_, head) => ((head * 3 + 2) % heads) + head / 16)),
      Math.min(keep, heads),
      mean === 1,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'tokens', cols: 'head by head', signed: true },
    caption:
      'The merged heads (W_o is the identity here), four columns each. Pruned heads are the same for every token: stripes with their mean, blank with zero.',
  },
  source: {
    title: 'Are Sixteen Heads Really Better than One?',
    url: 'https://arxiv.org/abs/1905.10650',
    where: 'section 4: pruning by importance; the mean in the place of a head is from later work',
  },
  reference: async ({ arrays }, [heads, wo, importance, keep, fillMean]) => {
    const { shape, data } = arrayOf(heads);
    const [count = 0, n = 0, width = 0] = shape;
    const values = [...arrayOf(importance).data];
    const order = values.map((_, head) => head).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
    const kept = new Float64Array(count);
    for (const head of order.slice(0, numberOf(keep))) kept[head] = 1;
    const mark = arrays.mark();
    try {
      const all = arrays.from(data, shape);
      const gates = arrays.from(kept, [count, 1, 1]);
      const filling =
        fillMean === true ? arrays.reduce('mean', all, 1, true) : arrays.full([count, 1, width], 0);
      const merged = arrays.reshape(
        arrays.transpose(arrays.where(gates, all, filling), [1, 0, 2]),
        [n, count * width],
      );
      const out = arrayOf(wo);
      const output = arrays.matmul(merged, arrays.from(out.data, out.shape));
      return [array([n, out.shape[1] ?? 0], arrays.values(output)), array([count], kept)];
    } finally {
      arrays.release(mark);
    }
  },
} as const satisfies Exercise;
