import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const en = {
  missing: 'The book could not be loaded. Try again when the network is back.',
};

const both = { en } satisfies EnglishFirst<typeof en>;
export const sharedWords = orEnglish(both);
