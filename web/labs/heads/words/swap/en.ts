const percent = (share: string): string => `${share} %`;

export const words = {
  heading: 'One head with another map',
  text: 'your sentence',
  head: 'head',
  headOf: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  map: 'map',
  maps: {
    hedgehog: 'Hedgehog: exp of ±x',
    elu_plus_one: 'ELU + 1',
    softmax_kernel: 'FAVOR+',
  },
  steps: 'steps of learning',
  sequences: 'sequences it learns from',
  softmax: 'softmax',
  mapped: 'the map',
  next: 'What comes next',
  key: 'with softmax',
  titles: { distance: 'How far the map is from softmax' },
  picture: (what: string, head: string) => `The weights of ${head} on the sentence: ${what}`,
  noLearning: 'Nothing has been learned yet: set the steps of learning.',
  empty: 'The sentence has no token.',
  distance: 'nats a row',
  step: 'step',
  line: (
    token: string,
    softmax: string,
    mapped: string,
    likeliest: string | undefined,
    loss: string,
    whole: string,
    back: string | undefined,
  ) =>
    `${token}: ${percent(softmax)} with softmax, *${percent(mapped)}* now${likeliest ? ` (likeliest: ${likeliest})` : ''}; loss on other text *${loss}* in place of ${whole}${back === undefined ? '' : `: *${percent(back)}* of what the swap had cost is back`}.`,
  distanceLine: (steps: number, from: string, to: string, back: string) =>
    `In ${steps} steps the distance from softmax falls from ${from} to *${to}*, and *${percent(back)}* of what the model had lost on other text comes back.`,
  numbers: {
    token: (token: string) => `share of ${token}`,
    loss: 'loss on other text',
  },
  caption: (v: {
    head: string;
    map: string;
    steps: number;
    rate: string;
    sequences: number;
    length: number;
  }) =>
    `The trained reader with ${v.map} in the place of the softmax of ${v.head}${
      v.steps === 0
        ? ', its matrices the identity'
        : `, its two matrices learned in ${v.steps} steps of Adam at ${v.rate} on ${v.sequences} × ${v.length} tokens of chapter 6 of Moby-Dick (Hedgehog: Zhang et al. 2024)`
    }. The loss is measured on chapter 26. The reader was trained on neither, and nothing else of it changes.`,
  columns: ['token', 'softmax', 'map'],
};

export type SwapFigure = typeof words;
