import type { Exercise } from '../../src/exercises/types';
import { retention } from '../retention-recurrent/retention';

export const exercise = {
  id: 'retention-parallel',
  lab: 'states',
  order: 2,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['retention-recurrent'],
  title: 'Retention, all tokens at once',
  summary: 'The same outputs from one matrix product with a mask of decays.',
  task: [
    'Unroll the recurrence, and each output is a sum over the tokens so far, weighted by how long ago they came:',
    '$$o_i = \\sum_{j\\le i}\\gamma^{\\,i-j}\\,\\frac{q_i\\cdot k_j}{\\sqrt{d_k}}\\,v_j$$',
    'That is $(QK^\\top/\\sqrt{d_k}\\circ D)\\,V$ with a mask $D$ that has $\\gamma^{\\,i-j}$ on and below the diagonal ' +
      'and 0 above it. Return the outputs, without a loop over the tokens of a recurrence. There is no softmax and no ' +
      'division by a row’s sum.',
  ],
  entry: 'retention_parallel',
  ...retention(10),
  hints: [
    'Make the matrix of distances i − j first. It is negative above the diagonal.',
    'A power of a negative distance is large: choose 0 there, do not multiply by a mask.',
    'Weights are (Q @ K.T) / √d_k times the mask, entry by entry; then multiply with V.',
  ],
  variants: [
    {
      id: 'no-mask',
      message: 'Tokens see later ones: above the diagonal the mask is 0.',
      python: [
        [
          'np.where(distance >= 0, gamma ** np.maximum(distance, 0), 0)',
          'gamma ** np.abs(distance)',
        ],
      ],
      javascript: [['i >= j ? gamma ** (i - j) : 0', 'gamma ** Math.abs(i - j)']],
      cpp: [
        [
          'where(distance >= 0, power(gamma, maximum(distance, 0)), 0)',
          'power(gamma, abs(distance))',
        ],
      ],
    },
    {
      id: 'no-decay',
      message:
        'Nothing fades: below the diagonal the mask is γ to the power of the distance, not 1.',
      python: [['gamma ** np.maximum(distance, 0)', '1']],
      javascript: [['gamma ** (i - j)', '1']],
      cpp: [['power(gamma, maximum(distance, 0))', '1']],
    },
    {
      id: 'power-times-mask',
      message:
        'You take the power of every distance and hide the later tokens afterwards. Where γ is small, the power of a negative distance is infinite, and 0·∞ is NaN: choose 0 there instead.',
      python: [
        [
          'np.where(distance >= 0, gamma ** np.maximum(distance, 0), 0)',
          '(distance >= 0) * gamma ** distance',
        ],
      ],
      javascript: [['(i >= j ? gamma ** (i - j) : 0)', '(i >= j ? 1 : 0) * gamma ** (i - j)']],
      cpp: [
        [
          'where(distance >= 0, power(gamma, maximum(distance, 0)), 0)',
          'where(distance >= 0, 1, 0) * power(gamma, distance)',
        ],
      ],
    },
    {
      id: 'off-by-one',
      message:
        'Every weight has faded once too often: a token’s own pair has distance 0 and has not faded.',
      python: [['np.maximum(distance, 0)', '(np.maximum(distance, 0) + 1)']],
      javascript: [['gamma ** (i - j)', 'gamma ** (i - j + 1)']],
    },
    {
      id: 'no-scale',
      message: 'The scores are not divided by √d_k.',
      python: [[' / np.sqrt(d_k)', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
      cpp: [[' / std::sqrt(static_cast<double>(d_k))', '']],
    },
    {
      id: 'row-sums',
      message: 'You divided each row by its sum, as softmax does. Retention does not.',
      python: [['return weights @ V', 'return (weights / weights.sum(axis=1, keepdims=True)) @ V']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 24 },
      gamma: { label: 'γ', min: 0, max: 1, step: 0.05, value: 0.9 },
    },
    args: ({ n = 24, gamma = 0.9 }) => [
      // q·k/√d_k is 1, and without the root it is not.
      { make: 'full', shape: [n, 4], value: 1 },
      { make: 'full', shape: [n, 4], value: 0.5 },
      {
        ...{ make: 'values', shape: [n, n] },
        data: Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
      },
      gamma,
    ],
    draw: { kind: 'matrix', rows: 'tokens', cols: 'tokens that are seen', signed: true },
    caption:
      'Queries are four ones and keys four halves, so that every score is 1, and V is the identity: the output is the mask of decays itself.',
  },
} as const satisfies Exercise;
