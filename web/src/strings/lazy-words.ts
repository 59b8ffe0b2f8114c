/** Words of a part that is loaded when it is needed: one language of them, and before the part. */
import { type LanguageId, language } from './language.ts';
import { translation } from './translation.ts';

export interface LazyWords<T> {
  /** The words, once `with` has let a part through. */
  readonly now: T;
  /** Fetches the words, then the part. */
  with<M>(part: () => Promise<M>): Promise<M>;
}

let pack: Promise<void> | undefined;

/**
 * The interface's words that the first view does without, where they are a script beside the first
 * (web/plugins/words.ts). English has them in the modules that say them.
 */
function interfaceWords(): Promise<void> {
  const src =
    translation &&
    !translation.later &&
    document.querySelector<HTMLScriptElement>('script[src$="theme.js"]')?.dataset[
      `${language}Later`
    ];
  if (!src) return Promise.resolve();
  pack ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.onload = () => resolve();
    script.onerror = () => {
      pack = undefined;
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
    script.src = src;
    document.head.append(script);
  });
  return pack;
}

/** A part that says what `later.ts`, `exercises.ts` or `problem.ts` hold: their words come before it. */
export const withLater = async <M>(part: () => Promise<M>): Promise<M> => {
  await interfaceWords();
  return part();
};

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
      loading ??= Promise.all([by[language](), interfaceWords()]).then(([module]) => {
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
