/**
 * The words of the interface that the first picture does not need, in the page's language. Only modules that come after
 * it may import them: the first load has no room for more.
 */
import { words as german } from './de/later.ts';
import { words as english } from './en/later.ts';
import { byLanguage } from './language.ts';
import type { Words } from './words-type.ts';

export type LaterWords = Words<typeof english>;

export const laterWords = byLanguage<LaterWords>({ en: english, de: german });
