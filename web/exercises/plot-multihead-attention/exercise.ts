import { weightRows, words } from '../../src/exercises/common-inputs';
import { array, arrayOf, dict } from '../../src/exercises/matrix-values';
import type { Exercise, Input } from '../../src/exercises/types';

/** A head for each seed: sharper from head to head. */
const heads = (count: number, n: number, seed: number): Input => ({
  make: 'values',
  shape: [count, n, n],
  data: Array.from({ length: count }, (_, head) =>
    weightRows(n, seed + head, { sharpness: 0.5 + head, near: head % 2 === 0 ? 0 : 0.6 }).flat(),
  ).flat(),
});

export const exercise = {
  id: 'plot-multihead-attention',
  lab: 'surgeon',
  order: 23,
  difficulty: 2,
  minutes: 15,
  buildsOn: ['plot-attention-heatmap', 'split-merge-heads'],
  languages: ['python'],
  title: 'Plot all heads in a grid',
  summary: 'One picture for each head, side by side, on one scale of colours.',
  task: [
    'Write `plot_multihead_attention(attention_weights, tokens, num_heads)`. It draws all heads into one figure, one picture for each head, in the order of the heads from left to right and from top to bottom. How many stand in a row is up to you; places of the grid that are left over stay empty.',
    'Each picture shows the weights of its head (row $i$ is query $i$), with the tokens at its rows and columns, and is called `Head 1`, `Head 2`, … above.',
    'The heads are there to be compared, so the same colour has to mean the same weight in every picture: the colours of all run from 0 to 1 (`vmin`, `vmax`). Left alone, matplotlib stretches the colours of each picture from its own smallest weight to its own largest.',
  ],
  entry: 'plot_multihead_attention',
  parameters: [
    {
      name: 'attention_weights',
      type: 'stack',
      shape: 'num_heads×n×n',
      what: 'the weights of each head',
    },
    { name: 'tokens', type: 'texts', what: 'n words' },
    { name: 'num_heads', type: 'integer', what: 'how many heads, at least 1' },
  ],
  results: [{ name: 'figure', type: 'drawing', what: 'with a picture for each head' }],
  cases: [
    { name: 'two heads, three tokens', args: [heads(2, 3, 1), words(3), 2] },
    { name: 'four heads', args: [heads(4, 6, 2), words(6, 4), 4] },
    { name: 'one head', args: [heads(1, 4, 3), words(4), 1] },
    {
      name: 'five heads: a grid with places left over',
      hidden: true,
      args: [heads(5, 5, 4), words(5, 7), 5],
    },
    { name: 'eight heads', hidden: true, args: [heads(8, 8, 5), words(8, 9), 8] },
  ],
  drawn: (draw) => {
    const [count, n] = [draw.integer(2, 7), draw.integer(3, 7)];
    return [heads(count, n, draw.integer(1, 5000)), words(n, draw.integer(0, 18)), count];
  },
  tolerance: {
    rtol: 1e-6,
    atol: 1e-7,
    reason: 'Nothing is computed: the pictures hold the weights that were given.',
  },
  hints: [
    'plt.subplots(rows, cols) gives a grid of axes. With one row it is a list, with one picture a single one: squeeze=False makes it a grid in every case.',
    'axes.flat walks through the grid in order; enumerate numbers its places. There may be more places than heads.',
    'ax.imshow(attention_weights[head], vmin=0, vmax=1) puts all heads on one scale.',
  ],
  variants: [
    {
      id: 'same-head',
      message:
        'All your pictures show the first head. Take the weights of the head that the picture is for.',
      python: [['attention_weights[head]', 'attention_weights[0]']],
    },
    {
      id: 'mean-of-heads',
      message: 'Your pictures show the mean of all heads. Each head has a picture of its own.',
      python: [['attention_weights[head]', 'attention_weights.mean(axis=0)']],
    },
    {
      id: 'own-scales',
      message:
        'Every picture has a scale of its own, so that one colour means different weights. Set vmin=0 and vmax=1 in all.',
      python: [[', vmin=0, vmax=1', '']],
    },
    {
      id: 'counted-from-zero',
      message: 'Your titles begin with Head 0. The first one is called Head 1.',
      python: [['head + 1', 'head']],
    },
    {
      id: 'no-titles',
      message: 'Your pictures have no titles: nobody can tell which head is which.',
      python: [['        ax.set_title(f"Head {head + 1}")\n', '']],
    },
    {
      id: 'no-tokens',
      message: 'Your rows and columns have numbers, not tokens, in every picture.',
      python: [
        ['        ax.set_xticks(range(len(tokens)), labels=tokens, rotation=90)\n', ''],
        ['        ax.set_yticks(range(len(tokens)), labels=tokens)\n', ''],
      ],
    },
    {
      id: 'transposed',
      message: 'Your pictures are transposed: your columns are the queries. A query is a row.',
      python: [['attention_weights[head]', 'attention_weights[head].T']],
    },
    {
      id: 'last-head-missing',
      message: 'Your last head is missing. Heads are counted from 0 to num_heads − 1.',
      python: [['head >= num_heads', 'head >= num_heads - 1']],
    },
    {
      id: 'a-figure-each',
      message: 'You draw a figure for each head. Put all of them into one grid.',
      python: [
        [
          'for head, ax in enumerate(axes.flat):',
          'for head in range(num_heads):\n        ax = plt.subplots()[1]',
        ],
      ],
    },
  ],
  figure: {
    knobs: {
      count: { label: 'heads', min: 1, max: 8, value: 4 },
      n: { label: 'tokens n', min: 1, max: 16, value: 6 },
      seed: { label: 'seed', min: 0, max: 99, value: 2 },
    },
    args: ({ count = 4, n = 6, seed = 2 }) => [heads(count, n, seed), words(n), count],
    draw: { kind: 'drawing' },
    caption:
      'What your function draws. The heads grow sharper from the first to the last, which shows only because all of them share one scale.',
  },
  source: { title: 'Project 4: The Attention Surgeon', where: 'Task 2b' },
  reference: async (_, [weights, tokens = []]) => {
    const { shape, data } = arrayOf(weights);
    const [count = 0, n = 0] = shape;
    const pictures = Array.from({ length: count }, (_, head) =>
      dict({
        image: array([n, n], data.subarray(head * n * n, (head + 1) * n * n)),
        x_labels: tokens,
        y_labels: tokens,
        title: `Head ${head + 1}`,
        low: 0,
        high: 1,
      }),
    );
    return dict({ figures: 1, pictures });
  },
} as const satisfies Exercise;
