/**
 * Which language the page speaks: what the link asks for, else what was chosen, else the browser's.
 * `public/theme.js` finds out before the first paint and says it as the page's `lang`.
 */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type LanguageId = keyof typeof languages;

/** Where a choice is kept; theme.js reads it. */
export const LANGUAGE_KEY = 'attention-labs-language';

const tag = typeof document === 'undefined' ? '' : document.documentElement.lang;

/** Fixed as long as the page lives: choosing another loads it anew. */
export const language: LanguageId = tag in languages ? (tag as LanguageId) : 'en';

/** For few words, that are worth no file of their own. */
export const byLanguage = <T>(words: Readonly<Record<LanguageId, T>>): T => words[language];
