/** Words of the figures on learning: descent, support vectors, wide networks, deep kernels. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { LearningFigures } from './learning/en.ts';

export const learningWords: LazyWords<LearningFigures> = lazyWords({
  en: () => import('./learning/en.ts'),
});
