/** What a page in another language says of a lab or an exercise that is still in English there. */
import { type LanguageId, language } from './language.ts';

interface EnglishForNow {
  readonly lab: string;
  /** Of a lab that lacks parts only. */
  readonly parts: string;
  readonly exercise: string;
  /** Beside its title in a list. */
  readonly short: string;
}

export const englishForNow: Readonly<Record<Exclude<LanguageId, 'en'>, EnglishForNow>> = {
  de: {
    lab: 'Dieses Lab gibt es vorerst nur auf Englisch.',
    parts: 'Teile dieses Labs gibt es vorerst nur auf Englisch.',
    exercise: 'Diese Übung gibt es vorerst nur auf Englisch.',
    short: 'vorerst auf Englisch',
  },
};

/** In the page's language; an English page has nothing to say. */
export const forNow: EnglishForNow | undefined =
  language === 'en' ? undefined : englishForNow[language];
