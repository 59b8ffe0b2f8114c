import { rows, weightRows } from '../../src/exercises/common-inputs';
import { dict, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

/** Keys up to this far from the query are local: what the core has as its default. */
const window = 2;

/** A picture of weights with the given sharpness and pull to the diagonal. */
const picture = (n: number, seed: number, sharpness: number, near: number, causal = false): Input =>
  rows(weightRows(n, seed, { sharpness, near, causal }));

export const exercise = {
  id: 'analyze-attention-patterns',
  lab: 'surgeon',
  order: 4,
  difficulty: 2,
  minutes: 20,
  buildsOn: ['attention'],
  title: 'Statistics of an attention pattern',
  summary:
    'How sharp, how spread out, how near the diagonal: four numbers for a picture of weights.',
  task: [
    'Write `analyze_attention_patterns(attention_weights)`. The weights are $n\\times n$, none is negative, every row sums to 1. Return a dict (in JavaScript an object, in C++ a map) of four numbers:',
    '`max_attention`: the largest weight of all.',
    '`entropy`: the entropy of a row, $-\\sum_j p_j \\ln p_j$ in nats with $0\\ln 0 = 0$, averaged over the rows.',
    '`diagonal_mass`: the share of all weight that lies on the diagonal. All the weight is $n$, since each row has 1.',
    '`local_vs_global`: the weight with $|i-j|\\le 2$ (local) divided by the weight with $|i-j|>2$ (global). Infinite where no weight is global.',
  ],
  entry: 'analyze_attention_patterns',
  parameters: [
    { name: 'attention_weights', type: 'matrix', shape: 'n×n', what: 'rows that sum to 1' },
  ],
  results: [
    {
      name: 'statistics',
      type: 'dict',
      what: 'max_attention, entropy, diagonal_mass, local_vs_global',
    },
  ],
  cases: [
    {
      name: 'four tokens, by hand',
      args: [
        rows([
          [0.5, 0.25, 0, 0.25],
          [0.25, 0.25, 0.25, 0.25],
          [0, 0.125, 0.75, 0.125],
          [0.5, 0, 0, 0.5],
        ]),
      ],
    },
    { name: 'equal weights', args: [{ make: 'full', shape: [8, 8], value: 0.125 }] },
    { name: 'a soft band around the diagonal', args: [picture(6, 1, 1, 0.4)] },
    {
      name: 'every token looks at itself only',
      args: [
        rows([
          [1, 0, 0, 0, 0],
          [0, 1, 0, 0, 0],
          [0, 0, 1, 0, 0],
          [0, 0, 0, 1, 0],
          [0, 0, 0, 0, 1],
        ]),
      ],
    },
    { name: 'a causal picture', hidden: true, args: [picture(9, 2, 2, 0, true)] },
    { name: 'one token', hidden: true, args: [rows([[1]])] },
    { name: 'sharp and far from the diagonal', hidden: true, args: [picture(12, 3, 4, -0.3)] },
  ],
  drawn: (draw) => [
    picture(draw.integer(4, 14), draw.integer(1, 5000), draw.real(0.5, 4), draw.real(-0.3, 0.5)),
  ],
  tolerance: {
    rtol: 1e-5,
    atol: 1e-6,
    reason: 'Weights come as float32, so a row sums to 1 only to seven digits.',
  },
  hints: [
    'A matrix of distances |i − j| tells the diagonal (0), what is local (at most 2) and what is global. It comes from two aranges, one as a column and one as a row.',
    'ln 0 is −∞ and 0·(−∞) is NaN: put a 1 in place of a 0 inside the logarithm only.',
    'Entropy: sum within each row first, then the mean over rows. The other sums go over the whole matrix.',
  ],
  variants: [
    {
      id: 'bits',
      message: 'Your entropy is in bits. Use the natural logarithm: nats.',
      python: [['np.log(', 'np.log2(']],
      javascript: [['Math.log(', 'Math.log2(']],
      cpp: [['log(where', 'log2(where']],
    },
    {
      id: 'log-of-zero',
      message:
        'Your entropy is NaN where a weight is 0: the logarithm of 0 is −∞, and 0 times it is NaN. Count such a weight as 0.',
      evidence: 'fixed',
      python: [['np.where(weights > 0, weights, 1.0)', 'weights']],
      javascript: [['weight > 0 ? weight * Math.log(weight) : 0', 'weight * Math.log(weight)']],
      cpp: [['where(weights > 0.0, weights, 1.0)', 'where(weights > -1.0, weights, 1.0)']],
    },
    {
      id: 'entropy-summed',
      message: 'Your entropy is the sum over all rows. Average it over the rows.',
      python: [['.sum(axis=1).mean()', '.sum()']],
      javascript: [['entropy: entropy / n', 'entropy']],
      cpp: [['mean(entropies)', 'sum(entropies)']],
    },
    {
      id: 'entropy-over-cells',
      message:
        'Your entropy is averaged over all cells. Sum it within each row first, then average over the rows.',
      python: [['.sum(axis=1).mean()', '.mean()']],
    },
    {
      id: 'entropy-negative',
      message: 'Your entropy has the wrong sign: logarithms of weights are negative.',
      python: [['-(weights * logs)', '(weights * logs)']],
    },
    {
      id: 'diagonal-summed',
      message:
        'Your diagonal_mass is the sum of the diagonal. It is a share: divide it by all the weight there is.',
      python: [['weights[apart == 0].sum() / n', 'weights[apart == 0].sum()']],
      javascript: [['diagonal_mass: diagonal / n', 'diagonal_mass: diagonal']],
    },
    {
      id: 'diagonal-per-cell',
      message:
        'Your diagonal_mass is divided by the number of cells, n². All the weight together is n.',
      python: [['weights[apart == 0].sum() / n', 'weights[apart == 0].sum() / (n * n)']],
    },
    {
      id: 'window-too-small',
      message:
        'Your local window ends one key too early: a distance of 2 is still local (|i − j| ≤ 2).',
      python: [
        ['apart <= 2', 'apart < 2'],
        ['apart > 2', 'apart >= 2'],
      ],
      javascript: [['Math.abs(i - j) <= 2', 'Math.abs(i - j) < 2']],
      cpp: [
        ['apart <= 2', 'apart < 2'],
        ['apart > 2', 'apart >= 2'],
      ],
    },
    {
      id: 'local-share',
      message:
        'Your local_vs_global is the share of local weight. Divide by the global weight, not by all of it.',
      python: [['local / far if far > 0 else float("inf")', 'local / (local + far)']],
    },
    {
      id: 'mean-of-maxima',
      message:
        'Your max_attention is the mean of the rows’ largest weights. It is the largest weight of the whole picture.',
      python: [['weights.max()', 'weights.max(axis=1).mean()']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 16 },
      sharpness: { label: 'sharpness', min: 0, max: 8, step: 0.25, value: 2 },
      nearness: { label: 'pull to the diagonal', min: 0, max: 2, step: 0.1, value: 0.3 },
      seed: { label: 'seed', min: 0, max: 99, value: 5 },
    },
    args: ({ n = 16, sharpness = 2, nearness = 0.3, seed = 5 }) => [
      picture(n, seed, sharpness, nearness),
    ],
    draw: {
      kind: 'curve',
      path: ['entropy'],
      x: 'sharpness',
      values: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8],
      y: 'entropy in nats',
    },
    caption:
      'The mean entropy of a row as its logits grow. At most it is ln n, for equal weights; it falls to 0 as each row settles on one key.',
  },
  source: { title: 'Project 4: The Attention Surgeon', where: 'Task 2c' },
  reference: async ({ core }, [weights]) => {
    const found = await core.analyzeAttentionPatterns({
      weights: matrixOf(weights),
      window,
      rank: false,
    });
    return dict({
      max_attention: found.maxAttention,
      entropy: found.meanEntropy,
      diagonal_mass: found.diagonalMass,
      local_vs_global: found.localVsGlobal,
    });
  },
} as const satisfies Exercise;
