import { rows } from '../../src/exercises/common-inputs';
import { fromMatrix, fromVector, matrixOf } from '../../src/exercises/matrix-values';
import type { Draw, Exercise, Input } from '../../src/exercises/types';

/** A number from 0 to 1 for each place, the same for the same seed. */
const chance = (seed: number, at: number): number => {
  const wave = Math.sin(12.9898 * (at + 1) + 78.233 * (seed + 1)) * 43758.5453;
  return wave - Math.floor(wave);
};

/** A step of all numbers here; scales are whole multiples of it, so that they are exact in float32. */
const step = 1 / 1024;

/**
 * n×d numbers about 0, with each column times its factor. The largest of each group is 127 steps or a multiple, and no
 * code lies near the middle between two whole numbers: there float32 and float64 could round to different sides.
 */
function numbers(
  n: number,
  d: number,
  seed: number,
  { perChannel = false, factor = (_col: number): number => 2 } = {},
): number[][] {
  const made = Array.from({ length: n }, (_, i) =>
    Array.from(
      { length: d },
      (_, j) => Math.round(((2 * chance(seed, i * d + j) - 1) * factor(j)) / step) * step,
    ),
  );
  const cells = made.flatMap((row, i) => row.map((_, j) => [i, j] as const));
  const at = (i: number, j: number) => made[i]?.[j] ?? 0;
  const sizeOf = ([i, j]: readonly [number, number]) => Math.abs(at(i, j));
  const put = (i: number, j: number, value: number) => made[i]?.splice(j, 1, value);
  const largest = (group: readonly (readonly [number, number])[]) =>
    group.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
  const groupsOf = (side: 0 | 1, count: number) =>
    Array.from({ length: count }, (_, index) => cells.filter((cell) => cell[side] === index));
  const [byRow, byCol] = [groupsOf(0, n), groupsOf(1, d)];
  const fixed = new Set<string>();
  for (const group of perChannel ? byCol : byRow) {
    const [i, j] = largest(group);
    const unit = 127 * step;
    put(i, j, (Math.sign(at(i, j)) || 1) * unit * Math.ceil(Math.abs(at(i, j)) / unit || 1));
    fixed.add(`${i} ${j}`);
  }
  for (let pass = 0; pass < 50; pass++) {
    const scales = [byRow, byCol].map((groups) =>
      groups.map((group) => Math.abs(at(...largest(group))) / 127),
    );
    const near = cells.filter((cell) =>
      scales.some((list, side) => {
        const code = Math.abs(at(...cell)) / (list[cell[side] ?? 0] || 1);
        return !fixed.has(cell.join(' ')) && Math.abs((code % 1) - 0.5) < 1e-3;
      }),
    );
    if (near.length === 0) break;
    for (const [i, j] of near) put(i, j, at(i, j) - Math.sign(at(i, j)) * step);
  }
  return made;
}

/** As `numbers`, with one channel that is `outlier` times as large as the others. */
const planted = (
  n: number,
  d: number,
  seed: number,
  outlier: number,
  { perChannel = false, at = 1 } = {},
): Input =>
  rows(numbers(n, d, seed, { perChannel, factor: (col) => (col === at % d ? outlier : 1) }));

const drawnNumbers = (draw: Draw, perChannel: boolean): Input =>
  planted(
    ...([draw.integer(3, 8), draw.integer(3, 8), draw.integer(1, 5000)] as const),
    draw.integer(3, 12),
    { perChannel, at: 2 },
  );

export const exercise = {
  id: 'quantize-int8',
  lab: 'heads',
  order: 9,
  difficulty: 1,
  minutes: 12,
  buildsOn: [],
  title: 'Keys and values in eight bits',
  summary: 'Whole numbers from −127 to 127 and a scale for each token, or for each channel.',
  task: [
    'A cache of keys and values takes a quarter of the memory when every number is one byte in place of four. Symmetric int8 keeps a scale $s$ for each group of numbers and, for each number, the whole number nearest to $x/s$.',
    'Write `quantize_int8(x, per_channel)`. `x` has a token in each row and a channel in each column. If `per_channel` is false, a group is one token (a row); if it is true, a group is one channel (a column).',
    'The scale of a group is $s = \\max|x|/127$ over the group, so that its largest number becomes 127 or −127. A group of zeros has the scale 0 and the codes 0.',
    'Return three results: the codes, $n\\times d$; the scales, one for each group; and what the codes stand for, code times scale, $n\\times d$.',
  ],
  entry: 'quantize_int8',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'keys or values, a token in each row' },
    {
      name: 'per_channel',
      type: 'boolean',
      what: 'whether columns share a scale, not rows',
      default: false,
    },
  ],
  results: [
    { name: 'codes', type: 'matrix', shape: 'n×d', what: 'whole numbers, −127 to 127' },
    { name: 'scales', type: 'vector', shape: 'n or d', what: 'one for each group' },
    { name: 'restored', type: 'matrix', shape: 'n×d', what: 'code times scale' },
  ],
  cases: [
    {
      name: 'two tokens, by hand',
      args: [
        rows([
          [127, -64, 0.75],
          [1, 0.25, -2],
        ]),
        false,
      ],
    },
    { name: 'a scale for each token', args: [rows(numbers(4, 5, 1)), false] },
    {
      name: 'a scale for each channel',
      args: [rows(numbers(4, 5, 2, { perChannel: true })), true],
    },
    {
      name: 'a token of zeros',
      args: [
        rows([
          [0, 0, 0],
          [1, -3, 2],
        ]),
        false,
      ],
    },
    {
      name: 'a channel of zeros',
      hidden: true,
      args: [
        rows([
          [0, 1.25, -4],
          [0, -2, 0.5],
        ]),
        true,
      ],
    },
    {
      name: 'one channel thirty times as large',
      hidden: true,
      args: [planted(6, 6, 3, 30), false],
    },
    {
      name: 'the same, a scale for each channel',
      hidden: true,
      args: [planted(6, 6, 3, 30, { perChannel: true }), true],
    },
    { name: 'one token', hidden: true, args: [rows([[0.5, -1, 0.125]]), true] },
    {
      name: 'the largest is negative',
      hidden: true,
      args: [
        rows([
          [-8, 1, 2.5],
          [3, -5, -0.25],
        ]),
        false,
      ],
    },
  ],
  drawn: (draw, nth) => [drawnNumbers(draw, nth === 1), nth === 1],
  tolerance: {
    rtol: 1e-5,
    atol: 1e-7,
    reason: 'Codes are whole numbers and must be the same; scales come as float32.',
  },
  hints: [
    'The largest of a group is the largest size: take absolute values before the maximum. Which axis goes away when each row has a scale?',
    'To divide each row by its own scale, the n scales have to stand in a column: scales[:, None]. For columns, scales[None, :].',
    'Where the scale is 0, divide by 1: the codes are 0 anyway. np.where(s == 0, 1, s) does it.',
  ],
  variants: [
    {
      id: 'cut-off',
      message:
        'You cut the digits off. The nearest whole number is wanted: rounding halves the largest error.',
      python: [
        [
          'np.round(x / np.where(spread == 0, 1.0, spread))',
          'np.trunc(x / np.where(spread == 0, 1.0, spread))',
        ],
      ],
      javascript: [['.map(Math.round)', '.map(Math.trunc)']],
      cpp: [
        ['round(x /', 'Array(1.0) * (x /'],
        ['1.0, spread));', '1.0, spread)).astype(Dtype::kInt64).astype(Dtype::kFloat64);'],
      ],
    },
    {
      id: 'rounded-down',
      message:
        'You rounded down, so that all your numbers lean to the negative side. The nearest whole number is wanted.',
      python: [['np.round(', 'np.floor(']],
      javascript: [['.map(Math.round)', '.map(Math.floor)']],
      cpp: [['codes = round(', 'codes = floor(']],
    },
    {
      id: 'other-axis',
      message:
        'Your groups are the other way round: without `per_channel` each token (row) has a scale, with it each channel (column).',
      python: [
        ['axis=0 if per_channel else 1', 'axis=1 if per_channel else 0'],
        [
          'scales[None, :] if per_channel else scales[:, None]',
          'scales[:, None] if per_channel else scales[None, :]',
        ],
      ],
      javascript: [
        [
          'perChannel ? size.transpose().maxRows().transpose() : size.maxRows()',
          'perChannel ? size.maxRows() : size.transpose().maxRows().transpose()',
        ],
        ['perChannel ? scales : scales.transpose()', 'perChannel ? scales.transpose() : scales'],
      ],
      cpp: [
        ['max(abs(x), per_channel ? 0 : 1)', 'max(abs(x), per_channel ? 1 : 0)'],
        ['expand_dims(scales, per_channel ? 0 : 1)', 'expand_dims(scales, per_channel ? 1 : 0)'],
      ],
    },
    {
      id: 'always-by-token',
      message: 'You ignore `per_channel`: where it is true, the columns have the scales.',
      python: [
        ['axis=0 if per_channel else 1', 'axis=1'],
        ['scales[None, :] if per_channel else scales[:, None]', 'scales[:, None]'],
      ],
    },
    {
      id: 'one-scale-for-all',
      message:
        'All your groups have one scale, that of the largest number of all. Each has its own: a small token would lose its digits to a large one.',
      python: [
        [
          'np.abs(x).max(axis=0 if per_channel else 1)',
          'np.abs(x).max() + 0 * x.max(axis=0 if per_channel else 1)',
        ],
      ],
    },
    {
      id: 'no-absolute-value',
      message:
        'You took the largest number, not the largest size: where the largest is negative, its code falls below −127 and no longer fits a byte.',
      python: [['np.abs(x).max', 'x.max']],
      javascript: [['x.map(Math.abs)', 'x']],
      cpp: [['max(abs(x),', 'max(x,']],
    },
    {
      id: 'over-128',
      message:
        'You divided by 128. A signed byte ends at 127: the largest number of a group has the code 127.',
      python: [['largest / 127', 'largest / 128']],
      javascript: [['largest.div(127)', 'largest.div(128)']],
      cpp: [['largest / 127.0', 'largest / 128.0']],
    },
    {
      id: 'unsigned',
      message:
        'You spread the numbers over 255 steps: −127 to 127 is for both signs, so the largest size alone has 127 steps.',
      python: [['largest / 127', 'largest / 255']],
    },
    {
      id: 'zeros-divided',
      message:
        'A group of zeros has the scale 0, and 0/0 is NaN. Its codes are 0: divide by 1 there.',
      evidence: 'fixed',
      python: [['np.where(spread == 0, 1.0, spread)', 'spread']],
      javascript: [['scales.map((scale) => (scale === 0 ? 1 : scale))', 'scales']],
      cpp: [['where(spread == 0.0, 1.0, spread)', 'spread']],
    },
    {
      id: 'scale-upside-down',
      message:
        'You returned 127 / max as the scale. The scale is what one step of a code is worth: max / 127.',
      python: [['return codes, scales,', 'return codes, 1 / np.where(scales == 0, 1.0, scales),']],
    },
    {
      id: 'not-restored',
      message:
        'Your third result is the input itself. It should be what is left of it: the code times the scale.',
      python: [['codes * spread', 'x']],
      javascript: [['codes.mul(scales)]', 'x]']],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 24, value: 8 },
      d: { label: 'channels', min: 2, max: 24, value: 10 },
      outlier: { label: 'how large one channel is', min: 1, max: 60, value: 12 },
      channel: { label: 'a scale for each channel', min: 0, max: 1, value: 1, toggle: true },
      seed: { label: 'seed', min: 0, max: 99, value: 4 },
    },
    args: ({ n = 8, d = 10, outlier = 12, channel = 1, seed = 4 }) => [
      planted(n, d, seed, outlier, { perChannel: channel === 1, at: 3 }),
      channel === 1,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'tokens', cols: 'channels', signed: true },
    caption:
      'The codes. With a scale for each channel, all channels use the full range, also beside one that is much larger. Switch to a scale for each token: the large one leaves a few steps to all the others, and they go pale.',
  },
  source: {
    title: 'KIVI: A Tuning-Free Asymmetric 2bit Quantization for KV Cache',
    url: 'https://arxiv.org/abs/2402.02750',
    where: 'keys by channel, values by token; here symmetric and with eight bits',
  },
  reference: async ({ core }, [x, perChannel]) => {
    const { codes, scales, dequantized } = await core.quantize({
      x: matrixOf(x),
      bits: 8,
      axis: perChannel === true ? 'column' : 'row',
    });
    return [fromMatrix(codes), fromVector(scales), fromMatrix(dequantized)];
  },
} as const satisfies Exercise;
