/** Which language the page speaks: what the link asks for, else what was chosen, else the browser's. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type LanguageId = keyof typeof languages;

export const LANGUAGE_KEY = 'attention-labs-language';

const known = (tag: string | null | undefined): LanguageId | undefined => {
  const id = tag?.toLowerCase().split('-')[0];
  return id && id in languages ? (id as LanguageId) : undefined;
};

export function chooseLanguage(
  search: string,
  stored: string | null,
  preferred: readonly string[],
): LanguageId {
  const asked = known(new URLSearchParams(search).get('lang')) ?? known(stored);
  return asked ?? preferred.map(known).find((id) => id !== undefined) ?? 'en';
}

function stored(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

/** Fixed as long as the page lives: choosing another loads it anew. */
export const language: LanguageId =
  typeof location === 'undefined' || typeof document === 'undefined'
    ? 'en'
    : chooseLanguage(location.search, stored(), navigator.languages);
