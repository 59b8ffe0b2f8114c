/** Words of the figures below the opening. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { Figures } from './figures/en.ts';

export const figureWords: LazyWords<Figures> = lazyWords({
  en: () => import('./figures/en.ts'),
});
