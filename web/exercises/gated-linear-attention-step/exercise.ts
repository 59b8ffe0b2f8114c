import { normal, rows, vector } from '../../src/exercises/common-inputs';
import {
  arrayOf,
  fromMatrix,
  fromVector,
  logDecayOf,
  matrixOf,
} from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const random = (n: number, seed: number): Input => ({ make: 'normal', shape: [n], seed });
const gate = (
  n: number,
  seed: number,
  set: readonly (readonly [number, number])[] = [],
): Input => ({
  ...{ make: 'uniform', shape: [n], seed, low: 0.2, high: 0.99, set },
});

export const exercise = {
  id: 'gated-linear-attention-step',
  lab: 'states',
  order: 3,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['retention-recurrent'],
  title: 'Gated linear attention, one token',
  summary: 'Each row of the state fades by a number of its own, which the token chooses.',
  task: [
    'Retention lets the whole state fade by one constant. Gated linear attention has a gate $\\alpha_t$ with a ' +
      'number for each entry of the key, and every token brings its own:',
    '$$S_t = \\mathrm{diag}(\\alpha_t)\\, S_{t-1} + k_t v_t^\\top$$',
    'Row $c$ of the state fades by $\\alpha_{t,c}$. The gate meets what was there before the token, never what the ' +
      'token writes.',
    'Write one step and answer with the new state, $o = S_t^\\top q_t/\\sqrt{d_k}$. Return the answer and the new state.',
  ],
  entry: 'gated_linear_attention_step',
  parameters: [
    { name: 'S', type: 'matrix', shape: 'd_k×d_v', what: 'the state so far' },
    { name: 'q', type: 'vector', shape: 'd_k', what: "the token's query" },
    { name: 'k', type: 'vector', shape: 'd_k', what: "the token's key" },
    { name: 'v', type: 'vector', shape: 'd_v', what: "the token's value" },
    {
      name: 'alpha',
      type: 'vector',
      shape: 'd_k',
      what: 'what is left of each row, between 0 and 1',
    },
  ],
  results: [
    { name: 'output', type: 'vector', shape: 'd_v', what: 'what the query reads' },
    { name: 'S', type: 'matrix', shape: 'd_k×d_v', what: 'the new state' },
  ],
  cases: [
    {
      name: 'four rows, by hand',
      args: [
        rows([
          [8, 4],
          [8, 4],
          [8, 4],
          [8, 4],
        ]),
        vector([2, 0, 0, 2]),
        vector([1, 0, 0, 0]),
        vector([1, -1]),
        vector([0.5, 0.5, 1, 0.25]),
      ],
    },
    {
      name: 'an empty state',
      args: [
        { make: 'full', shape: [3, 2], value: 0 },
        random(3, 1),
        random(3, 2),
        random(2, 3),
        gate(3, 4),
      ],
    },
    {
      name: 'five by five',
      args: [normal(5, 5, 5), random(5, 6), random(5, 7), random(5, 8), gate(5, 9)],
    },
    {
      name: 'a gate that forgets two rows',
      hidden: true,
      args: [normal(4, 3, 20), random(4, 21), random(4, 22), random(3, 23), vector([0.5, 0, 1, 0])],
    },
    {
      name: 'wider values than keys',
      hidden: true,
      args: [normal(3, 6, 10), random(3, 11), random(3, 12), random(6, 13), gate(3, 14)],
    },
    {
      name: 'wider keys than values',
      hidden: true,
      args: [normal(6, 2, 15), random(6, 16), random(6, 17), random(2, 18), gate(6, 19)],
    },
  ],
  drawn: (draw, nth) => {
    const [dK, dV] = [draw.integer(2, 7), draw.integer(2, 7)];
    return [
      normal(dK, dV, draw.seed()),
      random(dK, draw.seed()),
      random(dK, draw.seed()),
      random(dV, draw.seed()),
      // A row that is forgotten at once: nothing may be divided by its gate.
      gate(dK, draw.seed(), nth === 2 ? [[draw.integer(0, dK - 1), 0]] : []),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core takes gates as logarithms and works in float32: six digits are left.',
  },
  hints: [
    'A diagonal matrix times S multiplies each row of S by a number.',
    'alpha[:, None] * S does that. The write k vᵀ comes after it, ungated.',
    'Divide the answer by the root of the number of entries of q.',
  ],
  variants: [
    {
      id: 'gate-on-write',
      message:
        'The gate also met what the token writes. Let the old state fade first, then add k vᵀ.',
      python: [
        [
          'alpha[:, None] * S + k[:, None] * v[None, :]',
          'alpha[:, None] * (S + k[:, None] * v[None, :])',
        ],
      ],
      javascript: [
        [
          'S.mul(alpha.transpose()).plus(k.transpose().times(v))',
          'S.plus(k.transpose().times(v)).mul(alpha.transpose())',
        ],
      ],
      cpp: [['column(alpha) * S + outer(k, v)', 'column(alpha) * (S + outer(k, v))']],
    },
    {
      id: 'divided-by-the-gate',
      message:
        'You divide what the token writes by the gate, so that the gate takes it back. A gate of 0 makes that 0·∞, which is NaN: let the old state fade first, then add k vᵀ.',
      python: [
        [
          'alpha[:, None] * S + k[:, None] * v[None, :]',
          'alpha[:, None] * (S + (k / alpha)[:, None] * v[None, :])',
        ],
      ],
      javascript: [
        [
          'S.mul(alpha.transpose()).plus(k.transpose().times(v))',
          'S.plus(k.div(alpha).transpose().times(v)).mul(alpha.transpose())',
        ],
      ],
      cpp: [['column(alpha) * S + outer(k, v)', 'column(alpha) * (S + outer(k / alpha, v))']],
    },
    {
      id: 'no-gate',
      message:
        'Nothing fades: that is the plain sum. Multiply the old state by the gate, row by row.',
      python: [['alpha[:, None] * S', 'S']],
      javascript: [['S.mul(alpha.transpose())', 'S']],
      cpp: [['column(alpha) * S', 'S']],
    },
    {
      id: 'one-gate',
      message: 'You took the mean of the gate for all rows. Each row has a number of its own.',
      python: [['alpha[:, None]', 'np.mean(alpha)']],
    },
    {
      id: 'no-scale',
      message: 'The answer is not divided by √d_k.',
      python: [['(q @ grown) / np.sqrt(q.size)', 'q @ grown']],
      javascript: [['.div(Math.sqrt(q.cols))', '']],
      cpp: [[' / std::sqrt(static_cast<double>(q.size()))', '']],
    },
    {
      id: 'read-before-write',
      message: 'You answer from the old state. Write first, then read: a token sees itself.',
      python: [['(q @ grown)', '(q @ S)']],
      javascript: [['q.times(grown)', 'q.times(S)']],
      cpp: [['matmul(q, grown)', 'matmul(q, S)']],
    },
  ],
  figure: {
    knobs: {
      d: { label: 'width', min: 2, max: 32, value: 8 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ d = 8, seed = 0 }) => [
      normal(d, d, seed),
      random(d, seed + 1000),
      random(d, seed + 2000),
      random(d, seed + 3000),
      { make: 'range', shape: [d], start: 1 / d, step: 1 / d },
    ],
    draw: {
      kind: 'matrix',
      path: [1],
      rows: 'entries of the key',
      cols: 'entries of the value',
      signed: true,
    },
    caption:
      'The state after the token. The gate rises from row to row: the upper rows have forgotten most.',
  },
  source: {
    title: 'Gated Linear Attention Transformers with Hardware-Efficient Training',
    url: 'https://arxiv.org/abs/2312.06635',
    where: 'arXiv:2312.06635',
  },
  reference: async ({ core }, [S, q, k, v, alpha]) => {
    const gates = arrayOf(alpha).data;
    const { output, state } = await core.matrixState({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      initial: matrixOf(S),
      logDecay: { rows: 1, cols: gates.length, data: Float32Array.from(gates, logDecayOf) },
    });
    return [fromVector(output), fromMatrix(state)];
  },
} as const satisfies Exercise;
