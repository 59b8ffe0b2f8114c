/** What a list of exercises says of each, in the page's language. */
import { lazyWords } from '../strings/lazy-words.ts';

export interface ListedExercise {
  readonly id: string;
  readonly lab: 'complexity' | 'kernel-trick' | 'feature-maps' | 'attention' | 'linear-attention';
  readonly order: number;
  readonly title: string;
  readonly summary: string;
}

/** By their order in their labs. */
export const exerciseList = lazyWords<readonly ListedExercise[]>({
  en: async () => ({ words: (await import('virtual:exercises/en')).list }),
  de: async () => ({ words: (await import('virtual:exercises/de')).list }),
});
