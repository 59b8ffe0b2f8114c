import { KvCache } from '#client';
import { largeScores, positiveValues } from '../../src/exercises/common-inputs';
import {
  array,
  fromMatrix,
  fromVector,
  matrixOf,
  numberOf,
} from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

const vector = (size: number, seed: number): Input => ({ make: 'normal', shape: [size], seed });

/** A buffer of which the last `empty` slots still hold what was in the memory before: numbers that show. */
const buffer = (slots: number, cols: number, empty: number, seed: number): Input => ({
  make: 'normal',
  shape: [slots, cols],
  seed,
  set: Array.from({ length: empty * cols }, (_, at) => [(slots - empty) * cols + at, 7] as const),
});

function made(slots: number, seen: number, d: number, dV: number, seed: number): readonly Input[] {
  const empty = Math.max(0, slots - seen);
  return [
    buffer(slots, d, empty, 5 * seed),
    buffer(slots, dV, empty, 5 * seed + 1),
    seen,
    vector(d, 5 * seed + 2),
    vector(d, 5 * seed + 3),
    vector(dV, 5 * seed + 4),
  ];
}

/** Scores that overflow an exponential; the first row is the query and the key of the new token. */
function large(slots: number, seen: number, draw: Draw): readonly Input[] {
  const [queries, keys] = largeScores(1, slots + 1, draw);
  const data = keys.make === 'values' ? keys.data : [];
  return [
    { make: 'values', shape: [slots, 4], data: data.slice(4) },
    positiveValues(slots, 3, draw),
    seen,
    { ...queries, shape: [4] },
    { make: 'values', shape: [4], data: data.slice(0, 4) },
    vector(3, draw.seed()),
  ];
}

export const exercise = {
  id: 'ring-buffer',
  lab: 'long-texts',
  order: 8,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['kv-cache', 'sliding-window'],
  title: 'A ring for a window',
  summary: 'A cache that never grows: the newest token takes the slot of the oldest.',
  task: [
    'With a window of $w$ tokens, older keys and values are never looked at again. So $w$ slots are enough for a text of any length: token $t$, counted from 0, is written into slot $t \\bmod w$, over the token that has left the window. Nothing is moved.',
    'Write one step. `keys` and `values` have $w$ rows, the slots. `seen` tokens have been written before; the new one is token number `seen`. Write $k$ and $v$ into its slot, then let $q$ attend to all slots that hold a token, its own included: scores $q \\cdot k/\\sqrt{d_k}$, softmax (subtract the maximum), weighted mean.',
    'While fewer than $w$ tokens have come, the slots behind them hold whatever was in the memory before, not zeros; they must not count. Return the output, both buffers, and the slots from the oldest token to the newest: that order is needed when the ring is to be read as text.',
  ],
  entry: 'ring_buffer',
  parameters: [
    { name: 'keys', type: 'matrix', shape: 'w×d_k', what: 'the slots of the keys' },
    { name: 'values', type: 'matrix', shape: 'w×d_v', what: 'the slots of the values' },
    { name: 'seen', type: 'integer', what: 'how many tokens were written before' },
    { name: 'q', type: 'vector', shape: 'd_k', what: "the new token's query" },
    { name: 'k', type: 'vector', shape: 'd_k', what: "the new token's key" },
    { name: 'v', type: 'vector', shape: 'd_v', what: "the new token's value" },
  ],
  results: [
    { name: 'output', type: 'vector', shape: 'd_v', what: "the new token's attention output" },
    { name: 'keys', type: 'matrix', shape: 'w×d_k', what: 'the slots with the new key' },
    { name: 'values', type: 'matrix', shape: 'w×d_v', what: 'the slots with the new value' },
    { name: 'order', type: 'vector', shape: 't', what: 'slots that hold a token, oldest first' },
  ],
  cases: [
    {
      name: 'equal scores, a full ring of three',
      args: [
        { make: 'full', shape: [3, 2], value: 0 },
        { make: 'values', shape: [3, 1], data: [2, 4, 6] },
        4,
        { make: 'full', shape: [2], value: 0 },
        { make: 'full', shape: [2], value: 0 },
        { make: 'values', shape: [1], data: [9] },
      ],
    },
    { name: 'the first token of all', args: made(4, 0, 3, 2, 1) },
    { name: 'half full', args: made(6, 3, 4, 4, 2) },
    { name: 'the first token that is overwritten', args: made(5, 5, 4, 3, 3) },
    { name: 'many rounds later', args: made(5, 1003, 4, 2, 4) },
    {
      name: 'scores of 1000',
      args: [
        {
          make: 'values',
          shape: [3, 4],
          data: [25, 25, 25, 25, -25, -25, -25, -25, 25, 25, 25, 24.875],
        },
        { make: 'values', shape: [3, 2], data: [1, 2, 3, 4, 5, 6] },
        4,
        { make: 'full', shape: [4], value: 20 },
        { make: 'values', shape: [4], data: [25, 25, 24.75, 25] },
        { make: 'values', shape: [2], data: [7, -1] },
      ],
    },
    { name: 'a ring of one slot', hidden: true, args: made(1, 6, 3, 3, 5) },
    { name: 'the last free slot', hidden: true, args: made(4, 3, 2, 5, 6) },
    { name: 'the end of a round', hidden: true, args: made(6, 17, 3, 4, 7) },
  ],
  drawn: (draw, nth) => {
    const slots = draw.integer(4, 7);
    const [d, dV, seed] = [draw.integer(2, 6), draw.integer(1, 5), draw.integer(10, 99_999)];
    // Not yet full; full and somewhere in a round; full, with scores near 1600.
    if (nth === 0) return made(slots, draw.integer(1, slots - 2), d, dV, seed);
    const seen = slots * draw.integer(2, 9) + draw.integer(1, slots - 2);
    return nth === 1 ? made(slots, seen, d, dV, seed) : large(slots, seen, draw);
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  hints: [
    'Copy the buffers, write into slot seen % w, and only then attend.',
    'There are min(seen + 1, w) tokens in the ring, and until it is full they lie in the first slots.',
    'The oldest token of a full ring lies in the slot that would be written next, (seen + 1) % w; from there go around once.',
  ],
  variants: [
    {
      id: 'all-shifted',
      message:
        'You moved every row up and wrote the new token last. A ring moves nothing: token t goes into slot t mod w.',
      python: [
        ['keys[slot] = k', 'keys[:] = np.concatenate([keys[1:], k[None]])'],
        ['values[slot] = v', 'values[:] = np.concatenate([values[1:], v[None]])'],
      ],
    },
    {
      id: 'one-slot-on',
      message:
        'You wrote one slot too far. Tokens are counted from 0: the new one is number `seen`, not seen + 1.',
      python: [['slot = seen % w', 'slot = (seen + 1) % w']],
      javascript: [['const slot = seen % w', 'const slot = (seen + 1) % w']],
      cpp: [['slot = seen % w', 'slot = (seen + 1) % w']],
    },
    {
      id: 'stuck-at-the-end',
      message:
        'Once the ring is full you always write into the last slot. Go around: the slot is seen mod w.',
      python: [['slot = seen % w', 'slot = min(seen, w - 1)']],
      javascript: [['const slot = seen % w', 'const slot = Math.min(seen, w - 1)']],
    },
    {
      id: 'empty-slots-read',
      message:
        'Your query looks at slots into which nothing was written yet. Only min(seen + 1, w) slots hold a token.',
      python: [['count = min(seen + 1, w)', 'count = w']],
      javascript: [['const count = Math.min(seen + 1, w)', 'const count = w']],
      cpp: [['std::min<Index>(static_cast<Index>(seen) + 1, w)', 'w']],
    },
    {
      id: 'itself-unseen',
      message: 'Your query did not see its own token. Write first, then attend.',
      python: [
        [
          'scores = keys[:count] @ q / np.sqrt(len(q))',
          'scores = keys[:count] @ q / np.sqrt(len(q))\n    scores[slot] = -np.inf if count > 1 else 0',
        ],
      ],
    },
    {
      id: 'attended-before-writing',
      message:
        'Your query saw the token that left the window, and not its own: you attended before you wrote.',
      python: [
        [
          `    keys[slot] = k
    values[slot] = v
`,
          '',
        ],
        [
          '    return weights @ values[:count] / weights.sum(), keys',
          '    output = weights @ values[:count] / weights.sum()\n    keys[slot] = k\n    values[slot] = v\n    return output, keys',
        ],
      ],
    },
    {
      id: 'past-the-window',
      message:
        'Your buffers have grown. There are w slots and no more: the new token overwrites the oldest.',
      python: [
        [
          ', keys, values, order',
          ', np.concatenate([keys, k[None]]), np.concatenate([values, v[None]]), order',
        ],
      ],
    },
    {
      id: 'values-not-written',
      message: 'The key is in its slot, the value is not. Both buffers take the new token.',
      python: [['values[slot] = v', 'pass']],
      javascript: [
        ['values.set(slot, c, v.get(0, c))', 'values.set(slot, c, values.get(slot, c))'],
      ],
      cpp: [['values.row(slot) = v;', 'values.row(slot) = values_before.row(slot);']],
    },
    {
      id: 'order-of-slots',
      message:
        'Your order is that of the slots. In a full ring the oldest token lies behind the newest one: begin there and go around.',
      python: [['first = (seen + 1) % w if count == w else 0', 'first = 0']],
      javascript: [['const first = count === w ? (seen + 1) % w : 0', 'const first = 0']],
      cpp: [
        [
          'const Index first = count == w ? (static_cast<Index>(seen) + 1) % w : 0',
          'const Index first = 0',
        ],
      ],
    },
    {
      id: 'newest-first',
      message: 'Your order runs from the newest to the oldest token. Turn it around.',
      python: [
        [
          'return weights @ values[:count] / weights.sum(), keys, values, order',
          'return weights @ values[:count] / weights.sum(), keys, values, order[::-1]',
        ],
      ],
    },
    {
      id: 'order-one-late',
      message:
        'Your order begins at the newest token, the slot just written. The oldest lies one slot further.',
      python: [['first = (seen + 1) % w', 'first = seen % w']],
      javascript: [['? (seen + 1) % w', '? seen % w']],
    },
    {
      id: 'no-max',
      message:
        'A large score overflowed the exponential and left NaN. Subtract the largest score first: the weights stay the same.',
      evidence: 'fixed',
      python: [['np.exp(scores - scores.max())', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.max()).exp()', 'scores.exp()']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(len(q))', '']],
      javascript: [['.div(Math.sqrt(q.cols))', '']],
      cpp: [[' / std::sqrt(q.shape(0))', '']],
    },
  ],
  figure: {
    knobs: {
      slots: { label: 'slots', min: 1, max: 24, value: 8 },
      seen: { label: 'tokens before', min: 0, max: 64, value: 11 },
    },
    args: ({ slots = 8, seen = 11 }) => {
      // Every slot holds the number of its token in its own column, so that the picture shows who lies where.
      const held = Array.from({ length: slots }, (_, slot) => {
        const rounds = Math.floor((seen - 1 - slot) / slots);
        return slot < seen ? slot + rounds * slots + 1 : 0;
      });
      const numbers = Array.from({ length: slots * slots }, (_, at) =>
        at % (slots + 1) === 0 ? (held[at / (slots + 1)] as number) : 0,
      );
      return [
        { make: 'values', shape: [slots, slots], data: numbers },
        { make: 'values', shape: [slots, slots], data: numbers },
        seen,
        { make: 'full', shape: [slots], value: 0 },
        { make: 'full', shape: [slots], value: seen + 1 },
        { make: 'full', shape: [slots], value: seen + 1 },
      ];
    },
    draw: { kind: 'matrix', path: [1], rows: 'slots', cols: 'columns of the keys' },
    caption:
      'The slots after the step. Each token has its number on the diagonal; the new one fills its row.',
  },
  source: {
    title: 'Mistral 7B',
    url: 'https://arxiv.org/abs/2310.06825',
    where: 'Rolling buffer cache: position i is stored at i mod W',
  },
  reference: async ({ core }, [kept, contents, before, q, k, v]) => {
    const [keys, values] = [matrixOf(kept), matrixOf(contents)];
    const [query, key, value] = [matrixOf(q), matrixOf(k), matrixOf(v)];
    const seen = numberOf(before);
    const w = keys.rows;
    // Which slots hold the tokens before, oldest first.
    const past = Math.min(seen, w);
    const slots = Array.from({ length: past }, (_, at) => (seen - past + at) % w);
    const gather = ({ cols, data }: typeof keys) => ({
      rows: past,
      cols,
      data: Float32Array.from(
        slots.flatMap((at) => [...data.subarray(at * cols, (at + 1) * cols)]),
      ),
    });
    const shape = { dK: keys.cols, dV: values.cols };
    const cache = await KvCache.create(core, { capacity: w, window: w, kvHeads: 1, ...shape });
    try {
      if (past > 0) await cache.append({ k: gather(keys), v: gather(values) });
      const { output } = await cache.decode({ q: query, k: key, v: value, heads: 1 });
      const written = (buffer: typeof keys, row: typeof keys) => {
        const data = buffer.data.slice();
        data.set(row.data, (seen % w) * buffer.cols);
        return fromMatrix({ ...buffer, data });
      };
      const order = [...slots.slice(past === w ? 1 : 0), seen % w];
      return [
        fromVector(output),
        written(keys, key),
        written(values, value),
        array([order.length], order),
      ];
    } finally {
      await cache.dispose();
    }
  },
} as const satisfies Exercise;
