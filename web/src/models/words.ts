import { type EnglishFirst, orEnglish } from '../strings/language.ts';

const english = {
  missing: 'The book could not be loaded. Try again when the network is back.',
};

const both: EnglishFirst<typeof english> = { en: english };
export const modelWords = orEnglish(both);
