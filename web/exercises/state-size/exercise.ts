import { numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'state-size',
  lab: 'states',
  order: 8,
  difficulty: 1,
  minutes: 10,
  buildsOn: [],
  title: 'How many numbers a model keeps',
  summary:
    'After n tokens: what do softmax, linear attention, the delta rule and RWKV-4 still hold?',
  task: [
    'A layer has width $d$ and $h$ heads. In each head queries and keys are $d_k$ wide and values $d_v = d/h$. ' +
      'Write `state_size(n, d, heads, d_k)`: how many numbers must the layer keep after $n$ tokens so that it can go on?',
    'Softmax attention keeps the key and the value of every token, in every head. Linear attention, with ' +
      'as many features as a key has entries, keeps in each head the sum of $\\varphi(k)v^\\top$ and the sum of $\\varphi(k)$, its normaliser. ' +
      'The delta rule keeps one matrix of $d_k\\times d_v$ in each head and no normaliser.',
    'RWKV-4 has no heads: each of its $d$ channels keeps the two sums of its average, their largest exponent, ' +
      'and the last token’s input, which is mixed with the next.',
    'Return the four numbers in this order. Weights do not count.',
  ],
  entry: 'state_size',
  parameters: [
    { name: 'n', type: 'integer', what: 'tokens so far' },
    { name: 'd', type: 'integer', what: 'width of the layer, a multiple of heads' },
    { name: 'heads', type: 'integer', what: 'heads h' },
    { name: 'd_k', type: 'integer', what: 'width of a query and a key' },
  ],
  results: [
    { name: 'softmax', type: 'number', what: 'keys and values of all tokens' },
    { name: 'linear', type: 'number', what: 'sums and normalisers' },
    { name: 'delta', type: 'number', what: 'matrices' },
    { name: 'rwkv', type: 'number', what: 'numbers of the channels' },
  ],
  cases: [
    { name: 'one head, by hand', args: [3, 4, 1, 2] },
    { name: 'a thousand tokens', args: [1000, 64, 4, 16] },
    { name: 'narrow keys', args: [256, 128, 2, 16] },
    { name: 'one token', hidden: true, args: [1, 32, 4, 8] },
    { name: 'keys wider than values', hidden: true, args: [131_072, 96, 8, 24] },
  ],
  drawn: (draw) => {
    const heads = draw.integer(2, 8);
    return [draw.integer(2, 9999), heads * draw.integer(2, 24), heads, draw.integer(2, 40)];
  },
  tolerance: { rtol: 0, atol: 0, reason: 'Whole numbers below 2⁵³ are exact in float64.' },
  hints: [
    'Only softmax depends on n.',
    'A token’s key and value are d_k + d_v numbers in each head; the matrix of a head has d_k·d_v.',
    'The normaliser of linear attention is a vector of d_k numbers in each head: d_k·(d_v + 1) together.',
  ],
  variants: [
    {
      id: 'keys-only',
      message: 'Softmax’s cache holds the keys here. It holds the values too.',
      python: [['(d_k + d_v)', 'd_k']],
      javascript: [['(dK + dV)', 'dK']],
      cpp: [['(d_k + d_v)', 'd_k']],
    },
    {
      id: 'no-normaliser',
      message:
        'Linear attention’s normaliser is missing: the sum of φ(k), d_k numbers in each head.',
      python: [['(d_v + 1)', 'd_v']],
      javascript: [['(dV + 1)', 'dV']],
      cpp: [['(d_v + 1)', 'd_v']],
    },
    {
      id: 'one-head',
      message: 'You counted one head only. Every head has a state of its own.',
      python: [
        ['n * heads * (d_k + d_v)', 'n * (d_k + d_v)'],
        ['heads * d_k * (d_v + 1)', 'd_k * (d_v + 1)'],
        ['heads * d_k * d_v', 'd_k * d_v'],
      ],
      javascript: [
        ['n * heads * (dK + dV)', 'n * (dK + dV)'],
        ['heads * dK * (dV + 1)', 'dK * (dV + 1)'],
        ['heads * dK * dV', 'dK * dV'],
      ],
    },
    {
      id: 'no-split',
      message: 'A head’s values are not as wide as the layer: they are d/h wide.',
      python: [['d // heads', 'd']],
      javascript: [['d / heads', 'd']],
      cpp: [['d / heads', 'd']],
    },
    {
      id: 'growing-state',
      message: 'A state of one size does not grow with n. Only softmax’s cache does.',
      python: [
        ['heads * d_k * (d_v + 1)', 'n * heads * d_k * (d_v + 1)'],
        ['heads * d_k * d_v', 'n * heads * d_k * d_v'],
        ['4 * d\n', '4 * n * d\n'],
      ],
    },
    {
      id: 'no-shift',
      message: 'RWKV-4 keeps one number more in each channel: the last token’s input.',
      python: [['4 * d\n', '3 * d\n']],
      javascript: [['4 * d;', '3 * d;']],
      cpp: [['4 * d;', '3 * d;']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 16_384, value: 1024 },
      heads: { label: 'heads', min: 1, max: 16, value: 4 },
      d_k: { label: 'd_k', min: 1, max: 64, value: 16 },
    },
    args: ({ n = 1024, heads = 4, d_k = 16 }) => [n, 16 * heads, heads, d_k],
    draw: {
      kind: 'curve',
      x: 'n',
      values: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384],
      y: 'numbers kept',
      log: true,
    },
    caption:
      'Numbers kept over the number of tokens, with values of 16 entries in each head. Softmax’s cache grows, the others stay as they are.',
  },
  source: {
    title: 'Simple linear attention language models balance the recall-throughput tradeoff',
    url: 'https://arxiv.org/abs/2402.18668',
    where: 'arXiv:2402.18668',
  },
  reference: async ({ core }, args) => {
    const [n, dModel, heads, dK] = args.map(numberOf);
    if (!n || !dModel || !heads || !dK) throw new TypeError('Four numbers are wanted here.');
    const kept = async (id: string, widths: { heads?: number; dK?: number }) =>
      (await core.mixerSizes({ mixer: { id, dModel, ...widths }, n })).stateNumbers;
    return [
      await kept('softmax', { heads, dK }),
      await kept('linear', { heads, dK }),
      await kept('delta_rule', { heads, dK }),
      await kept('rwkv4', {}),
    ];
  },
} as const satisfies Exercise;
