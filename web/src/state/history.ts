/**
 * The address bar follows the state: a drag rewrites the current entry, a commit adds one, so that
 * Back undoes one gesture at a time.
 */

/** The parts of `window` that are used; a test passes its own. */
export interface HistoryHost {
  /** What else an entry holds (the reader's place, lab/page/place.ts) stays in it. */
  readonly history: Pick<History, 'replaceState' | 'pushState'> & { readonly state?: unknown };
  readonly location: Pick<Location, 'pathname' | 'search' | 'hash'>;
  addEventListener(type: 'popstate', listener: () => void): void;
  removeEventListener(type: 'popstate', listener: () => void): void;
}

export interface UrlHistory {
  /** Shows a state that is still changing (a slider being dragged). */
  draft(search: string): void;
  /** The gesture ended here: Back returns to the state before it. */
  commit(search: string): void;
  /** Called with the query string after Back or Forward. Returns how to stop. */
  onChange(listener: (search: string) => void): () => void;
  dispose(): void;
}

/** Safari refuses more than 100 history changes in 30 s. */
const MIN_DRAFT_INTERVAL_MS = 350;

export function urlHistory(host: HistoryHost = window): UrlHistory {
  const listeners = new Set<(search: string) => void>();
  let committed = host.location.search;
  let shown = committed;
  let waiting: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const address = (search: string): string =>
    `${host.location.pathname}${search}${host.location.hash}`;

  function show(search: string): void {
    if (search === shown) return;
    host.history.replaceState(host.history.state ?? null, '', address(search));
    shown = search;
  }

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    waiting = undefined;
  }

  function startInterval(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (waiting === undefined) return;
      show(waiting);
      waiting = undefined;
      startInterval();
    }, MIN_DRAFT_INTERVAL_MS);
  }

  function onPopState(): void {
    stopWaiting();
    committed = host.location.search;
    shown = committed;
    for (const listener of listeners) listener(committed);
  }
  host.addEventListener('popstate', onPopState);

  return {
    draft(search) {
      if (timer !== undefined) {
        waiting = search;
        return;
      }
      show(search);
      startInterval();
    },
    commit(search) {
      stopWaiting();
      // The drafts have overwritten the entry that the gesture started from. This call restores its state; otherwise
      // Back would lead into the middle of the drag.
      show(committed);
      if (search === committed) return;
      host.history.pushState(host.history.state ?? null, '', address(search));
      committed = search;
      shown = search;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      stopWaiting();
      listeners.clear();
      host.removeEventListener('popstate', onPopState);
    },
  };
}
