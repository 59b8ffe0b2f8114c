import { normal } from '../../src/exercises/common-inputs';
import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

/** The part of the Python solution that a variant replaces which keeps every layer. */
const FORWARD = `    inputs = []  # what each segment began with
    h = x
    for layer in range(layers):
        if layer % segment == 0:
            inputs.append(h)
        h = np.tanh(h @ W)`;
const AGAIN = `        kept = [inputs[-1]]
        for layer in range(first, last):
            kept.append(np.tanh(kept[-1] @ W))`;

export const exercise = {
  id: 'checkpointed-backward',
  lab: 'long-texts',
  order: 13,
  difficulty: 3,
  minutes: 35,
  buildsOn: ['memory-formula'],
  title: 'Time against memory',
  summary: 'A backward pass that keeps a few layers and computes the others again.',
  task: [
    'A backward pass needs what every layer computed, so training keeps it all: the memory grows with the number of layers $L$. Checkpointing keeps only what each segment of `segment` layers began with, and runs a segment again when its backward pass is due. With segments of $\\sqrt{L}$ layers the memory grows with $\\sqrt{L}$, for one more forward pass.',
    'Take a stack in which every layer has the same weights: $x_{l+1} = \\tanh(x_l W)$, with $x_0$ = `x` and $L$ = `layers`. Given `d_out`, the gradient at $x_L$, return the gradients at $x_0$ and at $W$. A layer passes on $h = g \\circ (1 - x_{l+1}^2)$: to $W$ goes $x_l^\\top h$, summed over all layers, and to $x_l$ goes $h\\,W^\\top$.',
    'Go forward and keep the inputs of the segments alone. Then take the segments from the last to the first: run it again from its input and keep the output of each of its layers, go back through it, and give up both. The last segment may be shorter.',
    'Return also `peak`, the largest number of matrices $x_l$ that are kept at once: the inputs of the segments that are left, this one included, and the outputs of the layers of the one that is run again. No list may hold more than grows with $\\sqrt{L}$.',
  ],
  entry: 'checkpointed_backward',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'the input of the first layer' },
    { name: 'W', type: 'matrix', shape: 'd×d', what: 'the weights of every layer' },
    { name: 'd_out', type: 'matrix', shape: 'n×d', what: 'the gradient at the output' },
    { name: 'layers', type: 'integer', what: 'how many layers there are, at least 1' },
    { name: 'segment', type: 'integer', what: 'layers of a segment, at least 1' },
  ],
  results: [
    { name: 'd_x', type: 'matrix', shape: 'n×d', what: 'the gradient at the input' },
    { name: 'd_W', type: 'matrix', shape: 'd×d', what: 'the gradient at the weights' },
    { name: 'peak', type: 'integer', what: 'most matrices that are kept at once' },
  ],
  cases: [
    {
      name: 'two layers of width 1',
      args: [
        { make: 'values', shape: [1, 1], data: [0.5] },
        { make: 'values', shape: [1, 1], data: [1] },
        { make: 'values', shape: [1, 1], data: [1] },
        2,
        1,
      ],
    },
    {
      name: 'six layers in segments of two',
      args: [normal(3, 4, 1), normal(4, 4, 2, 0.5), normal(3, 4, 3), 6, 2],
    },
    {
      name: 'seven layers: the last segment is shorter',
      args: [normal(2, 3, 4), normal(3, 3, 5, 0.6), normal(2, 3, 6), 7, 3],
    },
    {
      name: 'one segment: everything is kept',
      args: [normal(2, 3, 7), normal(3, 3, 8, 0.6), normal(2, 3, 9), 4, 4],
    },
    {
      name: 'one layer',
      hidden: true,
      args: [normal(3, 2, 10), normal(2, 2, 11), normal(3, 2, 12), 1, 1],
    },
    {
      name: 'a segment longer than the stack',
      hidden: true,
      args: [normal(2, 3, 13), normal(3, 3, 14, 0.6), normal(2, 3, 15), 3, 10],
    },
    {
      name: 'sixteen layers in segments of five',
      hidden: true,
      args: [normal(4, 4, 16), normal(4, 4, 17, 0.5), normal(4, 4, 18), 16, 5],
    },
    {
      name: 'segments of one layer',
      hidden: true,
      args: [normal(3, 3, 19), normal(3, 3, 20, 0.6), normal(3, 3, 21), 5, 1],
    },
  ],
  drawn: (draw) => {
    const [n, d, segment] = [draw.integer(2, 4), draw.integer(2, 4), draw.integer(3, 4)];
    return [
      normal(n, d, draw.seed()),
      normal(d, d, draw.seed(), 0.6),
      normal(n, d, draw.seed()),
      // Two or three full segments, and one that is shorter.
      segment * draw.integer(2, 3) + draw.integer(1, segment - 2),
      segment,
    ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'Both sides compute in float64; JavaScript in float32, where a chain of some ten layers is exact to 1e-6.',
  },
  cost: {
    sizes: [16, 36, 64, 144],
    args: (layers, draw) => {
      const d = draw.integer(3, 4);
      return [
        normal(4, d, draw.seed()),
        normal(d, d, draw.seed(), 0.6),
        normal(4, d, draw.seed()),
        layers,
        Math.round(Math.sqrt(layers)),
      ];
    },
    of: 'largest',
    maxSlope: 0.75,
    // A list that holds inputs and outputs alike has 2·√L matrices of at most 16 numbers.
    most: (layers) => 100 * Math.sqrt(layers),
    wanted: '√L matrices at a time',
  },
  hints: [
    'Two parts: forward with a list of segment inputs, and a loop over segments from behind. The gradient g goes through all of it.',
    'The segment number k begins at layer k·segment and ends before min((k + 1)·segment, layers).',
    'kept = [inputs[-1]], then kept.append(np.tanh(kept[-1] @ W)) for each layer. Layer l of the segment has the input kept[l] and the output kept[l + 1].',
  ],
  variants: [
    {
      id: 'slope-at-the-input',
      message:
        'You took the slope of tanh from the input of the layer. tanh′ is 1 − y² with y the output, x_{l+1}.',
      python: [['1 - kept[layer + 1] ** 2', '1 - kept[layer] ** 2']],
      javascript: [['kept[layer + 1].map((y) => 1 - y * y)', 'kept[layer].map((y) => 1 - y * y)']],
      cpp: [['square(kept[at + 1])', 'square(kept[at])']],
    },
    {
      id: 'no-slope',
      message: 'Your gradient passes tanh as if it were not there. Multiply with 1 − x_{l+1}².',
      python: [['g * (1 - kept[layer + 1] ** 2)', 'g']],
      javascript: [['g.mul(kept[layer + 1].map((y) => 1 - y * y))', 'g']],
      cpp: [['g * (1.0 - square(kept[at + 1]))', 'g']],
    },
    {
      id: 'slope-not-squared',
      message: 'Your slope of tanh is 1 − y. It is 1 − y².',
      python: [['kept[layer + 1] ** 2', 'kept[layer + 1]']],
      javascript: [['1 - y * y', '1 - y']],
    },
    {
      id: 'one-layer-of-weights',
      message:
        'Your gradient at W is that of one layer. All layers have the same W: sum their parts.',
      python: [['d_W = d_W + kept[layer].T @ h', 'd_W = kept[layer].T @ h']],
      javascript: [
        [
          'dW = dW.plus(kept[layer].transpose().times(step))',
          'dW = kept[layer].transpose().times(step)',
        ],
      ],
      cpp: [['d_W += matmul', 'd_W = matmul']],
    },
    {
      id: 'weights-not-turned',
      message: 'The gradient goes back through Wᵀ, not through W.',
      python: [['g = h @ W.T', 'g = h @ W']],
      javascript: [['g = step.times(W.transpose())', 'g = step.times(W)']],
      cpp: [['g = matmul(h, transpose(W))', 'g = matmul(h, W)']],
    },
    {
      id: 'gradient-turned',
      message: 'Your gradient at W is transposed. It has the shape of W: x_lᵀ h.',
      python: [['kept[layer].T @ h', 'h.T @ kept[layer]']],
    },
    {
      id: 'begins-anew',
      message:
        'Each of your segments begins with the gradient at the output. What comes out of one goes into the one before it.',
      python: [['        kept = [inputs[-1]]', '        g = d_out\n        kept = [inputs[-1]]']],
    },
    {
      id: 'last-segment-full',
      message:
        'You run the last segment as if it were full, past the end of the stack. It ends at `layers`.',
      python: [['min(first + segment, layers)', 'first + segment']],
      javascript: [['Math.min(first + segment, layers)', 'first + segment']],
      cpp: [['std::min(first + segment, layers)', 'first + segment']],
    },
    {
      id: 'one-segment-only',
      message: 'You go back through the last segment alone. The others follow, from behind.',
      python: [['    while inputs:', '    for _ in range(1):']],
    },
    {
      id: 'outputs-as-inputs',
      message:
        'You keep what a segment begins with after its first layer, so every segment is run from one layer too far.',
      python: [
        [
          `        if layer % segment == 0:
            inputs.append(h)
        h = np.tanh(h @ W)`,
          `        h = np.tanh(h @ W)
        if layer % segment == 0:
            inputs.append(h)`,
        ],
      ],
    },
    {
      id: 'peak-of-all',
      message:
        'Your peak is that of a pass that keeps every layer. Count what is kept with checkpoints.',
      python: [['return g, d_W, peak', 'return g, d_W, layers + 1']],
      javascript: [['return [g, dW, peak]', 'return [g, dW, layers + 1]']],
    },
    {
      id: 'peak-without-inputs',
      message:
        'Your peak counts the segment that is run again and not the inputs of the others, which wait for their turn.',
      python: [['len(inputs) + last - first', 'last - first']],
      javascript: [['inputs.length + last - first', 'last - first']],
      cpp: [['static_cast<std::int64_t>(inputs.size()) + last - first', 'last - first']],
    },
    {
      id: 'peak-of-full-segments',
      message:
        'Your peak adds a full segment to all inputs. When the last segment is shorter the two never come together: take the largest sum that occurs.',
      python: [['len(inputs) + last - first', 'len(inputs) + segment']],
    },
    {
      id: 'everything-kept',
      message:
        'Your gradients are right, but you keep every layer. Keep the inputs of the segments, and run a segment again when its turn comes.',
      evidence: 'cost',
      python: [
        [
          FORWARD,
          `    inputs = []
    every = [x]
    for layer in range(layers):
        if layer % segment == 0:
            inputs.append(every[-1])
        every.append(np.tanh(every[-1] @ W))`,
        ],
        [AGAIN, '        kept = every[first:last + 1]'],
      ],
    },
  ],
  figure: {
    knobs: {
      layers: { label: 'layers', min: 1, max: 64, value: 36 },
      segment: { label: 'layers of a segment', min: 1, max: 64, value: 6 },
    },
    args: ({ layers = 36, segment = 6 }) => [
      normal(1, 2, 0),
      normal(2, 2, 1, 0.6),
      normal(1, 2, 2),
      layers,
      segment,
    ],
    draw: {
      kind: 'curve',
      path: [2],
      x: 'segment',
      values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32, 36],
      y: 'matrices kept at once',
    },
    caption:
      'The peak over the length of the segments. Short segments leave many inputs, long ones many outputs; the least lies near the root of the number of layers.',
  },
  source: {
    title: 'Training Deep Nets with Sublinear Memory Cost',
    url: 'https://arxiv.org/abs/1604.06174',
    where: 'section 4.1; Day 42, Out of Memory Errors: gradient checkpointing',
  },
  reference: async ({ arrays }, [input, weights, gradient, depth, length]) => {
    const [x, dOut] = [arrayOf(input), arrayOf(gradient)];
    const [layers, segment] = [numberOf(depth), numberOf(length)];
    const mark = arrays.mark();
    try {
      const from = (value: typeof x) => arrays.from(value.data, value.shape);
      const W = from(arrayOf(weights));
      const turned = arrays.transpose(W);
      const kept = [from(x)];
      // All are kept here: memory is what the exercise is about, the gradients are the same.
      for (const _ of Array(layers).keys()) {
        const before = kept[kept.length - 1] as (typeof kept)[number];
        kept.push(arrays.unary('tanh', arrays.matmul(before, W)));
      }
      let g = from(dOut);
      let dW = arrays.full(arrayOf(weights).shape, 0);
      for (let layer = layers - 1; layer >= 0; layer--) {
        const [inside, outside] = kept.slice(layer, layer + 2) as [typeof g, typeof g];
        const square = arrays.binary('multiply', outside, outside);
        const h = arrays.binary('subtract', g, arrays.binary('multiply', g, square));
        dW = arrays.binary('add', dW, arrays.matmul(arrays.transpose(inside), h));
        g = arrays.matmul(h, turned);
      }
      const segments = Math.ceil(layers / segment);
      let peak = 0;
      for (let k = 0; k < segments; k++) {
        peak = Math.max(peak, k + 1 + Math.min(segment, layers - k * segment));
      }
      return [
        array(x.shape, arrays.values(g)),
        array(arrayOf(weights).shape, arrays.values(dW)),
        peak,
      ];
    } finally {
      arrays.release(mark);
    }
  },
} as const satisfies Exercise;
