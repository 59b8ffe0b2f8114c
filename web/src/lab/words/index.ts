import { lazyWords } from '../../strings/lazy-words.ts';

/** What the shell says below the opening; one language of it, with the first move. */
export const shellWords = lazyWords({
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
});
