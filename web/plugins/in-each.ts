/** Words in a page's markup, in every language: the style sheet shows those of the page's. */
import { type LanguageId, languages } from '../src/strings/language.ts';

const ids = Object.keys(languages) as LanguageId[];

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

export function inEach(words: (id: LanguageId) => string): string {
  const all = ids.map((id) => [id, escapeHtml(words(id))] as const);
  if (new Set(all.map(([, text]) => text)).size === 1) return all[0]?.[1] ?? '';
  return all.map(([id, text]) => `<span data-lang="${id}" lang="${id}">${text}</span>`).join('');
}
