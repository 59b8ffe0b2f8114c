import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

interface ChangeWords {
  readonly equal: string;
  readonly all: string;
  readonly fixed: string;
}

const both: EnglishFirst<ChangeWords> = {
  en: {
    equal: 'the same filter',
    all: 'another filter',
    fixed: 'fixed',
  },
};

export const words = orEnglish(both);
