/** What a page in a frame lets the page around ask, and whom it hears. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { obeyHost } from '../../web/src/embed/obey-host';
import { urlHistory } from '../../web/src/state/history';

let listeners: Record<string, Set<(event: unknown) => void>> = {};
const host = { postMessage: vi.fn() };
const location = { pathname: '/labs/a/index.html', search: '', hash: '', replace: vi.fn() };
let drawn = false;

beforeEach(() => {
  vi.useFakeTimers();
  listeners = {};
  drawn = false;
  Object.assign(location, { search: '?v=1&n=8&hide=seed', hash: '#step' });
  const events = {
    addEventListener: (type: string, act: (event: unknown) => void) => {
      listeners[type] ??= new Set();
      listeners[type].add(act);
    },
    removeEventListener: (type: string, act: (event: unknown) => void) =>
      listeners[type]?.delete(act),
  };
  const history = {
    state: { place: 'kept' },
    pushState: vi.fn(),
    replaceState: vi.fn((_state: unknown, _title: string, address: string) => {
      const { search, hash } = new URL(address, 'https://host.example');
      Object.assign(location, { search, hash });
    }),
  };
  vi.stubGlobal('window', { parent: host, location, history, ...events });
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', history);
  vi.stubGlobal('document', { querySelector: () => (drawn ? {} : null) });
  vi.stubGlobal('PopStateEvent', class extends Event {});
  vi.stubGlobal('dispatchEvent', (event: Event) => {
    for (const act of listeners[event.type] ?? []) act(event);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const ask = (data: unknown, source: unknown = host): void => {
  for (const act of listeners.message ?? []) act({ source, data });
};
const set = (more: object) => ({ type: 'attention-labs:set', ...more });
const said = () => host.postMessage.mock.calls.map(([{ type }]) => type);

it('says that it is there, and once that it has drawn; nothing else', () => {
  obeyHost();
  expect(said()).toEqual(['attention-labs:hello']);
  vi.advanceTimersByTime(60_000);
  expect(said()).toHaveLength(1);
  drawn = true;
  vi.advanceTimersByTime(60_000);
  expect(said()).toEqual(['attention-labs:hello', 'attention-labs:drawn']);
  expect(host.postMessage.mock.calls[0]).toEqual([{ type: 'attention-labs:hello' }, '*']);
});

it('shows other knobs without loading the page again', () => {
  const heard: string[] = [];
  urlHistory().onChange((search) => heard.push(search));
  obeyHost();
  ask(set({ search: '?v=1&n=9&hide=seed', step: '' }));
  expect(heard).toEqual(['?v=1&n=9&hide=seed']);
  expect(location).toMatchObject({ search: '?v=1&n=9&hide=seed', hash: '#step' });
  // The same again is nothing new.
  ask(set({ search: '?v=1&n=9&hide=seed', step: '' }));
  expect(heard).toHaveLength(1);
  expect(location.replace).not.toHaveBeenCalled();
});

it.each([
  ['the same in another order', '?v=1&hide=seed&n=8'],
  ['the same in other letters', '?v=1&n=%38&hide=s%65ed'],
])('does nothing for %s', (_, search) => {
  const heard: string[] = [];
  urlHistory().onChange((one) => heard.push(one));
  obeyHost();
  ask(set({ search }));
  expect(heard).toEqual([]);
});

it('is made anew where something is to be hidden, and goes to a step', () => {
  obeyHost();
  ask(set({ search: '?v=1&n=8&hide=seed,last' }));
  expect(location.replace.mock.calls).toEqual([['/labs/a/index.html?v=1&n=8&hide=seed,last#step']]);
  ask(set({ step: 'next-step' }));
  expect(location.replace).toHaveBeenLastCalledWith('#next-step');
});

it.each<[string, unknown, unknown?]>([
  ['another window', set({ search: '?v=1&n=9' }), {}],
  ['nobody', set({ search: '?v=1&n=9' }), null],
  ['another kind', { type: 'other', search: '?v=1&n=9' }],
  ['nothing', null],
  ['a path', set({ search: '/elsewhere' })],
  ['an address', set({ search: 'https://evil.example/?' })],
  ['no text', set({ search: 5 })],
  ['too much', set({ search: `?v=1&t=${'x'.repeat(5000)}` })],
  ['code', set({ step: 'code=abc' })],
  ['another page', set({ step: '/../evil' })],
])('ignores %s', (_, data, source = host) => {
  const heard: string[] = [];
  urlHistory().onChange((search) => heard.push(search));
  obeyHost();
  ask(data, source);
  expect(heard).toEqual([]);
  expect(location.search).toBe('?v=1&n=8&hide=seed');
  expect(location.replace).not.toHaveBeenCalled();
});
