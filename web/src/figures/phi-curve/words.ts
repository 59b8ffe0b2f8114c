import { lazyWords } from '../../strings/lazy-words.ts';

export const words = lazyWords({
  en: () => import('./words/en.ts'),
  de: () => import('./words/de.ts'),
});
