import { largeScores, normal, positiveValues, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, identity, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

/** Which weights are kept: each with probability 1 − p. */
const kept = (n: number, m: number, seed: number, p: number): Input => ({
  make: 'mask',
  of: 'random',
  shape: [n, m],
  seed,
  keep: 1 - p,
});

export const exercise = {
  id: 'attention-dropout',
  lab: 'surgeon',
  order: 16,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['attention'],
  title: 'Dropout of attention weights',
  summary: 'Weights are left out by chance in training, and the output is still right on average.',
  task: [
    'In training, dropout leaves each weight of a softmax out with probability $p$, so that no query relies on one key alone. Which weights stay is given here, so that your result is the same on every run: `keep` is $n\\times m$, 1 where a weight stays and 0 where it is left out.',
    'Write `attention_with_dropout(Q, K, V, keep, p, training)`. With $P=\\operatorname{softmax}(QK^\\top/\\sqrt{d_k})$ the weights that count in training are',
    '$$\\tilde P_{ij} = \\frac{P_{ij}\\,\\text{keep}_{ij}}{1-p}$$',
    'The division makes up for what is missing: $\\tilde P_{ij}$ is $P_{ij}$ on average, and so the output is right on average. A single row need not sum to 1, and it is not normalised again.',
    'If `training` is false, nothing is left out and nothing is divided. Return the output $\\tilde P V$ and the weights $\\tilde P$ (without training: $PV$ and $P$). Scores may be as large as 1000.',
  ],
  entry: 'attention_with_dropout',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'keep', type: 'matrix', shape: 'n×m', what: '1 where a weight stays, 0 where not' },
    { name: 'p', type: 'number', what: 'the probability of leaving a weight out, 0 ≤ p < 1' },
    { name: 'training', type: 'boolean', what: 'whether dropout is on', default: true },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'weights times V' },
    { name: 'weights', type: 'matrix', shape: 'n×m', what: 'the weights that counted' },
  ],
  cases: [
    {
      name: 'equal weights, half of them left out, by hand',
      args: [
        rows([[0], [0]]),
        rows([[1], [2], [3], [4]]),
        rows([[10], [20], [30], [40]]),
        rows([
          [1, 0, 1, 0],
          [0, 1, 1, 1],
        ]),
        0.5,
        true,
      ],
    },
    {
      name: 'a fifth left out',
      args: [normal(5, 4, 1), normal(7, 4, 2), normal(7, 3, 3), kept(5, 7, 4, 0.2), 0.2, true],
    },
    {
      name: 'the same without training',
      args: [normal(5, 4, 1), normal(7, 4, 2), normal(7, 3, 3), kept(5, 7, 4, 0.2), 0.2, false],
    },
    {
      name: 'p = 0',
      args: [
        normal(3, 4, 5),
        normal(4, 4, 6),
        normal(4, 2, 7),
        { make: 'full', shape: [3, 4], value: 1 },
        0,
        true,
      ],
    },
    {
      name: 'a row that loses everything',
      hidden: true,
      args: [
        normal(4, 3, 8),
        normal(5, 3, 9),
        normal(5, 4, 10),
        { make: 'mask', of: 'random', shape: [4, 5], seed: 11, keep: 0.5, emptyRows: [1] },
        0.5,
        true,
      ],
    },
    {
      name: 'scores of ±1000',
      hidden: true,
      args: [
        rows([
          [20, 20, 20, 20],
          [-20, -20, -20, -20],
        ]),
        rows([
          [25, 25, 25, 25],
          [25, 25, 25, 24.875],
          [-25, -25, -25, -25],
        ]),
        rows([
          [1, 2],
          [3, 4],
          [5, 6],
        ]),
        rows([
          [1, 0, 1],
          [0, 1, 1],
        ]),
        0.25,
        true,
      ],
    },
    {
      name: 'most of it left out',
      hidden: true,
      args: [normal(8, 4, 12), normal(8, 4, 13), normal(8, 4, 14), kept(8, 8, 15, 0.9), 0.9, true],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(2, 8), draw.integer(3, 9), draw.integer(2, 6)];
    const p = draw.pick([0.1, 0.25, 0.5, 0.75]);
    const [q, k] =
      nth === 2 ? largeScores(n, m, draw) : [normal(n, d, draw.seed()), normal(m, d, draw.seed())];
    const v = positiveValues(m, draw.integer(1, 5), draw);
    return [q, k, v, kept(n, m, draw.seed(), p), p, nth !== 1];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: about seven digits of scores, a few fewer after exp.',
  },
  hints: [
    'Attention as usual up to the weights. Dropout comes between the softmax and the product with V.',
    'A weight that is left out becomes 0. The others grow by the factor 1/(1 − p), whatever was left out of their row.',
    'Outside of training the function is plain attention: one `if` around one line.',
  ],
  variants: [
    {
      id: 'not-made-up-for',
      message:
        'You leave weights out and do not make up for it: on average your output is too small by the factor 1 − p. Divide what is left by 1 − p.',
      python: [['weights * keep / (1 - p)', 'weights * keep']],
      javascript: [['weights.mul(keep).div(1 - p)', 'weights.mul(keep)']],
      cpp: [['weights * keep / (1 - p)', 'weights * keep']],
    },
    {
      id: 'divided-by-p',
      message: 'You divide by p. What stays is the share 1 − p, so divide by that.',
      python: [['/ (1 - p)', '/ max(p, 1e-9)']],
      javascript: [['.div(1 - p)', '.div(Math.max(p, 1e-9))']],
      cpp: [['/ (1 - p)', '/ std::max(p, 1e-9)']],
    },
    {
      id: 'normalised-again',
      message:
        'Your rows sum to 1 again. Dropout does not normalise: rows sum to 1 only on average, and a row that loses everything is 0.',
      python: [
        [
          'weights * keep / (1 - p)',
          'weights * keep / (weights * keep).sum(axis=1, keepdims=True)',
        ],
      ],
      javascript: [
        ['weights.mul(keep).div(1 - p)', 'weights.mul(keep).div(weights.mul(keep).sumRows())'],
      ],
      cpp: [['weights * keep / (1 - p)', 'weights * keep / sum(weights * keep, 1, true)']],
    },
    {
      id: 'scores-dropped',
      message:
        'You set scores to 0 before the softmax, and exp(0) is 1: what is left out still gets weight. Dropout is for the weights.',
      python: [
        [
          'scores = Q @ K.T / np.sqrt(K.shape[1])',
          'scores = Q @ K.T / np.sqrt(K.shape[1]) * (keep if training else 1)',
        ],
        ['weights * keep / (1 - p)', 'weights / (1 - p)'],
      ],
    },
    {
      id: 'turned-round',
      message: 'You leave out what should stay: 1 in `keep` means that a weight stays.',
      python: [['weights * keep', 'weights * (1 - keep)']],
      javascript: [['weights.mul(keep)', 'weights.mul(keep.map((one) => 1 - one))']],
      cpp: [['weights * keep', 'weights * (1.0 - keep)']],
    },
    {
      id: 'always-on',
      message: 'You leave weights out even where `training` is false. Then dropout is off.',
      python: [['if training:', 'if True:']],
      javascript: [['if (training)', 'if (true)']],
      cpp: [['if (training)', 'if (training || true)']],
    },
    {
      id: 'never-on',
      message: 'Your weights do not change with `keep`: nothing is left out in training.',
      python: [['if training:', 'if False:']],
      javascript: [['if (training)', 'if (false)']],
    },
    {
      id: 'made-up-for-later',
      message:
        'You multiply by 1 − p outside of training instead of dividing in training. That was the first form of dropout; here evaluation changes nothing.',
      python: [
        [
          'weights = weights * keep / (1 - p)',
          'weights = weights * keep\n    else:\n        weights = weights * (1 - p)',
        ],
      ],
    },
    {
      id: 'weights-before',
      message:
        'Your output is right, but you return the weights before dropout. Return those that counted.',
      python: [
        [
          'weights = weights * keep / (1 - p)',
          'V = (weights * keep / (1 - p)) @ V\n        return V, weights',
        ],
      ],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(K.shape[1])', '']],
      javascript: [['.div(Math.sqrt(K.cols))', '']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['np.exp(scores - scores.max(axis=1, keepdims=True))', 'np.exp(scores)']],
      javascript: [['scores.minus(scores.maxRows()).exp()', 'scores.exp()']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 64, value: 16 },
      p: { label: 'probability p', min: 0, max: 0.9, step: 0.05, value: 0.25 },
      seed: { label: 'seed', min: 0, max: 99, value: 6 },
      training: { label: 'training', min: 0, max: 1, value: 1, toggle: true },
    },
    args: ({ n = 16, p = 0.25, seed = 6, training = 1 }) => [
      normal(n, 8, seed),
      normal(n, 8, seed + 100),
      identity(n),
      kept(n, n, seed + 200, p),
      p,
      training === 1,
    ],
    draw: { kind: 'matrix', path: [1], rows: 'query', cols: 'key' },
    caption:
      'The weights that counted. The cells that were left out are 0, the others are larger by 1/(1 − p): no row sums to exactly 1, the mean of many draws does.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'fifth bonus challenge. Srivastava et al. 2014',
    url: 'https://jmlr.org/papers/v15/srivastava14a.html',
  },
  reference: async ({ core }, [Q, K, V, keep, p, training]) => {
    const [q, k, v] = [matrixOf(Q), matrixOf(K), matrixOf(V)];
    const dropout =
      training === false ? { probability: 0 } : { probability: numberOf(p), keep: matrixOf(keep) };
    const { output } = await core.attentionWithDropout({ q, k, v, dropout });
    // With the identity as values the output is the weights that counted.
    const values = { rows: k.rows, cols: k.rows, data: new Float32Array(k.rows ** 2) };
    for (let at = 0; at < k.rows; at++) values.data[at * (k.rows + 1)] = 1;
    const counted = await core.attentionWithDropout({ q, k, v: values, dropout });
    return [fromMatrix(output), fromMatrix(counted.output)];
  },
} as const satisfies Exercise;
