import { array, fromMatrix, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** A mask whose row i keeps what `sees` says of the columns j ≤ i. */
const mask = (n: number, sees: (i: number, j: number) => boolean): Input => ({
  make: 'values',
  shape: [n, n],
  data: Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return j <= i && sees(i, j) ? 1 : 0;
  }),
});
const band = (n: number, w: number, stride = 0): Input =>
  mask(n, (i, j) => i - j < w || (stride > 0 && (i - j) % stride === 0));
const powers = (n: number): Input =>
  mask(n, (i, j) => i === j || Number.isInteger(Math.log2(i - j)));

/** The token before, one long step, and some cells that the run draws. */
function drawnMask(n: number, draw: Draw, itself: boolean): Input {
  const step = draw.integer(3, 5);
  return mask(n, (i, j) => {
    if (i === j) return itself;
    return i - j === 1 || i - j === step || draw.real(0, 1) < 0.08;
  });
}

export const exercise = {
  id: 'pattern-reach',
  lab: 'long-texts',
  order: 6,
  difficulty: 3,
  minutes: 30,
  buildsOn: ['strided-mask'],
  title: 'How far news travels',
  summary:
    'After how many layers can a token know of another, and which share of all pairs is connected?',
  task: [
    'One layer with a sparse mask connects a token only with what it sees. The next layer connects it with what those have seen, and so on. Compute what can have reached what.',
    'The mask is causal: no row $i$ has a 1 at a column $j > i$. After layer 1 token $i$ has news of the tokens that it sees; after layer $l$ it has all that the tokens it sees had after layer $l - 1$. What it has it keeps, because the residual stream carries it on, even where the mask has no 1 on the diagonal.',
    'Return `share` and `hops`. `share` holds, for the layers 1, 2, … `layers`, which share of all pairs $j \\le i$ is connected; $i = j$ is a pair, and there are $n(n+1)/2$. `hops` says for row $i$ and column $j$ after how many layers news of $j$ can first be at $i$: 0 for $i = j$, and −1 where `layers` layers do not suffice.',
  ],
  entry: 'pattern_reach',
  parameters: [
    { name: 'mask', type: 'matrix', shape: 'n×n', what: '1 where the row sees the column' },
    { name: 'layers', type: 'integer', what: 'how many layers there are' },
  ],
  results: [
    { name: 'share', type: 'vector', shape: 'layers', what: 'share of the pairs connected' },
    { name: 'hops', type: 'matrix', shape: 'n×n', what: 'layers until news arrives, or −1' },
  ],
  cases: [
    { name: 'four tokens, each sees the one before', args: [band(4, 2), 2] },
    { name: 'ten tokens, window 3, all it takes', args: [band(10, 3), 5] },
    { name: 'strides alone', args: [band(9, 1, 3), 4] },
    { name: 'powers of two', args: [powers(16), 4] },
    { name: 'nothing on the diagonal', args: [mask(5, (i, j) => i - j === 1), 3] },
    { name: 'nobody sees anybody', hidden: true, args: [mask(4, () => false), 3] },
    { name: 'everybody sees everybody before', hidden: true, args: [mask(6, () => true), 2] },
    { name: 'one token', hidden: true, args: [mask(1, () => true), 2] },
    { name: 'a window and strides', hidden: true, args: [band(25, 5, 5), 3] },
    {
      name: 'a window and token 0',
      hidden: true,
      args: [mask(12, (i, j) => i - j < 3 || j === 0), 4],
    },
  ],
  drawn: (draw, nth) => [drawnMask(draw.integer(12, 20), draw, nth !== 1), draw.integer(2, 4)],
  tolerance: {
    rtol: 1e-6,
    atol: 1e-7,
    reason: 'Hops are whole numbers, and a share is one division of two whole numbers.',
  },
  hints: [
    'Keep one matrix: reach[i, j] is 1 if news of j is at i. Before the first layer it is the identity.',
    'One layer: token i gets what the tokens have that it sees, which is mask @ reach, and keeps its own. More than one way is still one connection: compare with 0.',
    'Where reach becomes set in layer l and was not before, hops is l. The share is reach.sum() / (n(n + 1)/2).',
  ],
  variants: [
    {
      id: 'no-residual',
      message:
        'Your tokens forget: after l layers you count only ways of exactly l steps. What a token has it keeps; add what it had before.',
      python: [['reached = (mask @ reach + reach > 0)', 'reached = (mask @ reach > 0)']],
      javascript: [['mask.times(reach).plus(reach)', 'mask.times(reach)']],
      cpp: [['matmul(mask, reach) + reach', 'matmul(mask, reach)']],
    },
    {
      id: 'doubled',
      message:
        'Your reach doubles its steps with every layer: you multiplied it with itself. One layer adds one step of the mask.',
      python: [
        ['reached = (mask @ reach + reach > 0)', 'reached = (mask @ reach + reach @ reach > 0)'],
      ],
      javascript: [['mask.times(reach).plus(reach)', 'mask.times(reach).plus(reach.times(reach))']],
      cpp: [['matmul(mask, reach) + reach', 'matmul(mask, reach) + matmul(reach, reach)']],
    },
    {
      id: 'ways-counted',
      message:
        'Your share grows beyond 1: you added up how many ways there are. A pair is connected or not, once.',
      python: [
        ['reached = (mask @ reach + reach > 0).astype(float)', 'reached = mask @ reach + reach'],
      ],
      javascript: [['ways.map((count) => (count > 0 ? 1 : 0))', 'ways']],
    },
    {
      id: 'all-cells',
      message: 'You divided by n². No token can know of a later one: there are n(n + 1)/2 pairs.',
      python: [['(n * (n + 1) / 2)', '(n * n)']],
      javascript: [['((n * (n + 1)) / 2)', '(n * n)']],
      cpp: [['(n * (n + 1) / 2)', '(n * n)']],
    },
    {
      id: 'without-itself',
      message:
        'Your share leaves out the tokens themselves. A token and itself are a pair, and always connected.',
      python: [['reach.sum() / (n * (n + 1) / 2)', '(reach.sum() - n) / max(n * (n - 1) / 2, 1)']],
    },
    {
      id: 'layer-late',
      message:
        'Your shares begin before the first layer. The first number is what layer 1 has done.',
      python: [
        [
          `        reach = reached
        share[layer] = reach.sum() / (n * (n + 1) / 2)`,
          `        share[layer] = reach.sum() / (n * (n + 1) / 2)
        reach = reached`,
        ],
      ],
      javascript: [
        [
          `    reach = reached;
    share.set(0, layer, reach.sum() / ((n * (n + 1)) / 2));`,
          `    share.set(0, layer, reach.sum() / ((n * (n + 1)) / 2));
    reach = reached;`,
        ],
      ],
    },
    {
      id: 'counted-from-0',
      message:
        'Your hops count layers from 0. What is seen directly takes one layer; only a token itself takes none.',
      python: [['= layer + 1', '= layer']],
      javascript: [['? layer + 1 :', '? layer :']],
      cpp: [['static_cast<double>(layer + 1)', 'static_cast<double>(layer)']],
    },
    {
      id: 'itself-one',
      message: 'Your tokens need a layer to know of themselves. The diagonal of `hops` is 0.',
      python: [['hops = np.eye(n) - 1', 'hops = 2 * np.eye(n) - 1']],
    },
    {
      id: 'never-is-0',
      message: 'Where news never arrives your `hops` is 0, as if it were there at once. It is −1.',
      python: [['hops = np.eye(n) - 1', 'hops = np.zeros((n, n))']],
      javascript: [['(i === j ? 0 : -1)', '0']],
      cpp: [['Array hops = eye(n) - 1.0;', 'Array hops = zeros({n, n});']],
    },
    {
      id: 'turned',
      message:
        'Your hops stand at [j, i]: rows and columns are exchanged. The row is the token that has the news.',
      python: [['return share, hops', 'return share, hops.T']],
      javascript: [['return [share, hops]', 'return [share, hops.transpose()]']],
    },
    {
      id: 'last-layer-wins',
      message:
        'Your hops hold the last layer in which a pair is connected. The first one is wanted: set it once.',
      python: [['reached > reach', 'reached * (1 - np.eye(n)) > 0']],
    },
    {
      id: 'one-layer',
      message: 'Your reach does not grow with the layers: it is the mask every time.',
      python: [['mask @ reach + reach', 'mask + np.eye(n)']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 64, value: 32 },
      window: { label: 'window', min: 1, max: 32, value: 3 },
      stride: { label: 'stride, 0 for none', min: 0, max: 32, value: 0 },
      layers: { label: 'layers', min: 1, max: 16, value: 6 },
    },
    args: ({ n = 32, window = 3, stride = 0, layers = 6 }) => [band(n, window, stride), layers],
    draw: { kind: 'matrix', path: [1], rows: 'has the news', cols: 'whose news', signed: true },
    caption:
      'After how many layers news of the column can be at the row; −1 where the layers do not suffice. A stride makes it few.',
  },
  source: {
    title: 'Generating Long Sequences with Sparse Transformers',
    url: 'https://arxiv.org/abs/1904.10509',
    where: 'section 4.2: two steps connect every pair',
  },
  reference: async ({ core }, [seen, count]) => {
    const cells = matrixOf(seen);
    const layers = numberOf(count);
    const n = cells.rows;
    const reach = await core.patternReach({
      ...{ n, m: n, causal: true, layers },
      pattern: { id: 'matrix', cells },
    });
    // The core goes on until nothing is added.
    const hops = reach.hops.data.map((hop) => (hop > layers ? -1 : hop));
    return [array([layers], reach.share), fromMatrix({ ...reach.hops, data: hops })];
  },
} as const satisfies Exercise;
