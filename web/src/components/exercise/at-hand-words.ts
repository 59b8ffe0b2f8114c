import { byLanguage } from '../../strings/language.ts';

const en = {
  title: (language: string) => `What you have in ${language}`,
  takes: 'Your function takes',
  search: 'Search',
  found: (fit: number, of: number) => `${fit} of ${of} lines fit.`,
  loading: 'Loading the list …',
  failed: (why: string) => `The list could not be loaded: ${why}`,
  /** The lines themselves are English everywhere. */
  english: '',
};

const de: typeof en = {
  title: (language) => `Was du in ${language} hast`,
  takes: 'Deine Funktion nimmt',
  search: 'Suche',
  found: (fit, of) => `${fit} von ${of} Zeilen passen.`,
  loading: 'Die Liste wird geladen …',
  failed: (why) => `Die Liste konnte nicht geladen werden: ${why}`,
  english: 'Die Zeilen gibt es vorerst nur auf Englisch.',
};

export const atHandWords = byLanguage({ en, de });
