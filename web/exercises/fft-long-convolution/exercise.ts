import { vector } from '../../src/exercises/common-inputs';
import { array, arrayOf } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

const random = (n: number, seed: number): Input => ({ make: 'normal', shape: [n], seed });

export const exercise = {
  id: 'fft-long-convolution',
  lab: 'states',
  order: 10,
  difficulty: 3,
  minutes: 30,
  buildsOn: [],
  title: 'A long convolution by spectra',
  summary: 'A filter as long as the text, in n log n steps and without a look at later tokens.',
  task: [
    'Hyena’s filters are as long as the sequence. In one channel the output is the causal convolution',
    '$$y_t=\\sum_{s=0}^{t}h_{t-s}\\,x_s$$',
    'Written as it stands that is $n(n+1)/2$ products. A Fourier transform turns a convolution into a product of ' +
      'spectra, entry by entry, and a fast one takes about $n\\log n$ steps: transform both, multiply, transform back.',
    'The product of spectra convolves in a circle: what runs over the end comes in again at the front, and early tokens ' +
      'would see later ones. So put zeros behind both sequences first, up to a power of two of at least $2n$.',
    'No transform is given: write one. With $a_k=e^{-2\\pi ik/N}$ the spectrum of $N$ numbers is $E_k+a_kO_k$ ' +
      'for $k<N/2$ and $E_{k}-a_kO_k$ for $k+N/2$, where $E$ and $O$ are the spectra of the entries at even and at odd places. ' +
      'Back, the exponent has the other sign and the result is divided by $N$. Keep real and imaginary parts in ' +
      'arrays of their own where there are no complex numbers.',
  ],
  entry: 'fft_long_convolution',
  parameters: [
    { name: 'x', type: 'vector', shape: 'n', what: 'the inputs of one channel' },
    { name: 'h', type: 'vector', shape: 'n', what: 'its filter, the newest token’s weight first' },
  ],
  results: [{ name: 'output', type: 'vector', shape: 'n', what: 'the causal convolution' }],
  cases: [
    { name: 'four tokens, by hand', args: [vector([1, 2, 0, 4]), vector([1, 0.5, 0, 2])] },
    { name: 'sixteen tokens', args: [random(16, 1), random(16, 2)] },
    { name: 'a length that is no power of two', args: [random(11, 3), random(11, 4)] },
    { name: 'one token', hidden: true, args: [vector([3]), vector([2])] },
    { name: 'sixty tokens', hidden: true, args: [random(60, 5), random(60, 6)] },
  ],
  drawn: (draw) => {
    const n = draw.integer(5, 40);
    return [random(n, draw.seed()), random(n, draw.seed())];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-4,
    reason: 'The core sums in float32, up to sixty products that may cancel.',
  },
  cost: {
    // A student waits for all of them. A transform takes a step where n passes a power of two; drawn lengths are up to
    // a third longer, and with these the slope of a right one is at most 1.35 over all and 1.48 over the last three.
    sizes: [26, 104, 190, 380],
    args: (n, draw) => [random(n, draw.seed()), random(n, draw.seed())],
    maxSlope: 1.5,
    most: (n) => 1000 * n * Math.log2(2 * n),
    wanted: 'about n·log n steps',
  },
  hints: [
    'Two functions: one transform that calls itself for the even and the odd entries, and one that pads, multiplies and cuts.',
    '(a + ib)(c + id) is ac − bd and ad + bc: for the turning by a_k, and for the product of the spectra.',
    'Back with the other sign, divided by the padded length; keep the real parts of the first n entries.',
  ],
  variants: [
    {
      id: 'direct-sum',
      message:
        'Right, and as dear as the sum in its definition: n(n + 1)/2 products. Go by way of the spectra.',
      evidence: 'cost',
      python: [
        [
          'size = 1\n    while',
          'return np.array([np.sum(h[: t + 1][::-1] * x[: t + 1]) for t in range(n)])\n    size = 1\n    while',
        ],
      ],
    },
    {
      id: 'circular',
      message:
        'What runs over the end comes in again at the front, so early tokens see later ones. Pad with zeros to at least 2n.',
      python: [['while size < 2 * n', 'while size < n']],
      javascript: [['while (size < 2 * n)', 'while (size < n)']],
      cpp: [['size < 2 * n', 'size < n']],
    },
    {
      id: 'no-division',
      message: 'The way back is not divided by the padded length.',
      python: [['back[:n] / size', 'back[:n]']],
      javascript: [['.map((entry) => entry / size)', '']],
      cpp: [['back.slice(0, 0, n) / static_cast<double>(size)', 'back.slice(0, 0, n)']],
    },
    {
      id: 'divided-by-n',
      message: 'You divide by n. The transform was as long as the padded sequence: divide by that.',
      python: [['back[:n] / size', 'back[:n] / n']],
      javascript: [['entry / size', 'entry / n']],
      cpp: [
        [
          'back.slice(0, 0, n) / static_cast<double>(size)',
          'back.slice(0, 0, n) / static_cast<double>(n)',
        ],
      ],
    },
    {
      id: 'same-sign',
      message:
        'You transform forward twice, which reverses the result. Back, the exponent has the other sign.',
      python: [['x_re * h_im + x_im * h_re, 1)', 'x_re * h_im + x_im * h_re, -1)']],
      javascript: [['fft(re, im, 1)', 'fft(re, im, -1)']],
      cpp: [['x_re * h_im + x_im * h_re, 1)', 'x_re * h_im + x_im * h_re, -1)']],
    },
    {
      id: 'correlation',
      message:
        'One spectrum is conjugated: that is a correlation, in which a token sees later ones. Multiply the spectra as they are.',
      python: [
        [
          'x_re * h_re - x_im * h_im, x_re * h_im + x_im * h_re',
          'x_re * h_re + x_im * h_im, x_im * h_re - x_re * h_im',
        ],
      ],
    },
    {
      id: 'parts-apart',
      message:
        'Real parts are multiplied with real ones and imaginary with imaginary ones. A complex product mixes them.',
      python: [
        ['x_re * h_re - x_im * h_im, x_re * h_im + x_im * h_re', 'x_re * h_re, x_im * h_im'],
      ],
    },
  ],
  figure: {
    knobs: {
      rate: { label: 'rate of the filter', min: 0, max: 0.5, step: 0.01, value: 0.05 },
      turns: { label: 'turns of the filter', min: 0, max: 16, value: 4 },
    },
    args: ({ rate = 0.05, turns = 4 }) => [
      vector(Array.from({ length: 64 }, (_, t) => (t === 4 || t === 40 ? 1 : 0))),
      vector(
        Array.from(
          { length: 64 },
          (_, t) => Math.exp(-rate * t) * Math.cos((turns * 2 * Math.PI * t) / 64),
        ),
      ),
    ],
    draw: {
      kind: 'curve',
      path: [],
      x: 'place',
      values: Array.from({ length: 64 }, (_, place) => place),
      y: 'output',
    },
    caption:
      'Tokens 4 and 40 are 1 and all others 0: the filter begins at each of them. It does not depend on the text.',
  },
  source: {
    title: 'Hyena Hierarchy: Towards Larger Convolutional Language Models',
    url: 'https://arxiv.org/abs/2302.10866',
    where: 'arXiv:2302.10866',
  },
  reference: async ({ core }, args) => {
    const [x, h] = args.map((one) => arrayOf(one).data);
    if (!x || !h) throw new TypeError('Two vectors are wanted here.');
    // Token s writes its input under a key of its own, and query t reads it with h at t − s.
    const n = x.length;
    const square = (entry: (t: number, s: number) => number) => ({
      ...{ rows: n, cols: n },
      data: Float32Array.from({ length: n * n }, (_, at) => entry(Math.floor(at / n), at % n)),
    });
    const { output } = await core.matrixState({
      q: square((t, s) => (s > t ? 0 : (h[t - s] ?? 0))),
      k: square((t, s) => (t === s ? 1 : 0)),
      v: { rows: n, cols: 1, data: Float32Array.from(x) },
      scale: 1,
    });
    return array([n], output.data);
  },
} as const satisfies Exercise;
