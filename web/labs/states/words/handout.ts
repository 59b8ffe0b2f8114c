import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface HandoutWords {
  readonly heading: string;
  readonly text: string;
  readonly other: string;
  readonly which: string;
  readonly columns: readonly string[];
  readonly found: Readonly<Record<'fixed' | 'input', string>>;
  readonly fixed: string;
  readonly filterOf: (model: string) => string;
  readonly note: string;
  readonly verdict: (fixed: readonly string[], input: readonly string[]) => string;
  readonly caption: (v: {
    readonly n: number;
    readonly dModel: number;
    readonly which: number;
    readonly seed: number;
  }) => string;
  readonly data: readonly string[];
}

const listed = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none');

const both: EnglishFirst<HandoutWords> = {
  en: {
    heading: 'Three models, one sentence about them',
    text: 'A text',
    other: 'Another text',
    which: 'head or channel',
    columns: ['Model', 'the tutorial says', 'matrix changes by', 'filter changes by', 'measured'],
    found: { fixed: 'a filter, up to gates', input: 'no one filter' },
    fixed: 'none',
    filterOf: (model) => `change of ${model}’s filter`,
    note: 'The matrix of the one text against that of the other, in float64, as above: the largest change of an entry over the largest entry; then the middle relative change of the ratios in which gates cancel.',
    verdict: (fixed, input) =>
      `The same filter for both texts: ${listed(fixed)}. A filter that the text changes: ${listed(input)}.`,
    caption: ({ n, dModel, which, seed }) =>
      `One layer of width ${dModel} with random parameters, the first ${n} tokens of each text, a random row for each different word, head or channel ${which}, seed ${seed}. Nothing is trained.`,
    data: ['id', 'model', 'tutorial_says', 'change', 'filter_change', 'filter_fixed'],
  },
};

export const words = orEnglish(both);
