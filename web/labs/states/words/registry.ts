import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface RegistryWords {
  readonly heading: string;
  readonly n: string;
  readonly dModel: string;
  readonly heads: string;
  readonly columns: Readonly<Record<Column, string>>;
  readonly sortBy: (column: string) => string;
  readonly yes: string;
  readonly no: string;
  readonly none: string;
  readonly grows: string;
  readonly forms: Readonly<Record<'parallel' | 'recurrent' | 'chunked', string>>;
  readonly filters: Readonly<Record<'fixed' | 'input' | 'none', string>>;
  readonly paper: (title: string) => string;
  readonly note: string;
  readonly caption: (n: number, dModel: number, heads: number, seed: number) => string;
  readonly summary: (least: string, numbers: string, growing: number, all: number) => string;
  readonly data: readonly string[];
}

export type Column =
  | 'model'
  | 'state'
  | 'cost'
  | 'parameters'
  | 'forms'
  | 'forgets'
  | 'overwrites'
  | 'filter';

const both: EnglishFirst<RegistryWords> = {
  en: {
    heading: 'Sixteen ways to mix tokens',
    n: 'tokens so far',
    dModel: 'width of the model',
    heads: 'heads',
    columns: {
      model: 'Model',
      state: 'Numbers in the state',
      cost: 'Multiply-adds a token',
      parameters: 'Parameters',
      forms: 'Forms',
      forgets: 'Can forget',
      overwrites: 'Can overwrite',
      filter: 'Filter',
    },
    sortBy: (column) => `Sort by: ${column}`,
    yes: 'yes',
    no: 'no',
    none: '–',
    grows: 'grows',
    forms: { parallel: 'parallel', recurrent: 'recurrent', chunked: 'chunked' },
    filters: { fixed: 'fixed', input: 'from the input', none: 'no matrix' },
    paper: (title) => `Paper: ${title}`,
    note: '“Filter” is measured here: the matrix of one head or channel over two different texts, with gates on either side divided out. “Multiply-adds a token” is the parallel form over all tokens, with its projections, divided by their number.',
    caption: (n, dModel, heads, seed) =>
      `One layer of width ${dModel} with ${heads} ${heads === 1 ? 'head' : 'heads'}, other parameters as registered, after ${n} tokens; random parameters, seed ${seed}, for the filter.`,
    summary: (least, numbers, growing, all) =>
      `${growing} of ${all} states grow with the text. The smallest of the others is that of ${least}, ${numbers} numbers.`,
    data: [
      'id',
      'model',
      'state_numbers',
      'constant_state',
      'multiply_adds_per_token',
      'parameters',
      'parallel',
      'recurrent',
      'chunked',
      'forgets',
      'overwrites',
      'filter_change',
    ],
  },
};

export const words = orEnglish(both);
