import { largeScores, narrowQkv, normal, positiveValues } from '../../src/exercises/common-inputs';
import { array, fromMatrix, identity, matrixOf, numberOf } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

/** The part of the Python solution that a variant with all scores at once replaces. */
const STREAMED = `    kept = []  # places in the text, oldest first
    for t in range(len(Q)):
        kept.append(t)
        if len(kept) > sinks + window:
            del kept[sinks]  # the oldest token that is no sink
        # The distance is counted in the cache: what was evicted leaves no gap.
        distance = len(kept) - 1 - np.arange(len(kept))
        scores = K[kept] @ Q[t] / np.sqrt(Q.shape[1]) - slope * distance
        weights = np.exp(scores - scores.max())
        output[t] = weights @ V[kept] / weights.sum()`;

export const exercise = {
  id: 'sink-cache',
  lab: 'long-texts',
  order: 9,
  difficulty: 3,
  minutes: 25,
  buildsOn: ['ring-buffer'],
  title: 'Sinks that stay',
  summary: 'Keep the first few tokens and the newest ones, and count distances in the cache.',
  task: [
    'Trained models put much weight on the first tokens of a text, whatever these say; with a plain window such a model breaks down as soon as they leave. StreamingLLM keeps them: the first tokens, the sinks, are never evicted.',
    'Stream the text token by token. The cache holds at most `sinks` + `window` tokens. A new token is stored; if there is one too many then, the oldest token that is no sink is evicted. Then the query of the new token attends to everything in the cache, itself included.',
    'The score of a key is $q \\cdot k/\\sqrt{d_k} - m\\,\\delta$ with $m$ = `slope`: the further away, the lower. The distance $\\delta$ is counted in the cache, from place to place: the newest token has 0, the one stored before it 1, and so on to the sinks, so that no distance is larger than those the model was trained with. Softmax (subtract the maximum), weighted mean of the values.',
    'Return the output, and the places in the text of the tokens that the cache holds at the end, oldest first. `sinks` may be 0, `window` is at least 1. The work must grow with $n$, not with $n^2$.',
  ],
  entry: 'sink_cache',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'queries' },
    { name: 'K', type: 'matrix', shape: 'n×d_k', what: 'keys' },
    { name: 'V', type: 'matrix', shape: 'n×d_v', what: 'values' },
    { name: 'sinks', type: 'integer', what: 'how many tokens from the start stay' },
    { name: 'window', type: 'integer', what: 'how many others are kept' },
    { name: 'slope', type: 'number', what: 'what a step of distance takes from a score' },
  ],
  results: [
    { name: 'output', type: 'matrix', shape: 'n×d_v', what: 'one row for each token' },
    { name: 'kept', type: 'vector', shape: 'c', what: 'places in the text, oldest first' },
  ],
  cases: [
    {
      name: 'equal scores, one sink, by hand',
      args: [
        { make: 'full', shape: [5, 2], value: 0 },
        { make: 'full', shape: [5, 2], value: 0 },
        { make: 'values', shape: [5, 1], data: [8, 1, 2, 4, 6] },
        1,
        2,
        0,
      ],
    },
    {
      name: 'ten tokens, two sinks, window 3',
      args: [normal(10, 4, 1), normal(10, 4, 2), normal(10, 3, 3), 2, 3, 0.25],
    },
    {
      name: 'no sinks: a plain window',
      args: [normal(7, 3, 4), normal(7, 3, 5), normal(7, 2, 6), 0, 3, 0.5],
    },
    {
      name: 'nothing is evicted yet',
      args: [normal(5, 3, 7), normal(5, 3, 8), normal(5, 2, 9), 2, 3, 0.5],
    },
    {
      name: 'scores of 1000',
      args: [
        { make: 'full', shape: [5, 4], value: 20 },
        {
          make: 'values',
          shape: [5, 4],
          data: [
            25, 25, 25, 25, 25, 25, 25, 24.875, 25, 25, 25, 24.75, -25, -25, -25, -25, 25, 25, 25,
            25.125,
          ],
        },
        normal(5, 2, 21),
        1,
        2,
        0.5,
      ],
    },
    {
      name: 'a text shorter than the sinks',
      hidden: true,
      args: [normal(3, 2, 10), normal(3, 2, 11), normal(3, 4, 12), 4, 2, 0.1],
    },
    {
      name: 'sinks and only itself',
      hidden: true,
      args: [normal(8, 3, 13), normal(8, 3, 14), normal(8, 3, 15), 3, 1, 0.3],
    },
    {
      name: 'a long text',
      hidden: true,
      args: [normal(60, 4, 16), normal(60, 4, 17), normal(60, 2, 18), 4, 8, 0.125],
    },
    {
      name: 'distance alone decides',
      hidden: true,
      args: [
        normal(9, 2, 19),
        { make: 'full', shape: [9, 2], value: 0 },
        normal(9, 3, 20),
        2,
        3,
        2,
      ],
    },
  ],
  drawn: (draw, nth) => {
    const [sinks, window] = [draw.integer(1, 3), draw.integer(2, 4)];
    const n = sinks + window + draw.integer(4, 9);
    const [d, dV, slope] = [draw.integer(2, 5), draw.integer(1, 4), draw.pick([0.125, 0.25, 0.5])];
    return nth === 2
      ? [...largeScores(n, n, draw), positiveValues(n, dV, draw), sinks, window, slope]
      : [
          normal(n, d, draw.seed()),
          normal(n, d, draw.seed()),
          normal(n, dV, draw.seed()),
          sinks,
          window,
          slope,
        ];
  },
  tolerance: {
    rtol: 1e-4,
    atol: 1e-5,
    reason:
      'The core works in float32: scores of a few units are exact to 1e-6, and so are weights.',
  },
  cost: {
    sizes: [16, 32, 64, 256],
    args: (n, draw) => [...narrowQkv(n, draw), 2, 4, 0.25],
    maxSlope: 1.35,
    most: (n) => 4000 * n,
    wanted: 'n·(sinks + window)·(d_k + d_v) multiply-adds',
  },
  hints: [
    'Keep a list of places in the text. Append the new one; if the list is too long, take one out. Which?',
    'The sinks stand at the front of the list, so the oldest of the others is at the index `sinks`.',
    'With L tokens in the list the distances are L − 1, L − 2 … 0: they come from the list, not from the text.',
  ],
  variants: [
    {
      id: 'distance-in-the-text',
      message:
        'You count the distance in the text, so that the sinks move further and further away. It is counted in the cache, from place to place.',
      python: [['len(kept) - 1 - np.arange(len(kept))', 't - np.array(kept)']],
      javascript: [['slope * (kept.length - 1 - at)', 'slope * (t - j)']],
      cpp: [['slope * static_cast<double>(count - 1 - at)', 'slope * static_cast<double>(t - j)']],
    },
    {
      id: 'far-is-near',
      message:
        'Your scores favour what is far away: the distances run the wrong way, or they are added. The newest token has distance 0, and distance is taken from the score.',
      python: [['len(kept) - 1 - np.arange(len(kept))', 'np.arange(len(kept))']],
      javascript: [['slope * (kept.length - 1 - at)', 'slope * at']],
      cpp: [['static_cast<double>(count - 1 - at)', 'static_cast<double>(at)']],
    },
    {
      id: 'no-distance',
      message: 'Your scores do not depend on the distance: `slope` is not used.',
      python: [[' - slope * distance', '']],
    },
    {
      id: 'sinks-evicted',
      message:
        'You evict the oldest token of all, a sink. The sinks stay: take the oldest of the others out.',
      python: [['del kept[sinks]', 'del kept[0]']],
      javascript: [['kept.splice(sinks, 1)', 'kept.shift()']],
      cpp: [['kept.begin() + sinks', 'kept.begin() + 0 * sinks']],
    },
    {
      id: 'newest-evicted',
      message:
        'You evict the token that has just come, so the cache stays at the beginning of the text. Take out the oldest that is no sink.',
      python: [['del kept[sinks]', 'del kept[-2]']],
      javascript: [['kept.splice(sinks, 1)', 'kept.splice(kept.length - 2, 1)']],
    },
    {
      id: 'one-too-many',
      message:
        'Your cache holds one token too many when the query looks. The own token counts as one of the window.',
      python: [['if len(kept) > sinks + window:', 'if len(kept) > sinks + window + 1:']],
      javascript: [['if (kept.length > sinks + window)', 'if (kept.length > sinks + window + 1)']],
      cpp: [['> sinks + window)', '> sinks + window + 1)']],
    },
    {
      id: 'sinks-within-the-window',
      message:
        'Your cache holds `window` tokens in all. The sinks come on top: there is room for sinks + window.',
      python: [['if len(kept) > sinks + window:', 'if len(kept) > max(window, sinks + 1):']],
    },
    {
      id: 'nothing-evicted',
      message: 'Your cache grows with the text: nothing is ever evicted.',
      python: [['if len(kept) > sinks + window:', 'if False:']],
      javascript: [['if (kept.length > sinks + window)', 'if (kept.length < 0)']],
    },
    {
      id: 'evicted-too-late',
      message: 'You evict after the query has looked. First store, then evict, then attend.',
      python: [
        [
          `        if len(kept) > sinks + window:
            del kept[sinks]  # the oldest token that is no sink
`,
          '',
        ],
        [
          '        output[t] = weights @ V[kept] / weights.sum()',
          `        output[t] = weights @ V[kept] / weights.sum()
        if len(kept) > sinks + window:
            del kept[sinks]`,
        ],
      ],
    },
    {
      id: 'places-in-the-cache',
      message:
        'Your `kept` counts the places in the cache. Return where in the text its tokens stood.',
      python: [['np.array(kept, dtype=float)', 'np.arange(len(kept), dtype=float)']],
    },
    {
      id: 'no-max',
      message:
        'A large score overflowed the exponential and left NaN. Subtract the largest score first: the weights stay the same.',
      evidence: 'fixed',
      python: [['np.exp(scores - scores.max())', 'np.exp(scores)']],
    },
    {
      id: 'no-scale',
      message: 'Your scores are not divided by √d_k, so the weights come out too sharp.',
      python: [[' / np.sqrt(Q.shape[1])', '']],
      javascript: [[' / Math.sqrt(Q.cols)', '']],
      cpp: [[' / std::sqrt(Q.shape(1))', '']],
    },
    {
      id: 'all-scores',
      message:
        'Your numbers are right, but you computed a score for every pair of tokens and left most of them out. Compute only those of tokens in the cache.',
      evidence: 'cost',
      python: [
        [
          STREAMED,
          `    kept = []
    for t in range(len(Q)):
        kept.append(t)
        if len(kept) > sinks + window:
            del kept[sinks]
        scores = np.full(len(K), -np.inf)
        scores[kept] = (K @ Q[t] / np.sqrt(Q.shape[1]))[kept] - slope * (
            len(kept) - 1 - np.arange(len(kept))
        )
        weights = np.exp(scores - scores.max())
        output[t] = weights @ V / weights.sum()`,
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens', min: 1, max: 48, value: 24 },
      sinks: { label: 'sinks', min: 0, max: 16, value: 3 },
      window: { label: 'window', min: 1, max: 32, value: 5 },
      slope: { label: 'slope', min: 0, max: 2, step: 0.125, value: 0.125 },
      seed: { label: 'seed', min: 0, max: 99, value: 0 },
    },
    args: ({ n = 24, sinks = 3, window = 5, slope = 0.125, seed = 0 }) => [
      normal(n, 4, seed),
      normal(n, 4, seed + 1000),
      identity(n),
      sinks,
      window,
      slope,
    ],
    draw: { kind: 'matrix', path: [0], rows: 'queries', cols: 'keys' },
    caption:
      'The weights: a band of the newest tokens, and the sinks at the left. The values are unit vectors, so the output is the weights.',
  },
  source: {
    title: 'Efficient Streaming Language Models with Attention Sinks',
    url: 'https://arxiv.org/abs/2309.17453',
    where: 'section 3.2: positions within the cache, also for ALiBi',
  },
  reference: async ({ core }, [q, k, v, first, newest, step]) => {
    const qkv = { q: matrixOf(q), k: matrixOf(k), v: matrixOf(v) };
    const [sinks, window, slope] = [numberOf(first), numberOf(newest), numberOf(step)];
    const n = qkv.q.rows;
    const rowStart = new Int32Array(n + 1);
    const columns: number[] = [];
    const bias: number[] = [];
    let kept: number[] = [];
    for (let t = 0; t < n; t++) {
      kept = Array.from({ length: t + 1 }, (_, j) => j).filter((j) => j < sinks || j > t - window);
      columns.push(...kept);
      bias.push(...kept.map((_, at) => -slope * (kept.length - 1 - at)));
      rowStart[t + 1] = columns.length;
    }
    const pattern = { kind: 'lists', rowStart, columns: Int32Array.from(columns) } as const;
    const { output } = await core.sparseAttention({
      ...qkv,
      pattern,
      cellBias: { rows: 1, cols: bias.length, data: Float32Array.from(bias) },
    });
    return [fromMatrix(output), array([kept.length], kept)];
  },
} as const satisfies Exercise;
