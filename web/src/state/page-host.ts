/**
 * The browser's facilities that keep work: storage, the journal, a channel between tabs, and locks. Each may be
 * missing, throw when it is accessed, refuse or never answer, and in a frame of another site all of them may do so at
 * once. Only this module handles these cases; other code receives the facilities that work.
 */
import { type Journal, journal } from './journal.ts';
import { indexedDbBackend, type SavedWork, savedWork } from './saved-work.ts';

/** Sends messages to other tabs of this site. */
export interface Channel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

/** The facilities that a test replaces. */
export interface PageHost {
  readonly storage: SavedWork;
  /** A store that is written at once, for a page that is being closed, when the storage would be too late. */
  readonly journal?: Journal;
  readonly channel?: Channel;
  /** Runs an action in one tab at a time, where the browser supports that. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
  /** An id that is different in every tab. */
  readonly tab: string;
  readonly now: () => Date;
}

let storage: SavedWork | undefined;

/** The storage of this page. All parts of the page share it, so that a silent database is waited for only once. */
export function pageStorage(): SavedWork {
  storage ??= savedWork(indexedDbBackend(), journal);
  return storage;
}

/** @param name the name of the channel and of the lock */
export function pageHost(name: string): PageHost {
  const channel = openChannel(name);
  return {
    storage: pageStorage(),
    journal,
    ...(channel ? { channel } : {}),
    locked: lockedBy(name),
    tab: Math.random().toString(36).slice(2),
    now: () => new Date(),
  };
}

/** Opens the channel. Tabs without a channel read the storage again when they become visible. */
function openChannel(name: string): Channel | undefined {
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    return undefined;
  }
  const quietly = (act: () => void): void => {
    try {
      act();
    } catch {
      // The other tabs get no message; they read the storage again when they become visible.
    }
  };
  return {
    get onmessage() {
      return channel.onmessage;
    },
    set onmessage(listener) {
      quietly(() => {
        channel.onmessage = listener;
      });
    },
    postMessage: (data) => quietly(() => channel.postMessage(data)),
    close: () => quietly(() => channel.close()),
  };
}

/**
 * How long to wait for the lock. Another tab holds it for less time, because its work under the lock ends within
 * seconds.
 */
const LOCK_MS = 5000;

/** Makes a lock: one action runs at a time in this tab, and in all tabs where the browser's locks answer. */
export function lockedBy(name: string): PageHost['locked'] {
  let turn: Promise<unknown> = Promise.resolve();
  let silent = false;

  const underLock = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      let begun: Promise<unknown> | undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const begin = (): Promise<unknown> => {
        clearTimeout(timer);
        begun ??= (async () => work())().then(resolve, reject);
        return begun;
      };
      if (silent) {
        void begin();
        return;
      }
      timer = setTimeout(() => {
        silent = true;
        void begin();
      }, LOCK_MS);
      try {
        // When the browser refuses the lock, the action has not run, so it runs without the lock.
        Promise.resolve(
          navigator.locks.request(name, () => {
            silent = false;
            return begin();
          }),
        ).then(begin, begin);
      } catch {
        void begin();
      }
    });

  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(() => underLock(work));
    turn = done.catch(() => undefined);
    return done;
  };
}
