/** The words of the lab's own figures, in the page's language; they are loaded before the figure. */
import { lazyWords } from '../../../src/strings/lazy-words.ts';

export const words = lazyWords({
  en: () => import('./words/en.ts'),
  de: () => import('./words/de.ts'),
});
