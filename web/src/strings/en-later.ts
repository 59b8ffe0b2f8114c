/** The words of what is loaded when it is needed: tables, files, the text below the figure. */

// Not the one of en.ts: shared, it would be a file of its own.
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const enLater = {
  files: {
    linkCopied: 'Link copied. It restores everything you see.',
    linkWithoutMatrices:
      'Link copied. It restores everything but your matrices: they are too large for a link. Send them as CSV files (buttons above).',
    saved: (name: string) => `Saved ${name}.`,
    notSaved: 'The browser could not make the file. Try the CSV, or a smaller window.',
    linkMatrices: 'matrices of this link',
    linkBroken: (message: string) => `The link’s matrices cannot be used: ${message}.`,
    linkShow: 'The browser keeps the clipboard from this page. Copy the link here:',
  },

  explanation: {
    empty: 'Hover a cell, or move to it with the arrow keys.',
    choice: 'The cell of the largest difference. Hover another, or click to hold one.',
    masked: (cell: string) =>
      `${cell}: the mask hides this key from this query. Both weights are 0.`,
    softmax: 'Softmax',
    implicit: (map: string) => `Implicit, φ = ${map}`,
    dot: 'how well they match',
    logit: 'scaled',
    logSumExp: (keys: number) => `over the ${plural(keys, 'key')} this query sees`,
    featureDot: 'match in feature space',
    denominator: (keys: number) => `over the ${plural(keys, 'key')}`,
    rank: (rank: number, of: number) =>
      rank === 1 ? `the weight, largest of ${of}` : `the weight, number ${rank} of ${of}`,
    difference: 'the difference',
  },

  table: {
    region: 'Table',
    title: 'As a table',
    close: 'Close the table',
    corner: 'query \\ key',
    key: 'key',
    query: 'query',
    masked: 'masked',
    largest: 'largest in row',
    at: 'at',
    caption: (
      heading: string,
      r0: number,
      r1: number,
      rows: number,
      c0: number,
      c1: number,
      cols: number,
    ) =>
      `${heading}. Queries ${r0} to ${r1} of ${rows}, keys ${c0} to ${c1} of ${cols}. Move the cursor in a picture to move the window.`,
  },

  matrix: {
    drop: '.npy or CSV: drop, choose or paste',
    choose: 'File',
    chooseLong: 'Choose a file for',
    paste: 'Paste',
    pasteLong: 'Paste numbers for',
    pasted: 'pasted numbers',
    placeholder: '0.1, 0.2, 0.3\n0.4, 0.5, 0.6',
    save: 'CSV',
    saveLong: 'Save as CSV:',
    remove: 'Remove',
    removeLong: 'Remove',
    reading: 'Reading …',
    cannotRead: (name: string, seen: string, wanted: string) =>
      `${name}: saw ${seen}; wanted ${wanted}.`,
    cannotOpen: (name: string) => `${name} could not be opened. Choose the file once more.`,
  },

  prose: {
    whatTitle: 'Two ways to weigh',
    what: [
      'Attention answers a *query* with an average of *values*. How much each value counts depends on how well its *key* matches the query. Softmax attention measures the match with an exponential:',
      '{softmax}',
      'The exponential makes every weight positive, and strong matches much stronger. It also ties each query to each key: with {n} tokens there are {n2} weights to compute, and no way round them.',
      'Replace the exponential with a dot product of *features*, and the knot opens. Pass query and key through a feature map {phi} first, then multiply:',
      '{implicit}',
      'The sum over keys no longer contains the query, so it can be computed once and reused by all of them. The cost grows with {n}, not {n2}. That is linear attention. Its weights are never written down when it runs, which is why they are called *implicit*; the figure above writes them down so that you can look.',
      'So all depends on {phi}. The picture on the right shows what is lost when you choose one: blue where the feature map pays too little attention, orange where it pays too much.',
    ],
    tryTitle: 'What to try',
    tryIntro: 'Each button sets the knobs. Your browser’s Back button returns to where you were.',
    tries: {
      sign: {
        title: 'Let the denominator change sign',
        text: 'With φ(x) = x nothing keeps φ(q)·φ(k) positive. Watch the sums a row is divided by cross zero, and weights explode around the crossing. The warnings under the figure count them.',
      },
      dead: {
        title: 'Find the dead rows of ReLU',
        text: 'In two dimensions a query often has no positive entry at all. Then φ(q) is zero, and the row attends to nothing. Raise d_k and see how soon that stops.',
      },
      sharp: {
        title: 'Turn the scale off',
        text: 'Without 1/√d_k the softmax sees larger scores and picks one winner per row. Most feature maps cannot follow: their weights change too slowly with q·k.',
      },
      causal: {
        title: 'Add the causal mask',
        text: 'The first query sees one key only, so both pictures must agree there. See how the disagreement grows with the number of keys to choose from.',
      },
      random: {
        title: 'Buy accuracy with random features',
        text: 'Random features estimate the exponential itself; in the limit of many features they are exact. Drag their number up and down, and draw new seeds: how many does it take here?',
      },
    },
    mapsTitle: 'The feature maps',
    mapsIntro:
      'Everything the core has in its registry. D is the number of features, in terms of the width d. Pick a name to see it above.',
    mapsColumns: {
      name: 'Map',
      phi: 'φ(x)',
      dimension: 'D',
      sign: 'Sign',
      note: 'What to know',
      paper: 'Paper',
    },
    honestTitle: 'What is real here, and what is not',
    honest:
      'The arithmetic is real: a C++ core computes each number on this page, in your browser, and the same seed gives the same numbers on every machine. The language is not: the sentence goes through a random, *untrained* embedding, so its patterns say which words are equal and close, not what they mean. And a feature map inside a trained model is learned around: a large difference here says that the two are not interchangeable, not that the model would fail.',
    sourcesTitle: 'Where it came from',
    sources: [
      '[Vaswani et al. 2017, Attention Is All You Need](https://arxiv.org/abs/1706.03762): softmax attention, and the scale 1/√d_k.',
      '[Katharopoulos et al. 2020, Transformers are RNNs](https://arxiv.org/abs/2006.16236): linear attention with ELU + 1, and its reading as a recurrent network.',
      '[Choromanski et al. 2021, Rethinking Attention with Performers](https://arxiv.org/abs/2009.14794): positive random features that estimate the exponential.',
    ],
  },
} as const;
