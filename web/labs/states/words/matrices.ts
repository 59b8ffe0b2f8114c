import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface MatricesWords {
  readonly heading: string;
  readonly text: string;
  readonly other: string;
  readonly model: string;
  readonly every: (count: number) => string;
  readonly dModel: string;
  readonly which: string;
  readonly filtersTitle: string;
  readonly nearby: string;
  readonly percent: (share: number) => string;
  readonly line: (model: string, near: string) => string;
  readonly filters: (fixed: string, others: number) => string;
  readonly compared: (...v: readonly string[]) => string;
  readonly note: string;
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
    every: (count) => `all ${count} models to choose`,
    dModel: 'width of the model',
    which: 'channel',
    filtersTitle: 'How much the filter changes with the text',
    nearby: 'weight on a token itself and the one before it',
    percent: (share) => `${share} %`,
    line: (model, near) =>
      `${model}: ${near} of the weight lies on a token itself and the one before it.`,
    filters: (fixed, others) =>
      `The same filter for both texts: ${fixed || 'none'}. A filter that the text changes: the other ${others}.`,
    compared: (model, was, other, now) =>
      `On a token itself and the one before it: ${model} ${was}, ${other} ${now} of the weight.`,
    note: 'The test of the filter takes the matrix over this text and that over the other text, in float64: the middle relative change of the ratios A(i,j)·A(i+1,j+1) / (A(i,j+1)·A(i+1,j)), in which gates that multiply whole rows or columns cancel. The file of the data also has the largest change of an entry, over the largest entry, and how far entries are from the mean of their diagonal.',
    caption: ({ tokens, dModel, channel, seed }) =>
      `One layer of width ${dModel} with random parameters, ${tokens} tokens, a random row for each different word; of models with heads the only head, of the others channel ${channel}; seed ${seed}. Nothing is trained.`,
    data: ['id', 'model', 'change', 'filter_change', 'diagonal_spread', 'filter_fixed'],
  },
};

export const words = orEnglish(both);
