/** Words of the figures about what a trained model uses. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { UseWords } from './use/en.ts';

export const useWords: LazyWords<UseWords> = lazyWords({
  en: () => import('./use/en.ts'),
});
