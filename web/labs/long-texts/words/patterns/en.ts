/** English words of the figures about patterns. */
const layersOf = (layers: number): string => (layers === 1 ? 'one layer' : `${layers} layers`);

const names = {
  window: 'window',
  strided: 'stride alone',
  both: 'window and stride',
  fixed: 'blocks and summaries',
  powers: 'powers of two',
  dilated: 'dilated window',
  sinks: 'window and sinks',
  random: 'random keys',
  neighbour: 'previous and random',
  bigBird: 'BigBird',
  blocks: 'blocks alone',
  chosen: 'block top-k (MoBA)',
};

export const words = {
  names,
  reach: {
    heading: 'How much is connected, layer by layer',
    pattern: 'Pattern',
    n: 'tokens',
    x: 'layers',
    y: 'pairs connected, %',
    line: (
      name: string,
      cells: string,
      first: string,
      second: string,
      third: string,
      end: string,
    ) =>
      `${name}: *${cells}* of the causal cells; connected after one, two, three layers: *${first}, ${second}, ${third}*; ${end}.`,
    all: (layers: number) => `everything after ${layersOf(layers)}`,
    never: (share: string, layers: number) =>
      `never everything, ${share} after ${layersOf(layers)}`,
    drawn: (name: string, n: number) =>
      `${name}, ${n} tokens: what a row sees, and fainter what it hears of after two and three layers`,
    cells: 'cells kept',
    after: (layers: number) => `connected after ${layersOf(layers)}`,
    caption: (n: number, name: string, size: number, seed: number) =>
      `${n} tokens, ${name}, sizes from the root of n: ${size}; seed ${seed}. A token and itself are a pair; news also stays where it is. Block top-k chooses by queries and keys, here random ones.`,
    columns: ['layers', 'share_connected'],
  },
  connect: {
    heading: 'Are random keys enough?',
    n: 'tokens',
    draws: 'draws',
    keys: 'random keys',
    x: 'random keys a token',
    y: 'draws in which all are connected, %',
    logarithm: 'ln n',
    more: 'ln n + 3',
    line: (k: number, share: string, draws: number, later: number, laterShare: string) =>
      `With *${k}* random keys a token everything is connected in *${share}* of ${draws} draws; with ${later} in ${laterShare}.`,
    share: (k: number) => `connected with ${k} keys`,
    caption: (n: number, draws: number, seed: number) =>
      `${n} tokens, each sees k others drawn at random, in both directions; ${draws} draws, seeds from ${seed} on. Connected: every token's news comes to every other one, whatever the number of layers.`,
    columns: ['keys', 'draws_connected', 'draws'],
  },
  losses: {
    heading: 'What each pattern adds to the reader’s loss, nats a token',
    names: { causal: 'every earlier token', ...names },
    line: (full: string, best: string, bestLoss: string, worst: string, worstLoss: string) =>
      `With every earlier token the reader loses ${full} nats a token; least of the patterns with ${best}, *${bestLoss}*, most with ${worst}, *${worstLoss}*.`,
    describe: (seed: number) => `seed ${seed}`,
    caption: (n: number, seed: number) =>
      `The trained reader, all heads of all layers under one pattern, on pieces of ${n} tokens of a chapter of Moby-Dick that was held out; it was trained with every earlier token and not trained on for the pattern. Beside each name the share of the causal cells that it keeps. Block top-k: of blocks of eight, every head of every layer sees the query's own and the one before it whose mean key has the largest product with the query. Seed ${seed}.`,
    more: (nats: string) => `+${nats}`,
    drawn: ['Pattern', 'cells', 'nats a token more'],
    columns: ['pattern', 'n', 'cells', 'nats_a_token'],
    table: 'What was measured',
    heads: ['Pattern', 'cells', 'nats a token'],
  },
  times: {
    heading: 'Time follows the cells',
    n: 'tokens',
    run: 'Measure',
    x: 'thousand cells kept',
    y: 'milliseconds',
    measured: 'measured',
    proportional: 'in proportion to the cells',
    line: (n: string, fewest: string, most: string, times: string, cells: string) =>
      `At ${n} tokens: from ${fewest} to ${most} the cells grow ${cells} times, the time *${times} times*.`,
    choosing: (times: string) => ` Block top-k takes *${times} times* what its cells alone would.`,
    one: (name: string, cells: string, milliseconds: string) =>
      `${name}: ${cells} cells in ${milliseconds} ms.`,
    describe: (n: number, seed: number) => `${n} tokens, seed ${seed}`,
    caption: (n: number, d: number, runs: number, seed: number) =>
      `${n} tokens of width ${d}, seed ${seed}: sparse attention that gathers the kept cells, the way of their lists to the core and of the weights to the page included, the making of the lists not. Blocks that a query chooses depend on queries and keys, so block top-k has no list beforehand: its time has the choice in it. The line: the median of all lists, a cell. The fastest of ${runs} runs.`,
    columns: ['pattern', 'n', 'cells', 'milliseconds'],
    table: 'What was measured',
    heads: ['Pattern', 'cells', 'milliseconds', 'cells a millisecond'],
  },
};
export type Figures = typeof words;
