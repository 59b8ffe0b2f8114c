import { lazyWords } from '../../strings/lazy-words.ts';

/** The words of the shell below the opening, in the page's language; loaded with the visitor's first move. */
export const shellWords = lazyWords({
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
});
