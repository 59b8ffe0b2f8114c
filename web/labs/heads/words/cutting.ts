/** Words of the figure in which heads are cut. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { CuttingFigure } from './cutting/en.ts';

export const cuttingWords: LazyWords<CuttingFigure> = lazyWords({
  en: () => import('./cutting/en.ts'),
});
