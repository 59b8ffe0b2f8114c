/** Words of a part that is loaded when it is needed: one language of them, and before the part. */
import { type LanguageId, language } from './language.ts';

export interface LazyWords<T> {
  /** The words, once `with` has let a part through. */
  readonly now: T;
  /** Fetches the words, then the part. */
  with<M>(part: () => Promise<M>): Promise<M>;
}

/** A top-level await would do, but WebKit does not wait for one that two parts share (bug 242740). */
export function lazyWords<T>(
  by: Readonly<Record<LanguageId, () => Promise<{ readonly words: T }>>>,
): LazyWords<T> {
  let loading: Promise<void> | undefined;
  let loaded: { readonly words: T } | undefined;
  return {
    get now() {
      if (!loaded) throw new Error('these words are not loaded: load the part through with()');
      return loaded.words;
    },
    async with(part) {
      loading ??= by[language]().then((module) => {
        loaded = module;
      });
      try {
        await loading;
      } catch (error) {
        // The next visit may find the network again.
        loading = undefined;
        throw error;
      }
      return part();
    },
  };
}
