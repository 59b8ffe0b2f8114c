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
  readonly grows: string;
  readonly forms: Readonly<Record<'parallel' | 'recurrent' | 'chunked', string>>;
  readonly paper: (title: string) => string;
  readonly note: string;
  readonly picture: string;
  readonly numbers: (count: string) => string;
  readonly caption: (n: number, dModel: number, heads: number) => string;
  readonly summary: (least: string, numbers: string, growing: number, all: number) => string;
  readonly data: readonly string[];
}

export type Column = 'model' | 'state' | 'cost' | 'parameters' | 'forms' | 'forgets' | 'overwrites';

const both: EnglishFirst<RegistryWords> = {
  en: {
    heading: 'What sixteen models carry from token to token',
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
    },
    sortBy: (column) => `Sort by: ${column}`,
    yes: 'yes',
    no: 'no',
    grows: 'grows',
    forms: { parallel: 'parallel', recurrent: 'recurrent', chunked: 'chunked' },
    paper: (title) => `Paper: ${title}`,
    note: '“Multiply-adds a token” is the parallel form over all tokens, with its projections, divided by their number.',
    picture: 'Numbers that each model carries',
    numbers: (count) => `${count} numbers`,
    caption: (n, dModel, heads) =>
      `One layer of width ${dModel} with ${heads} ${heads === 1 ? 'head' : 'heads'}, other parameters as registered, after ${n} tokens.`,
    summary: (least, numbers, growing, all) =>
      `${growing} of ${all} have no state of one size: what they carry grows with the text. The smallest state is that of ${least}, ${numbers} numbers.`,
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
    ],
  },
};

export const words = orEnglish(both);
