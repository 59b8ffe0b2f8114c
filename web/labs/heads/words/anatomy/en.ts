const heads = (count: number): string => (count === 1 ? 'one head' : `${count} heads`);

export const words = {
  shapes: {
    heading: 'One layer, array by array',
    heads: 'heads',
    m: 'rows of a second source',
    mNote: '0: queries and keys come from the same text',
    n: 'rows of the first source',
    dModel: 'width of the model',
    source: 'X',
    second: 'Y',
    parts: {
      q: 'Q',
      k: 'K',
      v: 'V',
      weights: 'weights',
      each: 'outputs, side by side',
      output: 'output',
    },
    times: (letter: string, shape: string) => `× ${letter} ${shape}`,
    slices: (count: number, shape: string) => `${count} × (${shape})`,
    verdict: (v: {
      readonly heads: number;
      readonly d: number;
      readonly width: number;
      readonly parameters: string;
      readonly work: string;
      readonly share: string;
      readonly weights: string;
    }) =>
      `${v.d} = ${v.heads} × ${v.width}: *${v.parameters} parameters* and ${v.work} multiply-adds, of which ${v.share} in the heads, which make ${v.weights} weights.`,
    numbers: {
      parameters: 'parameters',
      work: 'multiply-adds',
      ofHeads: 'of these in the heads',
      weights: 'weights of attention',
    },
    caption: (n: number, m: number, d: number, count: number) =>
      `A random layer, d = ${d}, ${heads(count)}, ${n} rows${m > 0 ? `, keys and values from ${m} rows of a second source` : ''}. The shapes are those of the arrays that it made; its work was counted while it ran. Sides grow with the root of their numbers. Orange is the first head: its slices, its weights, and the way from one to the other; grey is what all heads share.`,
    columns: ['array', 'rows', 'columns'],
    arrays: [
      'source',
      'Q',
      'Q of a head',
      'K of a head',
      'weights of a head',
      'output of a head',
      'outputs side by side',
      'output',
    ],
    picture: (count: number) => `The arrays of a layer with ${heads(count)}`,
  },
  nearest: {
    heading: 'Find the nearest key',
    keys: 'keys to choose from',
    steps: 'steps of training',
    seedNote: 'other weights and other keys',
    x: 'heads of the layer, d = 8',
    y: 'nearest key found, %',
    learned: 'after training',
    chance: 'guessing',
    before: 'before',
    verdict: (one: string, most: number, many: string, chance: string) =>
      `One head of full width finds *${one}* of the nearest keys, ${most} heads of width 1 find *${many}*; guessing finds ${chance}.`,
    share: (count: number) => `found by ${heads(count)}`,
    caption: (v: {
      readonly keys: number;
      readonly steps: number;
      readonly parameters: string;
      readonly seed: number;
    }) =>
      `Layers of width 8 with ${v.parameters} parameters each, trained for ${v.steps} steps to answer a query with the nearest of ${v.keys} random keys on a sphere; shares on sets that were not trained on. Seed ${v.seed}.`,
    table: 'After training',
    tableColumns: ['heads', 'width of a head', 'found', 'weight on the nearest key', 'error'],
    columns: ['heads', 'found', 'weight on nearest', 'squared error'],
  },
  ranks: {
    heading: 'Ranks behind the heads',
    rank: 'rank of the input',
    x: 'heads of the layer, d = 24',
    y: 'rank',
    lines: { one: 'output of one head', all: 'all heads side by side' },
    input: 'rank of the input',
    before: 'before',
    verdict: (v: {
      readonly input: number;
      readonly one: number;
      readonly all: number;
      readonly heads: number;
    }) =>
      `From an input of rank ${v.input}, one of ${v.heads} heads makes rank *${v.one}*, all of them together *${v.all}*.`,
    ofAll: (count: number) => `rank of all ${count}`,
    ofOne: (count: number) => `rank of one of ${count}`,
    caption: (input: number, seed: number) =>
      `Random layers of width 24 on 24 tokens; an input of rank ${input}; ranks from singular values in float64. Seed ${seed}.`,
    columns: [
      'heads',
      'rank of the input',
      'rank of one head',
      'rank of all heads',
      'rank of the output',
    ],
  },
};

export type AnatomyFigures = typeof words;
