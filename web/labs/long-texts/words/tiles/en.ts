export const words = {
  io: {
    heading: 'Bytes moved, by the size of a tile',
    tile: 'queries in a tile',
    n: 'tokens',
    d: 'width of a head',
    causal: 'Causal',
    lines: { tiled: 'in tiles', plain: 'plain' },
    breakEven: 'even',
    x: 'queries in a tile',
    y: 'bytes moved',
    moved: 'moved in tiles',
    gain: 'plain against tiles',
    wins: (tile: string, tiled: string, plain: string, gain: string) =>
      `Tiles of ${tile} queries move *${tiled}*, plain attention ${plain}: *${gain} times* as much.`,
    loses: (tile: string, tiled: string, plain: string, gain: string) =>
      `Tiles of ${tile} queries move *${tiled}*, more than plain attention with ${plain}: they *lose*, at ${gain} times.`,
    counted: (read: string, written: string, visited: string) =>
      `Counted while it runs: ${read} read and ${written} written in tiles, ${visited} tiles visited.`,
    plainCounted: (bytes: string) =>
      `Plain attention as it is counted here: ${bytes}; it scales the queries in a pass of its own.`,
    error: (error: string) =>
      `The two outputs differ by ${error} of their size, which is float32's rounding: tiles are exact.`,
    uncounted: 'Counted and compared only where the matrix of weights is small.',
    smallest: (tile: string) => `The smallest tile that moves less: ${tile} queries.`,
    caption: (n: number, d: number, causal: boolean, cols: number) =>
      `One head, n = ${n}, d = ${d}, ${causal ? 'causal' : 'all keys'}, float32, tiles of ${cols} keys. In tiles: queries and outputs once, keys and values once for each tile of queries. Plain: the n×n scores written and read, the weights written and read.`,
    columns: ['queries_in_a_tile', 'tiled_bytes', 'plain_bytes', 'plain_by_tiled'],
  },
  machine: {
    heading: 'Time and memory, here and now',
    show: 'Draw',
    shows: { time: 'time', memory: 'memory' },
    longest: 'longest text',
    rounds: 'rounds',
    lines: { tiled: 'without the matrix', plain: 'with the matrix of weights' },
    x: 'tokens',
    time: 'milliseconds',
    memory: 'bytes held at the peak',
    timeRatio: 'time with the matrix',
    memoryRatio: 'memory with the matrix',
    memoryTitle: 'Bytes held at the peak',
    ratio: (times: string) => `${times} times`,
    line: (n: string, time: string, memory: string) =>
      `At ${n} tokens the matrix of weights costs *${time} times* the time and *${memory} times* the memory.`,
    waiting: 'Nothing has been measured yet: a few seconds.',
    describe: (n: string, rounds: number) => `up to ${n} tokens, ${rounds} rounds`,
    caption: (d: number, rounds: number) =>
      `One head, d = ${d}, float32, the same kernels with and without writing the n×n weights; medians of ${rounds} rounds. Memory is counted, time measured.`,
    columns: ['tokens', 'tiled_ms', 'plain_ms', 'tiled_peak_bytes', 'plain_peak_bytes'],
  },
};
export type TilesWords = typeof words;
