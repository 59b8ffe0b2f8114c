/**
 * Keeps work in the browser: in IndexedDB, and where that fails in `localStorage`. Either can be denied (private
 * windows, frames of other sites), full, silent or broken. None of that may stop a page, so every call answers within
 * seconds, with a reason instead of an error.
 */

import { createStore, del, get, keys, set, type UseStore } from 'idb-keyval';
import type { Wording } from '#client/phrases';
import { inWords } from '../strings/problem.ts';
import { type Journal, keeper } from './journal.ts';
import { besideNewer, isNewer, withoutSuffix } from './newer.ts';
import { say } from './phrases.ts';

export type Saved<T> =
  | { readonly ok: true; readonly value: T }
  /** The reason is a sentence to show, in the page's language. */
  | { readonly ok: false; readonly reason: string };

/** The value under a key. */
export type Loaded = Saved<unknown> & {
  /** A record that a newer version of this page wrote under this key. It is never changed. */
  readonly newer?: unknown;
};

export interface SavedWork {
  /** Saves any value that structured clone can copy. */
  save(key: string, value: unknown): Promise<Saved<undefined>>;
  /** `value` is undefined when nothing was saved under this key. */
  load(key: string): Promise<Loaded>;
  remove(key: string): Promise<Saved<undefined>>;
  keys(): Promise<Saved<readonly string[]>>;
}

/** The storage that `SavedWork` uses; a test passes one that fails. */
export interface SavedBackend {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  del(key: string): Promise<void>;
  keys(): Promise<readonly IDBValidKey[]>;
}

/** How long a request may take. A blocked database never answers, not even with an error. */
const PATIENCE_MS = 3000;
const IN_JOURNAL = 'attention-labs/kept/';

type Answer<T> = { readonly value: T } | { readonly error: unknown };

/** Makes a function that queries a store which may throw, reject or never answer. */
function patiently(): <T>(work: () => Promise<T>) => Promise<Answer<T>> {
  // After one query without an answer, later queries fail at once until an earlier one is answered.
  let silent = false;
  return async (work) => {
    const timeout = { error: new DOMException('no answer', 'TimeoutError') };
    if (silent) return timeout;
    const asked = (async () => ({ value: await work() }))().catch((error: unknown) => ({ error }));
    void asked.then(() => {
      silent = false;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<typeof timeout>((resolve) => {
      timer = setTimeout(() => {
        silent = true;
        resolve(timeout);
      }, PATIENCE_MS);
    });
    const answer = await Promise.race([asked, tooLong]);
    clearTimeout(timer);
    return answer;
  };
}

/**
 * Makes the storage. `journal` stores what `backend` refuses; without a journal such data is not stored. A record in
 * the journal was written when the backend failed, so it is the newest until the backend stores that record again.
 */
export function savedWork(
  backend: SavedBackend = indexedDbBackend(),
  journal?: Journal,
): SavedWork {
  const ask = patiently();
  const done: Saved<undefined> = { ok: true, value: undefined };
  const refused = (error: unknown) => ({ ok: false, reason: inWords(reasonFor(error)) }) as const;

  /** Matrices are not written to the journal: they are not JSON, and too large. */
  const toJournal = (key: string, value: unknown): boolean => {
    let text: string | undefined;
    try {
      text = JSON.stringify(value, (_, part: unknown) => {
        if (ArrayBuffer.isView(part) || part instanceof Blob) throw new TypeError('not JSON');
        return part;
      });
    } catch {
      return false;
    }
    return text !== undefined && (journal?.set(IN_JOURNAL + key, text) ?? false);
  };
  const inJournal = (key: string): unknown => {
    try {
      return JSON.parse(journal?.get(IN_JOURNAL + key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  };
  let usable: boolean | undefined;
  /** Whether the backend is denied or missing. It then holds no records, and the journal is the whole storage. */
  const journalAlone = (error: unknown): boolean => {
    if (nameOf(error) === 'TimeoutError') return false;
    usable ??= journal?.set(`${IN_JOURNAL}?`, '0') ?? false;
    journal?.remove(`${IN_JOURNAL}?`);
    return usable;
  };
  /** The key under which this version keeps its own record. */
  const placeOf = (key: string, inBackend: Answer<unknown>): string => {
    const newer = ('value' in inBackend && isNewer(inBackend.value)) || isNewer(inJournal(key));
    return newer ? besideNewer(key) : key;
  };

  return {
    async save(key, value) {
      // A record that cannot be read is not overwritten, because it may be from a newer version.
      const there = await ask(() => backend.get(key));
      const place = placeOf(key, there);
      const answer = 'error' in there ? there : await ask(() => backend.set(place, value));
      if (!('error' in answer)) {
        journal?.remove(IN_JOURNAL + place);
        return done;
      }
      return toJournal(place, value) ? done : refused(answer.error);
    },

    async load(key) {
      const answer = await ask(() => backend.get(key));
      const [stored, noted] = ['value' in answer ? answer.value : undefined, inJournal(key)];
      const newer = [stored, noted].find(isNewer);
      if (newer !== undefined) {
        const place = besideNewer(key);
        const own = await ask(() => backend.get(place));
        const mine = [inJournal(place), 'value' in own ? own.value : undefined, noted, stored];
        const value = mine.find((one) => one !== undefined && !isNewer(one));
        return { ok: true, value, newer };
      }
      if (noted !== undefined) return { ok: true, value: noted };
      if ('error' in answer && !journalAlone(answer.error)) return refused(answer.error);
      return { ok: true, value: stored };
    },

    async remove(key) {
      const there = await ask(() => backend.get(key));
      const place = placeOf(key, there);
      journal?.remove(IN_JOURNAL + place);
      const answer = 'error' in there ? there : await ask(() => backend.del(place));
      return 'error' in answer && !journalAlone(answer.error) ? refused(answer.error) : done;
    },

    async keys() {
      const answer = await ask(() => backend.keys());
      const noted = (journal?.names(IN_JOURNAL) ?? []).map((name) => name.slice(IN_JOURNAL.length));
      if ('error' in answer && noted.length === 0 && !journalAlone(answer.error)) {
        return refused(answer.error);
      }
      const stored = 'value' in answer ? answer.value : [];
      const all = [...stored.filter((key) => typeof key === 'string'), ...noted];
      return { ok: true, value: [...new Set(all.map(withoutSuffix))] };
    },
  };
}

export function indexedDbBackend(): SavedBackend {
  let store: UseStore | undefined;
  // The database is opened at its first use, because merely reading `indexedDB` throws where storage is denied.
  const open = (): UseStore => {
    store ??= createStore(`attention-labs${keeper}`, 'work');
    return store;
  };
  return {
    get: async (key) => get(key, open()),
    set: async (key, value) => set(key, value, open()),
    del: async (key) => del(key, open()),
    keys: async () => keys(open()),
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

function reasonFor(error: unknown): Wording {
  switch (nameOf(error)) {
    case 'QuotaExceededError':
      return say('storage_full');
    case 'TimeoutError':
      return say('storage_silent');
    case 'DataCloneError':
      return say('storage_cannot_copy');
    default:
      return say('storage_denied');
  }
}
