/** The words of the interface that the first picture does not need: of files, tables, explanations and own matrices. */

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
  comparison: {
    title: 'How far apart are they?',
    warnings: 'Warnings',
    mse: 'Mean squared error',
    mseMeaning: 'Average of difference² over all visible cells.',
    mseBetter: 'Closer to softmax than equal weights everywhere,',
    mseWorse: 'No closer to softmax than equal weights everywhere,',
    mseReference: (uniform: string) => `which would score ${uniform} (the mark).`,
    mseImpossible: (bound: string) =>
      `More than ${bound}, the most it can be between two averages: the second picture is no average.`,
    maxDifference: 'Largest difference',
    maxMeaning: 'The worst single weight:',
    maxWhere: (i: number, j: number) => `query ${i}, key ${j}`,
    correlationMeaning:
      'Do bright cells fall on bright cells? 1 is the same pattern, 0 is no relation, below 0 the opposite.',
    correlationUndefined:
      'One of the pictures has the same value everywhere, or a value that is no number.',
    outputMeaning:
      'What the next layer notices: how far the outputs lie apart, as a share of softmax’s. 0 is no error; at 1 (the mark) an output of all zeros would be as good.',
    negative: (count: number, cells: number): readonly [string, string] => [
      `${count} of ${plural(cells, 'weight')} ${count === 1 ? 'is' : 'are'} negative.`,
      'The row still sums to about 1, but it is no longer an average: the output can leave the range of the values.',
    ],
    denominators: (count: number, rows: number): readonly [string, string] => [
      `${count} of ${plural(rows, 'row')} ${count === 1 ? 'has' : 'have'} a denominator that is zero or negative.`,
      'φ(q)·Σφ(k) is what a row is divided by. At zero the row is dead; below zero its order turns round; near zero it explodes.',
    ],
    nonFinite: (count: number, cells: number): readonly [string, string] => [
      `${count} of ${plural(cells, 'weight')} ${count === 1 ? 'is' : 'are'} not a finite number.`,
      'They are drawn in magenta with a cross.',
    ],
    weights: (cell: string, softmax: string, implicit: string, largest: boolean) =>
      `${largest ? 'Largest difference, ' : ''}${cell}: softmax ${softmax}, implicit ${implicit}.`,
  },

  files: {
    linkCopied: 'Link copied. It restores everything you see.',
    linkKeptHere:
      'Link copied. Your text is too long for a link: this browser keeps it, and the link shows it here only. Send the text itself to others.',
    linkWithoutMatrices:
      'Link copied. Your matrices are too large for a link: this browser keeps them, and the link shows them here only. Send them to others as CSV files (buttons above).',
    saved: (name: string) => `Saved ${name}.`,
    notSaved: 'The browser could not make the file. Try the CSV, or a smaller window.',
    linkMatrices: 'matrices of this link',
    linkBroken: (message: string) => `The link’s matrices cannot be used: ${message}.`,
    linkShow: 'The browser keeps the clipboard from this page. Copy the link here:',
  },

  explanation: {
    title: 'How this cell was computed',
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
    queryOf: (i: number, token: string | undefined) =>
      token ? `query ${i} “${token}”` : `query ${i}`,
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
    drop: '.npy, .npz or CSV: drop, choose or paste',
    member: 'Array',
    axis: (name: string, length: number) => `${name}, 0 to ${length - 1}`,
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
    ownNote:
      'They stay in this browser and go nowhere else. Q and K share a width; K and V share a length.',
    ownMissing: (letters: readonly string[]) =>
      `Still needed: ${letters.join(', ')}. Until then the last picture stays.`,
    letters: {
      q: 'queries, n × d_k',
      k: 'keys, m × d_k',
      v: 'values, m × d_v',
    },
  },
} as const;
