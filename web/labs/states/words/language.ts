import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface LanguageWords {
  readonly heading: string;
  readonly set: string;
  readonly sets: Readonly<Record<'hybrids' | 'all', string>>;
  readonly steps: string;
  readonly seed: string;
  readonly lossAt: (loss: string, bytes: string) => string;
  readonly heldOut: (losses: string) => string;
  readonly missing: string;
  readonly estimate: (models: number, steps: number, atATime: number) => string;
  readonly x: string;
  readonly y: string;
  readonly unigram: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly lost: string;
  readonly describe: (set: string, steps: string, seed: number) => string;
  readonly caption: (v: {
    readonly characters: string;
    readonly layers: number;
    readonly width: number;
    readonly length: number;
    readonly steps: string;
    readonly batch: number;
    readonly temperature: string;
    readonly seed: number;
  }) => string;
  readonly summary: (best: string, loss: string) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<LanguageWords> = {
  en: {
    heading: 'One book, a model of each kind',
    set: 'Models',
    sets: { hybrids: 'two pure, two hybrids', all: 'all nine' },
    steps: 'Steps',
    seed: 'seed',
    lossAt: (loss, bytes) => `${loss} with ${bytes}`,
    heldOut: (losses) => `Loss on the part held out, and bytes carried: ${losses}.`,
    estimate: (models, steps, atATime) =>
      `${models} trainings of ${steps} steps, ${atATime} at a time: some minutes, and the curves from the first second. What is finished is kept.`,
    missing: 'The book could not be loaded. Try again when the network is back.',
    x: 'training step',
    y: 'loss in nats a character',
    unigram: 'Frequencies of characters alone',
    table: 'What each model has and writes',
    columns: ['Model', 'parameters', 'bytes of state', 'held-out loss', 'seconds', 'writes'],
    lost: 'lost with its worker',
    describe: (set, steps, seed) => `${set}, ${steps} steps, seed ${seed}`,
    caption: ({ characters, layers, width, length, steps, batch, temperature, seed }) =>
      `The first ${characters} characters of Moby Dick, a tenth held out. ${layers} layers of width ${width}, feed-forward networks as wide as makes the parameters about equal, texts of ${length} characters, ${steps} steps of ${batch}, AdamW, one learning rate for all. A point of a curve is the mean over a fifteenth of the steps. Text written at temperature ${temperature}; bytes of state after ${length} characters. Seed ${seed}.`,
    summary: (best, loss) => `The lowest held-out loss has ${best}, ${loss} nats a character.`,
    data: ['model', 'seed', 'step', 'loss', 'held_out_loss', 'parameters', 'state_bytes', 'text'],
  },
};

export const words = orEnglish(both);
