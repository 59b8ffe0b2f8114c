import { qkv, rows } from '../../src/exercises/common-inputs';
import { dict, featureMapOf, matrixOf } from '../../src/exercises/matrix-values';
import type { Exercise, GivenValue } from '../../src/exercises/types';

const maps = ['elu_plus_one', 'relu', 'squared_relu'] as const;
const map = (name: string): GivenValue => ({ kind: 'given', name });

export const exercise = {
  id: 'analyze-feature-map-quality',
  lab: 'feature-maps',
  order: 7,
  difficulty: 3,
  minutes: 35,
  buildsOn: ['compare-to-softmax'],
  title: 'What a feature map is worth',
  summary: 'Six numbers: how close the output is to softmax attention’s, and what can go wrong.',
  task: [
    'Let $P = \\operatorname{softmax}(QK^{\\top}/\\sqrt d)$, let $s_i = \\sum_l \\varphi(q_i)\\cdot\\varphi(k_l)$ be the denominators, and let $A_{ij} = \\varphi(q_i)\\cdot\\varphi(k_j) / (s_i + 10^{-6})$.',
    'Write `analyze_feature_map_quality(feature_map, Q, K, V)`, the map first. It returns six named numbers. Of the outputs $AV$ and $PV$, each taken as one long list of numbers: `output_error`, $\\lVert AV - PV\\rVert / \\lVert PV\\rVert$, and `output_cosine`, the cosine of their angle. Of the weights: `correlation`, Pearson’s coefficient of all cells of $A$ and $P$.',
    'And what can go wrong, as shares between 0 and 1: `negative_weights`, of the cells of $A$ that are below 0; `negative_denominators` and `zero_denominators`, of the rows with $s_i < 0$ and with $s_i = 0$, before anything is added.',
  ],
  entry: 'analyze_feature_map_quality',
  parameters: [
    { name: 'feature_map', type: 'feature_map', what: 'φ, from n×d to n×D' },
    { name: 'Q', type: 'matrix', shape: 'n×d', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'm×d', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'm×d_v', what: 'values' },
  ],
  results: [
    {
      name: 'quality',
      type: 'dict',
      what: 'output_error, output_cosine, correlation, negative_weights, negative_denominators, zero_denominators',
    },
  ],
  cases: [
    {
      name: 'eight tokens, ELU + 1',
      args: [map('elu_plus_one'), ...qkv({ n: 8, d: 4, dV: 3, seed: 81 })],
    },
    {
      name: 'ReLU, by hand; one query misses every key',
      args: [
        map('relu'),
        rows([
          [-1, -2],
          [1, 0.5],
          [0.5, 2],
        ]),
        rows([
          [1, 1],
          [2, -1],
          [0, 3],
        ]),
        rows([
          [1, 0],
          [-1, 2],
          [0.5, 1],
        ]),
      ],
    },
    {
      name: 'identity, by hand: sums of both signs',
      args: [
        map('identity'),
        rows([
          [1, -1],
          [2, 1],
          [0.5, 3],
          [-1, 0],
        ]),
        rows([
          [1, 3],
          [-2, 1],
          [0.5, 0.5],
        ]),
        rows([
          [1, -1, 0.5],
          [2, 0, 1],
          [-1, 1, 3],
        ]),
      ],
    },
    {
      name: 'more keys than queries, squared ReLU',
      args: [map('squared_relu'), ...qkv({ n: 4, m: 9, d: 5, dV: 2, seed: 82 })],
    },
    {
      name: 'identity: a sum that cancels to 0',
      hidden: true,
      args: [
        map('identity'),
        rows([
          [1, 1],
          [2, -1],
        ]),
        rows([
          [1, 0],
          [-2, 1],
        ]),
        rows([
          [1, 2],
          [3, -1],
        ]),
      ],
    },
    {
      name: 'one query, ReLU',
      hidden: true,
      args: [map('relu'), ...qkv({ n: 1, m: 6, d: 8, dV: 4, seed: 84 })],
    },
    {
      name: 'logits in the thousands, ELU + 1',
      hidden: true,
      args: [map('elu_plus_one'), ...qkv({ n: 5, m: 6, d: 4, seed: 85, scale: 40 })],
    },
  ],
  drawn: (draw) => [
    map(draw.pick(['elu_plus_one', 'relu', 'squared_relu'])),
    ...qkv({
      n: draw.integer(3, 9),
      m: draw.integer(4, 9),
      d: draw.integer(3, 8),
      dV: draw.integer(1, 6),
      seed: draw.seed(),
    }),
  ],
  tolerance: {
    rtol: 1e-3,
    atol: 1e-5,
    reason:
      'Weights and outputs are float32 in the reference, and the correlation divides two small sums.',
  },
  hints: [
    'Make P, the sums s and A one after the other and keep all three; everything else is read from them.',
    'A share is the mean of a yes or no: (A < 0).mean() in NumPy. For the denominators look at s itself, before the 1e-6.',
    'For the outputs, norm and cosine are those of one long list: np.linalg.norm of a matrix without an axis does just that.',
  ],
  variants: [
    {
      id: 'no-scale',
      message: 'Your softmax is sharper than it should be: the factor 1/√d is missing.',
      python: [[' / np.sqrt(Q.shape[1])', '']],
      javascript: [['.div(Math.sqrt(Q.cols))', '']],
      cpp: [[' / std::sqrt(static_cast<double>(Q.shape(1)))', '']],
    },
    {
      id: 'no-max-subtraction',
      message:
        'Logits in the thousands give NaN: exp overflows and ∞/∞ is left. Subtract each row’s largest logit first; the quotient stays the same.',
      evidence: 'fixed',
      python: [['logits - logits.max(axis=1, keepdims=True)', 'logits']],
    },
    {
      id: 'as-the-text-has-it',
      message:
        'Your softmax is the course text’s formula as it stands. Two things are missing: the factor 1/√d, and the largest logit of each row to subtract before exp overflows.',
      python: [
        [' / np.sqrt(Q.shape[1])', ''],
        ['logits - logits.max(axis=1, keepdims=True)', 'logits'],
      ],
    },
    {
      id: 'no-epsilon',
      message:
        'Where a denominator is 0 your weights are NaN or infinite. Add 1e-6 to it when you divide.',
      evidence: 'fixed',
      python: [['(sums + 1e-6)', 'sums']],
      cpp: [['(sums + 1e-6)', 'sums']],
    },
    {
      id: 'absolute-error',
      message:
        'Your output_error depends on how large the values are. Divide it by the size of softmax’s output.',
      python: [
        [
          'np.linalg.norm(output - wanted) / np.linalg.norm(wanted)',
          'np.linalg.norm(output - wanted)',
        ],
      ],
      javascript: [['norm(output.minus(wanted)) / norm(wanted)', 'norm(output.minus(wanted))']],
      cpp: [['norm(output - wanted).item() / size_of_wanted', 'norm(output - wanted).item()']],
    },
    {
      id: 'relative-to-the-map',
      message:
        'Your output_error is relative to the map’s own output. Softmax is what you compare with: divide by the size of PV.',
      python: [
        [
          'np.linalg.norm(output - wanted) / np.linalg.norm(wanted)',
          'np.linalg.norm(output - wanted) / np.linalg.norm(output)',
        ],
      ],
    },
    {
      id: 'inner-product',
      message: 'Your output_cosine is an inner product: it can exceed 1. Divide by both lengths.',
      python: [[' / (np.linalg.norm(output) * np.linalg.norm(wanted))', '']],
      javascript: [[' / (norm(output) * norm(wanted))', '']],
    },
    {
      id: 'mean-of-cosines',
      message:
        'You average one cosine per query. Take the whole output as one long list: a row with small entries should count little.',
      python: [
        [
          '(output * wanted).sum() / (np.linalg.norm(output) * np.linalg.norm(wanted))',
          '((output * wanted).sum(axis=1) / np.maximum(np.linalg.norm(output, axis=1) * np.linalg.norm(wanted, axis=1), 1e-12)).mean()',
        ],
      ],
    },
    {
      id: 'correlation-of-outputs',
      message: 'Your correlation compares the outputs. It is wanted of the weights, A and P.',
      python: [
        [
          'np.corrcoef(implicit.ravel(), softmax.ravel())',
          'np.corrcoef(output.ravel(), wanted.ravel())',
        ],
      ],
      cpp: [
        ['corrcoef(implicit.ravel(), softmax.ravel())', 'corrcoef(output.ravel(), wanted.ravel())'],
      ],
    },
    {
      id: 'counts',
      message:
        'You count cells and rows. Shares are wanted, between 0 and 1: divide by how many there are.',
      evidence: 'fixed',
      python: [
        ['(implicit < 0).mean()', '(implicit < 0).sum()'],
        ['(sums < 0).mean()', '(sums < 0).sum()'],
        ['(sums == 0).mean()', '(sums == 0).sum()'],
      ],
      cpp: [
        ['mean(implicit < 0)', 'sum(implicit < 0)'],
        ['mean(sums < 0)', 'sum(sums < 0)'],
        ['mean(sums == 0)', 'sum(sums == 0)'],
      ],
    },
    {
      id: 'epsilon-first',
      message:
        'You find no denominator of 0, because you look at it after adding 1e-6. Look before.',
      evidence: 'fixed',
      python: [
        ['keepdims=True)\n    implicit', 'keepdims=True) + 1e-6\n    implicit'],
        ['scores / (sums + 1e-6)', 'scores / sums'],
      ],
      javascript: [
        ['scores.sumRows();', 'scores.sumRows().plus(1e-6);'],
        ['scores.div(sums.plus(1e-6))', 'scores.div(sums)'],
      ],
    },
    {
      id: 'zero-counts-as-negative',
      message:
        'Your negative_denominators include those that are 0. A sum of 0 has a share of its own.',
      evidence: 'fixed',
      python: [['(sums < 0).mean()', '(sums <= 0).mean()']],
    },
    {
      id: 'sums-over-queries',
      message: 'Your denominators run over the queries. Each query has one, summed over the keys.',
      python: [['scores.sum(axis=1, keepdims=True)', 'scores.sum(axis=0, keepdims=True)']],
    },
    {
      id: 'softmax-over-queries',
      message:
        'Your softmax runs along the wrong axis: its columns sum to 1. Each query spreads its weight over the keys, so its row sums to 1.',
      python: [
        ['logits.max(axis=1', 'logits.max(axis=0'],
        ['powers.sum(axis=1', 'powers.sum(axis=0'],
      ],
      javascript: [
        ['logits.maxRows()', 'logits.transpose().maxRows().transpose()'],
        ['powers.sumRows()', 'powers.sumCols()'],
      ],
      cpp: [
        ['max(logits, 1, true)', 'max(logits, 0, true)'],
        ['sum(powers, 1, true)', 'sum(powers, 0, true)'],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 2, max: 64, value: 16 },
      d: { label: 'columns d', min: 1, max: 32, value: 8 },
      scale: { label: 'size of the entries', min: 0.25, max: 4, step: 0.25, value: 1 },
      map: { label: 'map: 1 ELU + 1, 2 ReLU, 3 squared ReLU', min: 1, max: 3, step: 1, value: 1 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ n = 16, d = 8, scale = 1, map: choice = 1, seed = 1 }) => [
      map(maps[choice - 1] ?? maps[0]),
      ...qkv({ n, d, seed, scale }),
    ],
    draw: {
      kind: 'curve',
      path: ['output_error'],
      x: 'scale',
      values: [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4],
      y: '‖AV − PV‖ / ‖PV‖',
    },
    caption:
      'Relative error of the output over the size of queries and keys. At 1 the output is no closer to softmax attention’s than zeros would be. ReLU and its square fail for small entries too: softmax is almost uniform there, they are not.',
  },
  source: {
    title: 'Lab 03: Feature Maps',
    where: 'analyze_feature_map_quality(feature_map, Q, K, V)',
  },
  reference: async ({ core }, [featureMap, q, k, v]) => {
    const quality = await core.analyzeFeatureMapQuality({
      featureMap: featureMapOf(featureMap),
      q: matrixOf(q),
      k: matrixOf(k),
      v: matrixOf(v),
      epsilon: 1e-6,
      spectrum: false,
    });
    return dict({
      output_error: quality.outputError,
      output_cosine: quality.outputCosine,
      correlation: quality.correlation,
      negative_weights: quality.negativeWeights,
      negative_denominators: quality.negativeDenominators,
      zero_denominators: quality.zeroDenominators,
    });
  },
} as const satisfies Exercise;
