/**
 * The languages of the site. A language is a build: the page at `/de/` is another page than the one at `/`, and has
 * the words of its language only (`plugins/one-language.ts`).
 */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type LanguageId = keyof typeof languages;

/** What the link to a language says to a visitor whose browser asks for it. */
export const invitations: Readonly<Record<LanguageId, string>> = {
  en: 'In English',
  de: 'Auf Deutsch',
};

/** By the build: web/vite.config.ts. Tests that run without one speak English. */
declare const __LANGUAGE__: LanguageId;

/** The page's language. */
export const language: LanguageId = typeof __LANGUAGE__ === 'string' ? __LANGUAGE__ : 'en';

/** Words that are written in English first. Another language has them all, or its key is not there yet. */
export type EnglishFirst<T> = { readonly en: T } & {
  readonly [L in Exclude<LanguageId, 'en'>]?: T;
};

/** The words of a page in language `id`: the English ones until its own are there. A built page has no others. */
export const orEnglish = <T>(words: EnglishFirst<T>, id: LanguageId = language): T =>
  words[id] ?? words.en;

/** The `lang` of what `orEnglish` gives, where that is not the page's own language. */
export const langOf = (
  words: EnglishFirst<unknown>,
  id: LanguageId = language,
): 'en' | undefined => (words[id] === undefined ? 'en' : undefined);

/** Picks the entry of the page's language. */
export const byLanguage = <T>(words: Readonly<Record<LanguageId, T>>): T => words[language];
