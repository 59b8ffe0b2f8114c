import { weightStack } from '../../src/exercises/common-inputs';
import { fromMatrix, matricesOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

/** Layers of heads that look different, the first layer first. */
const layers = (
  count: number,
  heads: number,
  n: number,
  seed: number,
  { causal = true, sharpness = 2 } = {},
): Input =>
  weightStack(count * heads, n, seed, (at) => ({ sharpness, near: 0.3 * (at % 3), causal }));

export const exercise = {
  id: 'attention-rollout',
  lab: 'heads',
  order: 7,
  difficulty: 2,
  minutes: 18,
  buildsOn: ['entropy-per-head'],
  title: 'Attention rollout',
  summary: 'Through all layers: of which input tokens is what stands at a position made?',
  task: [
    'After the first layer a position holds a mixture of tokens, and the second layer attends to mixtures. Rollout (Abnar & Zuidema 2020) multiplies the layers to say of which *inputs* the last layer’s positions are made.',
    'The weights $A_l$ of layer $l$ are the mean over its heads. The residual stream around the layer keeps a share $r$ of what stood at a position, so the layer mixes by $B_l = (1-r)\\,A_l + r\\,I$. Row $i$ of a layer reads what the layer before wrote, and the rollout of $L$ layers is',
    '$$B_{L}\\cdots B_2\\,B_1$$',
    'Write `attention_rollout(weights, num_heads, residual)`. `weights` is a stack: first the heads of layer 1, then those of layer 2, and so on, `num_heads` each. Every row of the result sums to 1.',
  ],
  entry: 'attention_rollout',
  parameters: [
    {
      name: 'weights',
      type: 'stack',
      shape: '(L·h)×n×n',
      what: 'rows sum to 1; layer by layer, the first layer first',
    },
    { name: 'num_heads', type: 'integer', what: 'h, the heads of a layer' },
    { name: 'residual', type: 'number', what: 'r, the share that a position keeps', default: 0.5 },
  ],
  results: [
    { name: 'rollout', type: 'matrix', shape: 'n×n', what: 'row i: of which inputs i is made' },
  ],
  cases: [
    {
      name: 'two layers of one head, by hand',
      args: [{ make: 'values', shape: [2, 2, 2], data: [1, 0, 1, 0, 0.5, 0.5, 0, 1] }, 1, 0.5],
    },
    { name: 'one layer of three heads', args: [layers(1, 3, 4, 1), 3, 0.5] },
    { name: 'two layers of two heads', args: [layers(2, 2, 5, 2, { causal: false }), 2, 0.5] },
    { name: 'a smaller share kept', args: [layers(2, 2, 4, 3), 2, 0.2] },
    { name: 'no residual stream', hidden: true, args: [layers(3, 2, 5, 4), 2, 0] },
    { name: 'nothing but the residual stream', hidden: true, args: [layers(2, 1, 3, 5), 1, 1] },
    { name: 'six layers of four heads', hidden: true, args: [layers(6, 4, 7, 6), 4, 0.5] },
    {
      name: 'two heads a layer, seen both ways',
      hidden: true,
      args: [layers(4, 2, 6, 7, { causal: false, sharpness: 4 }), 2, 0.4],
    },
  ],
  drawn: (draw, nth) => {
    const heads = draw.integer(2, 4);
    return [
      layers(draw.integer(2, 4), heads, draw.integer(4, 8), draw.integer(1, 5000), {
        causal: nth === 1,
        sharpness: draw.real(1.5, 4),
      }),
      heads,
      draw.pick([0.2, 0.3, 0.6]),
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-6,
    reason: 'The core multiplies in float32: a few roundings for each layer.',
  },
  hints: [
    'Three steps: mean over the heads of a layer, mix it with the identity, multiply it onto the product so far. Before the first layer every position is made of itself.',
    'In NumPy weights.reshape(-1, num_heads, n, n) brings the heads of a layer together; .mean(axis=1) is then the layer.',
    'The later layer stands on the left: rollout = B @ rollout.',
  ],
  variants: [
    {
      id: 'no-residual',
      message:
        'You multiplied the weights alone. Around every layer runs the residual stream: mix each layer with the identity, (1 − r)·A + r·I, before you multiply.',
      python: [['residual * np.eye(n) + (1 - residual) * layer', 'layer']],
      javascript: [
        ['same.mul(residual).plus(layer.mul((1 - residual) / numHeads))', 'layer.div(numHeads)'],
      ],
      cpp: [['residual * eye(n) + (1 - residual) * layers[l]', 'layers[l]']],
    },
    {
      id: 'other-order',
      message:
        'Your layers are multiplied in the other order, as if the last one read the input. The later layer reads what the earlier one wrote, so it stands on the left.',
      python: [['mixing @ rollout', 'rollout @ mixing']],
      javascript: [['mixing.times(rollout)', 'rollout.times(mixing)']],
      cpp: [['matmul(mixing, rollout)', 'matmul(rollout, mixing)']],
    },
    {
      id: 'identity-added',
      message:
        'You added the identity to the weights, so your rows sum to 2 and more with each layer. Mix the two: shares r and 1 − r.',
      python: [['residual * np.eye(n) + (1 - residual) * layer', 'np.eye(n) + layer']],
      javascript: [
        [
          'same.mul(residual).plus(layer.mul((1 - residual) / numHeads))',
          'same.plus(layer.div(numHeads))',
        ],
      ],
    },
    {
      id: 'shares-swapped',
      message:
        'Your shares are swapped: r is what the residual stream keeps (the identity), 1 − r what the heads bring.',
      python: [
        [
          'residual * np.eye(n) + (1 - residual) * layer',
          '(1 - residual) * np.eye(n) + residual * layer',
        ],
      ],
      javascript: [
        [
          'same.mul(residual).plus(layer.mul((1 - residual) / numHeads))',
          'same.mul(1 - residual).plus(layer.mul(residual / numHeads))',
        ],
      ],
      cpp: [
        [
          'residual * eye(n) + (1 - residual) * layers[l]',
          '(1 - residual) * eye(n) + residual * layers[l]',
        ],
      ],
    },
    {
      id: 'always-half',
      message: 'You mix half and half whatever `residual` says. The share is an argument.',
      python: [['residual * np.eye(n) + (1 - residual) * layer', '0.5 * np.eye(n) + 0.5 * layer']],
    },
    {
      id: 'heads-in-turns',
      message:
        'You took the stack for head by head. It is layer by layer: the first h pictures are the heads of the first layer.',
      python: [
        [
          'weights.reshape(-1, num_heads, n, n).mean(axis=1)',
          'weights.reshape(num_heads, -1, n, n).mean(axis=0)',
        ],
      ],
      cpp: [
        [
          'mean(weights.reshape({-1, num_heads, n, n}), 1)',
          'mean(weights.reshape({num_heads, -1, n, n}), 0)',
        ],
      ],
    },
    {
      id: 'every-head-a-layer',
      message:
        'You multiplied all pictures in a row, as if each head were a layer. Heads of one layer work side by side: average them first.',
      python: [['weights.reshape(-1, num_heads, n, n).mean(axis=1)', 'weights']],
    },
    {
      id: 'first-head-only',
      message: 'You used the first head of each layer. The layer is the mean over its heads.',
      python: [
        [
          'weights.reshape(-1, num_heads, n, n).mean(axis=1)',
          'weights.reshape(-1, num_heads, n, n)[:, 0]',
        ],
      ],
    },
    {
      id: 'heads-summed',
      message:
        'You added the heads of a layer. Take their mean, or the rows sum to h in place of 1.',
      python: [['.mean(axis=1)', '.sum(axis=1)']],
      javascript: [['(1 - residual) / numHeads', '1 - residual']],
      cpp: [
        [
          'mean(weights.reshape({-1, num_heads, n, n}), 1)',
          'sum(weights.reshape({-1, num_heads, n, n}), 1)',
        ],
      ],
    },
    {
      id: 'entry-by-entry',
      message:
        'You multiplied the layers entry by entry. What a position holds after two layers is a matrix product: a sum over all positions between.',
      python: [
        ['mixing @ rollout', 'mixing * rollout'],
        ['rollout = np.eye(n)', 'rollout = np.ones((n, n))'],
      ],
    },
    {
      id: 'layers-averaged',
      message:
        'You averaged the layers. Each layer reads what the one before it made: multiply them.',
      python: [
        ['rollout = np.eye(n)', 'rollout = np.zeros((n, n))'],
        ['mixing @ rollout', 'rollout + mixing / len(layers)'],
      ],
    },
  ],
  figure: {
    knobs: {
      layers: { label: 'layers', min: 1, max: 12, value: 3 },
      sharpness: { label: 'sharpness of the heads', min: 0, max: 6, step: 0.25, value: 3 },
      residual: { label: 'share kept r', min: 0, max: 1, step: 0.05, value: 0.3 },
      n: { label: 'tokens n', min: 2, max: 32, value: 12 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ layers: count = 3, sharpness = 3, residual = 0.3, n = 12, seed = 1 }) => [
      layers(count, 2, n, seed, { sharpness }),
      2,
      residual,
    ],
    draw: { kind: 'matrix', rows: 'positions after the last layer', cols: 'input tokens' },
    caption:
      'Rollout of causal heads, two a layer. With more layers all rows drift to the first token, and they do so at sharpness 0 too, where every head spreads evenly and has learned nothing.',
  },
  source: {
    title: 'Quantifying Attention Flow in Transformers',
    url: 'https://arxiv.org/abs/2005.00928',
    where: 'section 3',
  },
  reference: async ({ core }, [weights, numHeads, residual]) => {
    const all = matricesOf(weights);
    const heads = numberOf(numHeads);
    const { rollout } = await core.attentionRollout({
      layers: Array.from({ length: all.length / heads }, (_, layer) =>
        all.slice(layer * heads, (layer + 1) * heads),
      ),
      residual: numberOf(residual),
      mask: { kind: 'full' },
    });
    const last = rollout.at(-1);
    if (!last) throw new Error('the core returned no layer');
    return fromMatrix(last);
  },
} as const satisfies Exercise;
