/**
 * The browser's facilities that keep work: storage, the journal, a channel between tabs, and locks. Each may be
 * missing, throw when it is touched, refuse or never answer, in a frame of another site all of them at once. Here
 * is the one place that knows; whoever keeps something is given what is left.
 */
import { type Journal, journal } from './journal.ts';
import { indexedDbBackend, type SavedWork, savedWork } from './saved-work.ts';

/** Tells other tabs of this site something. */
export interface Channel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

/** What a test replaces. */
export interface PageHost {
  readonly storage: SavedWork;
  /** Written at once, for a page that is being closed, when the storage would be too late. */
  readonly journal?: Journal;
  readonly channel?: Channel;
  /** Runs an action in one tab at a time, where the browser can do that. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
  /** Different in every tab. */
  readonly tab: string;
  readonly now: () => Date;
}

let storage: SavedWork | undefined;

/** The storage of this page; all share it, so that a silent database is waited for only once. */
export function pageStorage(): SavedWork {
  storage ??= savedWork(indexedDbBackend(), journal);
  return storage;
}

/** @param name of the channel and the lock. */
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

/** Tabs without a channel learn of each other when they are looked at again. */
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
      // The other tabs are not told; they read again when they are looked at.
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

/** Longer than another tab holds the lock: what it does under it ends within seconds. */
const LOCK_MS = 5000;

/** One action at a time in this tab, and in all tabs where the browser's locks answer. */
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
        // A refusal ends without the action: then it goes on without the lock.
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
