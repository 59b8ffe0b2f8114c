/**
 * The words of the opening figure. They belong to the first load, and have no character that would fetch a second file of
 * the sans-serif font (`INTERFACE` in web/plugins/fonts.ts). That softmax is the same as one of the two is asked below.
 */
export const words = {
  heading: 'A mean that follows the query',
  at: 'query',
  sharp: 'sharpness',
  kernel: 'weights by',
  kernels: { distance: 'the distance of q and k', product: 'the product q·k' },
  query: (q: string, output: string) =>
    `The query, at ${q}; the mean is ${output}. Arrow keys move it.`,
  pair: (i: number, x: number, y: number) =>
    `Key ${i} at ${x} with the value ${y}. Arrow keys move it.`,
  line: {
    output: 'mean of the values, at every query',
    weights: 'weight of each key at this query',
    before: 'before',
  },
  numbers: { output: 'mean at the query', largest: 'largest weight' },
  said: (q: string, output: string, key: string, weight: string) =>
    `At q = ${q} the mean of the values is *${output}*. The key at ${key} has the largest weight, ${weight}.`,
  caption: (n: number, kernel: 'distance' | 'product', sharp: string) =>
    `${n} keys with their values; a key k weighs ${kernel === 'distance' ? 'exp(−s·(q − k)²)' : 'exp(s·q·k)'}, divided by the sum over all keys, s = ${sharp}. Computed by the core with every move.`,
  columns: ['q', 'mean'],
};
