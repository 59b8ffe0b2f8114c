/** Words of the figures that count memory. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { MemoryWords } from './memory/en.ts';

export const memoryWords: LazyWords<MemoryWords> = lazyWords({
  en: () => import('./memory/en.ts'),
});
