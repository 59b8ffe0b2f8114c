import { fromMatrix, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

const numbers = (n: number, seed: number): Input => ({ make: 'uniform', shape: [n, n], seed });

/** Numbers in which token `to[i]` is the largest of row i, so that with one key it is the one drawn. */
const looking = (to: readonly number[], draw: Draw): Input => ({
  make: 'values',
  shape: [to.length, to.length],
  data: to.flatMap((first) => to.map((_, j) => draw.real(0, 0.4) + (j === first ? 0.5 : 0))),
});

/** The numbers from 0 to n − 1 in an order that the run draws. */
function shuffled(n: number, draw: Draw): number[] {
  const list = Array.from({ length: n }, (_, at) => at);
  for (let at = n - 1; at > 0; --at) {
    const other = draw.integer(0, at);
    [list[at], list[other]] = [list[other] as number, list[at] as number];
  }
  return list;
}

/** Who looks at whom along an order: each at the one before it, the first one at `first`. */
function chain(order: readonly number[], first: number): number[] {
  const to = order.map(() => 0);
  for (const [at, token] of order.entries()) to[token] = order[at === 0 ? first : at - 1] as number;
  return to;
}

export const exercise = {
  id: 'random-sparse',
  lab: 'long-texts',
  order: 4,
  difficulty: 2,
  minutes: 25,
  buildsOn: ['strided-mask'],
  title: 'Random keys that hang together',
  summary:
    'Each token sees a few keys drawn at random. Can news still get from every token to every other?',
  task: [
    'A random pattern costs little, and a few layers carry news far. But nothing promises that it gets everywhere: a token that nobody looks at is never heard. So build the pattern, and check it.',
    'Row $i$ sees itself. With `neighbour` set it also sees the token before it, $i - 1$; token 0 sees the last one then. Beside these it sees `keys` others, drawn like this: row $i$ of `random` holds a number for every token, and those with the largest numbers are taken. What it sees already is not drawn again, so a row has `keys` cells more; where fewer tokens are left it takes all of them.',
    'Return the mask, 1 where row $i$ sees column $j$ and 0 elsewhere, and whether it is connected: whether from every token news can reach every other token, in however many layers. News goes only from what is seen to the one who sees it.',
  ],
  entry: 'random_sparse',
  parameters: [
    { name: 'random', type: 'matrix', shape: 'n×n', what: 'numbers to draw with, all different' },
    { name: 'keys', type: 'integer', what: 'how many keys a row draws' },
    { name: 'neighbour', type: 'boolean', what: 'whether it also sees the token before it' },
  ],
  results: [
    { name: 'mask', type: 'matrix', shape: 'n×n', what: '1 where the row sees the column' },
    { name: 'connected', type: 'boolean', what: 'whether everything reaches everything' },
  ],
  cases: [
    {
      name: 'four tokens, one key each, by hand',
      args: [
        {
          make: 'values',
          shape: [4, 4],
          data: [9, 1, 2, 3, 8, 9, 1, 2, 1, 8, 9, 2, 3, 1, 8, 9],
        },
        1,
        false,
      ],
    },
    { name: 'eight tokens, two keys', args: [numbers(8, 1), 2, false] },
    { name: 'eight tokens, a neighbour and two keys', args: [numbers(8, 2), 2, true] },
    {
      name: 'two groups that do not know each other',
      args: [
        {
          make: 'values',
          shape: [4, 4],
          data: [0, 9, 1, 2, 8, 0, 2, 1, 1, 2, 0, 7, 2, 1, 6, 0],
        },
        1,
        false,
      ],
    },
    { name: 'no random key, only the neighbour', hidden: true, args: [numbers(6, 3), 0, true] },
    { name: 'nothing but itself', hidden: true, args: [numbers(5, 4), 0, false] },
    { name: 'one token', hidden: true, args: [numbers(1, 5), 1, false] },
    { name: 'more keys than tokens', hidden: true, args: [numbers(4, 6), 9, true] },
    { name: 'two layers are enough', hidden: true, args: [numbers(5, 8), 2, true] },
    {
      name: 'news that runs one way',
      hidden: true,
      args: [
        {
          make: 'values',
          shape: [4, 4],
          data: [0, 9, 1, 2, 1, 0, 9, 2, 2, 1, 0, 9, 1, 2, 9, 0],
        },
        1,
        false,
      ],
    },
    { name: 'thirty tokens, six keys', hidden: true, args: [numbers(30, 7), 6, false] },
    {
      name: 'one that nobody looks at',
      hidden: true,
      args: [
        {
          make: 'values',
          shape: [4, 4],
          data: [0, 9, 1, 2, 1, 0, 9, 2, 8, 1, 0, 2, 9, 1, 2, 0],
        },
        1,
        false,
      ],
    },
  ],
  drawn: (draw, nth) => {
    const n = draw.integer(6, 9);
    if (nth === 0) return [numbers(n, draw.seed()), 2, true];
    const order = shuffled(n, draw);
    // A ring, in which news gets everywhere; or a chain whose end is heard by nobody, and which token 0 ends.
    if (nth === 1) return [looking(chain(order, n - 1), draw), 1, false];
    const toFirst = [...order.filter((token) => token !== 0), 0];
    return [looking(chain(toFirst, 1), draw), 1, false];
  },
  tolerance: {
    rtol: 0,
    atol: 0,
    reason: 'A mask holds 0 and 1. The numbers that are compared were drawn far enough apart.',
  },
  hints: [
    'Draw first: in a copy of a row of `random`, give what it already sees −∞, and take the largest of the rest.',
    'For the connection, let a set of cells grow: whoever sees j also gets what j has. Begin with the mask, and stop when nothing is added.',
    'One step is reach = (reach @ mask > 0). After n steps nothing new can come. Connected: every cell of it is set.',
  ],
  variants: [
    {
      id: 'itself-drawn',
      message:
        'Your draw hits tokens that the row sees already, so it keeps fewer cells. Draw among the others only.',
      python: [['rest = [j for j in range(n) if mask[i, j] == 0]', 'rest = list(range(n))']],
      javascript: [['if (mask.get(i, j) === 0) rest.push(j);', 'rest.push(j);']],
      cpp: [['if (mask(i, j) == 0) rest.push_back(j);', 'rest.push_back(j);']],
    },
    {
      id: 'smallest',
      message: 'You drew the tokens with the smallest numbers. Take those with the largest.',
      python: [['key=lambda j: -random[i, j]', 'key=lambda j: random[i, j]']],
      javascript: [['random.get(i, b) - random.get(i, a)', 'random.get(i, a) - random.get(i, b)']],
      cpp: [['random(i, a) > random(i, b)', 'random(i, a) < random(i, b)']],
    },
    {
      id: 'by-columns',
      message:
        'Each of your columns chose its rows. The row is the token that looks: it draws its own keys.',
      python: [['return mask, connected', 'return mask.T, connected']],
    },
    {
      id: 'neighbour-ahead',
      message: 'Your neighbour is the token after the row. It is the one before it, i − 1.',
      python: [['(i - 1) % n', '(i + 1) % n']],
      javascript: [['(i + n - 1) % n', '(i + 1) % n']],
      cpp: [['(i + n - 1) % n', '(i + 1) % n']],
    },
    {
      id: 'first-without-neighbour',
      message:
        'Token 0 has no neighbour in your pattern, and nothing comes to it from the others. It sees the last token.',
      python: [['if neighbour:', 'if neighbour and i > 0:']],
      javascript: [['if (neighbour)', 'if (neighbour && i > 0)']],
    },
    {
      id: 'neighbour-always',
      message: 'Your rows see the token before them although `neighbour` is not set.',
      python: [['if neighbour:', 'if True:']],
    },
    {
      id: 'neighbour-counted',
      message: 'You counted the neighbour as one of the keys. It comes on top of them.',
      python: [['[:keys]', '[:keys - (1 if neighbour else 0)]']],
    },
    {
      id: 'not-itself',
      message: 'Your tokens do not see themselves. Every row has its own cell besides the keys.',
      python: [['return mask, connected', 'return mask - np.eye(n), connected']],
    },
    {
      id: 'one-layer',
      message:
        'You ask whether everybody sees everybody at once. News may take as many layers as it needs.',
      python: [['for _ in range(n):', 'for _ in range(0):']],
      javascript: [['step < n', 'step < 0']],
      cpp: [['step < n', 'step < 0']],
    },
    {
      id: 'two-layers',
      message:
        'You stop after two layers. News may need as many as there are tokens: go on until nothing is added.',
      python: [['for _ in range(n):', 'for _ in range(1):']],
    },
    {
      id: 'any-direction',
      message:
        'You let news go both ways along a cell. It goes from the token that is seen to the one that sees it, never back.',
      python: [
        ['reach = mask > 0', 'reach = (mask + mask.T) > 0\n    mask_both = mask + mask.T'],
        ['reach @ mask', 'reach @ mask_both'],
      ],
    },
    {
      id: 'from-one-token',
      message:
        'You checked only what token 0 hears. That all news reaches one token does not mean that it reaches the others: check every pair.',
      python: [['connected = bool(reach.all())', 'connected = bool(reach[0].all())']],
      javascript: [['reach.min() > 0', 'reach.row(0).min() > 0']],
      cpp: [['min(reach).item() > 0', 'min(reach.row(0)).item() > 0']],
    },
    {
      id: 'everybody-heard',
      message:
        'You checked that every token is seen by somebody. Two groups of tokens may still know nothing of each other.',
      evidence: 'fixed',
      python: [
        [
          'connected = bool(reach.all())',
          'connected = bool(((mask - np.eye(n)).sum(axis=0) > 0).all()) or n == 1',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 48, value: 24 },
      keys: { label: 'random keys', min: 0, max: 47, value: 3 },
      neighbour: { label: 'neighbour', min: 0, max: 1, value: 1, toggle: true },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 24, keys = 3, neighbour = 1, seed = 0 }) => [
      numbers(n, seed),
      keys,
      neighbour === 1,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'queries', cols: 'keys' },
    caption:
      'What each token sees. A column with one cell alone belongs to a token that nobody else hears.',
  },
  source: {
    title: 'Day 42: Attention Mechanisms Deep Dive',
    where: 'Random sparse: "attends to random subset, maintains connectivity"',
  },
  reference: async ({ core }, [drawn, count, neighbour]) => {
    const random = matrixOf(drawn);
    const n = random.rows;
    // What is seen anyway comes first, so that it is among the largest and is not drawn.
    const always = neighbour === true && n > 1 ? 2 : 1;
    const data = random.data.map((value, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      const seen = i === j || (always === 2 && j === (i + n - 1) % n);
      return seen ? 1e6 : value;
    });
    const k = Math.min(n, always + numberOf(count));
    const cells = { rows: n, cols: n, data };
    const pattern = { id: 'top_k', parameters: { k }, cells };
    const mask = await core.patternMatrix({ n, m: n, pattern });
    const { layersToConnect } = await core.patternReach({
      ...{ n, m: n, causal: false, layers: 1 },
      pattern: { id: 'matrix', cells: mask },
    });
    return [fromMatrix(mask), layersToConnect >= 0];
  },
} as const satisfies Exercise;
