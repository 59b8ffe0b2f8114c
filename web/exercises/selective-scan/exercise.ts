import { normal, rows } from '../../src/exercises/common-inputs';
import { beside, columns, fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const uniform = (shape: readonly [number, number], seed: number, low: number, high: number) => ({
  ...({ make: 'uniform', shape, seed, low, high } as const satisfies Input),
});
/** X, Delta, A, B and C of n tokens, d channels and N numbers a channel. */
const scan = (n: number, d: number, N: number, seed: number): readonly Input[] => [
  normal(n, d, 5 * seed),
  uniform([n, d], 5 * seed + 1, 0.1, 1.5),
  uniform([d, N], 5 * seed + 2, -1.5, -0.1),
  normal(n, N, 5 * seed + 3),
  normal(n, N, 5 * seed + 4),
];

export const exercise = {
  id: 'selective-scan',
  lab: 'states',
  order: 6,
  difficulty: 3,
  minutes: 25,
  buildsOn: ['retention-recurrent', 'gated-linear-attention-step'],
  title: 'Mamba’s selective scan',
  summary: 'Every channel keeps a few numbers, and the token decides how far they fade.',
  task: [
    'In Mamba each of the $d$ channels has a state of $N$ numbers: row $c$ of $H$. A token brings a step ' +
      '$\\Delta_{t,c}$ for every channel, and $B_t$ and $C_t$ for all channels. It fades the state, writes its input, and reads:',
    '$$H_t[c,s]=e^{\\Delta_{t,c}A[c,s]}\\,H_{t-1}[c,s]+\\Delta_{t,c}B_t[s]\\,x_t[c]$$',
    '$$y_t[c]=\\sum_s C_t[s]\\,H_t[c,s]$$',
    'A step near 0 skips the token: nothing fades and nothing is written. A large one forgets what was there.',
    'Begin with zeros and return the outputs of all tokens, one in each row. (Mamba’s skip $Dx_t$, its ' +
      'convolution and its projections are left out.)',
  ],
  entry: 'selective_scan',
  parameters: [
    { name: 'X', type: 'matrix', shape: 'n×d', what: 'inputs' },
    { name: 'Delta', type: 'matrix', shape: 'n×d', what: 'steps, above 0' },
    { name: 'A', type: 'matrix', shape: 'd×N', what: 'rates, below 0' },
    { name: 'B', type: 'matrix', shape: 'n×N', what: 'how the tokens write' },
    { name: 'C', type: 'matrix', shape: 'n×N', what: 'how the tokens read' },
  ],
  results: [{ name: 'output', type: 'matrix', shape: 'n×d', what: 'what each token reads' }],
  cases: [
    {
      name: 'three tokens, one number',
      args: [
        rows([[4], [0], [2]]),
        rows([[1], [2], [0.5]]),
        rows([[-0.5]]),
        rows([[1], [1], [1]]),
        rows([[1], [1], [2]]),
      ],
    },
    { name: 'eight tokens, three channels', args: scan(8, 3, 4, 1) },
    { name: 'more channels than numbers', args: scan(6, 5, 2, 2) },
    { name: 'one token', hidden: true, args: scan(1, 4, 3, 3) },
    { name: 'one number a channel', hidden: true, args: scan(7, 3, 1, 4) },
  ],
  drawn: (draw) =>
    scan(draw.integer(4, 9), draw.integer(2, 5), draw.integer(2, 5), draw.integer(10, 9999)),
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: sums of a few products are exact to 1e-6 of their size.',
  },
  hints: [
    'A loop over the tokens with three lines: fade and write, read, keep the row.',
    'Delta[t][:, None] is a column: times A it is d×N, one rate for each number of the state.',
    'The write is an outer product: Delta[t]·X[t] down the rows, B[t] along the columns. The read is H @ C[t].',
  ],
  variants: [
    {
      id: 'no-step-on-write',
      message: 'The input is written without its step: multiply what is written by Δ as well.',
      python: [['step * X[t][:, None]', 'X[t][:, None]']],
      javascript: [['X.row(t).transpose().mul(step)', 'X.row(t).transpose()']],
      cpp: [['step * x * B.row(t)', 'x * B.row(t)']],
    },
    {
      id: 'no-step-on-decay',
      message:
        'All tokens fade the state alike. The step stands in the exponent: that is what makes the scan selective.',
      python: [['np.exp(step * A)', 'np.exp(A)']],
      javascript: [['A.mul(step).exp()', 'A.exp()']],
      cpp: [['exp(step * A)', 'exp(A)']],
    },
    {
      id: 'no-decay',
      message: 'Nothing fades: multiply the old state by exp(Δ A) before you write.',
      python: [['np.exp(step * A) * H', 'H']],
      javascript: [['A.mul(step).exp().mul(H)', 'H']],
      cpp: [['exp(step * A) * H', 'H']],
    },
    {
      id: 'decay-on-write',
      message: 'What the token writes has faded already. Only what was there before fades.',
      python: [
        [
          'np.exp(step * A) * H + step * X[t][:, None] * B[t][None, :]',
          'np.exp(step * A) * (H + step * X[t][:, None] * B[t][None, :])',
        ],
      ],
      javascript: [
        ['A.mul(step).exp().mul(H).plus(write)', 'A.mul(step).exp().mul(H.plus(write))'],
      ],
      cpp: [
        ['exp(step * A) * H + step * x * B.row(t)', 'exp(step * A) * (H + step * x * B.row(t))'],
      ],
    },
    {
      id: 'first-order-decay',
      message: 'You fade by 1 + Δ A, which is only the beginning of the series of exp(Δ A).',
      python: [['np.exp(step * A)', '(1 + step * A)']],
    },
    {
      id: 'read-with-b',
      message: 'You read with B, which says how a token writes. C reads.',
      python: [['H @ C[t]', 'H @ B[t]']],
      javascript: [['C.row(t)', 'B.row(t)']],
      cpp: [['matmul(H, C.row(t))', 'matmul(H, B.row(t))']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 32 },
      step: { label: 'Δ of the other tokens', min: 0, max: 1, step: 0.05, value: 0.2 },
      rate: { label: 'rate −A', min: 0.1, max: 3, step: 0.1, value: 0.5 },
    },
    args: ({ n = 32, step = 0.2, rate = 0.5 }) => [
      rows(Array.from({ length: n }, (_, t) => Array(8).fill(t === 0 ? 1 : 0))),
      rows(
        Array.from({ length: n }, (_, t) =>
          Array.from({ length: 8 }, (_, c) => (t === 0 ? 1 : (step * c) / 7)),
        ),
      ),
      { make: 'full', shape: [8, 1], value: -rate },
      { make: 'full', shape: [n, 1], value: 1 },
      { make: 'full', shape: [n, 1], value: 1 },
    ],
    draw: { kind: 'matrix', rows: 'tokens', cols: 'channels', signed: true },
    caption:
      'Only the first token writes. The step of the others rises from 0 in the left channel: it keeps what was written, the right ones forget it.',
  },
  source: {
    title: 'Mamba: Linear-Time Sequence Modeling with Selective State Spaces',
    url: 'https://arxiv.org/abs/2312.00752',
    where: 'arXiv:2312.00752; the write as in its code, Δ B x',
  },
  reference: async ({ core }, args) => {
    const [x, delta, a, b, c] = args.map(matrixOf);
    if (!x || !delta || !a || !b || !c) throw new TypeError('Five matrices are wanted here.');
    // A channel is a state of N×1 whose rows fade by numbers of their own.
    const outputs = Array.from({ length: x.cols }, async (_, at) => {
      const steps = columns(delta, at, at + 1).data;
      const written = columns(x, at, at + 1).data.map((entry, t) => entry * (steps[t] ?? 0));
      const rates = a.data.subarray(at * a.cols, (at + 1) * a.cols);
      const logDecay = Float32Array.from({ length: b.data.length }, (_, entry) => {
        const [t, s] = [Math.floor(entry / a.cols), entry % a.cols];
        return (steps[t] ?? 0) * (rates[s] ?? 0);
      });
      const { output } = await core.matrixState({
        q: c,
        k: b,
        v: { rows: x.rows, cols: 1, data: written },
        logDecay: { rows: b.rows, cols: b.cols, data: logDecay },
        scale: 1,
      });
      return output;
    });
    return fromMatrix(beside(await Promise.all(outputs)));
  },
} as const satisfies Exercise;
