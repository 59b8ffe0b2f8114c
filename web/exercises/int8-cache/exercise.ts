import { normal, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, fromVector, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

const vector = (size: number, seed: number): Input => ({ make: 'normal', shape: [size], seed });

/**
 * Keys whose channels differ in size, with codes that no rounding can change: each entry of the old tokens is
 * (code + δ)·scale with |δ| ≤ 0.3, and in each channel one of them has the code 127 or −127, exactly.
 */
function clearKeys(old: number, exact: number, d: number, draw: Draw): number[][] {
  const scales = Array.from({ length: d }, (_, c) => (c === 0 ? 8 : draw.pick([1, 2])) / 128);
  const ends = scales.map(() => [draw.integer(0, old - 1), draw.pick([-1, 1])] as const);
  return Array.from({ length: old + exact }, (_, row) =>
    scales.map((scale, c) => {
      const [at, sign] = ends[c] as readonly [number, number];
      if (row === at) return 127 * sign * scale;
      // The newest tokens are larger, so that they would change a scale that they must not change.
      if (row >= old) return draw.real(-1, 1) * 300 * scale;
      return (draw.integer(-120, 120) + draw.real(0.1, 0.3) * draw.pick([-1, 1])) * scale;
    }),
  );
}

/** The same for values, whose scales belong to tokens: a column of keys turned. */
function clearValues(old: number, exact: number, dV: number, draw: Draw): number[][] {
  const turned = clearKeys(dV, 0, old + exact, draw);
  return Array.from({ length: old + exact }, (_, row) => turned.map((line) => line[row] as number));
}

export const exercise = {
  id: 'int8-cache',
  lab: 'long-texts',
  order: 11,
  difficulty: 3,
  minutes: 30,
  buildsOn: ['kv-cache-step'],
  title: 'A cache of small whole numbers',
  summary: 'Keys by channel, values by token, one byte each, and the newest tokens exact.',
  task: [
    'A cache in int8 takes a quarter of the bytes. A number $x$ becomes a code, a whole number from −127 to 127, and is read back as code · scale. Write one step of attention over such a cache.',
    'The newest `exact` tokens stay as they are. Of the older ones, keys share a scale in each channel (column), because some channels of keys are large for all tokens; values share a scale in each token (row). A scale is the largest $|x|$ of the numbers that share it, divided by 127; the code is $x$ / scale, rounded to the nearest whole number. Where all of them are 0, scale and codes are 0.',
    'Then $q$ attends to all tokens, the older ones as they are read back: scores $q \\cdot k/\\sqrt{d_k}$, softmax (subtract the maximum), weighted mean of the values.',
    'Return the output, the codes and scales of the older keys, and the bytes of the whole cache: one for each code, four for each scale and for each number that stays exact. There is at least one older token.',
  ],
  entry: 'int8_cache',
  parameters: [
    { name: 'q', type: 'vector', shape: 'd_k', what: "the new token's query" },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys, oldest first' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values, oldest first' },
    { name: 'exact', type: 'integer', what: 'how many of the newest tokens stay as they are' },
  ],
  results: [
    { name: 'output', type: 'vector', shape: 'd_v', what: "the new token's attention output" },
    { name: 'codes', type: 'matrix', shape: '(m−exact)×d_k', what: 'codes of the older keys' },
    { name: 'scales', type: 'vector', shape: 'd_k', what: 'a scale for each channel of the keys' },
    { name: 'bytes', type: 'integer', what: 'bytes of the cache' },
  ],
  cases: [
    {
      name: 'three tokens, one exact, by hand',
      args: [
        { make: 'values', shape: [2], data: [1, 0] },
        rows([
          [1.27, -254],
          [-0.4, 100.6],
          [5, 7],
        ]),
        rows([[12.7], [2.54], [1]]),
        1,
      ],
    },
    {
      name: 'ten tokens, all in codes',
      args: [vector(4, 1), normal(10, 4, 2), normal(10, 3, 3), 0],
    },
    {
      name: 'a channel of zeros',
      args: [
        vector(3, 4),
        rows([
          [0.5, 0, -1.1],
          [0.1, 0, 2],
          [0.7, 0, 0.3],
        ]),
        normal(3, 2, 5),
        0,
      ],
    },
    {
      name: 'one large channel',
      args: [
        vector(3, 6),
        rows([
          [30.2, 0.41, -0.9],
          [31.7, -0.3, 0.2],
          [29.5, 0.8, 0.5],
          [30.9, 0.1, -0.2],
        ]),
        normal(4, 4, 7),
        1,
      ],
    },
    {
      name: 'a token whose values are 0',
      hidden: true,
      args: [
        vector(2, 8),
        normal(4, 2, 9),
        rows([
          [1.1, 2],
          [0, 0],
          [0.5, -3],
          [2, 1],
        ]),
        2,
      ],
    },
    {
      name: 'only one old token',
      hidden: true,
      args: [vector(4, 10), normal(6, 4, 11), normal(6, 2, 12), 5],
    },
    {
      name: 'scores of 1000',
      hidden: true,
      args: [
        { make: 'full', shape: [4], value: 40 },
        rows([
          [25.4, 12.8, 6.35, 12.8],
          [12.6, 12.6, 6.3, 12.8],
          [25, 12.5, 6.25, 12],
        ]),
        normal(3, 3, 13),
        1,
      ],
    },
    {
      name: 'thirty tokens, eight exact',
      hidden: true,
      args: [vector(4, 14), normal(30, 4, 15), normal(30, 4, 16), 8],
    },
  ],
  drawn: (draw, nth) => {
    const [old, exact] = [draw.integer(4, 7), nth === 1 ? 0 : draw.integer(2, 3)];
    const [d, dV] = [draw.integer(2, 4), draw.integer(2, 4)];
    return [
      { make: 'normal', seed: draw.seed(), shape: [d], scale: 0.5 },
      rows(clearKeys(old, exact, d, draw)),
      rows(clearValues(old, exact, dV, draw)),
      exact,
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scales are exact to 1e-7 and weights to 1e-6. No number lies so near the middle between two codes that rounding could choose the other.',
  },
  hints: [
    'Cut K and V into old and new first: old = m − exact rows. Only the old part decides scales.',
    'np.abs(K_old).max(axis=0) / 127 is one scale for each channel; for values it is axis=1, one for each row. Divide by 1 where a scale is 0.',
    'Bytes: the codes of both, 4·(d_k + old) for scales, 4·exact·(d_k + d_v) for what stays exact.',
  ],
  variants: [
    {
      id: 'keys-by-token',
      message:
        'Your keys have a scale for each token. One large channel then spoils all others: keys share a scale in each channel, a column.',
      python: [
        ['np.abs(K[:old]).max(axis=0)', 'np.abs(K[:old]).max(axis=1)'],
        [
          'codes = np.rint(K[:old] / np.where(scales > 0, scales, 1))',
          'codes = np.rint(K[:old] / np.where(scales > 0, scales, 1)[:, None])',
        ],
        ['[codes * scales, ', '[codes * scales[:, None], '],
      ],
    },
    {
      id: 'values-by-channel',
      message:
        'Your values have a scale for each channel. They share one in each token, a row, so that a new token changes no old scale.',
      python: [
        [
          'np.abs(V[:old]).max(axis=1, keepdims=True)',
          'np.abs(V[:old]).max(axis=0, keepdims=True)',
        ],
      ],
      javascript: [
        [
          'V.slice(0, old).map(Math.abs).maxRows()',
          'V.slice(0, old).map(Math.abs).transpose().maxRows().transpose()',
        ],
      ],
      cpp: [['max(abs(V.rows(0, old)), 1, true)', 'max(abs(V.rows(0, old)), 0, true)']],
    },
    {
      id: 'one-scale',
      message: 'All your keys share one scale. Each channel has one of its own.',
      python: [['np.abs(K[:old]).max(axis=0)', 'np.full(K.shape[1], np.abs(K[:old]).max())']],
      javascript: [
        [
          'K.slice(0, old).map(Math.abs).transpose().maxRows().transpose().div(127)',
          'Matrix.full(1, K.cols, K.slice(0, old).map(Math.abs).max() / 127)',
        ],
      ],
    },
    {
      id: 'by-128',
      message:
        'You divide by 128. The codes run from −127 to 127, so the largest |x| has the code 127.',
      python: [
        ['max(axis=0) / 127', 'max(axis=0) / 128'],
        ['max(axis=1, keepdims=True) / 127', 'max(axis=1, keepdims=True) / 128'],
      ],
    },
    {
      id: 'without-sign',
      message:
        'Your scale is made from the largest number, not from the largest |x|: very negative numbers get codes beyond −127.',
      python: [['np.abs(K[:old]).max(axis=0)', 'K[:old].max(axis=0)']],
    },
    {
      id: 'cut-off',
      message:
        'You cut the fraction off in place of rounding to the nearest code. The error doubles, and everything shrinks towards 0.',
      python: [['    codes = np.rint(', '    codes = np.trunc(']],
      cpp: [
        [
          'round(K.rows(0, old) / where(scales',
          'sign(K.rows(0, old)) * floor(abs(K.rows(0, old)) / where(scales',
        ],
      ],
    },
    {
      id: 'newest-in-the-scale',
      message:
        'The newest tokens stay exact and still change your scales. Make the scales from the older tokens alone.',
      python: [['np.abs(K[:old])', 'np.abs(K)']],
      cpp: [['abs(K.rows(0, old))', 'abs(K)']],
    },
    {
      id: 'oldest-exact',
      message: 'You kept the oldest tokens exact. The newest ones are: they stand at the end.',
      python: [['    old = len(K) - exact', '    K, V, old = K[::-1], V[::-1], len(K) - exact']],
    },
    {
      id: 'not-read-back',
      message:
        'Your output is that of the exact keys and values. Attention has to see what the cache gives back: code · scale.',
      python: [
        ['np.concatenate([codes * scales, K[old:]])', 'K'],
        ['np.concatenate([value_codes * value_scales, V[old:]])', 'V'],
      ],
      javascript: [
        ['const keys = codes.mul(scales).concatRows(K.slice(old, K.rows))', 'const keys = K'],
        [
          'const values = valueCodes.mul(valueScales).concatRows(V.slice(old, V.rows))',
          'const values = V',
        ],
      ],
    },
    {
      id: 'values-exact',
      message: 'Your keys are in codes, your values are still exact. Both are stored in int8.',
      python: [['np.concatenate([value_codes * value_scales, V[old:]])', 'V']],
    },
    {
      id: 'codes-as-keys',
      message: 'You attend with the codes themselves. Multiply them by their scale first.',
      python: [['[codes * scales, ', '[codes, ']],
    },
    {
      id: 'nan-for-zeros',
      message: 'A channel of zeros gave 0/0 and left NaN. Its scale and its codes are 0.',
      evidence: 'fixed',
      python: [['np.where(scales > 0, scales, 1)', 'scales']],
    },
    {
      id: 'scales-free',
      message: 'Your bytes leave out the scales. Each takes four bytes.',
      python: [[' + 4 * (d_k + old)', '']],
      javascript: [[' + 4 * (K.cols + old)', '']],
      cpp: [[' + 4 * (d_k + old)', '']],
    },
    {
      id: 'exact-free',
      message: 'Your bytes leave out the newest tokens, which take four bytes for each number.',
      python: [[' + 4 * exact * (d_k + d_v)', '']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(d_k)', '']],
      cpp: [[' / std::sqrt(d_k)', '']],
    },
  ],
  figure: {
    knobs: {
      tokens: { label: 'tokens', min: 2, max: 48, value: 24 },
      exact: { label: 'exact tokens', min: 0, max: 47, value: 6 },
      outlier: { label: 'size of channel 0', min: 1, max: 100, value: 10 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ tokens = 24, exact = 6, outlier = 10, seed = 0 }) => {
      const d = 8;
      return [
        vector(d, seed + 1000),
        // A pattern that a seed moves, with one channel that is as large as the knob says.
        rows(
          Array.from({ length: tokens }, (_, i) =>
            Array.from(
              { length: d },
              (_, c) =>
                Math.sin(12.9898 * (i + 1) + 78.233 * (c + 1) + 37.719 * seed) *
                  (c === 0 ? 0.2 * outlier : 1) +
                (c === 0 ? outlier : 0),
            ),
          ),
        ),
        normal(tokens, d, seed + 2000),
        Math.min(exact, tokens - 1),
      ];
    },
    draw: { kind: 'matrix', path: [1], rows: 'older tokens', cols: 'channels', signed: true },
    caption:
      'The codes of the older keys, from −127 to 127. However large channel 0 is, the others use the whole range.',
  },
  source: {
    title: 'KIVI: A Tuning-Free Asymmetric 2bit Quantization for KV Cache',
    url: 'https://arxiv.org/abs/2402.02750',
    where:
      'section 3: keys per channel, values per token, the newest in full precision; here 8 bits',
  },
  reference: async ({ core }, [query, keys, values, newest]) => {
    const [q, k, v] = [matrixOf(query), matrixOf(keys), matrixOf(values)];
    const exact = numberOf(newest);
    const old = k.rows - exact;
    const x = { rows: old, cols: k.cols, data: k.data.slice(0, old * k.cols) };
    const byChannel = { bits: 8, zeroPoint: false, axis: 'column' } as const;
    const { codes, scales } = await core.quantize({ x, ...byChannel });
    const { output, bytes } = await core.quantizedCacheAttention({
      ...{ q, k, v },
      keys: byChannel,
      values: { bits: 8, zeroPoint: false, axis: 'row' },
      exactKeys: exact,
      exactValues: exact,
    });
    return [fromVector(output), fromMatrix(codes), fromVector(scales), bytes];
  },
} as const satisfies Exercise;
