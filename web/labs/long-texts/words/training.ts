/** Words of the figures about memory in training, and about which attention to use when. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { TrainingWords } from './training/en.ts';

export const trainingWords: LazyWords<TrainingWords> = lazyWords({
  en: () => import('./training/en.ts'),
});
