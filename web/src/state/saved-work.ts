/**
 * Work kept in the browser. Storage can be denied (private windows, third-party frames), full or
 * broken; none of that may stop a page, so every call answers with a reason instead of throwing.
 */

import { createStore, del, get, keys, set, type UseStore } from 'idb-keyval';
import type { Wording } from '#client/phrases';
import { inWords } from '../strings/problem.ts';
import { say } from './phrases.ts';

export type Saved<T> =
  | { readonly ok: true; readonly value: T }
  /** The reason is a sentence to show, in the page's language. */
  | { readonly ok: false; readonly reason: string };

export interface SavedWork {
  /** Saves any value that structured clone can copy. */
  save(key: string, value: unknown): Promise<Saved<undefined>>;
  /** `value` is undefined when nothing was saved under this key. */
  load(key: string): Promise<Saved<unknown>>;
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

export function savedWork(backend: SavedBackend = indexedDbBackend()): SavedWork {
  return {
    save: (key, value) => attempt(async () => void (await backend.set(key, value))),
    load: (key) => attempt(() => backend.get(key)),
    remove: (key) => attempt(async () => void (await backend.del(key))),
    keys: () =>
      attempt(async () => (await backend.keys()).filter((key) => typeof key === 'string')),
  };
}

function indexedDbBackend(): SavedBackend {
  let store: UseStore | undefined;
  // The database is opened at its first use, because merely reading `indexedDB` throws where storage is denied.
  const open = (): UseStore => {
    store ??= createStore('attention-labs', 'work');
    return store;
  };
  return {
    get: async (key) => get(key, open()),
    set: async (key, value) => set(key, value, open()),
    del: async (key) => del(key, open()),
    keys: async () => keys(open()),
  };
}

async function attempt<T>(work: () => Promise<T>): Promise<Saved<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const value = await Promise.race([
      work(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new DOMException('no answer', 'TimeoutError')),
          PATIENCE_MS,
        );
      }),
    ]);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, reason: inWords(reasonFor(error)) };
  } finally {
    clearTimeout(timer);
  }
}

function reasonFor(error: unknown): Wording {
  const name = error instanceof Error ? error.name : '';
  switch (name) {
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
