/**
 * The facilities of a browser that keep work. Each can be made to fail in every way in which browsers fail. They
 * replace the globals, so that the tests run the same code as a page.
 */
import { vi } from 'vitest';

/** The ways in which a facility fails. */
export type Failure = 'missing' | 'access' | 'call' | 'reject' | 'hang';

export const failures = {
  indexedDB: ['missing', 'access', 'call', 'reject', 'hang'],
  /** The database opens, but cannot be written. */
  writing: ['call', 'reject', 'hang'],
  localStorage: ['missing', 'access', 'call'],
  locks: ['missing', 'access', 'call', 'reject', 'hang'],
  // A channel that hangs looks the same as a missing one, so that case is left out.
  BroadcastChannel: ['missing', 'access', 'call'],
} as const satisfies Record<string, readonly Failure[]>;

export type Facility = keyof typeof failures;
export type Failing = Partial<Record<Facility, Failure>>;

const denied = () => new DOMException('The operation is insecure.', 'SecurityError');

interface Listening {
  onsuccess?: (() => void) | null;
  onerror?: (() => void) | null;
  oncomplete?: (() => void) | null;
  onupgradeneeded?: (() => void) | null;
  result?: unknown;
  error?: unknown;
}

function answer(failure: Failure | undefined, result: () => unknown): Listening {
  if (failure === 'call') throw denied();
  const request: Listening = {};
  if (failure === 'hang') return request;
  queueMicrotask(() => {
    if (failure === 'reject') {
      request.error = denied();
      request.onerror?.();
      return;
    }
    request.result = result();
    request.onupgradeneeded?.();
    (request.onsuccess ?? request.oncomplete)?.();
  });
  return request;
}

/** A browser's disk, which exists longer than its pages. */
export class FakeBrowser {
  readonly database = new Map<string, unknown>();
  readonly texts = new Map<string, string>();
  failing: Failing = {};

  /** Installs the facilities, and returns the modules of a page that is opened with them. */
  async page() {
    const { failing } = this;
    const place = (name: string, failure: Failure | undefined, value: unknown): void => {
      vi.stubGlobal(name, undefined);
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => {
          if (failure === 'access') throw denied();
          return failure === 'missing' ? undefined : value;
        },
      });
    };
    place('indexedDB', failing.indexedDB, {
      open: () => answer(failing.indexedDB, () => this.opened()),
    });
    place('localStorage', failing.localStorage, this.storage());
    place('BroadcastChannel', failing.BroadcastChannel, channelClass(failing.BroadcastChannel));
    vi.stubGlobal('navigator', locksOf(failing.locks));
    vi.resetModules();
    const [{ Progress }, { LabRecords }, { pageHost }] = await Promise.all([
      import('../../web/src/exercises/kept-work'),
      import('../../web/src/lab/questions/answer-records'),
      import('../../web/src/state/page-host'),
    ]);
    return { progress: new Progress(), records: new LabRecords(), pageHost };
  }

  private opened() {
    const { failing, database } = this;
    const store = (): Record<string, unknown> => {
      const write = (act: () => void) => {
        if (failing.writing === 'call') throw denied();
        if (!failing.writing) act();
      };
      const made = {
        get: (key: string) => answer(undefined, () => structuredClone(database.get(key))),
        getAllKeys: () => answer(undefined, () => [...database.keys()]),
        put: (value: unknown, key: string) =>
          write(() => void database.set(key, structuredClone(value))),
        delete: (key: string) => write(() => void database.delete(key)),
        get transaction() {
          return answer(failing.writing, () => undefined);
        },
      };
      return made;
    };
    return { createObjectStore: () => undefined, transaction: () => ({ objectStore: store }) };
  }

  private storage() {
    const { failing, texts } = this;
    const guard = <T>(work: () => T): T => {
      if (failing.localStorage === 'call') throw denied();
      return work();
    };
    return {
      getItem: (name: string) => guard(() => texts.get(name) ?? null),
      setItem: (name: string, value: string) => guard(() => void texts.set(name, value)),
      removeItem: (name: string) => guard(() => void texts.delete(name)),
      key: (at: number) => guard(() => [...texts.keys()][at] ?? null),
      get length() {
        return guard(() => texts.size);
      },
    };
  }
}

const channelClass = (failure: Failure | undefined) =>
  class {
    constructor() {
      if (failure === 'call') throw denied();
    }
    set onmessage(_: unknown) {}
    postMessage(): void {
      // A channel throws this error after its frame was removed from the page.
      throw new DOMException('closed', 'InvalidStateError');
    }
    close(): void {}
  };

function locksOf(failure: Failure | undefined): object {
  const request = (_: string, work: () => Promise<unknown>): Promise<unknown> => {
    if (failure === 'call') throw denied();
    if (failure === 'reject') return Promise.reject(denied());
    if (failure === 'hang') return new Promise(() => undefined);
    return Promise.resolve().then(work);
  };
  return {
    get locks() {
      if (failure === 'access') throw denied();
      return failure === 'missing' ? undefined : { request };
    },
  };
}
