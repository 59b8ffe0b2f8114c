/** Words of the figures on what may be called a head's meaning. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { MeaningFigures } from './meaning/en.ts';

export const meaningWords: LazyWords<MeaningFigures> = lazyWords({
  en: () => import('./meaning/en.ts'),
});
