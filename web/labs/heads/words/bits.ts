import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const english = {
  cache: {
    heading: 'A cache of fewer bits, with channels that stand out',
    bits: 'Bits of a whole number',
    channels: 'channels that stand out',
    offset: 'how far they stand out',
    lines: {
      row: (bits: number) => `${bits} bits, scale by token`,
      column: (bits: number) => `${bits} bits, scale by channel`,
      float16: 'float16',
      bfloat16: 'bfloat16',
    },
    x: 'added to the keys of these channels',
    y: 'relative error of the output',
    here: 'here',
    result: (bits: number, channels: number, offset: string, row: string, column: string) =>
      `With ${bits} bits and ${channels} channels moved by ${offset}, a scale for each token leaves an error of *${row}*, one for each channel *${column}*.`,
    numbers: { row: 'error, a scale for each token', column: 'error, a scale for each channel' },
    columns: ['added', 'per token', 'per channel', 'float16', 'bfloat16'],
    sheetColumns: ['plus', 'token', 'channel', 'fp16', 'bf16'],
    bytes: 'bytes of the keys and values',
    sheet: (exact: string, row: string, column: string) =>
      `Keys and values of all tokens: ${exact} in float32, ${row} with scales for tokens, ${column} with scales for channels of the keys.`,
    caption: (n: number, d: number, channels: number, seed: number) =>
      `Gaussian queries, keys and values, n = ${n}, d = ${d}, causal; a constant is added to ${channels} channels of all keys, which changes no weight of exact attention. Values have a scale for each token in both lines. Seed ${seed}.`,
  },
  weights: {
    heading: 'A trained model with fewer bits',
    lines: { row: 'a scale for each output', column: 'a scale for each input' },
    x: 'bits of a weight',
    y: 'loss in nats a token',
    exact: 'as it is',
    sequences: 'sequences of text that are read',
    result: (exact: string, four: string, three: string, two: string) =>
      `The loss is ${exact}. With 4 bits it is *${four}*, with 3 *${three}*, with 2 *${two}*, each with a scale for each output.`,
    columns: ['weights', 'bytes', 'loss', 'more than exact'],
    rows: {
      float32: 'float32',
      float16: 'float16',
      bfloat16: 'bfloat16',
      row: (bits: number) => `${bits} bits, by output`,
      column: (bits: number) => `${bits} bits, by input`,
    },
    numbers: (bits: number) => `loss with ${bits} bits`,
    caption: (tokens: number, chapter: string) =>
      `The small causal model of this site on ${tokens} tokens of “${chapter}”, which its training never saw. All matrices are rounded, vectors are not. The file itself has 8 bits a weight, with a scale for each output, so that these 8 bits change nothing more.`,
  },
};

const both: EnglishFirst<typeof english> = { en: english };
export const words = orEnglish(both);
