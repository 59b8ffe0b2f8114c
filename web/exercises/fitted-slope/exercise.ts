import { vector } from '../../src/exercises/common-inputs';
import { arrayOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

const lengths = [128, 256, 512, 1024, 2048, 4096];

/** What a measurement might give: factor·n^power, each point off by up to `noise` of itself. */
function measured(
  n: readonly number[],
  power: number,
  factor: number,
  noise: number,
  seed: number,
) {
  return vector(
    n.map((length, i) => {
      const wobble = Math.sin(12.9898 * (i + 1) + 78.233 * (seed + 1));
      return factor * length ** power * (1 + noise * wobble);
    }),
  );
}

export const exercise = {
  id: 'fitted-slope',
  lab: 'complexity',
  order: 4,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['count-operations'],
  title: 'Fit the exponent of a cost',
  summary:
    'Counts or timings over n: which power of n is it? A least-squares line over logarithms.',
  task: [
    'If a cost is $c\\cdot n^p$, then $\\log\\text{cost} = \\log c + p\\,\\log n$: over logarithms it is a straight line, and its slope is the exponent $p$.',
    'Write `fitted_slope(n, cost)`. With $x_i = \\log n_i$ and $y_i = \\log\\text{cost}_i$ it returns the slope of the least-squares line:',
    '$$p = \\frac{\\sum_i (x_i-\\bar x)(y_i-\\bar y)}{\\sum_i (x_i-\\bar x)^2}$$',
    'All numbers are positive, and there are at least three points. The points do not lie on a line exactly, so every one of them counts, not only the first and the last.',
  ],
  entry: 'fitted_slope',
  parameters: [
    { name: 'n', type: 'vector', shape: 'p', what: 'lengths' },
    { name: 'cost', type: 'vector', shape: 'p', what: 'what each length took' },
  ],
  results: [{ name: 'slope', type: 'number', what: 'the exponent' }],
  cases: [
    {
      name: 'four lengths by hand: cost = n²',
      args: [vector([1, 2, 4, 8]), vector([1, 4, 16, 64])],
    },
    {
      name: 'multiply-adds of the standard order',
      args: [vector(lengths), measured(lengths, 2, 128, 0, 0)],
    },
    { name: 'noisy timings', args: [vector(lengths), measured(lengths, 1, 3e-6, 0.25, 3)] },
    {
      name: 'a cost that does not grow',
      args: [vector([10, 30, 50, 90, 100]), vector([7, 7, 7, 7, 7])],
    },
    {
      name: 'lengths in no order, unevenly spaced',
      hidden: true,
      args: [vector([900, 17, 40, 5000, 300]), measured([900, 17, 40, 5000, 300], 1.5, 20, 0.3, 8)],
    },
    {
      name: 'a cost that falls',
      hidden: true,
      args: [vector([3, 9, 27, 81]), measured([3, 9, 27, 81], -0.75, 4, 0.1, 2)],
    },
    {
      name: 'beyond two thousand million',
      hidden: true,
      args: [
        vector([1e4, 3e4, 1e5, 3e5, 1e6]),
        measured([1e4, 3e4, 1e5, 3e5, 1e6], 2, 128, 0.2, 5),
      ],
    },
  ],
  drawn: (draw) => {
    const n = [draw.integer(2, 50)];
    for (let more = draw.integer(2, 6); more > 0; --more) {
      const last = n.at(-1) as number;
      n.push(last + draw.integer(1, 2 * last));
    }
    const cost = measured(n, draw.real(0.5, 2.5), draw.real(1, 99), 0.2, draw.integer(1, 999));
    return [vector(n), cost];
  },
  tolerance: {
    rtol: 1e-6,
    atol: 1e-6,
    reason: 'A few logarithms and sums in float64; any base of the logarithm will do.',
  },
  hints: [
    'Take logarithms of both lists first. Which base does not matter: it divides out.',
    'Subtract the mean from each list of logarithms.',
    'The slope is the sum of the products over the sum of the squares of x.',
  ],
  variants: [
    {
      id: 'no-logs',
      message:
        'You fitted the numbers themselves. That gives cost per token, not an exponent: take logarithms of both first.',
      python: [
        ['np.log(n)', 'n'],
        ['np.log(cost)', 'cost'],
      ],
      javascript: [
        ['n.map(Math.log)', 'n'],
        ['cost.map(Math.log)', 'cost'],
      ],
      cpp: [
        ['log(n)', 'n * 1.0'],
        ['log(cost)', 'cost * 1.0'],
      ],
    },
    {
      id: 'log-of-cost-only',
      message: 'You took the logarithm of the cost only. Take that of n as well.',
      python: [['np.log(n)', 'n']],
      javascript: [['n.map(Math.log)', 'n']],
      cpp: [['log(n)', 'n * 1.0']],
    },
    {
      id: 'log-of-n-only',
      message: 'You took the logarithm of n only. Take that of the cost as well.',
      python: [['np.log(cost)', 'cost']],
    },
    {
      id: 'ends-only',
      message:
        'Your slope uses the two ends only. The points between them count in a least-squares line.',
      python: [
        [
          '(x * (y - y.mean())).sum() / (x * x).sum()',
          '(y[len(y) - 1] - y[0]) / (x[len(x) - 1] - x[0])',
        ],
      ],
    },
    {
      id: 'through-origin',
      message:
        'Your line is forced through the origin. Subtract the means first, so that the factor c may be anything.',
      python: [
        ['x = x - x.mean()', 'x = x'],
        ['y - y.mean()', 'y'],
      ],
      javascript: [
        ['.minus(mean(x))', '.minus(0)'],
        ['.minus(mean(y))', '.minus(0)'],
      ],
    },
    {
      id: 'swapped-axes',
      message:
        'You fitted log n over log cost. The exponent is the slope of log cost over log n: divide by the squares of the other one.',
      python: [
        ['np.log(n)', 'np.log(cost)'],
        ['y = np.log(cost)', 'y = np.log(n)'],
      ],
    },
    {
      id: 'correlation',
      message: 'You returned the correlation, between −1 and 1. Divide by the squares of x alone.',
      python: [['(x * (y - y.mean())).sum() / (x * x).sum()', 'np.corrcoef(x, y)[0, 1]']],
    },
  ],
  figure: {
    knobs: {
      power: { label: 'true exponent', min: 0, max: 3, step: 0.25, value: 2 },
      noise: { label: 'noise', min: 0, max: 0.9, step: 0.05, value: 0.3 },
      seed: { label: 'seed', min: 0, max: 99, value: 1 },
    },
    args: ({ power = 2, noise = 0.3, seed = 1 }) => [
      vector(lengths),
      measured(lengths, power, 1e-3, noise, seed),
    ],
    draw: {
      kind: 'curve',
      x: 'power',
      values: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3],
      y: 'fitted slope',
    },
    caption:
      'The fitted slope over the true exponent, from six noisy measurements each. Without noise it is the diagonal.',
  },
  source: {
    title: 'Lab 01: complexity analysis, which Lab 02 supposes',
    where: 'O(n²) against O(n)',
  },
  reference: async ({ core }, args) => {
    const fit = await core.fitSlope({ x: arrayOf(args[0]).data, y: arrayOf(args[1]).data });
    return fit.slope;
  },
} as const satisfies Exercise;
