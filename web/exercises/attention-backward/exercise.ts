import { normal, rows, tiedScores } from '../../src/exercises/common-inputs';
import { fromMatrix, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'attention-backward',
  lab: 'surgeon',
  order: 17,
  difficulty: 3,
  minutes: 45,
  buildsOn: ['attention'],
  title: 'Attention backwards, by hand',
  summary:
    'From the gradient of the output to those of Q, K and V, without automatic differentiation.',
  task: [
    'Forwards, $S=QK^\\top/\\sqrt{d_k}$, $P=\\operatorname{softmax}(S)$ row by row, and $O=PV$. Training knows how the loss changes with the output, $dO$ ($n\\times d_v$), and wants to know how it changes with the three inputs. Write `attention_backward(Q, K, V, dO)`, which returns $dQ$, $dK$ and $dV$.',
    'Walk the computation backwards. Through the last product, a product of matrices:',
    '$$dV = P^\\top dO, \\qquad dP = dO\\,V^\\top$$',
    'Through the softmax. Each row of $P$ sums to 1, so a weight can only grow at the cost of the others; that is what the subtraction says:',
    '$$dS_{ij} = P_{ij}\\Big(dP_{ij} - \\sum_l P_{il}\\,dP_{il}\\Big)$$',
    'And through the scores, a product again, with the factor $1/\\sqrt{d_k}$: it is for you to find $dQ$ and $dK$. Check the shapes: a gradient has the shape of what it belongs to. Scores may be as large as 1000.',
  ],
  entry: 'attention_backward',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
    { name: 'dO', type: 'matrix', shape: 'n×d_v', what: 'the gradient of the output' },
  ],
  results: [
    { name: 'dQ', type: 'matrix', shape: 'n×d_k', what: 'the gradient of the queries' },
    { name: 'dK', type: 'matrix', shape: 'm×d_k', what: 'the gradient of the keys' },
    { name: 'dV', type: 'matrix', shape: 'm×d_v', what: 'the gradient of the values' },
  ],
  cases: [
    {
      name: 'one query, two keys, by hand',
      args: [rows([[0]]), rows([[1], [3]]), rows([[10], [20]]), rows([[1]])],
    },
    {
      name: 'more keys than queries, narrow values',
      args: [normal(4, 6, 1), normal(7, 6, 2), normal(7, 3, 3), normal(4, 3, 4)],
    },
    {
      name: 'as many keys as queries',
      args: [normal(5, 4, 5), normal(5, 4, 6), normal(5, 4, 7), normal(5, 4, 8)],
    },
    {
      name: 'scores of ±1000',
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
        normal(3, 2, 9),
        normal(2, 2, 10),
      ],
    },
    {
      name: 'one key: nothing to choose',
      hidden: true,
      args: [normal(3, 4, 11), normal(1, 4, 12), normal(1, 2, 13), normal(3, 2, 14)],
    },
    {
      name: 'wide values',
      hidden: true,
      args: [normal(6, 3, 15), normal(8, 3, 16), normal(8, 9, 17), normal(6, 9, 18)],
    },
    {
      name: 'sharp weights',
      hidden: true,
      args: [normal(6, 8, 19, 2), normal(6, 8, 20, 2), normal(6, 5, 21), normal(6, 5, 22)],
    },
  ],
  drawn: (draw, nth) => {
    const [n, m, d] = [draw.integer(2, 8), draw.integer(3, 9), draw.integer(2, 8)];
    const dV = draw.integer(2, 6);
    const [q, k] =
      nth === 2 ? tiedScores(n, m, draw) : [normal(n, d, draw.seed()), normal(m, d, draw.seed())];
    return [q, k, normal(m, dV, draw.seed()), normal(n, dV, draw.seed())];
  },
  tolerance: {
    rtol: 1e-3,
    atol: 2e-5,
    reason:
      'A gradient of the scores is a difference of numbers of about 1 in float32; where they nearly cancel, five digits after the point remain.',
  },
  hints: [
    'First compute P again, as in the forward pass. The sum in dS is one number for each query: a sum along its row.',
    'In S = QKᵀ/√d_k the entry S_ij holds q_i · k_j. So the gradient of q_i collects dS_ij times k_j, over all keys j.',
    'dQ is dS K divided by √d_k. dK collects the other way round, over the queries: the transpose of dS.',
  ],
  variants: [
    {
      id: 'no-row-sum',
      message:
        'Your dS is P·dP alone. A row of weights sums to 1, so a weight grows at the cost of the others: subtract each row’s Σ P·dP.',
      python: [['dP - (P * dP).sum(axis=1, keepdims=True)', 'dP']],
      javascript: [['dP.minus(P.mul(dP).sumRows())', 'dP']],
      cpp: [['dP - sum(P * dP, 1, true)', 'dP']],
    },
    {
      id: 'as-a-sigmoid',
      message:
        'Your dS is P(1 − P)·dP, which is right for one weight on its own. In a softmax each weight also depends on the scores of the others.',
      python: [['P * (dP - (P * dP).sum(axis=1, keepdims=True))', 'P * (1 - P) * dP']],
      javascript: [['P.mul(dP.minus(P.mul(dP).sumRows()))', 'P.mul(P.map((p) => 1 - p)).mul(dP)']],
    },
    {
      id: 'sum-along-columns',
      message:
        'You take the sum of P·dP along the columns. The weights that compete are those of one query: sum along its row.',
      python: [['(P * dP).sum(axis=1, keepdims=True)', '(P * dP).sum(axis=0, keepdims=True)']],
      javascript: [['P.mul(dP).sumRows()', 'P.mul(dP).sumCols()']],
      cpp: [['sum(P * dP, 1, true)', 'sum(P * dP, 0, true)']],
    },
    {
      id: 'one-sum-for-all',
      message:
        'You subtract one sum over the whole matrix. Each query has its own: sum along its row.',
      python: [['(P * dP).sum(axis=1, keepdims=True)', '(P * dP).sum()']],
    },
    {
      id: 'plain-sum',
      message:
        'You subtract the sum of dP. It is weighed by P: Σ P·dP, the mean of dP under the weights.',
      python: [['(P * dP).sum(axis=1, keepdims=True)', 'dP.sum(axis=1, keepdims=True)']],
    },
    {
      id: 'no-factor',
      message:
        'Your dQ and dK are too large by √d_k: the factor 1/√d_k of the scores comes back in both gradients.',
      python: [['scale * dS @ K, scale * dS.T @ Q', 'dS @ K, dS.T @ Q']],
      javascript: [
        [
          'dS.times(K).mul(scale), dS.transpose().times(Q).mul(scale)',
          'dS.times(K), dS.transpose().times(Q)',
        ],
      ],
      cpp: [
        [
          'scale * matmul(dS, K), scale * matmul(transpose(dS), Q)',
          'matmul(dS, K), matmul(transpose(dS), Q)',
        ],
      ],
    },
    {
      id: 'factor-in-dq-only',
      message:
        'Your dK lacks the factor 1/√d_k. The scores hold Q and K alike, and so do their gradients.',
      python: [['scale * dS.T @ Q', 'dS.T @ Q']],
      javascript: [['dS.transpose().times(Q).mul(scale)', 'dS.transpose().times(Q)']],
    },
    {
      id: 'not-transposed',
      message:
        'Your dK uses dS where its transpose belongs: key j collects from the queries, which are the rows of dS.',
      python: [['scale * dS.T @ Q', 'scale * dS @ Q']],
    },
    {
      id: 'weights-not-transposed',
      message:
        'Your dV is P dO. Value j collects from all queries that looked at it: the transpose of P.',
      python: [['P.T @ dO', 'P @ dO']],
    },
    {
      id: 'order-of-results',
      message: 'You return dK before dQ. The order is dQ, dK, dV.',
      python: [
        [
          'return scale * dS @ K, scale * dS.T @ Q, P.T @ dO',
          'return scale * dS.T @ Q, scale * dS @ K, P.T @ dO',
        ],
      ],
    },
    {
      id: 'scores-not-scaled',
      message:
        'Your P is made without the factor 1/√d_k, so every gradient belongs to other weights.',
      python: [['scores = scale * Q @ K.T', 'scores = Q @ K.T']],
      javascript: [['Q.times(K.transpose()).mul(scale)', 'Q.times(K.transpose())']],
    },
    {
      id: 'no-max',
      message:
        'Right for small scores, NaN for scores of 1000: exp overflows. Subtract the largest score of each row first.',
      python: [['scores - scores.max(axis=1, keepdims=True)', 'scores']],
      javascript: [['scores.minus(scores.maxRows()).exp()', 'scores.exp()']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 48, value: 16 },
      d: { label: 'width d', min: 1, max: 48, value: 12 },
      size: { label: 'size of Q and K', min: 0, max: 6, step: 0.25, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 8 },
    },
    args: ({ n = 16, d = 12, size = 1, seed = 8 }) => [
      normal(n, d, seed, size),
      normal(n, d, seed + 100, size),
      normal(n, d, seed + 200),
      normal(n, d, seed + 300),
    ],
    draw: { kind: 'matrix', path: [0], rows: 'query', cols: 'column', signed: true },
    caption:
      'Your dQ, a row for each query. Make Q and K large and the weights become one-hot: most rows go pale, because a query that is certain learns nothing, and the few that hesitate between two keys stay.',
  },
  source: {
    title: 'Project 4: The Attention Surgeon',
    where: 'Task 3a. Dao et al. 2022, appendix B.2',
    url: 'https://arxiv.org/abs/2205.14135',
  },
  reference: async ({ core }, [Q, K, V, dO]) => {
    const { dQ, dK, dV } = await core.attentionBackward({
      q: matrixOf(Q),
      k: matrixOf(K),
      v: matrixOf(V),
      dO: matrixOf(dO),
    });
    return [fromMatrix(dQ), fromMatrix(dK), fromMatrix(dV)];
  },
} as const satisfies Exercise;
