/**
 * The journal: `localStorage`, to which a page can write at once. It may be missing, denied or full at every access,
 * so nothing here throws.
 */
import { besideNewer, isNewer } from './newer.ts';

export interface Journal {
  get(name: string): string | undefined;
  /** Stores a text; returns whether it was stored. */
  set(name: string, value: string): boolean;
  remove(name: string): void;
  names(prefix: string): readonly string[];
}

/**
 * Makes a journal. `storage` is called at every access, because it may throw. A test passes its own.
 * @param drawer what all names in that storage begin with
 */
export function journalOf(
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> | undefined,
  drawer = '',
): Journal {
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    get: (name) => attempt(() => storage()?.getItem(drawer + name) ?? undefined, undefined),
    set: (name, value) =>
      attempt(() => {
        const kept = storage();
        kept?.setItem(drawer + name, value);
        return kept?.getItem(drawer + name) === value;
      }, false),
    remove: (name) => attempt(() => storage()?.removeItem(drawer + name), undefined),
    names: (prefix) =>
      attempt(() => {
        const kept = storage();
        const all = Array.from({ length: kept?.length ?? 0 }, (_, i) => kept?.key(i));
        return all.flatMap((name) =>
          name?.startsWith(drawer + prefix) ? [name.slice(drawer.length)] : [],
        );
      }, [] as string[]),
  };
}

/** In a learning system all students of a browser share one storage, so a package names each one's drawer (`keeper=`). */
export const keeper: string = (() => {
  const key = 'attention-labs-keeper';
  try {
    const asked = new URLSearchParams(location.search).get('keeper') ?? '';
    // Other pages of the package have no such link.
    if (asked) sessionStorage.setItem(key, asked);
    return sessionStorage.getItem(key) ?? '';
  } catch {
    // Without storage nothing is shared either.
    return '';
  }
})();

/** The journal in the browser's own `localStorage`. */
export const journal: Journal = journalOf(() => globalThis.localStorage, keeper);

/** Parses JSON; returns undefined for any other text. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A record in the journal. `newer` is a record that only a newer version of this page can read. */
export interface Note {
  readonly value: unknown;
  readonly newer: unknown;
}

export function readNote(journal: Journal, name: string): Note {
  const found = parsed(journal.get(name));
  if (!isNewer(found)) return { value: found, newer: undefined };
  return { value: parsed(journal.get(besideNewer(name))), newer: found };
}

const placeOf = (journal: Journal, name: string): string =>
  isNewer(parsed(journal.get(name))) ? besideNewer(name) : name;

/** Writes a record as JSON; returns whether it was stored. */
export const writeNote = (journal: Journal, name: string, value: unknown): boolean =>
  journal.set(placeOf(journal, name), JSON.stringify(value));

export const removeNote = (journal: Journal, name: string): void =>
  journal.remove(placeOf(journal, name));
