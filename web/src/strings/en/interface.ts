/**
 * The words of the interface in English: controls, figures, files, tables. Sentences with numbers in
 * them are functions; the numbers always come from the core.
 */

const quoted = (label: string | undefined): string => (label === undefined ? '' : ` “${label}”`);
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
  slider: {
    nothing: 'nothing',
    whole: (seen: string, min: number, max: number) =>
      `Saw ${seen}; wanted a whole number from ${min} to ${max}.`,
    number: (seen: string, min: number | string, max: number | string) =>
      `Saw ${seen}; wanted a number from ${min} to ${max}.`,
  },

  heatmap: {
    role: 'heatmap',
    weight: 'weight',
    difference: 'difference',
    corner: 'q ↓ k →',
    waiting: 'Waiting for the core.',
    hint: 'Hover to read a cell, click to hold it.',
    hintTouch: 'Tap a cell to read it, tap again to let go.',
    pooled: (side: number) => `Each dot shows the strongest of up to ${side}×${side} cells.`,
    masked: 'masked',
    locked: 'held',
    largest: 'largest in row',
    lockedSpoken: 'Cell held.',
    unlocked: 'Cell released.',
    cleared: 'Cursor cleared.',
    cell: (i: number, query: string | undefined, j: number, key: string | undefined) =>
      `query ${i}${quoted(query)} → key ${j}${quoted(key)}`,
    summary: (heading: string, rows: number, cols: number, subtitle: string) =>
      `${heading}: ${plural(rows, 'query', 'queries')} by ${plural(cols, 'key')}. ${subtitle}`,
    keys: 'Arrow keys move from cell to cell, Home and End go to the ends of the row, Page Up and Page Down move 16 rows, M finds the largest of the row, Enter holds the cell, Escape clears, plus and minus zoom, 0 shows all.',
    bar: (low: string, high: string) => `Colour scale from ${low} to ${high}`,
    tools: 'Tools',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    zoomAll: 'Show all cells',
    actions: {
      arcs: { short: 'Arcs', long: 'View as arcs between words' },
      table: { short: 'Table', long: 'View as table' },
      png: { short: 'PNG', long: 'Save the picture as PNG' },
      svg: { short: 'SVG', long: 'Save the picture as SVG' },
      csv: { short: 'CSV', long: 'Save the numbers as CSV' },
      json: { short: 'JSON', long: 'Save the numbers as JSON' },
      link: { short: 'Link', long: 'Copy a link to this view' },
    },
  },

  comparison: {
    title: 'How far apart are they?',
    warnings: 'Warnings',
    undefined: 'not defined',
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
    correlation: 'Correlation',
    correlationMeaning:
      'Do bright cells fall on bright cells? 1 is the same pattern, 0 is no relation, below 0 the opposite.',
    correlationUndefined:
      'One of the pictures has the same value everywhere, or a value that is no number.',
    outputError: 'Output error',
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
    spoken: (mse: string, correlation: string, negative: number) =>
      `Mean squared error ${mse}, correlation ${correlation}${negative > 0 ? `, ${plural(negative, 'negative weight')}` : ''}.`,
  },

  shape: (rows: number, cols: number) => `${rows} × ${cols}`,

  lab: {
    controls: 'Knobs',
    figures: 'The figure',
    featureMap: 'Feature map φ',
    positivity: {
      positive: 'always positive',
      nonNegative: 'never negative, may be zero',
      any: 'may be negative',
    },
    sign: { positive: 'φ > 0', nonNegative: 'φ ≥ 0', any: 'any sign' },
    input: 'Where Q, K, V come from',
    inputs: { text: 'Sentence', gaussian: 'Gaussian', own: 'Your own' },
    sentence: 'Sentence',
    untrained:
      'Untrained: each word gets a seeded random embedding and projection. Equal words attract; nothing here knows English.',
    gaussianNote: 'Every entry of Q, K and V is drawn from N(0, 1), the same on every machine.',
    ownNote:
      'They stay in this browser and go nowhere else. Q and K share a width; K and V share a length.',
    stillBefore: 'The pictures still show the matrices from before.',
    ownMissing: (letters: readonly string[]) =>
      `Still needed: ${letters.join(', ')}. Until then the last picture stays.`,
    letters: {
      q: 'queries, n × d_k',
      k: 'keys, m × d_k',
      v: 'values, m × d_v',
    },
    tooLong: (seen: number, most: number) =>
      `Saw ${seen} characters; wanted at most ${most}. The last picture stays.`,
    tooLarge: (rows: number, most: number) =>
      `Saw ${rows} rows; wanted at most ${most}, which is what this page can draw.`,
    n: 'tokens',
    dK: 'width of q and k',
    dV: 'width of v',
    seed: 'Seed',
    newSeed: 'New seed',
    scale: 'Scale by 1/√d_k',
    scaleNote: 'Off: the softmax sees q·k as it is.',
    causal: 'Causal mask',
    causalNote: 'Query i sees keys 1 to i.',
    sqrt: 'Brighten small weights',
    sqrtNote: 'Colour follows the square root.',
    resetDone: 'Everything is reset.',
    undo: 'Undo',
    busy: 'Computing …',
    stop: 'Stop',
    stopped: 'Stopped. The picture still shows the values before.',
    openingTitle: 'Softmax beside a feature map',
    views: {
      both: 'Both pictures, and their difference',
      row: 'One row of weights',
      cell: 'One cell, step by step',
    },
    softmaxTitle: 'Softmax attention',
    implicitTitle: 'Implicit attention',
    differenceTitle: 'Difference',
    softmaxSub: 'softmax(QKᵀ · scale)',
    implicitSub: (map: string, d: number) => `φ(q)·φ(k) / Σ, φ = ${map}, D = ${d}`,
    differenceSub: 'implicit − softmax',
    caption: {
      text: (n: number) => `A sentence of ${plural(n, 'token')}, untrained embedding`,
      gaussian: (n: number) => `Gaussian Q, K, V with n = ${n}`,
      own: (q: string, k: string, v: string) => `Own matrices Q ${q}, K ${k}, V ${v}`,
      shape: (n: number, m: number) => (n === m ? '' : `${n} queries, ${m} keys`),
      dK: (d: number) => `d_k = ${d}`,
      dV: (d: number) => `d_v = ${d}`,
      seed: (seed: number) => `seed ${seed}`,
      map: (label: string, parameters: string) =>
        `feature map ${label}${parameters ? ` (${parameters})` : ''}`,
      dimension: (d: number) => `D = ${d}`,
      scaled: (scale: string) => `scale ${scale}`,
      causal: 'causal mask',
      full: 'no mask',
      sqrt: 'colour by square root',
      time: (ms: string) => `computed in ${ms} ms`,
    },
    linkShow: 'The browser keeps the clipboard from this page. Copy the link here:',
    dismiss: 'Dismiss',
    nothingYet: 'Nothing to draw yet.',
    loadFailed: 'The core could not start.',
    loadHelp:
      'The pictures are computed by a WebAssembly program. Reload the page; if that does not help, use a current Firefox, Chrome, Edge or Safari, and check that no extension, policy or blocked download keeps WebAssembly or web workers from this page.',
    reload: 'Reload',
    restartCore: 'Restart the core',
    computeAgain: 'Start the core anew and compute this again',
    coreFailed:
      'The core stumbled and was started again. The last picture stays; change a knob to go on.',
    unknownMap: (id: string) =>
      `The link names a feature map ‘${id}’ that this page does not know; wanted one of the list.`,
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
} as const;
