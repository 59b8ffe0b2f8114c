/** Words of the figures below the opening, in the page's language only. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { Figures } from './en.ts';

export const figureWords: LazyWords<Figures> = lazyWords({
  en: async () => ({ words: (await import('./en.ts')).figures }),
  de: async () => ({ words: (await import('./de.ts')).figures }),
});
