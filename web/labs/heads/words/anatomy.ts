/** Words of the figures on the anatomy of a layer. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { AnatomyFigures } from './anatomy/en.ts';

export const anatomyWords: LazyWords<AnatomyFigures> = lazyWords({
  en: () => import('./anatomy/en.ts'),
});
