import { rows, weightRows, words } from '../../src/exercises/common-inputs';
import { arrayOf, dict } from '../../src/exercises/matrix-values';
import type { Exercise } from '../../src/exercises/types';

export const exercise = {
  id: 'plot-attention-heatmap',
  lab: 'surgeon',
  order: 22,
  difficulty: 1,
  minutes: 12,
  buildsOn: ['attention'],
  languages: ['python'],
  title: 'Plot a picture of attention',
  summary: 'A heatmap with its tokens, its title and its colour bar, drawn with matplotlib.',
  task: [
    'Write `plot_attention_heatmap(attention_weights, tokens, title)`, which draws one picture with `matplotlib.pyplot` and returns nothing. What counts is what is drawn; it appears beside your code.',
    'The picture shows the weights as they are: row $i$ is query $i$, from top to bottom, and column $j$ is key $j$. Every row and every column is labelled with its token, and `title` stands above. A colour bar says which colour is which weight. Which colours you take is up to you.',
    'Of matplotlib this page knows what pictures of attention need: `plt.subplots`, `imshow` or `matshow`, `xticks` and `yticks` (on axes `set_xticks`, `set_xticklabels`, …), `title` (`set_title`), `colorbar`, `show`; and `heatmap` of `seaborn`.',
  ],
  entry: 'plot_attention_heatmap',
  parameters: [
    {
      name: 'attention_weights',
      type: 'matrix',
      shape: 'n×n',
      what: 'a row for each query; rows sum to 1',
    },
    { name: 'tokens', type: 'texts', what: 'n words' },
    { name: 'title', type: 'text', what: 'what stands above', default: 'Attention Weights' },
  ],
  results: [{ name: 'picture', type: 'drawing', what: 'with tokens, title and colour bar' }],
  cases: [
    {
      name: 'three tokens, by hand',
      args: [
        rows([
          [1, 0, 0],
          [0.5, 0.5, 0],
          [0.25, 0.25, 0.5],
        ]),
        words(3),
        'A causal head',
      ],
    },
    { name: 'seven tokens', args: [rows(weightRows(7, 1)), words(7, 4), 'Layer 2, head 5'] },
    { name: 'one token', hidden: true, args: [rows([[1]]), words(1), 'Alone'] },
    {
      name: 'a causal picture of twelve',
      hidden: true,
      args: [rows(weightRows(12, 2, { causal: true })), words(12, 7), 'Attention Weights'],
    },
  ],
  drawn: (draw) => {
    const n = draw.integer(3, 10);
    return [
      rows(weightRows(n, draw.integer(1, 5000))),
      words(n, draw.integer(0, 18)),
      `Head ${draw.integer(1, 99)}`,
    ];
  },
  tolerance: {
    rtol: 1e-6,
    atol: 1e-7,
    reason: 'Nothing is computed: the picture holds the weights that were given.',
  },
  hints: [
    'fig, ax = plt.subplots() makes a picture; ax.imshow(attention_weights) returns the image, which a colour bar needs.',
    'Tick labels have places: range(len(tokens)) numbers the columns, and ax.set_xticks(places, labels=tokens) sets both.',
    'fig.colorbar(image, ax=ax). With seaborn one call does nearly all of it: sns.heatmap(weights, xticklabels=tokens, yticklabels=tokens).',
  ],
  variants: [
    {
      id: 'transposed',
      message:
        'Your picture is transposed: your columns are the queries. A query is a row, so that each row of the picture sums to 1.',
      python: [['imshow(attention_weights', 'imshow(attention_weights.T']],
    },
    {
      id: 'upside-down',
      message: 'Your picture is upside down: the first query is to be at the top.',
      python: [['imshow(attention_weights', 'imshow(attention_weights[::-1]']],
    },
    {
      id: 'no-tokens',
      message: 'Your rows and columns have numbers, not tokens. Give the ticks places and labels.',
      python: [
        ['    ax.set_xticks(range(len(tokens)), labels=tokens, rotation=90)\n', ''],
        ['    ax.set_yticks(range(len(tokens)), labels=tokens)\n', ''],
      ],
    },
    {
      id: 'tokens-across-only',
      message: 'Your columns have tokens and your rows have none: label both axes.',
      python: [['    ax.set_yticks(range(len(tokens)), labels=tokens)\n', '']],
    },
    {
      id: 'every-second-token',
      message: 'You label every second row and column only. Every token is to be there.',
      python: [
        [
          'ax.set_xticks(range(len(tokens)), labels=tokens, rotation=90)',
          'ax.set_xticks(range(0, len(tokens), 2), labels=tokens[::2], rotation=90)',
        ],
        [
          'ax.set_yticks(range(len(tokens)), labels=tokens)',
          'ax.set_yticks(range(0, len(tokens), 2), labels=tokens[::2])',
        ],
      ],
    },
    {
      id: 'fixed-title',
      message: 'Your title is always the same: write the one that comes as `title`.',
      python: [['ax.set_title(title)', 'ax.set_title("Attention Weights")']],
    },
    {
      id: 'no-title',
      message: 'Your picture has no title. set_title (or plt.title) writes it.',
      python: [['    ax.set_title(title)\n', '']],
    },
    {
      id: 'no-colour-bar',
      message: 'The colour bar is missing: without it nobody can tell how much weight a colour is.',
      python: [['    fig.colorbar(image, ax=ax)\n', '']],
    },
    {
      id: 'divided-by-the-largest',
      message:
        'You divided the weights by the largest one. The colours would be the same, but the colour bar would be wrong: draw the weights as they are.',
      python: [
        ['imshow(attention_weights', 'imshow(attention_weights / attention_weights.max() * 0.999'],
      ],
    },
    {
      id: 'logarithms',
      message: 'You draw logarithms of the weights. Draw the weights themselves.',
      python: [
        ['imshow(attention_weights', 'imshow(np.log(attention_weights + 1e-9)'],
        ['import matplotlib.pyplot as plt', 'import matplotlib.pyplot as plt\nimport numpy as np'],
      ],
    },
  ],
  figure: {
    knobs: {
      n: { label: 'tokens n', min: 1, max: 20, value: 8 },
      sharpness: { label: 'sharpness', min: 0, max: 8, step: 0.25, value: 2 },
      nearness: { label: 'pull to the diagonal', min: 0, max: 2, step: 0.1, value: 0.3 },
      seed: { label: 'seed', min: 0, max: 99, value: 5 },
    },
    args: ({ n = 8, sharpness = 2, nearness = 0.3, seed = 5 }) => [
      rows(weightRows(n, seed, { sharpness, near: nearness })),
      words(n),
      'Attention Weights',
    ],
    draw: { kind: 'drawing' },
    caption:
      'What your function draws. Pull the weights to the diagonal: each token then looks at itself and its neighbours, which is the picture of a local head.',
  },
  source: { title: 'Project 4: The Attention Surgeon', where: 'Task 2a' },
  reference: async (_, [weights, tokens = [], title = '']) => {
    const picture = {
      image: arrayOf(weights),
      x_labels: tokens,
      y_labels: tokens,
      title,
      colorbar: true,
    };
    return dict({ figures: 1, pictures: [dict(picture)] });
  },
} as const satisfies Exercise;
