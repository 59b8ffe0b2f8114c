import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface FormsWords {
  readonly heading: string;
  readonly n: string;
  readonly chunk: string;
  readonly dModel: string;
  readonly columns: readonly string[];
  readonly key: string;
  readonly equal: string;
  readonly whole: string;
  readonly most: string;
  readonly none: string;
  readonly agree: string;
  readonly differ: string;
  readonly verdict: (agreeing: number, all: number, tolerance: string) => string;
  readonly caption: (n: number, chunk: number, dModel: number, seed: number) => string;
  readonly data: readonly string[];
}

const both: EnglishFirst<FormsWords> = {
  en: {
    heading: 'One output, three forms',
    n: 'tokens',
    chunk: 'tokens in a chunk',
    dModel: 'width of the model',
    columns: [
      'Model',
      'largest output',
      'token by token − all at once',
      'chunks − all at once',
      'verdict',
    ],
    key: 'Filled: token by token. Hollow: in chunks. Dashed: what rounding may make.',
    equal: 'equal',
    whole: 'as large as the output',
    most: 'largest difference',
    none: '–',
    agree: 'agree',
    differ: 'differ',
    verdict: (agreeing, all, tolerance) =>
      `${agreeing} of ${all} models give the same output in each of their forms, up to ${tolerance} of their largest output.`,
    caption: (n, chunk, dModel, seed) =>
      `One layer of width ${dModel}, ${n} Gaussian tokens, random parameters, chunks of ${chunk}, float32, seed ${seed}. Shown: the largest difference in any entry.`,
    data: ['id', 'model', 'largest', 'recurrent_difference', 'chunked_difference', 'tolerance'],
  },
};

export const words = orEnglish(both);
