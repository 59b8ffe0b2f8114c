import { fromMatrix, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'strided-mask',
  lab: 'long-texts',
  order: 3,
  difficulty: 1,
  minutes: 10,
  buildsOn: ['local-mask'],
  title: 'A window and strides',
  summary: 'The tokens just before, and every s-th one further back: two steps reach everything.',
  task: [
    'A window alone carries news only a few tokens further in each layer. Strided attention adds long steps: token $i$ also sees every $s$-th token back from itself.',
    'Row $i$ of the mask sees column $j \\le i$ if $j$ lies in the window, $i - j < w$, or at a multiple of the stride, $(i - j) \\bmod s = 0$. The window counts the token itself: with $w = 1$ it is all of the window.',
    'Return the mask, 1 where row $i$ sees column $j$ and 0 elsewhere, and `cells`, how many cells are kept. A cell that both rules keep is one cell. $w$ and $s$ are at least 1 and may exceed $n$.',
  ],
  entry: 'strided_mask',
  parameters: [
    { name: 'n', type: 'integer', what: 'tokens' },
    { name: 'window', type: 'integer', what: 'keys in the window, the own one included' },
    { name: 'stride', type: 'integer', what: 'distance between the keys further back' },
  ],
  results: [
    { name: 'mask', type: 'matrix', shape: 'n×n', what: '1 where the row sees the column' },
    { name: 'cells', type: 'integer', what: 'how many cells are 1' },
  ],
  cases: [
    { name: 'six tokens, window 2, stride 3', args: [6, 2, 3] },
    { name: 'twelve tokens, window 3, stride 4', args: [12, 3, 4] },
    { name: 'the stride alone: window 1', args: [9, 1, 3] },
    { name: 'a stride inside the window', args: [10, 5, 2] },
    { name: 'one token', hidden: true, args: [1, 1, 1] },
    { name: 'a stride longer than the text', hidden: true, args: [7, 2, 20] },
    { name: 'everything: stride 1', hidden: true, args: [8, 3, 1] },
    { name: 'forty tokens', hidden: true, args: [40, 6, 7] },
  ],
  drawn: (draw) => {
    const window = draw.integer(2, 5);
    // The stride falls into the window now and then and beyond it otherwise.
    return [draw.integer(14, 30), window, draw.pick([2, window + 1, window + 2])];
  },
  tolerance: { rtol: 0, atol: 0, reason: 'A mask holds 0 and 1, and cells are whole numbers.' },
  hints: [
    'Everything depends on the distance back, i − j. It is negative for later tokens.',
    'Write both rules as masks and join them with or (|). The rule that j is not later holds for both.',
    'back = np.arange(n)[:, None] − np.arange(n); (back >= 0) & ((back < w) | (back % s == 0)).',
  ],
  variants: [
    {
      id: 'fixed-columns',
      message:
        'Your strides stand at fixed columns, j a multiple of s. They are counted back from the token that looks: i − j is the multiple.',
      python: [['back % stride == 0', 'np.arange(n) % stride + 0 * back == 0']],
      javascript: [['back % stride === 0', 'j % stride === 0']],
      cpp: [['back % stride == 0', 'j % stride == 0']],
    },
    {
      id: 'window-only',
      message: 'Your mask holds the window and no strides: the long steps are missing.',
      python: [[' | (back % stride == 0)', '']],
      javascript: [[' || back % stride === 0', '']],
      cpp: [[' || back % stride == 0', ' || stride < 0']],
    },
    {
      id: 'stride-only',
      message:
        'Your mask holds the strides and no window: news could never leave its class of places modulo s.',
      python: [['(back < window) | ', '']],
      javascript: [['back < window || ', '']],
      cpp: [['back < window || ', 'window < 0 || ']],
    },
    {
      id: 'both-at-once',
      message:
        'You keep only cells that fulfil both rules. A token sees what lies in the window or on a stride.',
      python: [['(back < window) | ', '(back < window) & ']],
      javascript: [['back < window || ', 'back < window && ']],
    },
    {
      id: 'looks-ahead',
      message:
        'Your tokens see later ones. Both rules hold only for j ≤ i; a negative distance has remainders too.',
      python: [['(back >= 0) & ', '']],
      javascript: [['back >= 0 && ', '']],
    },
    {
      id: 'strides-ahead',
      message: 'Your strides run in both directions. No token sees a later one.',
      python: [
        [
          '(back >= 0) & ((back < window) | (back % stride == 0))',
          '((back >= 0) & (back < window)) | (back % stride == 0)',
        ],
      ],
    },
    {
      id: 'window-one-too-many',
      message: 'Your window holds one key too many: it counts the token itself, so i − j < w.',
      python: [['back < window', 'back <= window']],
      javascript: [['back < window', 'back <= window']],
      cpp: [['back < window', 'back <= window']],
    },
    {
      id: 'strides-from-the-window',
      message:
        'Your strides are counted from the end of the window. They are counted from the token itself.',
      python: [['back % stride == 0', '(back >= window) & ((back - window + 1) % stride == 0)']],
    },
    {
      id: 'added',
      message:
        'You added the two masks, so some cells hold 2. A cell that both rules keep is kept once.',
      python: [
        [
          '((back < window) | (back % stride == 0))).astype(float)',
          '((back < window) * 1.0 + (back % stride == 0)))',
        ],
        ['(back >= 0) & ', '(back >= 0) * '],
      ],
    },
    {
      id: 'cells-twice',
      message:
        'Your mask is right, but `cells` counts a cell twice that lies in the window and on a stride, such as the token itself.',
      python: [
        ['int(mask.sum())', 'int((mask * ((back < window) * 1.0 + (back % stride == 0))).sum())'],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 32 },
      window: { label: 'window', min: 1, max: 64, value: 4 },
      stride: { label: 'stride', min: 1, max: 64, value: 6 },
    },
    args: ({ n = 32, window = 4, stride = 6 }) => [n, window, stride],
    draw: { kind: 'matrix', path: [0], rows: 'queries', cols: 'keys' },
    caption:
      'What each token sees: a band, and lines at every multiple of the stride, which run beside the diagonal.',
  },
  source: {
    title: 'Generating Long Sequences with Sparse Transformers',
    url: 'https://arxiv.org/abs/1904.10509',
    where: 'section 4.3; Day 42, Strided attention: "every s-th position + local window"',
  },
  reference: async ({ core }, args) => {
    const [n, context, stride] = [numberOf(args[0]), numberOf(args[1]), numberOf(args[2])];
    const pattern = {
      kind: 'union',
      of: [
        { id: 'local', parameters: { context } },
        { id: 'strided', parameters: { stride } },
      ],
    } as const;
    const { nnz } = await core.makePattern({ n, m: n, pattern });
    return [fromMatrix(await core.patternMatrix({ n, m: n, pattern })), nnz];
  },
} as const satisfies Exercise;
