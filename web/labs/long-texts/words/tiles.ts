/** Words of the figures about tiles. */
import { type LazyWords, lazyWords } from '../../../src/strings/lazy-words.ts';
import type { TilesWords } from './tiles/en.ts';

export const tilesWords: LazyWords<TilesWords> = lazyWords({
  en: () => import('./tiles/en.ts'),
});
