export const words = {
  fact: {
    heading: 'A fact, and its question',
    gap: 'tokens between fact and question',
    kept: 'tokens that are kept',
    lines: {
      saved: 'saved by the fact',
      savedKept: 'with only the kept tokens',
      ordinary: 'ordinary text',
      name: 'name told',
      other: 'another name',
    },
    x: 'tokens between fact and question',
    y: 'nats a token that the fact saves',
    reach: 'it reaches this far',
    keptX: 'tokens that are kept',
    keptY: 'loss, nats a token',
    fact: 'the fact leaves',
    evictionTitle: 'What goes with the evicted tokens',
    saved: 'saved by the fact, nats a token',
    line: (gap: string, saved: string, first: string, near: string) =>
      `Over ${gap} tokens the fact saves *${saved} nats a token*, over ${near} it saved ${first}: one layer either way.`,
    evictionLine: (kept: string, saved: string, cost: string) =>
      `With ${kept} tokens kept the fact saves *${saved}* nats a token; ordinary text costs *${cost}* more than with all.`,
    alt: 'Loss against distance',
    caption: (names: string, length: number, run: number) =>
      `The trained reader, at most ${length} tokens. Planted: “The name of the ship was …”, asked again after the gap; means over ${names}. Saved: the loss of the name where another one was told, less that where it was told. Evicted tokens are taken away and everything is computed anew from the kept ones, in ordinary text every ${run} tokens. The text between is nobody's: it was written for this figure.`,
    columns: ['what', 'tokens', 'nats_a_token'],
  },
  influence: {
    heading: 'How much each token changes what is said next',
    gap: 'tokens between fact and question',
    seed: 'swapped for',
    x: 'tokens back',
    y: 'change of the next word, 0 to 1',
    lines: { influence: 'measured influence', fact: 'tokens of the fact' },
    reach: 'possible: 1 for every token',
    most: 'largest influence of the fact',
    share: 'tokens that change less than one in a hundred',
    line: (count: string, n: string, fact: string) =>
      `Every token reaches the last one; *${count} of ${n}* change what is said by less than one in a hundred, and the name that was planted by *${fact}* at most.`,
    caption: (n: number, draws: number, seed: number) =>
      `The trained reader, ${n} tokens that end with the question. Each token in turn is swapped for ${draws === 1 ? 'another one' : `${draws} others`}, drawn with seed ${seed}; the change is the total variation between the probabilities of the next token before and after.`,
    columns: ['tokens_back', 'token', 'influence'],
  },
  loading: 'The reader is fetched once, half a megabyte.',
};
export type UseWords = typeof words;
