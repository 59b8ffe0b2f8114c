import { normal, qkv, rows } from '../../src/exercises/common-inputs';
import { fromMatrix, logDecayOf, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

/**
 * What the two exercises about retention have in common: both forms are the same function of the same inputs.
 * The random cases are drawn from the seeds after `seed`.
 */
export const retention = (seed: number) =>
  ({
    parameters: [
      { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
      { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'keys' },
      { name: 'V', type: 'matrix', shape: 'n×d_v', what: 'values' },
      { name: 'gamma', type: 'number', what: 'what is left of the state after a token' },
    ],
    results: [{ name: 'output', type: 'matrix', shape: 'n×d_v', what: 'what each query reads' }],
    cases: [
      {
        name: 'three tokens, by hand',
        args: [
          rows([[1], [1], [1]]),
          rows([[1], [1], [1]]),
          rows([
            [4, 0],
            [0, 4],
            [2, 2],
          ]),
          0.5,
        ],
      },
      { name: 'eight random tokens', args: [...qkv({ n: 8, d: 4, seed: seed + 1 }), 0.9] },
      {
        name: 'values wider than keys',
        args: [...qkv({ n: 6, d: 3, dV: 5, seed: seed + 2 }), 0.7],
      },
      {
        name: 'nothing fades',
        hidden: true,
        args: [...qkv({ n: 7, d: 4, dV: 2, seed: seed + 3 }), 1],
      },
      {
        name: 'many tokens, and nearly all is forgotten at once',
        hidden: true,
        args: [...qkv({ n: 48, d: 2, seed: seed + 5 }), 1e-8],
      },
      {
        name: 'all is forgotten',
        hidden: true,
        args: [...qkv({ n: 4, d: 3, seed: seed + 6 }), 0],
      },
      { name: 'one token', hidden: true, args: [...qkv({ n: 1, d: 5, seed: seed + 4 }), 0.3] },
    ],
    drawn: (draw, nth) => {
      // Of the last one, γ to the power of a negative distance is no number, also in float64.
      const long = nth === 2;
      const n = long ? draw.integer(44, 50) : draw.integer(3, 9);
      const [dK, dV] = [draw.integer(2, 6), draw.integer(2, 6)];
      return [
        normal(n, dK, draw.seed()),
        normal(n, dK, draw.seed()),
        normal(n, dV, draw.seed()),
        long ? 10 ** -draw.integer(8, 10) : draw.real(0.3, 0.95),
      ];
    },
    tolerance: {
      rtol: 1e-4,
      atol: 1e-5,
      reason: 'The core works in float32: sums of a few products are exact to 1e-6 of their size.',
    },
    source: {
      title: 'Retentive Network: A Successor to Transformer for Large Language Models',
      url: 'https://arxiv.org/abs/2307.08621',
      where: 'arXiv:2307.08621',
    },
    reference: async ({ core }, [q, k, v, gamma]) => {
      const [Q, K, V] = [matrixOf(q), matrixOf(k), matrixOf(v)];
      const logDecay = new Float32Array(Q.rows).fill(logDecayOf(numberOf(gamma)));
      const decay = { rows: Q.rows, cols: 1, data: logDecay };
      return fromMatrix((await core.matrixState({ q: Q, k: K, v: V, logDecay: decay })).output);
    },
  }) as const satisfies Partial<Exercise>;
