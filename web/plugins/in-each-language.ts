/** Writes words into a page's markup in every language; `one-language.ts` leaves those of the page's own. */
import type { LabWords } from '../src/lab/types.ts';
import { englishForNow } from '../src/strings/english-for-now.ts';
import { type EnglishFirst, type LanguageId, langOf, languages } from '../src/strings/language.ts';

const ids = Object.keys(languages) as LanguageId[];

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** A language for which `words` returns undefined shows the English, marked as such with `lang`. */
export function inEach(words: (id: LanguageId) => string | undefined): string {
  const english = words('en') ?? '';
  const all = ids.map((id) => {
    const own = words(id);
    return { id, lang: own === undefined ? 'en' : id, text: escapeHtml(own ?? english) };
  });
  if (all.every(({ lang }) => lang === 'en'))
    return `<span lang="en">${escapeHtml(english)}</span>`;
  if (all.every(({ id, lang, text }) => id === lang && text === escapeHtml(english))) {
    return escapeHtml(english);
  }
  return all
    .map(({ id, lang, text }) => `<span data-lang="${id}" lang="${lang}">${text}</span>`)
    .join('');
}

/** A remark for the pages in those languages that `words` lacks. */
export const whereEnglish = (
  words: EnglishFirst<unknown>,
  remark: (said: (typeof englishForNow)[keyof typeof englishForNow]) => string,
): string =>
  Object.entries(englishForNow)
    .filter(([id]) => langOf(words, id as LanguageId) !== undefined)
    .map(([id, said]) => `<span data-lang="${id}" lang="${id}">${escapeHtml(remark(said))}</span>`)
    .join('');

/** A line of an English page that stands in the site of another language, in that language (`one-language.ts`). */
export const whereElsewhere = (
  words: EnglishFirst<unknown>,
  line: (said: (typeof englishForNow)[keyof typeof englishForNow]) => string,
): string =>
  Object.entries(englishForNow)
    .filter(([id]) => langOf(words, id as LanguageId) !== undefined)
    .map(
      ([id, said]) =>
        `<p class="fine english-for-now" data-site="${id}" lang="${id}">${escapeHtml(line(said))}</p>`,
    )
    .join('');

/** Marks the language switch of a page that some languages have in English for now. */
export const switchOf = (words: EnglishFirst<unknown>): string => {
  const lacks = ids.filter((id) => id !== 'en' && words[id] === undefined).join(' ');
  return `<attn-language-switch${lacks && ` data-lacks="${lacks}"`}></attn-language-switch>`;
};

/** A remark for the pages in those languages whose words lack parts. */
export const whereEnglishInPart = (words: EnglishFirst<LabWords>, attributes: string): string =>
  Object.entries(englishForNow)
    .filter(([id]) => words[id as LanguageId]?.inEnglish)
    .map(
      ([id, { parts }]) =>
        `<p${attributes} data-lang="${id}" lang="${id}">${escapeHtml(parts)}</p>`,
    )
    .join('');
