import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface MatricesWords {
  readonly heading: string;
  readonly text: string;
  readonly other: string;
  readonly model: string;
  readonly every: (count: number) => string;
  readonly fewer: string;
  readonly dModel: string;
  readonly which: string;
  readonly softmax: string;
  readonly chosen: (label: string) => string;
  readonly filters: Readonly<Record<'fixed' | 'input', string>>;
  readonly quantity: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly note: string;
  readonly verdict: (fixed: string, others: number) => string;
  readonly caption: (v: {
    readonly tokens: number;
    readonly dModel: number;
    readonly channel: number;
    readonly seed: number;
  }) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<MatricesWords> = {
  en: {
    heading: 'The matrix that each model applies to its values',
    text: 'Text',
    other: 'Other text, for the test',
    model: 'Model',
    every: (count) => `Show all ${count} models`,
    fewer: 'Show four models',
    dModel: 'width of the model',
    which: 'channel',
    softmax: 'Softmax attention',
    chosen: (label) => label,
    filters: { fixed: 'filter fixed', input: 'filter from the input' },
    quantity: 'weight',
    table: 'Which filters depend on the input?',
    columns: ['Model', 'matrix changes by', 'filter changes by', 'away from Toeplitz by', 'filter'],
    note: 'The matrix over this text against that over the other text, in float64. First number: the largest change of an entry, over the largest entry. Second: the middle relative change of the ratios A(i,j)·A(i+1,j+1) / (A(i,j+1)·A(i+1,j)), in which gates that multiply whole rows or columns cancel. Third: how far entries are from the mean of their diagonal.',
    verdict: (fixed, others) =>
      `Fixed, up to gates on either side: *${fixed}*. The filters of the other ${others} depend on the input.`,
    caption: ({ tokens, dModel, channel, seed }) =>
      `One layer of width ${dModel} with random parameters, ${tokens} tokens, a random row for each different word; of models with heads the only head, of the others channel ${channel}; seed ${seed}. Nothing is trained.`,
    data: ['id', 'model', 'change', 'filter_change', 'diagonal_spread', 'filter_fixed'],
  },
};

export const words = orEnglish(both);
