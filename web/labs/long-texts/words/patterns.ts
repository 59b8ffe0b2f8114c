/** Words of the figures about patterns. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { Figures } from './patterns/en.ts';

export const figureWords: LazyWords<Figures> = lazyWords({
  en: () => import('./patterns/en.ts'),
});
