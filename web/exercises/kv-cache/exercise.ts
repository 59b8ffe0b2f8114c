import { KvCache } from '#client';
import { largeScores, normal, positiveValues, vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, fromMatrix, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise } from '../../src/exercises/types';

const total = (calls: readonly number[]): number => calls.reduce((sum, one) => sum + one, 0);

/** Q, K, V of as many tokens as the calls bring, the calls, and the capacity. */
function made(calls: readonly number[], capacity: number, d: number, dV: number, seed: number) {
  const n = total(calls);
  return [
    normal(n, d, 3 * seed),
    normal(n, d, 3 * seed + 1),
    normal(n, dV, 3 * seed + 2),
    vector(calls),
    capacity,
  ];
}

/** Calls in which everything happens: several tokens at once, too many, exactly full, a reset, and on from there. */
function drawnCalls(draw: Draw): { calls: number[]; capacity: number } {
  const [first, second] = [draw.integer(2, 4), draw.integer(1, 3)];
  const capacity = first + second + draw.integer(1, 3);
  const room = capacity - first - second;
  const again = draw.integer(2, capacity);
  return { calls: [first, second, room + 1, room, 1, 0, again, capacity - again + 1], capacity };
}

export const exercise = {
  id: 'kv-cache',
  lab: 'long-texts',
  order: 7,
  difficulty: 3,
  minutes: 30,
  buildsOn: ['kv-cache-step'],
  title: 'A cache with an end',
  summary:
    'Feed a cache call by call: several tokens at once, a reset, and a call that does not fit.',
  task: [
    'The course has a class `AttentionCache(max_seq_len, …)`, and warns of its overflow with `assert seq_len <= cache.max_seq_len`. That tests the wrong length: a call of 10 tokens does not fit where 1020 of 1024 places are taken. Write what the cache does, for one head.',
    'The cache begins empty and has room for `capacity` tokens. `calls` says how many tokens each call brings; they are the next rows of `Q`, `K` and `V`. A call of 0 is a reset: the cache is empty again, and no row is used up.',
    'A call stores its keys and values behind those that are there. Then each of its queries attends to everything stored before the call and to the tokens of the call up to its own, none after it: scores $q \\cdot k/\\sqrt{d_k}$, softmax (subtract the maximum), weighted mean of the values.',
    'If the tokens of a call do not all fit, the call is refused as a whole: nothing is stored, its rows of the output are zeros, and its rows of `Q`, `K` and `V` are used up. Return the output, and how many tokens the cache holds after each call.',
  ],
  entry: 'kv_cache',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'the queries of all calls' },
    { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'the keys of all calls' },
    { name: 'V', type: 'matrix', shape: 'n×d_v', what: 'the values of all calls' },
    { name: 'calls', type: 'vector', shape: 'c', what: 'tokens of each call, 0 for a reset' },
    { name: 'capacity', type: 'integer', what: 'how many tokens the cache has room for' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'zeros where a call was refused' },
    { name: 'lengths', type: 'vector', shape: 'c', what: 'tokens in the cache after each call' },
  ],
  cases: [
    {
      name: 'equal scores, by hand',
      args: [
        { make: 'full', shape: [4, 2], value: 0 },
        { make: 'full', shape: [4, 2], value: 0 },
        { make: 'values', shape: [4, 1], data: [1, 3, 8, 5] },
        vector([1, 1, 1, 1]),
        3,
      ],
    },
    { name: 'a prompt of five tokens, then one by one', args: made([5, 1, 1, 1], 16, 4, 4, 1) },
    { name: 'a reset between two texts', args: made([3, 1, 0, 2, 1], 8, 4, 3, 2) },
    { name: 'two that do not fit, one that does', args: made([3, 2, 1, 1], 4, 3, 2, 3) },
    {
      name: 'scores of 1000',
      args: [
        { make: 'full', shape: [4, 4], value: 20 },
        {
          make: 'values',
          shape: [4, 4],
          data: [25, 25, 25, 25, 25, 25, 25, 24.875, -25, -25, -25, -25, 25, 25, 24.75, 25],
        },
        normal(4, 2, 30),
        vector([2, 1, 1]),
        4,
      ],
    },
    { name: 'full to the last place', hidden: true, args: made([4, 2], 6, 2, 5, 4) },
    { name: 'a call longer than the cache', hidden: true, args: made([5, 2, 3], 4, 3, 3, 5) },
    { name: 'a reset of an empty cache', hidden: true, args: made([0, 2, 0, 0, 3], 3, 2, 2, 6) },
    { name: 'no call at all', hidden: true, args: made([], 3, 2, 2, 7) },
  ],
  drawn: (draw, nth) => {
    const { calls, capacity } = drawnCalls(draw);
    const n = total(calls);
    const [d, dV] = [draw.integer(2, 5), draw.integer(1, 4)];
    return nth === 2
      ? [...largeScores(n, n, draw), positiveValues(n, dV, draw), vector(calls), capacity]
      : made(calls, capacity, d, dV, draw.integer(1, 99_999));
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  hints: [
    'Two counters: the next row of Q, K and V, and how many tokens are stored. A refused call moves only the first.',
    'The test comes first: stored + new tokens against the capacity. Equal still fits.',
    'Token t of a call, counted from 0, sees the first stored + t + 1 keys once the call is stored.',
  ],
  variants: [
    {
      id: 'call-tested-alone',
      message:
        'You compared the tokens of the call alone with the capacity. What is stored already takes room too.',
      python: [['len(keys) + count > capacity', 'count > capacity']],
      javascript: [['keys.rows + count > capacity', 'count > capacity']],
      cpp: [['keys.shape(0) + count > capacity', 'count > capacity']],
    },
    {
      id: 'never-full',
      message: 'Your cache has no end: it takes more tokens than there is room for.',
      python: [['len(keys) + count > capacity', 'False']],
      javascript: [['keys.rows + count > capacity', 'capacity < 0']],
    },
    {
      id: 'last-place-refused',
      message: 'You refuse a call that fills the cache exactly. It fits.',
      python: [['len(keys) + count > capacity', 'len(keys) + count >= capacity']],
      javascript: [['keys.rows + count > capacity', 'keys.rows + count >= capacity']],
      cpp: [['keys.shape(0) + count > capacity', 'keys.shape(0) + count >= capacity']],
    },
    {
      id: 'partly-stored',
      message:
        'You store as much of a call as fits. A call is refused as a whole: a text with a hole in it is worse than an error.',
      python: [
        [
          `            first += count
            lengths`,
          `            room = capacity - len(keys)
            keys = np.concatenate([keys, K[first:first + room]])
            values = np.concatenate([values, V[first:first + room]])
            first += count
            lengths`,
        ],
      ],
    },
    {
      id: 'oldest-dropped',
      message:
        'You make room by dropping the oldest tokens. That is a window, another model; this cache refuses.',
      python: [
        [
          `            first += count
            lengths.append(len(keys))
            continue
`,
          `            drop = len(keys) + count - capacity
            keys, values = keys[drop:], values[drop:]
`,
        ],
      ],
    },
    {
      id: 'refused-rows-again',
      message:
        'After a refusal you go on with the same rows. The refused call has used its rows up; the next call has the next ones.',
      python: [['            first += count\n            lengths', '            lengths']],
    },
    {
      id: 'refused-answers',
      message:
        'A refused call has an output in your code: it attended to what was there. Its rows are zeros.',
      python: [
        [
          `            first += count
            lengths`,
          `            scores = Q[first:first + count] @ keys.T / np.sqrt(K.shape[1])
            weights = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-1e9))
            sums = weights.sum(axis=1, keepdims=True)
            output[first:first + count] = weights @ values / np.where(sums == 0, 1, sums)
            first += count
            lengths`,
        ],
      ],
    },
    {
      id: 'reset-ignored',
      message: 'A call of 0 changes nothing in your code. It empties the cache.',
      python: [['if count == 0:', 'if False:']],
      javascript: [['if (count === 0)', 'if (count < 0)']],
      cpp: [['if (count == 0)', 'if (count < 0)']],
    },
    {
      id: 'reset-to-zeros',
      message:
        'Your reset writes zeros but keeps the length, so that queries still see empty keys. After it the cache holds no token.',
      python: [['keys, values = K[:0], V[:0]  # a reset', 'keys, values = 0 * keys, 0 * values']],
    },
    {
      id: 'looks-ahead',
      message:
        'The tokens of one call see each other in both directions. Within a call too a token sees none after it.',
      python: [['seen = len(keys) - count + t + 1', 'seen = len(keys)']],
      javascript: [['const seen = keys.rows - count + t + 1', 'const seen = keys.rows']],
      cpp: [
        ['const Index seen = keys.shape(0) - count + t + 1', 'const Index seen = keys.shape(0)'],
      ],
    },
    {
      id: 'own-call-unseen',
      message:
        'The tokens of a call do not see the tokens of the same call before them. They see those and themselves too.',
      python: [
        [
          'scores = keys[:seen] @ Q[first + t] / np.sqrt(K.shape[1])',
          'scores = keys[:seen] @ Q[first + t] / np.sqrt(K.shape[1])\n            scores[seen - t - 1:seen - 1] = -np.inf',
        ],
      ],
    },
    {
      id: 'only-own-call',
      message:
        'Each call sees itself alone. What earlier calls have stored belongs to the same text.',
      python: [
        [
          'scores = keys[:seen] @ Q[first + t] / np.sqrt(K.shape[1])',
          'scores = keys[:seen] @ Q[first + t] / np.sqrt(K.shape[1])\n            scores[:seen - t - 1] = -np.inf',
        ],
      ],
    },
    {
      id: 'lengths-of-calls',
      message:
        'Your lengths count the tokens that came. Count those in the cache: a reset and a refusal matter.',
      python: [['return output, np.array(lengths)', 'return output, np.cumsum(calls)']],
    },
    {
      id: 'no-max',
      message:
        'A large score overflowed the exponential and left NaN. Subtract the largest score first: the weights stay the same.',
      python: [['np.exp(scores - scores.max())', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.max()).exp()', 'scores.exp()']],
      cpp: [['exp(scores - max(scores))', 'exp(scores)']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(K.shape[1])', '']],
      javascript: [['.div(Math.sqrt(K.cols))', '']],
      cpp: [[' / std::sqrt(K.shape(1))', '']],
    },
  ],
  figure: {
    knobs: {
      capacity: { label: 'capacity', min: 1, max: 32, value: 12 },
      prompt: { label: 'tokens of the first call', min: 1, max: 12, value: 6 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ capacity = 12, prompt = 6, seed = 0 }) => {
      // The prompt, tokens one by one, four at once, a reset, and a second text.
      const calls = [prompt, 1, 1, 1, 4, 1, 1, 0, 3, 1, 1];
      const n = total(calls);
      return [
        normal(n, 4, seed),
        normal(n, 4, seed + 1000),
        {
          make: 'values',
          shape: [n, n],
          data: Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
        },
        vector(calls),
        capacity,
      ];
    },
    draw: { kind: 'matrix', path: [0], rows: 'queries', cols: 'keys' },
    caption:
      'Who looked at whom, with a reset before the last five tokens. The values are unit vectors, so the output is the weights; empty rows were refused.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Test Attention Caching; Cache Overflow',
  },
  reference: async ({ core }, [q, k, v, steps, room]) => {
    const [Q, K, V] = [matrixOf(q), matrixOf(k), matrixOf(v)];
    const calls = arrayOf(steps).data;
    const capacity = numberOf(room);
    const output = { ...V, data: new Float32Array(V.data.length) };
    const lengths: number[] = [];
    const shape = { dK: K.cols, dV: V.cols };
    const cache = await KvCache.create(core, { capacity, kvHeads: 1, ...shape });
    try {
      let first = 0;
      for (const count of calls) {
        const part = ({ cols, data }: typeof Q) => ({
          rows: count,
          cols,
          data: data.slice(first * cols, (first + count) * cols),
        });
        let { size } = await cache.info();
        if (count === 0) size = (await cache.reset()).size;
        else if (size + count <= capacity) {
          const step = { q: part(Q), k: part(K), v: part(V), heads: 1 };
          output.data.set((await cache.decode(step)).output.data, first * V.cols);
          size += count;
        }
        first += count;
        lengths.push(size);
      }
    } finally {
      await cache.dispose();
    }
    return [fromMatrix(output), array([lengths.length], lengths)];
  },
} as const satisfies Exercise;
