export const words = {
  heading: 'Two heads that learn to copy',
  task: 'lists',
  tasks: { period: 'any period', segment: 'a piece again', fixed: 'one period' },
  layers: 'layers',
  positions: 'positions',
  positionsOf: { rotary: 'rotary', learned: 'learned' },
  frame: 'picture',
  cut: 'cut a head',
  cuts: { none: 'none', helper: 'who looks one back', other: 'the one beside it' },
  step: 'step',
  at: (step: number) => `step ${step}`,
  right: 'said right, %',
  loss: 'loss, nats',
  lines: { training: 'lists of the training', fresh: 'lists of new kinds' },
  guessing: (nats: string) => `guessing: ${nats}`,
  headOf: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  isCut: 'cut',
  onPrevious: (share: string) => `one back: ${share}`,
  onBehind: (share: string) => `behind a copy: ${share}`,
  onCounted: (back: number, share: string, behind: string) =>
    `${back} back: ${share}; ${behind} (outlined)`,
  titles: {
    growth: 'Two heads that learn to copy',
    right: 'One period in training, and other periods',
    heads: 'The two heads on a new list',
    scores: 'What the two heads look at',
  },
  scoreLines: {
    behind: (head: string) => `${head}: behind a copy`,
    previous: (head: string) => `${head}: one back`,
  },
  evenBehind: (share: string) => `even attention: ${share}`,
  share: 'share of the weight',
  picture: (head: string, step: number) =>
    `The weights of ${head} on a new list after step ${step}: rows look at columns`,
  line: (
    step: number,
    loss: string,
    right: string,
    copier: string,
    behind: string,
    even: string,
    helper: string,
    previous: string,
  ) =>
    `After step ${step}: loss *${loss}*, *${right}* right on new kinds of lists; ${copier}: *${behind}* behind copies (even: ${even}); ${helper}: ${previous} one back.`,
  fixedLine: (v: { step: number; right: string; fresh: string; loss: string; guessing: string }) =>
    `After step ${v.step}: *${v.right}* right on lists of the training, *${v.fresh}* on new kinds of lists, where the loss is ${v.loss} (guessing: ${v.guessing}).`,
  cutLine: (
    gone: string,
    whole: string,
    loss: string,
    copier: string,
    before: string,
    behind: string,
  ) =>
    `Without ${gone} the loss on new lists goes from ${whole} to *${loss}*, and the weight of ${copier} behind copies from ${before} to *${behind}*.`,
  notYet: 'Heads can be cut when the training is over.',
  noOther: 'In a model of one layer there is no other head to compare with.',
  numbers: {
    loss: 'loss',
    behind: 'weight behind copies',
    previous: 'weight one back',
    fresh: 'right on new kinds of lists',
    freshLoss: 'loss on new kinds of lists',
  },
  caption: (v: {
    task: string;
    layers: number;
    heads: number;
    width: number;
    positions: string;
    vocabulary: number;
    length: number;
    batch: number;
    steps: number;
    rate: string;
    seed: number;
  }) =>
    `${v.layers} layer${v.layers === 1 ? '' : 's'} of ${v.heads} heads, attention alone, ${v.width} wide, ${v.positions} positions; ${v.task}; ${v.vocabulary} kinds of tokens, ${v.length} in a list, ${v.batch} lists a step, ${v.steps} steps of AdamW at ${v.rate}; seed ${v.seed}. The list of the pictures is of a kind that training never shows. A head is cut by zeros in place of its output.`,
  about: {
    period: (a: number, b: number) => `periods of ${a} to ${b} tokens`,
    segment: 'a piece of random tokens stands again at a random later place',
    fixed: (p: number) => `every list has the period ${p}`,
  },
  table: 'All heads on the list of the pictures',
  columnsOfTable: ['head', 'one back', 'behind a copy', 'loss without it'],
  columns: ['step', 'loss on lists of the training', 'share said right'],
};

export type GrowthFigure = typeof words;
