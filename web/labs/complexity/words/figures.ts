/** Words of the figures below the opening, in the page's language only. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { Figures } from './figures/en.ts';

export const figureWords: LazyWords<Figures> = lazyWords({
  en: () => import('./figures/en.ts'),
  de: () => import('./figures/de.ts'),
});
