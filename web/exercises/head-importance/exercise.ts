import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

interface Sizes {
  readonly examples: number;
  readonly n: number;
  readonly heads: number;
  readonly width: number;
  readonly seed: number;
}

/** Outputs and gradients of the merged heads of each example. */
function layer({ examples, n, heads, width, seed }: Sizes): readonly Input[] {
  const shape = [examples, n, heads * width];
  return [{ make: 'normal', shape, seed }, { make: 'normal', shape, seed: seed + 1 }, heads];
}

const given = (shape: readonly number[], data: readonly number[]): Input => ({
  make: 'values',
  shape,
  data,
});

/** Heads that matter more and more: head k has gradients k times as large as head 1. */
function rising({ examples, n, heads, width, seed }: Sizes, slope: number): readonly Input[] {
  const shape = [examples, n, heads * width];
  // Without a pattern: examples have to pull in opposite directions, or the picture hides signs that cancel.
  const wave = (at: number) => {
    const large = Math.sin(12.9898 * (at + 1) + 78.233 * (seed + 1)) * 43758.5453;
    return 2 * (large - Math.floor(large)) - 1;
  };
  const size = examples * n * heads * width;
  const headOf = (at: number) => Math.floor((at % (heads * width)) / width);
  return [
    given(
      shape,
      Array.from({ length: size }, (_, at) => wave(at)),
    ),
    given(
      shape,
      Array.from({ length: size }, (_, at) => wave(at + 7777) * (1 + slope * headOf(at))),
    ),
    heads,
  ];
}

export const exercise = {
  id: 'head-importance',
  lab: 'heads',
  order: 5,
  difficulty: 2,
  minutes: 18,
  buildsOn: ['split-merge-heads'],
  title: 'How much does a head matter?',
  summary: 'One backward pass says for every head how the loss reacts to its gate.',
  task: [
    'Put a gate $\\xi_h$ in front of the output $O_h$ of every head, $\\xi_h O_h$, with the gate at 1. Michel et al. (2019) call a head important where the loss reacts to its gate, and one backward pass tells that for all heads:',
    '$$\\frac{\\partial L}{\\partial \\xi_h} = \\sum_{t,\\,c} O_h[t,c]\\;\\frac{\\partial L}{\\partial O_h[t,c]}\\qquad\\qquad I_h = \\frac1E\\sum_{e=1}^{E}\\left|\\frac{\\partial L_e}{\\partial \\xi_h}\\right|$$',
    'The sum is over all tokens $t$ and columns $c$ of the head. There is one such number for each of the $E$ examples, and $I_h$ is the mean of their *sizes*: an example that wants more of a head and one that wants less both use it.',
    'Write `head_importance(outputs, gradients, num_heads)`. Both stacks are $E\\times n\\times(h\\,d_{\\text{head}})$, one example after the other, with the heads side by side: head $i$, counted from 0, owns the columns $i\\,d_{\\text{head}}$ up to $(i+1)\\,d_{\\text{head}}$. Return the $h$ importances divided by their Euclidean norm, so that their squares sum to 1. Where all are 0, return zeros.',
  ],
  entry: 'head_importance',
  parameters: [
    {
      name: 'outputs',
      type: 'stack',
      shape: 'E×n×(h·d_head)',
      what: 'the merged heads of each example',
    },
    {
      name: 'gradients',
      type: 'stack',
      shape: 'E×n×(h·d_head)',
      what: 'of each example’s loss by them',
    },
    { name: 'num_heads', type: 'integer', what: 'h' },
  ],
  results: [
    { name: 'importance', type: 'vector', shape: 'h', what: 'squares sum to 1, or all are 0' },
  ],
  cases: [
    {
      name: 'two examples that pull apart, by hand',
      args: [given([2, 1, 2], [1, 2, 1, 2]), given([2, 1, 2], [3, 2, -3, 2]), 2],
    },
    {
      name: 'two tokens that cancel, by hand',
      args: [given([1, 2, 2], [1, 1, 1, 1]), given([1, 2, 2], [2, 1, -2, 1]), 2],
    },
    {
      name: 'three examples, two heads',
      args: layer({ examples: 3, n: 4, heads: 2, width: 3, seed: 1 }),
    },
    {
      name: 'one example, four heads',
      args: layer({ examples: 1, n: 5, heads: 4, width: 2, seed: 3 }),
    },
    {
      name: 'no gradient at all',
      args: [
        given([2, 1, 4], [1, 2, 3, 4, 5, 6, 7, 8]),
        { make: 'full', shape: [2, 1, 4], value: 0 },
        2,
      ],
    },
    {
      name: 'one head',
      hidden: true,
      args: layer({ examples: 2, n: 3, heads: 1, width: 4, seed: 5 }),
    },
    {
      name: 'heads of width 1',
      hidden: true,
      args: layer({ examples: 4, n: 3, heads: 6, width: 1, seed: 7 }),
    },
    {
      name: 'many examples',
      hidden: true,
      args: layer({ examples: 12, n: 2, heads: 3, width: 2, seed: 9 }),
    },
  ],
  drawn: (draw) =>
    layer({
      ...{ examples: draw.integer(3, 6), n: draw.integer(2, 5), heads: draw.integer(2, 4) },
      ...{ width: draw.integer(2, 4), seed: draw.integer(1, 5000) },
    }),
  tolerance: {
    rtol: 1e-4,
    atol: 2e-6,
    reason: 'JavaScript sums in float32: products that nearly cancel lose a few digits.',
  },
  hints: [
    'Multiply outputs and gradients entry by entry. Which of the four axes (examples, tokens, heads, columns) does the formula of the gate sum over?',
    'In NumPy products.reshape(E, n, num_heads, -1).sum(axis=(1, 3)) leaves one number for each example and head.',
    'Absolute value, then mean over the examples, then divide by the norm of the h numbers, unless it is 0.',
  ],
  variants: [
    {
      id: 'signs-cancel',
      message:
        'You averaged over the examples before taking the size: an example that wants more of a head and one that wants less cancel. Take the absolute value of each example’s number first.',
      python: [['np.abs(gates).mean(axis=0)', 'np.abs(gates.mean(axis=0))']],
      cpp: [['mean(abs(gates), 0)', 'abs(mean(gates, 0))']],
    },
    {
      id: 'signs-kept',
      message: 'You took no absolute value: an importance is a size, never negative.',
      python: [['np.abs(gates).mean', 'gates.mean']],
      javascript: [['Math.abs(gate)', 'gate']],
      cpp: [['mean(abs(gates), 0)', 'mean(gates, 0)']],
    },
    {
      id: 'size-of-every-entry',
      message:
        'You took the absolute value of every product. One gate scales the whole head, so its products are summed with their signs first, over tokens and columns.',
      python: [['(outputs * gradients).reshape', 'np.abs(outputs * gradients).reshape']],
      javascript: [
        ['output.mul(gradients[example])', 'output.mul(gradients[example]).map(Math.abs)'],
      ],
      cpp: [['products = outputs * gradients', 'products = abs(outputs * gradients)']],
    },
    {
      id: 'size-of-every-token',
      message:
        'You took the absolute value token by token, as the authors’ code does. The formula sums the tokens of an example with their signs: they share one gate.',
      python: [['products.sum(axis=(1, 3))', 'np.abs(products.sum(axis=3)).sum(axis=1)']],
      cpp: [
        [
          'sum(products.reshape({examples, n, num_heads, width / num_heads}), {1, 3})',
          'sum(abs(sum(products.reshape({examples, n, num_heads, width / num_heads}), 3)), 1)',
        ],
      ],
    },
    {
      id: 'gradient-alone',
      message:
        'You left the outputs out. The gate multiplies the output, so the derivative by the gate is output times gradient.',
      python: [['(outputs * gradients)', 'gradients']],
      javascript: [['output.mul(gradients[example])', 'gradients[example]']],
      cpp: [['outputs * gradients', 'gradients']],
    },
    {
      id: 'output-alone',
      message:
        'You measured how large a head’s output is. A large output that the loss does not react to is not important: multiply by the gradient.',
      python: [['(outputs * gradients)', 'outputs']],
    },
    {
      id: 'not-normalised',
      message: 'Your numbers are right but for their size: divide them by their Euclidean norm.',
      python: [['importance / norm if norm > 0 else importance', 'importance']],
      javascript: [['norm > 0 ? importance.div(norm) : importance', 'importance']],
      cpp: [['norm > 0 ? importance / norm : importance', 'importance']],
    },
    {
      id: 'sum-to-one',
      message:
        'You divided by the sum, so that your numbers sum to 1. Their squares should: divide by the root of the sum of squares.',
      python: [['np.sqrt((importance**2).sum())', 'importance.sum()']],
      javascript: [['Math.sqrt(importance.mul(importance).sum())', 'importance.sum()']],
      cpp: [['std::sqrt(sum(importance * importance).item())', 'sum(importance).item()']],
    },
    {
      id: 'over-the-largest',
      message:
        'You divided by the largest. Divide by the Euclidean norm, the root of the sum of squares.',
      python: [['np.sqrt((importance**2).sum())', 'importance.max()']],
    },
    {
      id: 'zero-over-zero',
      message: 'Where no gradient is left the norm is 0, and 0/0 is NaN: return zeros there.',
      evidence: 'fixed',
      python: [[' if norm > 0 else importance', '']],
      javascript: [['norm > 0 ? importance.div(norm) : importance', 'importance.div(norm)']],
      cpp: [['norm > 0 ? importance / norm : importance', 'importance / norm']],
    },
    {
      id: 'interleaved',
      message:
        'Your heads took every h-th column. A head owns neighbouring columns: the axis of heads comes before the axis of its columns.',
      python: [
        ['num_heads, width // num_heads)', 'width // num_heads, num_heads)'],
        ['sum(axis=(1, 3))', 'sum(axis=(1, 2))'],
      ],
      cpp: [['num_heads, width / num_heads}), {1, 3}', 'width / num_heads, num_heads}), {1, 2}']],
    },
    {
      id: 'root-mean-square',
      message:
        'You took the root of the mean square over the examples. The mean of the sizes is wanted.',
      python: [['np.abs(gates).mean(axis=0)', 'np.sqrt((gates**2).mean(axis=0))']],
    },
  ],
  figure: {
    knobs: {
      examples: { label: 'examples', min: 1, max: 64, value: 12 },
      n: { label: 'tokens', min: 1, max: 24, value: 6 },
      slope: { label: 'how much more each head has', min: 0, max: 2, step: 0.1, value: 0.5 },
      seed: { label: 'seed', min: 0, max: 99, value: 5 },
    },
    args: ({ examples = 12, n = 6, slope = 0.5, seed = 5 }) =>
      rising({ ...{ examples, n, seed }, heads: 8, width: 4 }, slope),
    draw: {
      kind: 'curve',
      x: 'head',
      values: Array.from({ length: 8 }, (_, at) => at),
      y: 'importance',
    },
    caption:
      'Eight heads, each with larger gradients than the one before. With one example the order is mostly chance; with many it follows the gradients.',
  },
  source: {
    title: 'Are Sixteen Heads Really Better than One?',
    url: 'https://arxiv.org/abs/1905.10650',
    where: 'section 2.3, equation 2',
  },
  reference: async ({ arrays }, [outputs, gradients, numHeads]) => {
    const { shape, data } = arrayOf(outputs);
    const [examples = 0, n = 0, width = 0] = shape;
    const heads = numberOf(numHeads);
    const mark = arrays.mark();
    try {
      const cut = [examples, n, heads, width / heads];
      const products = arrays.binary(
        'multiply',
        arrays.from(data, cut),
        arrays.from(arrayOf(gradients).data, cut),
      );
      const gates = arrays.reduce('sum', products, [1, 3]);
      const importance = arrays.values(arrays.reduce('mean', arrays.unary('absolute', gates), 0));
      const norm = Math.hypot(...importance);
      return array([heads], norm > 0 ? importance.map((one) => one / norm) : importance);
    } finally {
      arrays.release(mark);
    }
  },
} as const satisfies Exercise;
