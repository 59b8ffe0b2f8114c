import { normal, qkv } from '../../src/exercises/common-inputs';
import type { Exercise } from '../../src/exercises/types';
import { retention } from './retention';

export const exercise = {
  id: 'retention-recurrent',
  lab: 'states',
  order: 1,
  difficulty: 2,
  minutes: 15,
  buildsOn: [],
  title: 'Retention, token by token',
  summary: 'A state that fades by one constant, written and read for every token.',
  task: [
    'RetNet’s retention keeps one matrix. At every token it fades by $\\gamma$, takes in $k_t v_t^\\top$, and is read:',
    '$$S_t = \\gamma S_{t-1} + k_t v_t^\\top,\\qquad o_t = \\frac{S_t^\\top q_t}{\\sqrt{d_k}}$$',
    'Begin with a state of zeros and return the outputs of all tokens, one in each row. Only the state may be carried ' +
      'from token to token. (RetNet’s rotations and its norm are left out.)',
  ],
  entry: 'retention_recurrent',
  ...retention(0),
  cost: {
    sizes: [16, 32, 64, 256],
    args: (n, draw) => [
      ...qkv({ n, d: draw.integer(4, 8), dV: draw.integer(4, 8), seed: draw.seed() }),
      draw.real(0.3, 0.95),
    ],
    maxSlope: 1.2,
    most: (n) => 2000 * n,
    wanted: 'about n·d_k·d_v steps',
  },
  hints: [
    'A loop over the tokens with three lines: fade and write, read, keep the row.',
    'np.outer(K[t], V[t]) has a row for each entry of the key.',
    'Q[t] @ S is the row of the output, before it is divided by √d_k.',
  ],
  variants: [
    {
      id: 'parallel-form',
      message:
        'The numbers are right, the way is not: you compare every token with every other one, which is the parallel form. Carry the state alone from token to token.',
      evidence: 'cost',
      python: [
        [
          'S = np.zeros((d_k, V.shape[1]))',
          'decay = np.array([[gamma ** (t - s) if s <= t else 0.0 for s in range(n)] for t in range(n)])\n    return (Q @ K.T / np.sqrt(d_k) * decay) @ V\n    S = np.zeros((d_k, V.shape[1]))',
        ],
      ],
    },
    {
      id: 'read-before-write',
      message: 'You read before the token was written, so a token does not see itself.',
      python: [
        [
          '        S = gamma * S + np.outer(K[t], V[t])\n        output[t] = Q[t] @ S / np.sqrt(d_k)',
          '        output[t] = gamma * (Q[t] @ S) / np.sqrt(d_k)\n        S = gamma * S + np.outer(K[t], V[t])',
        ],
      ],
    },
    {
      id: 'no-decay',
      message: 'Nothing fades: multiply the old state by gamma before you write.',
      python: [['gamma * S', 'S']],
      javascript: [['S.mul(gamma)', 'S']],
      cpp: [['gamma * S', 'S']],
    },
    {
      id: 'measured-from-the-first-token',
      message:
        'You write each pair divided by γᵗ and fade it when you read, which measures all tokens from the first one. Where γ is small, 1/γᵗ is infinite after a few tokens. Let the state itself fade.',
      python: [
        ['gamma * S + np.outer(K[t], V[t])', 'S + np.outer(K[t], V[t]) / gamma ** t'],
        ['output[t] = Q[t] @ S', 'output[t] = gamma ** t * (Q[t] @ S)'],
      ],
    },
    {
      id: 'decay-on-write',
      message: 'The new pair has faded already. Only what was there before the token fades.',
      python: [['gamma * S + np.outer(K[t], V[t])', 'gamma * (S + np.outer(K[t], V[t]))']],
      javascript: [
        ['S.mul(gamma).plus(k.transpose().times(v))', 'S.plus(k.transpose().times(v)).mul(gamma)'],
      ],
      cpp: [['gamma * S + outer(K.row(t), V.row(t))', 'gamma * (S + outer(K.row(t), V.row(t)))']],
    },
    {
      id: 'no-scale',
      message: 'The answers are not divided by √d_k.',
      python: [[' / np.sqrt(d_k)', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
      cpp: [[' / std::sqrt(static_cast<double>(d_k))', '']],
    },
    {
      id: 'wrong-scale',
      message: 'You divide by d_k and not by its root.',
      python: [['np.sqrt(d_k)', 'd_k']],
      javascript: [['Math.sqrt(Q.cols)', 'Q.cols']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 24 },
      gamma: { label: 'γ', min: 0, max: 1, step: 0.05, value: 0.9 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 24, gamma = 0.9, seed = 1 }) => [
      // q·k/√d_k is 1, and without the root, or with d_k for it, it is not.
      { make: 'full', shape: [n, 4], value: 1 },
      { make: 'full', shape: [n, 4], value: 0.5 },
      normal(n, 8, seed),
      gamma,
    ],
    draw: { kind: 'matrix', rows: 'tokens', cols: 'entries of the value', signed: true },
    caption:
      'Queries are four ones and keys four halves, so that every score is 1: the output is a fading sum of the values so far.',
  },
} as const satisfies Exercise;
