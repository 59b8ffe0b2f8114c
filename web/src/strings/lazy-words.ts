/**
 * The words of a part of the page that is loaded when it is needed: only those of the page's language
 * (of English, while that language has none), and before the part itself.
 */
import { type EnglishFirst, langOf, orEnglish } from './language.ts';

export interface LazyWords<T> {
  /** The words, once `with` has let a part through. */
  readonly now: T;
  /** Their `lang`, where they are not in the page's language yet. */
  readonly lang: 'en' | undefined;
  /** Fetches the words, then the part. */
  with<M>(part: () => Promise<M>): Promise<M>;
}

/**
 * A top-level `await` in the part would be shorter, but WebKit loses modules that wait when two
 * `import()`s reach them at once (bug 242740).
 */
export function lazyWords<T>(by: EnglishFirst<() => Promise<{ readonly words: T }>>): LazyWords<T> {
  let loading: Promise<void> | undefined;
  let loaded: { readonly words: T } | undefined;
  return {
    lang: langOf(by),
    get now() {
      if (!loaded) throw new Error('these words are not loaded: load the part through with()');
      return loaded.words;
    },
    async with(part) {
      loading ??= orEnglish(by)().then((module) => {
        loaded = module;
      });
      try {
        await loading;
      } catch (error) {
        // The next attempt tries again: the network may be back by then.
        loading = undefined;
        throw error;
      }
      return part();
    },
  };
}
