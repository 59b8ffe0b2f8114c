/** Words of the figure in which heads grow. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { GrowthFigure } from './growth/en.ts';

export const growthWords: LazyWords<GrowthFigure> = lazyWords({
  en: () => import('./growth/en.ts'),
});
