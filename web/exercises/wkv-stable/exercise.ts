import { eighths, normal, rows, vector } from '../../src/exercises/common-inputs';
import { arrayOf, fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const rates = (d: number, seed: number): Input => ({
  ...{ make: 'uniform', shape: [d], seed, low: 0.05, high: 1 },
});
const random = (n: number, seed: number): Input => ({ make: 'normal', shape: [n], seed });

export const exercise = {
  id: 'wkv-stable',
  lab: 'states',
  order: 7,
  difficulty: 3,
  minutes: 25,
  buildsOn: ['retention-recurrent'],
  title: 'RWKV-4’s average that does not overflow',
  summary: 'A running average weighted by exponentials of keys, also for keys of a thousand.',
  task: [
    'In each channel RWKV-4 keeps an average of the values so far. A key gives the weight $e^{k_i}$, which fades at a ' +
      'rate $w$ of the channel; the newest token has a bonus $u$ instead:',
    '$$o_t=\\frac{\\sum_{i<t}e^{-(t-1-i)w+k_i}v_i+e^{u+k_t}v_t}{\\sum_{i<t}e^{-(t-1-i)w+k_i}+e^{u+k_t}}$$',
    'Keep the two sums as a state, and keep them divided by $e^m$, where $m$ is the largest exponent so far: then no ' +
      'exponential is ever larger than 1, and keys of a thousand do not overflow.',
    'Return the outputs of all tokens. Channels do not see each other.',
  ],
  entry: 'wkv_stable',
  parameters: [
    { name: 'K', type: 'matrix', shape: 'n×d', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'n×d', what: 'values' },
    { name: 'w', type: 'vector', shape: 'd', what: 'rates, above 0' },
    { name: 'u', type: 'vector', shape: 'd', what: 'the bonus of the newest token' },
  ],
  results: [{ name: 'output', type: 'matrix', shape: 'n×d', what: 'the averages' }],
  cases: [
    {
      name: 'three tokens, equal keys',
      args: [rows([[0], [0], [0]]), rows([[3], [6], [9]]), vector([0.5]), vector([0])],
    },
    { name: 'eight tokens', args: [normal(8, 4, 1), normal(8, 4, 2), rates(4, 3), random(4, 4)] },
    {
      name: 'keys of a thousand',
      args: [
        rows([
          [1000, -1000],
          [1001, -999],
          [999, -1001],
        ]),
        normal(3, 2, 5),
        vector([0.5, 0.1]),
        vector([0.3, -0.2]),
      ],
    },
    {
      name: 'keys from −1000 up to 1000',
      args: [rows([[-1000], [0], [1000]]), rows([[1], [2], [4]]), vector([0.5]), vector([0.25])],
    },
    {
      name: 'a large key that fades fast',
      hidden: true,
      args: [
        rows([[0], [-1000], [-1000], [-1000]]),
        rows([[1], [2], [4], [8]]),
        vector([500]),
        vector([0.25]),
      ],
    },
    {
      name: 'one token',
      hidden: true,
      args: [normal(1, 3, 6), normal(1, 3, 7), rates(3, 8), random(3, 9)],
    },
    {
      name: 'a large key, then small ones',
      hidden: true,
      args: [
        rows([[600], [-600], [2], [599]]),
        rows([[1], [2], [3], [4]]),
        vector([0.2]),
        vector([0.5]),
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [n, d] = [draw.integer(4, 9), draw.integer(2, 5)];
    if (nth === 2) {
      // Each channel's keys lie near 800 first and near −800 later, or rise: then a shift by what comes later leaves
      // nothing of the first tokens. Rates are eighths too, so that exponents are exact in float32.
      const base = Array.from({ length: d }, (_, c) => (c === 0 ? -800 : draw.pick([-800, 800])));
      const turn = draw.integer(1, n - 1);
      const keys = eighths(n, d, draw).map((row, t) =>
        row.map((key, c) => key + (t < turn ? 1 : -1) * (base[c] ?? 0)),
      );
      const rate = Array.from({ length: d }, () => draw.integer(1, 8) / 8);
      const bonus = eighths(1, d, draw).flat();
      return [rows(keys), normal(n, d, draw.seed()), vector(rate), vector(bonus)];
    }
    return [
      normal(n, d, draw.seed()),
      normal(n, d, draw.seed()),
      rates(d, draw.seed()),
      random(d, draw.seed()),
    ];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 1e-4,
    reason:
      'The core works in float32, where a key of a thousand keeps four digits after the point.',
  },
  hints: [
    'The state of a channel is three numbers: both sums divided by e^m, and m itself.',
    'To read: the largest of m and u + k_t is what both parts are divided by for the moment.',
    'To write: the old sums fade by w, so their exponent is m − w. The new m is the larger of m − w and k_t.',
  ],
  variants: [
    {
      id: 'overflow',
      message:
        'Large keys overflow: you take exponentials of them as they are. Keep the sums divided by e^m.',
      python: [
        ['top = np.maximum(m, u + K[t])', 'top = np.zeros(d)'],
        ['top = np.maximum(m - w, K[t])', 'top = np.zeros(d)'],
      ],
    },
    {
      id: 'one-shift',
      message:
        'You measure all exponents from one maximum, which later tokens have a part in. Where keys rise, nothing is left of the first tokens, and 0/0 is no number. Keep the largest exponent so far.',
      python: [
        ['top = np.maximum(m, u + K[t])', 'top = K.max(axis=0) + np.maximum(u, 0)'],
        ['top = np.maximum(m - w, K[t])', 'top = K.max(axis=0) + np.maximum(u, 0)'],
      ],
      evidence: 'fixed',
    },
    {
      id: 'maximum-does-not-fade',
      message:
        'Your sums fade, but the exponent from which you measure them does not. Once a large key has faded, nothing is left of the others, and 0/0 is no number. Let the maximum lose w at every token, as its key does.',
      python: [['top = np.maximum(m - w, K[t])', 'top = np.maximum(m, K[t])']],
      javascript: [['top = Math.max(m - rate, k)', 'top = Math.max(m, k)']],
      cpp: [['top = std::max(m - w(c), K(t, c))', 'top = std::max(m, K(t, c))']],
      evidence: 'fixed',
    },
    {
      id: 'no-bonus',
      message: 'The newest token is read with its plain key. Its bonus u is missing.',
      python: [
        ['np.maximum(m, u + K[t])', 'np.maximum(m, K[t])'],
        ['new = np.exp(u + K[t] - top)', 'new = np.exp(K[t] - top)'],
      ],
      javascript: [
        ['Math.max(m, u.get(0, c) + k)', 'Math.max(m, k)'],
        ['let now = Math.exp(u.get(0, c) + k - top)', 'let now = Math.exp(k - top)'],
      ],
      cpp: [
        ['std::max(m, u(c) + K(t, c))', 'std::max(m, K(t, c))'],
        ['double now = std::exp(u(c) + K(t, c) - top)', 'double now = std::exp(K(t, c) - top)'],
      ],
    },
    {
      id: 'not-an-average',
      message: 'You return the weighted sum of the values. Divide it by the sum of the weights.',
      python: [['(old * p + new * V[t]) / (old * q + new)', 'old * p + new * V[t]']],
      javascript: [['(old * p + now * v) / (old * q + now)', 'old * p + now * v']],
      cpp: [['(old * p + now * V(t, c)) / (old * q + now)', 'old * p + now * V(t, c)']],
    },
    {
      id: 'faded-once-more',
      message:
        'The past has faded once too often when it is read: the token before has distance 0 in the formula.',
      python: [
        ['np.maximum(m, u + K[t])', 'np.maximum(m - w, u + K[t])'],
        ['old = np.exp(m - top)', 'old = np.exp(m - w - top)'],
      ],
    },
    {
      id: 'no-decay',
      message: 'Nothing fades: the old sums lose w in their exponent at every token.',
      python: [
        ['np.maximum(m - w, K[t])', 'np.maximum(m, K[t])'],
        ['old = np.exp(m - w - top)', 'old = np.exp(m - top)'],
      ],
      javascript: [
        ['Math.max(m - rate, k)', 'Math.max(m, k)'],
        ['Math.exp(m - rate - top)', 'Math.exp(m - top)'],
      ],
      cpp: [
        ['std::max(m - w(c), K(t, c))', 'std::max(m, K(t, c))'],
        ['std::exp(m - w(c) - top)', 'std::exp(m - top)'],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 24 },
      d: { label: 'channels', min: 1, max: 32, value: 12 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 24, d = 12, seed = 1 }) => [
      normal(n, d, seed),
      normal(n, d, seed + 1000),
      { make: 'range', shape: [d], start: 0.05, step: 0.15 },
      { make: 'full', shape: [d], value: 0 },
    ],
    draw: { kind: 'matrix', rows: 'tokens', cols: 'channels', signed: true },
    caption:
      'The averages. The rate rises from left to right: the left channels hardly move, the right ones follow every token.',
  },
  source: {
    title: 'RWKV: Reinventing RNNs for the Transformer Era',
    url: 'https://arxiv.org/abs/2305.13048',
    where: 'arXiv:2305.13048; the stable form as in its code',
  },
  reference: async ({ core }, [k, v, w, u]) => {
    const column = (data: Float32Array) => ({ rows: data.length, cols: 1, data });
    const logs = column(Float32Array.from(arrayOf(w).data, Math.log));
    const bonus = column(Float32Array.from(arrayOf(u).data));
    return fromMatrix(
      await core.wkv({ k: matrixOf(k), v: matrixOf(v), timeDecay: logs, u: bonus }),
    );
  },
} as const satisfies Exercise;
