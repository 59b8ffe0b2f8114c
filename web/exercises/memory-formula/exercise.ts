import { numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'memory-formula',
  lab: 'long-texts',
  order: 1,
  difficulty: 1,
  minutes: 12,
  buildsOn: ['memory-of-orders'],
  title: 'Where the memory goes',
  summary: 'The bytes of scores, of a window, of training and of the cache, from the sizes alone.',
  task: [
    'A table of a course says that standard attention needs 1 GB at 512 tokens. Whether that is true depends on what is counted. Write down four numbers of bytes that people mean by "the memory of attention".',
    'A batch has $B$ texts of $n$ tokens; each layer has $H$ heads of width $d_h$, and there are $L$ layers. A number takes $b$ bytes. Return, in this order:',
    '`scores`: the $n \\times n$ scores of one layer, for all texts and all heads. `local`: the same where each token sees itself and the $w - 1$ tokens before it, counting only cells that exist: the first tokens see fewer, and $w$ may exceed $n$.',
    '`training`: what all $L$ layers keep of full attention until the backward pass: for each cell of the $n \\times n$ weights the weight, the weight after dropout, and one byte that says whether it was dropped.',
    '`cache`: the keys and the values of every token, in all layers and heads, for all texts.',
  ],
  entry: 'memory_formula',
  parameters: [
    { name: 'batch', type: 'integer', what: 'texts at a time, B' },
    { name: 'heads', type: 'integer', what: 'heads of a layer, H' },
    { name: 'd_head', type: 'integer', what: 'width of a head' },
    { name: 'layers', type: 'integer', what: 'layers, L' },
    { name: 'n', type: 'integer', what: 'tokens of each text' },
    { name: 'window', type: 'integer', what: 'keys of a token in the window, its own included' },
    { name: 'bytes_per_number', type: 'integer', what: '4 for float32, 2 for float16' },
  ],
  results: [
    { name: 'scores', type: 'number', what: 'bytes of the scores of one layer' },
    { name: 'local', type: 'number', what: 'bytes of the cells in the window, one layer' },
    { name: 'training', type: 'number', what: 'bytes that all layers keep for the backward pass' },
    { name: 'cache', type: 'number', what: 'bytes of the keys and values of all layers' },
  ],
  cases: [
    { name: 'three tokens, by hand', args: [1, 1, 2, 1, 3, 2, 4] },
    { name: 'what the table gives 1 GB for', args: [1, 8, 64, 1, 512, 256, 4] },
    { name: 'GPT-2 small, 1024 tokens in float16', args: [1, 12, 64, 12, 1024, 128, 2] },
    { name: 'a batch in float16', args: [32, 8, 48, 6, 256, 64, 2] },
    { name: 'a window longer than the text', hidden: true, args: [2, 4, 16, 3, 100, 512, 4] },
    { name: 'a window of one token', hidden: true, args: [3, 2, 8, 5, 70, 1, 4] },
    { name: '131,072 tokens', hidden: true, args: [1, 32, 128, 32, 131_072, 4096, 2] },
    { name: 'one byte a number', hidden: true, args: [5, 3, 20, 2, 33, 7, 1] },
  ],
  drawn: (draw, nth) => {
    const n = draw.integer(20, 900);
    return [
      draw.integer(2, 16),
      draw.integer(2, 16),
      draw.integer(5, 128),
      draw.integer(2, 24),
      n,
      nth === 2 ? n + draw.integer(1, 99) : draw.integer(3, n - 1),
      draw.pick([2, 4, 8]),
    ];
  },
  tolerance: { rtol: 0, atol: 0, reason: 'Whole numbers below 2⁵³ are exact in float64.' },
  hints: [
    'First count cells or numbers, then multiply by the bytes of each. How many score matrices has one layer?',
    'Row i of a window holds min(i + 1, w) cells. All rows full would be n·w; the first w rows lack w − 1, w − 2 … 0 cells.',
    'Training keeps for each cell two numbers and one byte: 2·bytes_per_number + 1. The cache keeps two vectors of d_head numbers for each token, head and layer.',
  ],
  variants: [
    {
      id: 'batch-forgotten',
      message: 'You count one text. Every text of the batch has scores and a cache of its own.',
      python: [['pairs = batch * heads', 'pairs = heads']],
      javascript: [['const pairs = batch * heads', 'const pairs = heads']],
      cpp: [['pairs = batch * heads', 'pairs = 0 * batch + heads']],
    },
    {
      id: 'one-head',
      message:
        'You count one head. Each head has a score matrix of its own, and keys and values of its own.',
      python: [['pairs = batch * heads', 'pairs = batch']],
      javascript: [['const pairs = batch * heads', 'const pairs = batch']],
    },
    {
      id: 'window-with-empty-places',
      message:
        'Your window has n·w cells, as if the first tokens saw a full window too. There are no keys before the first: w(w − 1)/2 places are empty.',
      python: [[' - w * (w - 1) // 2', '']],
      javascript: [[' - (w * (w - 1)) / 2', '']],
      cpp: [[' - w * (w - 1) / 2', '']],
    },
    {
      id: 'window-not-cut',
      message:
        'Your window is longer than the text. A token cannot see more keys than there are: take the smaller of w and n.',
      evidence: 'output',
      python: [['w = min(window, n)', 'w = window']],
      javascript: [['Math.min(window, n)', 'window']],
    },
    {
      id: 'both-sides',
      message:
        'Your window reaches to both sides. Here a token sees itself and the w − 1 tokens before it.',
      python: [['n * w - w * (w - 1) // 2', 'n * (2 * w - 1) - w * (w - 1)']],
    },
    {
      id: 'one-copy',
      message:
        'Your training keeps only the weights. The weights after dropout and the mask, one byte a cell, stay until the backward pass too.',
      python: [['(2 * bytes_per_number + 1)', 'bytes_per_number']],
      javascript: [['(2 * bytesPerNumber + 1)', 'bytesPerNumber']],
      cpp: [['(2 * bytes_per_number + 1)', 'bytes_per_number']],
    },
    {
      id: 'mask-as-numbers',
      message:
        'Your dropout mask takes as much as a number. It says yes or no: one byte for each cell.',
      python: [['(2 * bytes_per_number + 1)', '3 * bytes_per_number']],
      javascript: [['(2 * bytesPerNumber + 1)', '3 * bytesPerNumber']],
    },
    {
      id: 'one-layer-kept',
      message:
        'Your training keeps one layer. The backward pass begins after the last layer, so all layers keep theirs until then.',
      python: [['training = layers * pairs', 'training = pairs']],
      javascript: [['training = layers * pairs', 'training = pairs']],
      cpp: [['training = layers * pairs', 'training = pairs']],
    },
    {
      id: 'all-layers-of-scores',
      message:
        'Your scores are those of all layers. Without a backward pass one layer gives its scores up before the next makes its own: count one.',
      python: [['scores = pairs', 'scores = layers * pairs']],
    },
    {
      id: 'keys-only',
      message: 'Your cache holds the keys alone. Attention needs the values of every token too.',
      python: [['cache = 2 * layers', 'cache = layers']],
      javascript: [['cache = 2 * layers', 'cache = layers']],
    },
    {
      id: 'one-layer-cached',
      message: 'Your cache is that of one layer. Every layer has keys and values of its own.',
      python: [['cache = 2 * layers * pairs', 'cache = 2 * pairs']],
      javascript: [['cache = 2 * layers * pairs', 'cache = 2 * pairs']],
    },
    {
      id: 'cache-squared',
      message: 'Your cache grows with n². It holds vectors, one key and one value for each token.',
      python: [['pairs * n * d_head', 'pairs * n * n']],
    },
    {
      id: 'mebibytes',
      message: 'You returned MiB. Return bytes: do not divide by 1024².',
      python: [
        [
          'return scores, local, training, cache',
          'return [number / 1024**2 for number in (scores, local, training, cache)]',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 65_536, value: 4096 },
      batch: { label: 'texts', min: 1, max: 64, value: 1 },
      heads: { label: 'heads', min: 1, max: 32, value: 8 },
      layers: { label: 'layers', min: 1, max: 48, value: 12 },
    },
    args: ({ n = 4096, batch = 1, heads = 8, layers = 12 }) => [
      batch,
      heads,
      64,
      layers,
      n,
      256,
      4,
    ],
    draw: {
      kind: 'curve',
      path: [2],
      x: 'n',
      values: [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536],
      y: 'bytes kept while it trains',
      log: true,
    },
    caption:
      'What training keeps of the weights of all layers in float32, over the number of tokens. Twice the tokens, four times the bytes.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Memory Usage by Sequence Length: "512, ~1GB"; here what is counted is said',
  },
  reference: async ({ core }, args) => {
    const [batch, heads, dHead, layers, n, window, bytes] = [0, 1, 2, 3, 4, 5, 6].map((at) =>
      numberOf(args[at]),
    ) as [number, number, number, number, number, number, number];
    const maps = batch * heads;
    // A band as wide as the matrix has all of its cells.
    const full = await core.bandCells({ n, w: n });
    // Half of the band of a window that reaches to both sides, with the diagonal, is what lies before.
    const band = await core.bandCells({ n, w: Math.min(window, n) - 1 });
    const numbers = await core.stateFloats({
      kind: 'attention',
      dModel: heads * dHead,
      length: n,
    });
    return [
      maps * full * bytes,
      maps * ((band + n) / 2) * bytes,
      layers * maps * full * (2 * bytes + 1),
      layers * batch * numbers * bytes,
    ];
  },
} as const satisfies Exercise;
