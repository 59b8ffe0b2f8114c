import { fromMatrix, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'local-mask',
  lab: 'long-texts',
  order: 2,
  difficulty: 1,
  minutes: 10,
  buildsOn: ['create-causal-mask'],
  title: 'A local mask',
  summary: 'Each token sees the w tokens around it, and one counts what that leaves.',
  task: [
    'The simplest sparse pattern is a window: token $i$ sees token $j$ if they are at most $w$ places apart, $|i - j| \\le w$. It sees itself and up to $w$ tokens on either side, so a token in the middle sees $2w + 1$.',
    'With `causal` set it sees no token that comes later: $i - w \\le j \\le i$.',
    'Return the mask, $n \\times n$ with 1 where row $i$ sees column $j$ and 0 elsewhere, and `cells`, the number of cells kept. Near the ends of the text there are fewer: $n(2w + 1)$ places would be too many. $w$ may be 0, and it may exceed $n$.',
  ],
  entry: 'local_mask',
  parameters: [
    { name: 'n', type: 'integer', what: 'tokens' },
    { name: 'window', type: 'integer', what: 'how far a token sees, w' },
    { name: 'causal', type: 'boolean', what: 'whether it sees no later token' },
  ],
  results: [
    { name: 'mask', type: 'matrix', shape: 'n×n', what: '1 where the row sees the column' },
    { name: 'cells', type: 'integer', what: 'how many cells are 1' },
  ],
  cases: [
    { name: 'five tokens, one to either side', args: [5, 1, false] },
    { name: 'five tokens, one before', args: [5, 1, true] },
    { name: 'eight tokens, three to either side', args: [8, 3, false] },
    { name: 'a window of 0: only itself', args: [4, 0, true] },
    { name: 'one token', hidden: true, args: [1, 2, false] },
    { name: 'a window longer than the text', hidden: true, args: [4, 9, false] },
    { name: 'the same, causal', hidden: true, args: [4, 9, true] },
    { name: 'thirty tokens, causal', hidden: true, args: [30, 6, true] },
  ],
  drawn: (draw, nth) => {
    const n = draw.integer(7, 24);
    return [n, draw.integer(2, Math.floor((n - 1) / 2)), nth === 1];
  },
  tolerance: { rtol: 0, atol: 0, reason: 'A mask holds 0 and 1, and cells are whole numbers.' },
  hints: [
    'What matters is only the distance i − j. Make a matrix of it: a column of numbers less a row of numbers.',
    'Without causal the distance lies from −w to w, with it from 0 to w.',
    'np.arange(n)[:, None] − np.arange(n) is i − j. Compare it with both ends, and sum the mask.',
  ],
  variants: [
    {
      id: 'one-too-few',
      message:
        'Your window ends one place too early. A token exactly w places away is still seen: ≤, not <.',
      python: [
        ['back <= window', 'back < max(window, 1)'],
        ['-back <= ahead', '-back < max(ahead, 1)'],
      ],
      javascript: [
        ['back <= window', 'back < Math.max(window, 1)'],
        ['-back <= ahead', '-back < Math.max(ahead, 1)'],
      ],
    },
    {
      id: 'one-too-many',
      message: 'Your window reaches one place too far: w + 1 tokens to a side.',
      python: [
        ['back <= window', 'back <= window + 1'],
        ['ahead = 0 if causal else window', 'ahead = 0 if causal else window + 1'],
      ],
    },
    {
      id: 'whole-width',
      message:
        'Your window is w wide in total, half of it on each side. Here w is how far a token sees to one side.',
      python: [
        ['back <= window', 'back <= window // 2'],
        ['else window', 'else window // 2'],
      ],
    },
    {
      id: 'causal-ignored',
      message: 'Your window looks ahead although `causal` is set. Keep only columns j ≤ i then.',
      python: [['0 if causal else window', 'window']],
      javascript: [['causal ? 0 : window', 'window']],
      cpp: [['causal ? 0 : window', 'window']],
    },
    {
      id: 'always-causal',
      message:
        'Your window never looks ahead. Without `causal` it reaches as far ahead as it reaches back.',
      python: [['0 if causal else window', '0']],
      javascript: [['causal ? 0 : window', '0']],
      cpp: [['causal ? 0 : window', 'causal ? 0 : 0']],
    },
    {
      id: 'future',
      message:
        'With `causal` your tokens see what comes after them: rows and columns are mixed up. The row is the token that looks.',
      python: [['np.arange(n)[:, None] - np.arange(n)', 'np.arange(n) - np.arange(n)[:, None]']],
      javascript: [['const back = i - j', 'const back = j - i']],
      cpp: [['const Index back = i - j', 'const Index back = j - i']],
    },
    {
      id: 'blocked-as-1',
      message: 'Your mask is the other way round: 1 where a token may not look. 1 means seen.',
      python: [['return mask, ', 'return 1 - mask, ']],
    },
    {
      id: 'not-itself',
      message: 'Your tokens do not see themselves. The distance 0 is inside every window.',
      python: [['(back <= window)', '(back <= window) & (back != 0)']],
    },
    {
      id: 'around-the-end',
      message:
        'Your window goes around: the first tokens see the last ones. The text has two ends, there it is cut off.',
      python: [
        [
          'back = np.arange(n)[:, None] - np.arange(n)',
          'back = (np.arange(n)[:, None] - np.arange(n) + n // 2) % n - n // 2',
        ],
      ],
    },
    {
      id: 'places-counted',
      message:
        'Your mask is right, but `cells` counts places that do not exist: rows near an end of the text hold fewer than 2w + 1.',
      python: [['int(mask.sum())', 'n * (window + ahead + 1)']],
      javascript: [['mask.sum()]', 'n * (window + ahead + 1)]']],
      cpp: [['kept}', 'n * (window + ahead + 1)}']],
    },
    {
      id: 'blocked-counted',
      message: 'Your `cells` counts what is blocked. Count the cells that are kept, the ones.',
      python: [['int(mask.sum())', 'int((1 - mask).sum())']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 24 },
      window: { label: 'window w', min: 0, max: 64, value: 4 },
      causal: { label: 'causal', min: 0, max: 1, value: 1, toggle: true },
    },
    args: ({ n = 24, window = 4, causal = 1 }) => [n, window, causal === 1],
    draw: { kind: 'matrix', path: [0], rows: 'queries', cols: 'keys' },
    caption: 'What each token sees. The band is as wide as the window, however long the text is.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Local attention (sliding window): "each position attends to w positions around it"',
  },
  reference: async ({ core }, [count, window, causal]) => {
    const [n, w] = [numberOf(count), numberOf(window)];
    const parameters = { left: w, right: causal === true ? 0 : w };
    const pattern = { id: 'sliding_window', parameters } as const;
    const { nnz } = await core.makePattern({ n, m: n, pattern });
    return [fromMatrix(await core.patternMatrix({ n, m: n, pattern })), nnz];
  },
} as const satisfies Exercise;
