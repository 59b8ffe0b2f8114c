/** Words of the figure in which a head gets another map. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { SwapFigure } from './swap/en.ts';

export const swapWords: LazyWords<SwapFigure> = lazyWords({
  en: () => import('./swap/en.ts'),
});
