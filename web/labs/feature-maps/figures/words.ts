/** Words of the lab's own figures: one language, and before the figure. */
import { lazyWords } from '../../../src/strings/lazy-words.ts';

export const words = lazyWords({
  en: () => import('./words/en.ts'),
  de: () => import('./words/de.ts'),
});
