import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const en = {
  missing: 'The book could not be loaded. Try again when the network is back.',
};

const both: EnglishFirst<typeof en> = { en };
export const sharedWords = orEnglish(both);
