/**
 * The words of the interface in English that a page begins with; the others are in later.ts. Sentences with
 * numbers in them are functions; the numbers always come from the core.
 */

import { inSentence } from '../../plot/tokens.ts';

const quoted = (label: string | undefined): string =>
  label === undefined ? '' : ` “${inSentence(label)}”`;
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
      embed: { short: 'Embed', long: 'Embed this view in a course page' },
    },
  },

  comparison: {
    undefined: 'not defined',
    correlation: 'Correlation',
    outputError: 'Output error',
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
    stillBefore: 'The pictures still show the matrices from before.',
    tooLong: (seen: string, most: string) =>
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
} as const;
