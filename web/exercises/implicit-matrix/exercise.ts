import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { arrayOf, fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const gates = (n: number, seed: number): Input => ({
  ...{ make: 'uniform', shape: [n], seed, low: 0.3, high: 0.99 },
});

export const exercise = {
  id: 'implicit-matrix',
  lab: 'states',
  order: 5,
  difficulty: 3,
  minutes: 25,
  buildsOn: ['retention-parallel'],
  title: 'The matrix inside a gated state',
  summary: 'Write down the attention matrix that a fading state never writes down.',
  task: [
    'A state fades by $\\alpha_t$ at token $t$ and is then written, $S_t=\\alpha_tS_{t-1}+k_tv_t^\\top$, as in Mamba-2 and ' +
      'simple gated linear attention. The output is $o_i=S_i^\\top q_i/\\sqrt{d_k}$.',
    'It is $A\\,V$ for a lower-triangular matrix $A$. What token $j$ wrote has met every gate after $j$, up to and with that of $i$:',
    '$$A_{ij}=\\frac{q_i\\cdot k_j}{\\sqrt{d_k}}\\prod_{l=j+1}^{i}\\alpha_l\\qquad(j\\le i)$$',
    'Return $A$. The product of no gates is 1, so the diagonal has not faded.',
  ],
  entry: 'implicit_matrix',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'keys' },
    { name: 'alpha', type: 'vector', shape: 'n', what: 'the gate of each token, between 0 and 1' },
  ],
  results: [
    { name: 'A', type: 'matrix', shape: 'n×n', what: 'what each token takes of each value' },
  ],
  cases: [
    {
      name: 'three tokens, by hand',
      args: [rows([[1], [1], [1]]), rows([[1], [1], [1]]), vector([0.5, 0.5, 0.25])],
    },
    { name: 'eight random tokens', args: [normal(8, 4, 21), normal(8, 4, 22), gates(8, 23)] },
    {
      name: 'nothing fades',
      args: [normal(5, 3, 24), normal(5, 3, 25), { make: 'full', shape: [5], value: 1 }],
    },
    { name: 'one token', hidden: true, args: [normal(1, 4, 26), normal(1, 4, 27), gates(1, 28)] },
    {
      name: 'a gate that is nearly shut',
      hidden: true,
      args: [normal(4, 2, 29), normal(4, 2, 30), vector([0.9, 0.9, 0.001, 0.9])],
    },
  ],
  drawn: (draw) => {
    const [n, d] = [draw.integer(3, 9), draw.integer(2, 6)];
    return [normal(n, d, draw.seed()), normal(n, d, draw.seed()), gates(n, draw.seed())];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core takes gates as logarithms and works in float32: six digits are left.',
  },
  hints: [
    'A product of gates from j + 1 to i is e to a difference of sums of their logarithms.',
    'With c = cumsum(log(alpha)), that is exp(c[i] − c[j]): the sum up to i without the first j.',
    'Above the diagonal the difference is positive. Set those entries to 0.',
  ],
  variants: [
    {
      id: 'own-gate',
      message: 'What a token writes has met its own gate here. The product begins at j + 1.',
      python: [['c[:, None] - c[None, :]', 'c[:, None] - c[None, :] + np.log(alpha)[None, :]']],
      javascript: [
        ['c.get(0, i) - c.get(0, j)', 'c.get(0, i) - c.get(0, j) + Math.log(alpha.get(0, j))'],
      ],
      cpp: [['expand_dims(c, 1) - c', 'expand_dims(c, 1) - c + log(alpha)']],
    },
    {
      id: 'no-gates',
      message: 'Nothing fades: multiply by the gates between the two tokens.',
      python: [['scores * np.exp(fading)', 'scores']],
      javascript: [['score * Math.exp(c.get(0, i) - c.get(0, j))', 'score']],
      cpp: [['scores * exp(fading)', 'scores']],
    },
    {
      id: 'one-gate',
      message: 'Only the newest gate was met. Everything in between fades the pair as well.',
      python: [
        [
          'c[:, None] - c[None, :]',
          '(np.log(alpha)[:, None] * (np.arange(c.size)[:, None] > np.arange(c.size)[None, :]))',
        ],
      ],
    },
    {
      id: 'no-mask',
      message: 'Tokens see later ones. Above the diagonal the matrix is 0.',
      python: [['np.tril(scores * np.exp(fading))', 'scores * np.exp(fading)']],
      javascript: [['j > i ? 0 : score', 'score']],
      cpp: [['tril(scores * exp(fading))', 'scores * exp(fading)']],
    },
    {
      id: 'no-scale',
      message: 'The scores are not divided by √d_k.',
      python: [[' / np.sqrt(Q.shape[1])', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
      cpp: [[' / std::sqrt(static_cast<double>(Q.shape(1)))', '']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 24 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 24, seed = 1 }) => [
      { make: 'full', shape: [n, 1], value: 1 },
      { make: 'full', shape: [n, 1], value: 1 },
      gates(n, seed),
    ],
    draw: { kind: 'matrix', rows: 'tokens', cols: 'tokens that are seen', signed: true },
    caption:
      'Every query and key is 1: the matrix is the products of gates. A gate that is nearly shut cuts the past off.',
  },
  source: {
    title:
      'Transformers are SSMs: Generalized Models and Efficient Algorithms Through Structured State Space Duality',
    url: 'https://arxiv.org/abs/2405.21060',
    where: 'arXiv:2405.21060',
  },
  reference: async ({ core }, [q, k, alpha]) => {
    const logs = Float32Array.from(arrayOf(alpha).data, Math.log);
    const logDecay = { rows: logs.length, cols: 1, data: logs };
    return fromMatrix(await core.matrixStateWeights({ q: matrixOf(q), k: matrixOf(k), logDecay }));
  },
} as const satisfies Exercise;
