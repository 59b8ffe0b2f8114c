import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HistoryHost, urlHistory } from '../../web/src/state/history';

/** A browser tab: its history entries, the current one, and the number of writes. */
class Tab implements HistoryHost {
  entries = ['?start'];
  at = 0;
  writes = 0;
  private listeners = new Set<() => void>();

  get location() {
    return { pathname: '/lab/', search: this.entries[this.at] ?? '', hash: '#figure' };
  }
  readonly history = {
    replaceState: (_: unknown, __: string, url?: string | URL | null) => {
      this.writes++;
      this.entries[this.at] = this.query(url);
    },
    pushState: (_: unknown, __: string, url?: string | URL | null) => {
      this.writes++;
      this.entries.splice(++this.at, Infinity, this.query(url));
    },
  };
  addEventListener(_: 'popstate', listener: () => void) {
    this.listeners.add(listener);
  }
  removeEventListener(_: 'popstate', listener: () => void) {
    this.listeners.delete(listener);
  }
  go(step: number) {
    this.at += step;
    for (const listener of this.listeners) listener();
  }
  private query(url?: string | URL | null): string {
    const { pathname, search, hash } = new URL(String(url), 'http://localhost');
    expect(pathname + hash).toBe('/lab/#figure');
    return search;
  }
}

describe('the address bar', () => {
  let tab: Tab;
  beforeEach(() => {
    vi.useFakeTimers();
    tab = new Tab();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('follows a drag without new history entries', () => {
    urlHistory(tab).draft('?n=9');
    expect(tab.entries).toEqual(['?n=9']);
  });

  it('restores the entry before a drag when the drag ends', () => {
    const url = urlHistory(tab);
    for (const n of [9, 10, 11]) {
      url.draft(`?n=${n}`);
      vi.advanceTimersByTime(400);
    }
    url.commit('?n=11');
    expect(tab.entries).toEqual(['?start', '?n=11']);
  });

  it('makes no entry when the drag ends where it began', () => {
    const url = urlHistory(tab);
    url.draft('?n=9');
    url.commit('?start');
    expect(tab.entries).toEqual(['?start']);
  });

  it('writes rarely enough for Safari and ends on the last draft', () => {
    const url = urlHistory(tab);
    for (let i = 0; i < 3000; i++) {
      url.draft(`?n=${i}`);
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(1000);
    expect(tab.writes).toBeLessThan(100);
    expect(tab.entries).toEqual(['?n=2999']);
  });

  it('does not let a late draft overwrite a commit', () => {
    const url = urlHistory(tab);
    url.draft('?n=1');
    url.draft('?n=2');
    url.commit('?n=3');
    vi.advanceTimersByTime(1000);
    expect(tab.entries).toEqual(['?start', '?n=3']);
  });

  it('tells the page the state after Back and Forward', () => {
    const url = urlHistory(tab);
    const seen: string[] = [];
    const stop = url.onChange((search) => seen.push(search));
    url.commit('?n=1');
    url.commit('?n=2');
    tab.go(-1);
    tab.go(-1);
    tab.go(1);
    stop();
    tab.go(1);
    expect(seen).toEqual(['?n=1', '?start', '?n=1']);
  });

  it('commits on top of the entry Back returned to', () => {
    const url = urlHistory(tab);
    url.commit('?n=1');
    url.commit('?n=2');
    tab.go(-1);
    url.commit('?n=7');
    expect(tab.entries).toEqual(['?start', '?n=1', '?n=7']);
  });

  it('stops listening to the tab when told to', () => {
    const url = urlHistory(tab);
    let calls = 0;
    url.onChange(() => calls++);
    url.draft('?n=1');
    url.draft('?n=2');
    url.dispose();
    vi.advanceTimersByTime(1000);
    tab.go(0);
    expect(calls).toBe(0);
    expect(tab.entries).toEqual(['?n=1']);
  });
});
