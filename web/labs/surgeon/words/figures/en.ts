/** What the figures below the opening say, in English. */

const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const words = {
  picture: {
    heading: 'A head made to order',
    lines: {
      diagonal: 'Diagonal',
      vertical: 'Vertical',
      block: 'Blocks: phrases',
      horizontal: 'Horizontal: added to a whole row',
    },
    even: 'Make that row even: all its scores equal',
    offset: 'Offset of the diagonal',
    key: 'Key of the vertical line',
    query: 'Query of the horizontal line',
    size: 'Tokens in a phrase',
    noise: 'Noise of the scores',
    causal: 'Causal mask',
    kinds: {
      diagonal: 'Itself',
      previous_token: 'Previous token',
      next_token: 'Next token',
      first_token: 'First token',
      one_key: 'One key',
      local: 'Local',
      uniform: 'Uniform',
      broad: 'Broad',
      mixed: 'Mixed',
      undecided: 'Undecided',
    },
    measured: (score: string) => `named by what is measured, score ${score}`,
    rows: {
      max: 'largest weight',
      meanMax: 'largest weight of a row, mean',
      entropy: 'entropy in nats, mean',
      effective: 'effective keys, mean of e^{entropy}',
      diagonal: 'weight on the diagonal',
      local: 'local : global (two tokens either way)',
      distance: 'mean distance in tokens',
      sparsity: 'weights below a hundredth',
    },
    statistics: 'Statistics of the head',
    statistic: 'statistic',
    value: 'value',
    grid: 'Eight heads: press one to set the knobs to it',
    effectiveKeys: 'keys that a query effectively looks at',
    line: (max: string, keys: string) =>
      `The largest weight of a row is ${max} on average; a query looks at ${keys} keys effectively.`,
    head: (i: number) => `Head ${i}`,
    shifted: (by: string, token: string, same: boolean) =>
      same
        ? `${by} was added to every score of the row of “${token}”, and not one weight changed: a softmax only sees differences.`
        : `${by} was added to every score of the row of “${token}”, and weights changed.`,
    evenRow: (token: string, weight: string, keys: number) =>
      `The row of “${token}” is even: each of its ${plural(keys, 'key')} gets ${weight}. A horizontal line is this dim; it cannot be bright, because the row sums to 1.`,
    verticalLine: (token: string, received: string, of: number) =>
      `“${token}” receives ${received} of the weight of ${of} queries, each of which gives 1: a vertical line can be bright from top to bottom.`,
    caption: (v: {
      readonly n: number;
      readonly diagonal: string;
      readonly offset: number;
      readonly vertical: string;
      readonly key: number;
      readonly block: string;
      readonly size: number;
      readonly horizontal: string;
      readonly query: number;
      readonly noise: string;
      readonly seed: number;
      readonly causal: boolean;
      readonly even: boolean;
    }) =>
      `${v.n} tokens; added to the scores: diagonal ${v.diagonal} at offset ${v.offset}, vertical ${v.vertical} at key ${v.key}, phrases of ${v.size} ${v.block}, row ${v.query} ${v.even ? 'made even' : v.horizontal}; noise ${v.noise}, ${v.causal ? 'causal' : 'no mask'}, seed ${v.seed}.`,
  },
  quiz: {
    heading: 'Ten pictures to name',
    picture: 'Picture',
    title: (i: number, of: number) => `Picture ${i} of ${of}`,
    which: 'What does this head do?',
    yes: (kind: string, score: string) => `Yes: ${kind}, with a score of ${score}.`,
    no: (is: string, said: string, score: string) =>
      `It is measured as “${is}”, with a score of ${score}, not as “${said}”.`,
    numbers: (diagonal: string, local: string, keys: string) =>
      `${diagonal} of the weight is on the diagonal, ${local} within two tokens; a query looks at ${keys} keys effectively.`,
    next: 'Next picture',
    score: (right: number, answered: number, of: number) =>
      `${right} right of ${answered} answered; a round has ${of} pictures. Another seed is another round.`,
    caption: (i: number, n: number, causal: boolean, seed: number) =>
      `Picture ${i}, ${n} tokens, ${causal ? 'causal' : 'no mask'}, seed ${seed}. The name follows from the statistics.`,
    columns: ['picture', 'said', 'measured'],
  },
  scaling: {
    heading: 'With and without the factor, over d_k',
    n: 'Tokens',
    draws: 'Draws',
    measure: 'Measure',
    measures: {
      rowMax: 'largest weight of a row',
      entropy: 'entropy in nats',
      meanGradient: '‖dQ‖ of a row, mean',
      medianGradient: '‖dQ‖ of a row, median',
      tenthGradient: '‖dQ‖ of a row, tenth percentile',
      jacobian: '‖Jacobian‖ of a row, median',
      smallShare: 'share of scores with |dS| < 10⁻⁶',
    },
    unscaled: 'without the factor',
    scaled: 'with 1/√d_k',
    dK: 'd_k',
    columns: [
      'd_k',
      'largest weight without',
      'with',
      'median ‖dQ‖ without',
      'with',
      'mean ‖dQ‖ without',
      'with',
    ],
    table: 'Largest weights and gradients',
    line: (
      measure: string,
      [low, high]: readonly [number, number],
      off: readonly [string, string],
      on: readonly [string, string],
    ) =>
      `${measure.charAt(0).toUpperCase()}${measure.slice(1)}, from d_k = ${low} to ${high}: without the factor from ${off[0]} to ${off[1]}, with it from ${on[0]} to ${on[1]}.`,
    atWidth: (name: string, d: number) => `${name}, at d_k = ${d}`,
    point: (name: string, d: number, value: string) => `${name}, d_k = ${d}: ${value}`,
    sentences: (
      n: number,
      scaledLow: string,
      scaledHigh: string,
      meanFrom: string,
      meanTo: string,
      medianFrom: string,
      medianTo: string,
    ) => [
      `With the factor the largest weight of a row is ${scaledLow} to ${scaledHigh} at n = ${n}, whatever d_k is: it depends on the number of keys.`,
      `Without it the mean gradient goes from ${meanFrom} to ${meanTo} as d_k grows, the median from ${medianFrom} to ${medianTo}.`,
    ],
    caption: (n: number, draws: number, seed: number) =>
      `Self-attention of N(0, 1) queries, keys and values, n = ${n}, d_v = 16, ${plural(draws, 'draw')}, gradients for an N(0, 1) gradient at the output, seed ${seed}, float64.`,
    data: [
      'n',
      'd_k',
      'scaled',
      'row max',
      'its standard error',
      'entropy',
      'mean dQ',
      'median dQ',
      'tenth dQ',
      'median Jacobian',
      'share of small dS',
    ],
  },
  masks: {
    heading: 'Three ways to block a score',
    mask: 'Blocked',
    masks: {
      causal: 'the future',
      earlier: 'itself and the future: row 1 sees nothing',
      inverted: 'the allowed half, by mistake',
    },
    shift: 'Level of all scores',
    dK: 'Width of queries and keys',
    fills: { minusInfinity: '−∞', minusBillion: '−10⁹', zero: '0' },
    blockedShare: (share: string) => `${share} on blocked cells`,
    nan: (rows: number) => `${plural(rows, 'row')} of NaN`,
    clean: 'nothing on blocked cells',
    zeros: (before: string, now: string) =>
      `Weight on blocked cells where zeros were written: ${before} → ${now}; −∞ and −10⁹ leave nothing there.`,
    level: (zero: string, level: string) =>
      `With the scores at a level of ${level}, zeros leave ${zero} of the weight on blocked cells; a score of 0 means e⁰ = 1, beside e to the other scores.`,
    inverted: (row: number) =>
      `The mask of 0 and −∞ was read as 1 and 0: exactly the allowed cells are blocked, and row ${row}, which saw everything, sees nothing.`,
    nothing: (share: string) =>
      `Row 1 sees no key. −∞ makes it NaN; −10⁹ makes all its scores equal, so it gives every forbidden key ${share}.`,
    caption: (n: number, dK: number, level: string, seed: number) =>
      `${n} N(0, 1) queries and keys, d_k = ${dK}, scores times 1/√d_k, level ${level} added to q·k, softmax over rows, seed ${seed}.`,
    columns: ['fill', 'share on blocked cells', 'rows of NaN', 'distance of the output'],
  },
  hidden: {
    heading: 'NaN that hides until the backward pass',
    dead: 'Queries that see nothing',
    n: 'Tokens',
    columns: ['', 'masked_fill, an empty row gives 0', 'add −∞, softmax, NaN → 0'],
    rows: {
      P: 'weights P: entries that are NaN',
      output: 'output: entries that are NaN',
      dS: 'dS: entries that are NaN',
      dQ: 'dQ: entries that are NaN',
      dK: 'dK: entries that are NaN',
      dV: 'dV: entries that are NaN',
    },
    table: 'Entries that are not numbers',
    lostInK: 'entries of dK that are NaN',
    parts: { P: 'P', output: 'PV', dS: 'dS', dQ: 'dQ', dK: 'dK', dV: 'dV' },
    forward: 'forward →',
    back: '← back',
    lost: (part: string, entries: number) =>
      `${part}: ${plural(entries, 'entry', 'entries')} that ${entries === 1 ? 'is no number' : 'are no numbers'}`,
    difference: (largest: string) => `The two outputs differ by ${largest} at most.`,
    poisoned: (dK: number, of: number) =>
      `One row without a key, and ${dK} of ${of} entries of dK are not numbers: every key was multiplied with that row.`,
    sound: 'Every query sees a key, so both have the same gradients.',
    caption: (n: number, dead: number, seed: number) =>
      `${n} tokens, causal mask, the first ${plural(dead, 'query', 'queries')} blocked from every key, d_k = d_v = 4, seed ${seed}.`,
  },
  moments: {
    heading: 'The variance of q·k',
    samples: 'Pairs for each d_k',
    variance: 'of q·k',
    scaled: 'of q·k/√d_k',
    theory: 'd_k',
    y: 'variance',
    point: (name: string, d: number, value: string) => `${name} at d_k = ${d}: ${value}`,
    slope: (from: string, to: string, scaled: string) =>
      `From d_k = 4 to 1024 the variance of q·k goes from ${from} to ${to}; that of q·k/√d_k is ${scaled} at the end.`,
    caption: (samples: number, seed: number) =>
      `${samples} pairs of independent N(0, 1) vectors for each d_k, bars of two standard errors, seed ${seed}.`,
    columns: ['d_k', 'mean', 'variance', 'standard error', 'variance of q·k/√d_k'],
  },
  rank: {
    heading: 'Ranks on the way through attention',
    n: 'Tokens',
    rank: 'Rank of the input',
    heads: 'Heads',
    dV: 'Width of the values',
    columns: ['matrix', 'shape', 'rank'],
    rows: {
      input: 'input X',
      weights: 'weights P of one head',
      oneHead: 'output of one head, PXW_v',
      allHeads: 'outputs of all heads, side by side',
      output: 'after W_o',
    },
    table: 'Ranks',
    sentence: (input: number, one: number, all: number, heads: number) =>
      `The input has rank ${input}. One head has rank ${one}, ${heads === 1 ? 'and it is the only one' : `${heads} heads together have rank ${all}`}.`,
    caption: (n: number, d: number, heads: number, seed: number) =>
      `n = ${n}, d_model = ${d}, ${plural(heads, 'head')} of width ${d / heads}, random projections, ranks by singular values in float64, seed ${seed}.`,
  },
  models: {
    heading: 'Three language models, trained here',
    source: 'What they learn',
    sources: { markov: 'a Markov source of 16 tokens', text: 'a text of yours' },
    text: 'Text',
    steps: 'Steps',
    step: 'Step',
    rate: 'Learning rate',
    start: 'Train three models',
    again: 'Train again',
    training: 'Training …',
    goOn: 'Go on training',
    stopped: 'Stopped. What the models have learned stays.',
    names: { earlier: 'causal', all: 'no mask', later: 'reversed' },
    loss: 'loss in nats',
    floor: (nats: string) => `entropy rate, ${nats}`,
    unigram: (nats: string) => `frequencies alone, ${nats}`,
    uniform: (nats: string) => `guessing, ${nats}`,
    point: (name: string, step: number, loss: string) => `${name}, step ${step}: ${loss}`,
    speed: (tokens: string) => `${tokens} tokens/s`,
    table: 'What each model can do',
    columns: ['', 'causal', 'no mask', 'reversed'],
    rows: {
      train: 'loss of the last step',
      test: 'loss on new sequences, mask as in training',
      prefix: 'loss from the prefix alone',
      accuracy: 'accuracy on new sequences, mask as in training',
      prefixAccuracy: 'next tokens right, from the prefix alone',
      written: 'loss of the texts it writes, under the source',
    },
    writes: 'What they write',
    frames: 'step',
    here: (step: number) => `pictures: step ${step}`,
    where: (step: number, steps: number) =>
      `The losses over the training; the pictures are those after step ${step} of ${steps}.`,
    theSource: 'the source',
    cells: (first: string, last: string) =>
      `A row for each letter, a column for the one after it, ${first} to ${last}.`,
    transitions: (of: string) =>
      `Which token follows which, ${of}: a row for each token, a column for the next one`,
    titles: {
      attention: 'Where each model looks, over the training',
      texts: 'Which token follows which, and what they write',
      prefix: 'With its mask, and from the prefix alone',
    },
    untrained: 'The models are not trained yet: that is done where their losses are asked for.',
    notYet: 'It is measured when the training ends.',
    three: (causal: string, all: string, later: string, floor: string) =>
      `Loss on new sequences: causal ${causal}, no mask ${all}, reversed ${later}; the entropy rate is ${floor}.`,
    picture: 'Picture of the training',
    head: 'Head, over both layers',
    attention: (name: string) => `Attention, ${name}`,
    layerHead: (layer: number, head: number) => `layer ${layer}, head ${head}`,
    below: (name: string, loss: string, floor: string) =>
      `“${name}” has a loss of ${loss}, below the entropy rate of ${floor}: no model that sees only the past can get there, so it saw the future.`,
    honest: (loss: string, floor: string) =>
      `The causal model has ${loss} on new sequences; the floor is ${floor}.`,
    byHeart: (test: string, uniform: string) =>
      `The causal model saw no future, but on new sequences it has ${test}, worse than guessing with ${uniform}: it learned this text by heart.`,
    fails: (name: string, prefix: string, uniform: string) =>
      `With nothing but the prefix “${name}” has ${prefix}; guessing has ${uniform}.`,
    writesWorse: (name: string, loss: string, uniform: string) =>
      `What “${name}” writes has a loss of ${loss} under the source; a source of equally likely letters would give it ${uniform}.`,
    waiting:
      'Press the button. The three models learn side by side, and the curves are drawn while they do.',
    workers: (n: number) => (n > 1 ? `on ${n} workers` : 'on one worker, in turns'),
    short: (least: number) => `The text is too short: at least ${least} characters are needed.`,
    caption: (v: {
      readonly source: string;
      readonly steps: number;
      readonly rate: string;
      readonly seed: number;
      readonly vocabulary: number;
      readonly length: number;
      readonly layers: number;
      readonly width: number;
      readonly heads: number;
      readonly batch: number;
      readonly tested: number;
    }) =>
      `${v.source}, vocabulary ${v.vocabulary}, ${plural(v.length, 'token')} a sequence, ${plural(v.layers, 'layer')}, d_model = ${v.width}, ${plural(v.heads, 'head')}, batches of ${v.batch}, AdamW at ${v.rate}, ${plural(v.steps, 'step')}, losses from the prefix on ${plural(v.tested, 'new sequence')}, seed ${v.seed}.`,
    data: ['step', 'causal', 'no mask', 'reversed'],
  },
  flash: {
    heading: 'Softmax in tiles',
    n: 'Tokens',
    queryTile: 'Queries in a tile',
    keyTile: 'Keys in a tile',
    causal: 'Causal mask',
    tile: 'tiles done',
    scoresKept: 'scores kept at a time',
    of: (done: number, all: number) => `${done} of ${all}`,
    keptTitle: 'What is kept at a time, for longer texts',
    ways: { whole: 'the whole matrix of weights', tiled: 'one tile, and the numbers of each row' },
    length: 'tokens n',
    bytes: 'bytes beside inputs and output',
    saved: (n: number, whole: string, tiled: string, a: number, b: number) =>
      `At n = ${n} the matrix of weights takes ${whole}; in tiles of ${a} × ${b} no more than ${tiled} are kept beside inputs and output.`,
    play: 'Play',
    pause: 'Pause',
    rows: 'Running maximum m and sum l of each query',
    columns: ['query', 'm', 'l', 'ln(l) + m, at the end'],
    numbers: (tile: number, n: number, visited: number, all: number) =>
      `At any time one tile of ${tile} scores is kept, beside two numbers and the output of each row; the whole matrix would be ${n}. ${visited} of ${all} tiles are computed.`,
    error: (largest: string) =>
      `The output differs from attention in one piece by ${largest} (relative): rounding.`,
    rescaled: (rows: number) =>
      `The last tile raised the running maximum of ${plural(rows, 'row')}: what had been summed there was multiplied by e^{m − m'}, below 1.`,
    kept: 'No row met a larger score in this tile: nothing had to be scaled down.',
    picture: (done: number, all: number) => `${done} of ${all} tiles done`,
    caption: (n: number, a: number, b: number, causal: boolean, seed: number) =>
      `n = ${n}, d_k = d_v = 16, tiles of ${a} × ${b}, ${causal ? 'causal' : 'no mask'}, seed ${seed}.`,
  },
  nearest: {
    heading: 'Only the k nearest keys',
    k: 'Keys kept',
    n: 'Tokens',
    size: 'Size of the queries',
    full: 'All keys',
    sparse: 'The k nearest',
    columns: ['', 'all keys', 'k nearest'],
    rows: {
      cells: 'cells kept',
      adds: 'multiply-adds once the keys are known',
      error: 'relative error of the output',
    },
    table: 'What is saved and what is lost',
    kept: 'cells kept',
    sentence: (share: string, error: string) =>
      `${share} of the cells are kept, and the output is ${error} away.`,
    search:
      'To find the nearest keys all scores were computed, which this count leaves out: only the softmax and the product with V became cheaper.',
    caption: (n: number, k: number, size: string, seed: number) =>
      `n = ${n}, d_k = d_v = 16, queries times ${size}, k = ${k}, seed ${seed}.`,
  },
  cross: {
    heading: 'One sentence reads another',
    queries: 'Sentence that asks: its words are the queries',
    keys: 'Sentence that is read: its words are the keys and values',
    title: 'Cross-attention',
    asking: 'queries',
    read: 'keys',
    shape: (n: number, m: number) => `${n} × ${m}`,
    sentence: (n: number, m: number, dV: number) =>
      `${plural(n, 'query', 'queries')} and ${plural(m, 'key')}: the weights are ${n} × ${m}, and the output has as many rows as there are queries, ${n} × ${dV}. No causal mask: all of the read sentence is there already.`,
    caption: (dK: number, seed: number) =>
      `Untrained, d_k = ${dK}, d_v = 8, scores times 1/√d_k, seed ${seed}.`,
    dK: 'Width of queries and keys',
  },
  reversal: {
    heading: 'A model learns to say a list backwards',
    length: 'Length of the lists',
    heads: 'Heads',
    steps: 'Steps',
    frame: 'Picture of the training',
    title: (head: number) => `Head ${head}`,
    own: (share: string) => `${share} on the anti-diagonal`,
    at: (step: number) => `after ${step} steps`,
    list: 'the list',
    said: 'said',
    sentence: (from: string, to: string, accuracy: string) =>
      `The weight on the anti-diagonal went from ${from} to ${to}; in the last batch ${accuracy} of the tokens were right.`,
    antiDiagonal: 'weight on the anti-diagonal, mean of all heads',
    lossesTitle: 'How it learned',
    lossAndShare: 'loss in nats, share of right tokens',
    saidNow: (list: string, said: string, share: string, heads: number) =>
      `List: ${list}. Said backwards: ${said}. ${heads > 1 ? `The mean of the ${heads} heads has ${share}` : `${share}`} of the weight on the anti-diagonal.`,
    caption: (length: number, heads: number, steps: number, seed: number) =>
      `Lists of ${length} of 10 digits; one cross-attention layer with ${plural(heads, 'head')}, d = 32; queries are learned vectors of the target places; ${steps} steps of 32 lists, AdamW, seed ${seed}.`,
    columns: ['step', 'loss', 'accuracy'],
    loss: 'loss in nats',
    accuracy: 'right tokens',
    x: 'step',
    point: (name: string, step: number, value: string) => `${name}, step ${step}: ${value}`,
  },
  shared: {
    heading: 'Heads that share keys and values',
    heads: 'Query heads',
    alike: 'How alike the heads are',
    tokens: 'Tokens in the cache',
    columns: ['key-value heads', 'parameters', 'cache', 'error of the output'],
    table: 'Sharing',
    oneError: 'error with one shared head',
    oneCache: 'its cache',
    kinds: (kv: number, heads: number) =>
      kv === heads ? `${kv}: multi-head` : kv === 1 ? '1: multi-query' : `${kv}: grouped`,
    sentence: (times: string, error: string) =>
      `One shared head makes the cache ${times} times smaller and moves the output of this untrained layer by ${error}.`,
    caption: (d: number, heads: number, alike: string, seed: number) =>
      `A random layer, d_model = ${d}, ${plural(heads, 'head')}; shared heads are the mean of those that they replace; likeness ${alike}, seed ${seed}.`,
  },
  dropout: {
    heading: 'Dropout of weights',
    probability: 'Share that is dropped',
    draws: 'Draws',
    weights: 'Weights',
    dropped: 'One draw of dropout',
    smallest: (low: string, high: string) =>
      `In this draw the rows sum to ${low} to ${high}, not to 1.`,
    average: (first: string, last: string, draws: number) =>
      `The output of one draw is ${first} away from the output without dropout, the mean of ${draws} draws ${last}.`,
    meanTitle: 'The mean of many draws',
    x: 'draws',
    y: 'distance of the mean output',
    point: (draws: number, error: string) => `mean of ${plural(draws, 'draw')}: ${error}`,
    caption: (n: number, p: string, draws: number, seed: number) =>
      `n = ${n}, d_k = d_v = 8, dropped with probability ${p}, kept weights divided by ${'1 − p'}, ${draws} draws, seed ${seed}.`,
    columns: ['draws', 'distance of the mean output'],
  },
  handout: {
    heading: 'The handout’s table, measured',
    n: 'Tokens',
    columns: [
      'd_k',
      'without: “Max ≈”',
      'measured, mean of rows',
      'measured, whole picture',
      'with: “Max ≈”',
      'measured, mean of rows',
    ],
    table: 'The largest weight, quoted and measured',
    dK: 'd_k',
    y: 'largest weight',
    measuredWith: 'with 1/√d_k',
    measuredWithout: 'without the factor',
    quoted: '“Max ≈”',
    meanLargest: 'largest weight of a row with the factor, mean',
    pictureLargest: 'largest of the whole picture',
    point: (name: string, d: number, value: string) => `${name}, d_k = ${d}: ${value}`,
    sentence: (n: number, mean: string, picture: string) =>
      `At n = ${n} the largest weight of a row with the factor is ${mean} on average, the largest of a whole picture ${picture}.`,
    caption: (n: number, draws: number, seed: number) =>
      `Self-attention of N(0, 1) queries and keys, n = ${n}, ${draws} draws, seed ${seed}.`,
  },
} as const;

export type Figures = typeof words;
