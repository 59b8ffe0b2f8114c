export const words = {
  heading: 'Where the memory goes',
  phase: 'The model',
  phases: { training: 'is trained', reading: 'reads a text', decoding: 'says a token' },
  n: 'tokens',
  batch: 'texts at once',
  heads: 'heads',
  layers: 'layers',
  d: 'width of a head',
  precision: 'Numbers',
  precisions: { float32: 'float32', float16: 'float16', autocast: 'autocast' },
  dropout: 'Dropout on the weights',
  flash: 'Attention in tiles',
  every: 'layers a segment that is run again; 0: none',
  parts: {
    scores: 'scores',
    weights: 'weights',
    dropoutMask: 'dropout mask',
    droppedWeights: 'weights after dropout',
    activations: 'activations',
    parameters: 'parameters',
    gradients: 'gradients',
    optimizer: 'optimizer',
    cache: 'cache',
  },
  /** What grows with the square of the length. */
  square: 'n×n',
  total: 'together',
  squareShare: 'share of the n×n parts',
  line: (total: string, phase: string, part: string, share: string) =>
    `*${total}* while it ${phase}; the largest part is *${part}*, ${share} of it.`,
  three: (training: string, reading: string, decoding: string) =>
    `Trained ${training}, reading ${reading}, for one token more ${decoding}.`,
  alt: (list: string) => `Bars in one scale: ${list}`,
  caption: (shape: string, precision: string, dropout: boolean, flash: boolean, every: number) =>
    `${shape}; ${precision}, ${dropout ? 'with' : 'without'} dropout, ${flash ? 'in tiles' : 'operation by operation'}${every ? `, segments of ${every} layers run again` : ''}; parameters are the four matrices of each layer.`,
  columns: ['part', 'training_bytes', 'reading_bytes', 'decoding_bytes'],
  tableTitle: "The text's table beside the count",
  tableColumns: ['tokens', 'the text says', 'counted here', 'times'],
  times: (factor: string) => `${factor}×`,
  product: 'B·H·layers',
  tableLine: (product: string, factor: string) =>
    `With B·H·layers = *${product}* the text says *${factor} times* what is counted, in every row.`,
  tableRight: (product: string) =>
    `With B·H·layers = *${product}* every row of the text is right: one matrix of weights for each.`,
  tableNote: (source: string) =>
    `${source}. Counted: one n×n matrix for each head, text and layer.`,
};
export type MemoryWords = typeof words;
