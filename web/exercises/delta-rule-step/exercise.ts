import { normal, rows, vector } from '../../src/exercises/common-inputs';
import { fromMatrix, fromVector, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const random = (n: number, seed: number, scale = 1): Input => ({
  ...{ make: 'normal', shape: [n], seed, scale },
});

export const exercise = {
  id: 'delta-rule-step',
  lab: 'states',
  order: 4,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['retention-recurrent'],
  title: 'The delta rule, one token',
  summary: 'Read what the state holds under a key, and write only the difference.',
  task: [
    'A sum of $k v^\\top$ can only add: a key that is written twice holds both values. The delta rule ' +
      'first reads what the state returns under the new key, $S_{t-1}^\\top k_t$, and writes what is missing:',
    '$$S_t = S_{t-1} + \\beta\\, k_t\\,(v_t - S_{t-1}^\\top k_t)^\\top$$',
    'With a key of length 1 and $\\beta = 1$ the state then returns exactly $v_t$ under $k_t$. Keys are used ' +
      'as they are given here, and $\\beta$ may be anything.',
    'Write one step: update the state, then answer the query with the new state, $S_t^\\top q_t$. ' +
      'There is no factor $1/\\sqrt{d_k}$. Return the answer and the new state.',
  ],
  entry: 'delta_rule_step',
  parameters: [
    { name: 'S', type: 'matrix', shape: 'd_k×d_v', what: 'the state so far' },
    { name: 'q', type: 'vector', shape: 'd_k', what: "the token's query" },
    { name: 'k', type: 'vector', shape: 'd_k', what: "the token's key" },
    { name: 'v', type: 'vector', shape: 'd_v', what: "the token's value" },
    { name: 'beta', type: 'number', what: 'how much of the difference is written' },
  ],
  results: [
    { name: 'output', type: 'vector', shape: 'd_v', what: 'what the query reads' },
    { name: 'S', type: 'matrix', shape: 'd_k×d_v', what: 'the new state' },
  ],
  cases: [
    {
      name: 'a key is written again, by hand',
      args: [
        rows([
          [5, 1, -2],
          [0, 3, 0],
        ]),
        vector([1, 0]),
        vector([1, 0]),
        vector([4, 0, 4]),
        1,
      ],
    },
    {
      name: 'an empty state',
      args: [
        { make: 'full', shape: [3, 2], value: 0 },
        random(3, 1),
        random(3, 2),
        random(2, 3),
        0.5,
      ],
    },
    {
      name: 'five by four',
      args: [normal(5, 4, 4), random(5, 5), random(5, 6, 0.5), random(4, 7), 0.7],
    },
    {
      name: 'nothing is written',
      hidden: true,
      args: [normal(3, 5, 8), random(3, 9), random(3, 10), random(5, 11), 0],
    },
    {
      name: 'the sign is turned',
      hidden: true,
      args: [normal(4, 4, 12), random(4, 13), random(4, 14, 0.5), random(4, 15), 2],
    },
  ],
  drawn: (draw) => {
    const [dK, dV] = [draw.integer(2, 6), draw.integer(2, 6)];
    return [
      normal(dK, dV, draw.seed()),
      random(dK, draw.seed()),
      random(dK, draw.seed(), 0.6),
      random(dV, draw.seed()),
      draw.real(0.2, 0.9),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason: 'The core works in float32: sums of a few products are exact to 1e-6 of their size.',
  },
  hints: [
    'Three steps: read under k, write the difference, read under q.',
    'What the state holds under k is k @ S, a vector of d_v numbers.',
    'S + beta · k (v − k @ S)ᵀ, an outer product as large as S.',
  ],
  variants: [
    {
      id: 'plain-sum',
      message:
        'You write v and not the difference: that is the plain sum, which keeps the old value under the key as well.',
      python: [['v - k @ S', 'v']],
      javascript: [['v.minus(k.times(S))', 'v']],
      cpp: [['v - matmul(k, S)', 'v']],
    },
    {
      id: 'no-beta',
      message: 'beta is missing: it says how much of the difference is written.',
      python: [['beta * k[:, None]', 'k[:, None]']],
      javascript: [['.mul(beta)', '']],
      cpp: [['beta * outer', 'outer']],
    },
    {
      id: 'read-before-write',
      message: 'You answer from the state before the token was written. Write first, then read.',
      python: [['q @ grown, grown', 'q @ S, grown']],
      javascript: [['q.times(grown), grown', 'q.times(S), grown']],
      cpp: [['matmul(q, grown), grown', 'matmul(q, S), grown']],
    },
    {
      id: 'read-with-query',
      message:
        'You take out what the query reads. The old value lies under the key: read with k before you write.',
      python: [['k @ S', 'q @ S']],
      javascript: [['k.times(S)', 'q.times(S)']],
      cpp: [['matmul(k, S)', 'matmul(q, S)']],
    },
    {
      id: 'added-difference',
      message: 'The sign is the wrong way round: what the state holds is taken away from v.',
      python: [['v - k @ S', 'v + k @ S']],
    },
  ],
  figure: {
    knobs: {
      d: { label: 'width', min: 2, max: 32, value: 8 },
      beta: { label: 'β', min: 0, max: 2, step: 0.1, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ d = 8, beta = 1, seed = 0 }) => [
      normal(d, d, seed, 0.5),
      random(d, seed + 1000),
      random(d, seed + 2000, 1 / Math.sqrt(d)),
      random(d, seed + 3000),
      beta,
    ],
    draw: {
      kind: 'matrix',
      path: [1],
      rows: 'entries of the key',
      cols: 'entries of the value',
      signed: true,
    },
    caption:
      'The state after the token. Turn β: from 0, nothing is written, past 1, too much is taken out.',
  },
  source: {
    title: 'Parallelizing Linear Transformers with the Delta Rule',
    url: 'https://arxiv.org/abs/2406.06484',
    where: 'arXiv:2406.06484',
  },
  reference: async ({ core }, [S, q, k, v, beta]) => {
    const { output, state } = await core.matrixState({
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      initial: matrixOf(S),
      beta: { rows: 1, cols: 1, data: Float32Array.of(numberOf(beta)) },
      write: 'delta',
      scale: 1,
    });
    return [fromVector(output), fromMatrix(state)];
  },
} as const satisfies Exercise;
