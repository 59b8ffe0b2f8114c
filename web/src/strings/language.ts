/**
 * Which language the page speaks: what the link asks for, else what was chosen, else the browser's.
 * `public/theme.js` finds out before the first paint and says it as the page's `lang`.
 */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type LanguageId = keyof typeof languages;

/** Where a choice is kept; theme.js reads it. */
export const LANGUAGE_KEY = 'attention-labs-language';

const tag = typeof document === 'undefined' ? '' : document.documentElement.lang;

/** The language never changes while a page is open: choosing another one loads the page again. */
export const language: LanguageId = tag in languages ? (tag as LanguageId) : 'en';

/** Words that are written in English first. Another language has them all, or its key is not there yet. */
export type EnglishFirst<T> = { readonly en: T } & {
  readonly [L in Exclude<LanguageId, 'en'>]?: T;
};

/** The words that a page in language `id` shows: the English ones until its own are there. */
export const orEnglish = <T>(words: EnglishFirst<T>, id: LanguageId = language): T =>
  words[id] ?? words.en;

/** The `lang` of what `orEnglish` gives, where that is not the page's own language. */
export const langOf = (
  words: EnglishFirst<unknown>,
  id: LanguageId = language,
): 'en' | undefined => (words[id] === undefined ? 'en' : undefined);

/** Picks the entry of the page's language. */
export const byLanguage = <T>(words: Readonly<Record<LanguageId, T>>): T => words[language];
