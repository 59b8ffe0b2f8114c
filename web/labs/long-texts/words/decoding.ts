/** Words of the figures about decoding: caches, smaller caches, and two models for one text. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { Decoding } from './decoding/en.ts';

export const decodingWords: LazyWords<Decoding> = lazyWords({
  en: () => import('./decoding/en.ts'),
});
