export const words = {
  names: {
    heading: 'Names that heads get',
    rule: 'a head gets a name',
    rules: {
      largest: 'for its largest score',
      baseline: 'where a score beats its baselines',
      heldOut: 'and does so again on other text',
    },
    gain: 'least gain over the baselines',
    pieces: 'pieces of text in each half',
    models: { reader: 'trained', untrained: 'random weights' },
    head: (layer: number, head: number) => `layer ${layer}, head ${head}`,
    verdict: (named: number, all: number, control: number) =>
      `By this rule *${named} of ${all}* heads of the trained model have a name, and *${control} of ${all}* of a model that has learned nothing.`,
    named: 'named heads, trained',
    control: 'named heads, random weights',
    of: (named: number, all: number) => `${named} of ${all}`,
    table: 'What was measured',
    tableColumns: [
      'head',
      'candidate',
      'score',
      'gain where it was chosen',
      'gain on other text',
      'random weights: candidate',
      'gain on other text',
    ],
    caption: (v: {
      readonly pieces: number;
      readonly tokens: number;
      readonly gain: string;
      readonly rule: string;
      readonly seed: number;
    }) =>
      `A head gets a name ${v.rule}; gain of at least ${v.gain}. Chapters of Moby-Dick that training never saw, ${v.pieces} pieces of ${v.tokens} tokens that choose and as many that decide; baselines are uniform attention, comparable cells and the largest of 10 shuffles. Seed ${v.seed} of the model with random weights and of the shuffles.`,
    columns: ['model', 'layer', 'head', 'name', 'score', 'gain chosen', 'gain held out'],
    none: 'none',
    picture: (model: string, named: number) => `${model}: ${named} named`,
  },
  kinds: {
    heading: 'Four kinds of heads, put to the test',
    kind: 'what is claimed',
    kinds: {
      positional: 'positional',
      syntactic: 'syntactic',
      semantic: 'semantic',
      content: 'content',
    },
    tests: {
      positional: 'its largest weight is at one and the same distance, share of the rows',
      syntactic:
        'weight on the determiner or preposition that the word stands behind, beyond equal distance',
      semantic: 'weight on earlier copies of the token, beyond equal distance',
      content: 'weight on words that are no function words, beyond equal distance',
    },
    pieces: 'pieces of text in each half',
    x: 'head, layer by layer',
    y: { positional: 'share of rows, %', other: 'gain over equal distance, %' },
    chosen: 'text that chose',
    decides: 'text that decides',
    bar: { positional: 'wanted: 90 %', other: 'wanted: 10 %' },
    control: 'best random head',
    verdict: (v: {
      readonly kind: string;
      readonly passed: number;
      readonly all: number;
      readonly best: string;
      readonly head: string;
      readonly control: string;
    }) =>
      v.passed === 0
        ? `*None* of ${v.all} heads is a ${v.kind} head: the best, ${v.head}, reaches ${v.best}, the best random one ${v.control}.`
        : `*${v.passed} of ${v.all}* heads are ${v.kind} heads: the best, ${v.head}, reaches ${v.best}, the best random one ${v.control}.`,
    passed: 'heads that pass',
    best: 'best head',
    table: 'Every head on the text that decides',
    tableColumns: [
      'head',
      'score',
      'at equal distance',
      'even attention',
      'rows',
      'most frequent offset',
      'its share',
    ],
    caption: (v: {
      readonly test: string;
      readonly pieces: number;
      readonly tokens: number;
      readonly seed: number;
    }) =>
      `${v.test}. Chapters of Moby-Dick that training never saw, ${v.pieces} pieces of ${v.tokens} tokens in each half. Words are told apart by closed lists of English function words. A head passes if it reaches what is wanted in both halves and more than every head of a model of random weights (seed ${v.seed}).`,
    columns: [
      'head',
      'score chosen',
      'score decides',
      'elsewhere decides',
      'rows',
      'offset',
      'offset share',
    ],
  },
};

export type MeaningFigures = typeof words;
