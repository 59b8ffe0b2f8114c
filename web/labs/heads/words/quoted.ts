import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const english = {
  heading: 'Three sentences of the text, tried out',
  keys: 'keys of a row, all of them hidden',
  held: 'tokens in the cache',
  coming: 'tokens that come',
  columns: ['the text says', 'tried out'],
  masked: (keys: number, each: string, half: string) =>
    `A row of ${keys} hidden keys gives each of them the weight ${each}, where 0 is meant. In float16 the number is ${half}.`,
  cache: (capacity: number, held: number, coming: number, passes: boolean, what: string) =>
    `A cache for ${capacity} holds ${held}, and ${coming} come: the line ${passes ? 'lets them pass' : 'refuses them'}. The cache itself says: ${what}`,
  fits: 'they fit.',
  heads: (named: number, all: number, roles: string) =>
    `Of the reader’s ${all} heads ${named} beat their baseline on new text: ${roles}. None of these names stands for grammar; step 3 puts that to the test.`,
  roles: {
    previousToken: 'previous token',
    currentToken: 'current token',
    firstToken: 'first token',
    duplicateToken: 'same token',
    induction: 'induction',
    none: 'none',
  },
  count: (role: string, count: number) => `${role} ${count}`,
  result: (each: string, passes: boolean, fits: boolean) =>
    `A hidden key gets *${each}*; the line about the cache is ${passes === fits ? 'right here' : '*wrong here*'}.`,
  numbers: { each: 'weight of a hidden key' },
  caption: (capacity: number) =>
    `Softmax and cache of this site’s core; a cache for ${capacity} tokens; names of heads from the log of the reader’s training. Strips: the weights of the hidden keys, where the height is all of a row; the places of the cache, grey what is there and coloured what comes, hatched where no place is left; the heads, grey those with a name.`,
};

const both: EnglishFirst<typeof english> = { en: english };
export const words = orEnglish(both);
