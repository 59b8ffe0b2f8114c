import { vector } from '../../src/exercises/common-inputs';
import { array, arrayOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** Keys from 1 to half, values above, and the gaps in an order that differs from the pairs'. */
const sequence = (pairs: number, from: number, stride: number, n: number): readonly Input[] => {
  const list = (entry: (p: number) => number) =>
    vector(Array.from({ length: pairs }, (_, p) => entry(p)));
  const gaps = (n - 2 * pairs) / 2;
  return [
    list((p) => from + 2 * p),
    list((p) => 64 + ((from + 5 * p) % 61)),
    list((p) => (from + stride * (pairs - p)) % gaps),
    n,
  ];
};
const drawnGaps = (draw: Draw): readonly Input[] => {
  const pairs = draw.integer(2, 6);
  // A stride that has no divisor in common with the number of gaps, so that no gap comes twice.
  return sequence(
    pairs,
    draw.integer(1, 40),
    draw.pick([3, 5, 9]),
    2 * pairs + 2 * draw.pick([7, 11, 13]),
  );
};

export const exercise = {
  id: 'mqar-generator',
  lab: 'states',
  order: 9,
  difficulty: 2,
  minutes: 15,
  buildsOn: [],
  title: 'A sequence that asks for many keys',
  summary:
    'Pairs of key and value first, then every key once more: what the frontier is trained on.',
  task: [
    'Multi-query associative recall (MQAR) writes $P$ pairs, one after the other, $k_1 v_1 k_2 v_2\\ldots k_P v_P$. ' +
      'After them each key stands once more, and there the model has to say its value.',
    'Write `mqar_generator(keys, values, gaps, n)`, which lays out one sequence of $n$ tokens. Key $p$ is asked for ' +
      'at place $2P + 2g_p$, counted from 0. Every other place after the pairs holds the token 0.',
    'Return the tokens and the targets: the value at each place where a key is asked for, and −100 everywhere ' +
      'else, also at the pairs themselves. The loss leaves −100 out. The keys, values and gaps were drawn ' +
      'for you, so that the result is the same on every run.',
  ],
  entry: 'mqar_generator',
  parameters: [
    { name: 'keys', type: 'vector', shape: 'P', what: 'the keys, all different and above 0' },
    { name: 'values', type: 'vector', shape: 'P', what: 'the value of each key' },
    { name: 'gaps', type: 'vector', shape: 'P', what: 'g_p, all different, from 0' },
    { name: 'n', type: 'integer', what: 'tokens of the sequence' },
  ],
  results: [
    { name: 'tokens', type: 'vector', shape: 'n', what: 'the sequence' },
    { name: 'targets', type: 'vector', shape: 'n', what: 'what is to be said at each place' },
  ],
  cases: [
    {
      name: 'two pairs, by hand',
      args: [vector([3, 7]), vector([64, 90]), vector([2, 0]), 10],
    },
    { name: 'four pairs of 32 tokens', args: sequence(4, 9, 5, 32) },
    { name: 'one pair', args: [vector([5]), vector([70]), vector([1]), 6] },
    {
      name: 'the last places',
      hidden: true,
      args: [vector([1, 2, 3]), vector([100, 80, 90]), vector([2, 4, 3]), 16],
    },
    { name: 'eight pairs of 64 tokens', hidden: true, args: sequence(8, 2, 5, 64) },
  ],
  drawn: drawnGaps,
  tolerance: { rtol: 0, atol: 0, reason: 'Tokens are small whole numbers.' },
  hints: [
    'Begin with n zeros and with n times −100, and fill in what differs.',
    'Pair p stands at the places 2p and 2p + 1.',
    'At place 2P + 2·gaps[p] the token is keys[p] and the target is values[p].',
  ],
  variants: [
    {
      id: 'next-place',
      message:
        'The targets stand one place late. The value is to be said at the place of the key itself, which is what the model has just read.',
      python: [['targets[place] = values[p]', 'targets[place + 1] = values[p]']],
      javascript: [['targets.set(0, place, value)', 'targets.set(0, place + 1, value)']],
      cpp: [['targets(place) = value', 'targets(place + 1) = value']],
    },
    {
      id: 'no-ignored',
      message: 'Places where nothing is asked have the target 0, which is a token. Put −100 there.',
      python: [['np.full(n, -100.0)', 'np.zeros(n)']],
      javascript: [['Matrix.full(1, n, -100)', 'Matrix.zeros(1, n)']],
      cpp: [['full({n}, -100.0)', 'zeros({n})']],
    },
    {
      id: 'answer-written',
      message:
        'The value stands in the sequence behind the key that is asked for: then the answers are to be seen. Leave the token 0 there.',
      python: [
        [
          'targets[place] = values[p]',
          'targets[place] = values[p]\n        tokens[place + 1] = values[p]',
        ],
      ],
      javascript: [
        [
          'targets.set(0, place, value);',
          'targets.set(0, place, value);\n    tokens.set(0, place + 1, value);',
        ],
      ],
      cpp: [['targets(place) = value;', 'targets(place) = value;\n    tokens(place + 1) = value;']],
    },
    {
      id: 'pairs-asked',
      message:
        'The pairs themselves have targets. When a pair is written, its value cannot be known yet: put −100 there.',
      python: [
        ['tokens[2 * p] = keys[p]', 'tokens[2 * p] = keys[p]\n        targets[2 * p] = values[p]'],
      ],
      javascript: [
        [
          'tokens.set(0, 2 * p, key);',
          'tokens.set(0, 2 * p, key);\n    targets.set(0, 2 * p, value);',
        ],
      ],
    },
    {
      id: 'in-order',
      message: 'The keys are asked for in the order of the pairs. Their places come from the gaps.',
      python: [['2 * int(gaps[p])', '2 * p']],
      javascript: [['2 * gaps.get(0, p)', '2 * p']],
      cpp: [['2 * static_cast<Index>(gaps(p))', '2 * p']],
    },
    {
      id: 'keys-first',
      message: 'All keys stand first, then all values. Each key is followed by its value.',
      python: [
        ['tokens[2 * p] = ', 'tokens[p] = '],
        ['tokens[2 * p + 1] = ', 'tokens[pairs + p] = '],
      ],
    },
  ],
  figure: {
    knobs: {
      pairs: { label: 'pairs', min: 1, max: 12, value: 4 },
      from: { label: 'first key', min: 1, max: 32, value: 9 },
    },
    args: ({ pairs = 4, from = 9 }) => sequence(pairs, from, 11, 48),
    draw: {
      kind: 'curve',
      path: [0],
      x: 'place',
      values: Array.from({ length: 48 }, (_, place) => place),
      y: 'token',
    },
    caption:
      'The tokens of one sequence: the pairs, and after them the keys that are asked for, with zeros between.',
  },
  source: {
    title: 'Zoology: Measuring and Improving Recall in Efficient Language Models',
    url: 'https://arxiv.org/abs/2312.04927',
    where: 'arXiv:2312.04927',
  },
  reference: async ({ core }, args) => {
    const [keys, values, gaps] = args.slice(0, 3).map((one) => arrayOf(one).data);
    if (!keys || !values || !gaps) throw new TypeError('Keys, values and gaps are wanted here.');
    const tokens = new Int32Array(numberOf(args[3]));
    for (const [p, key] of keys.entries()) {
      tokens.set([key, values[p] ?? 0], 2 * p);
      tokens[2 * keys.length + 2 * (gaps[p] ?? 0)] = key;
    }
    const targets = await core.recallAnswers({ tokens, pairs: keys.length });
    return [array([tokens.length], tokens), array([tokens.length], targets)];
  },
} as const satisfies Exercise;
