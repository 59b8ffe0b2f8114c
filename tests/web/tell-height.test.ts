/** What a page in a frame says to the page around it, and for how long it goes on greeting. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tellHeight } from '../../web/src/embed/tell-height';

type Message = Readonly<Record<string, unknown>>;

let said: (readonly [second: number, message: Message])[] = [];
let listeners: Record<string, ((event: unknown) => void)[]> = {};
let page: { clientHeight: number; height: number; attributes: Set<string> };
let host: { postMessage: (message: Message) => void };
let resized: () => void;
const set = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  listeners = {};
  const begin = Date.now();
  host = { postMessage: (message) => said.push([(Date.now() - begin) / 1000, message]) };
  const attributes = new Set<string>();
  const state = { clientHeight: 600, height: 5000, attributes };
  page = state;
  vi.stubGlobal('window', {
    parent: host,
    addEventListener: (type: string, act: (event: unknown) => void) => {
      listeners[type] = [...(listeners[type] ?? []), act];
    },
  });
  vi.stubGlobal('screen', { availHeight: 1080 });
  vi.stubGlobal('document', {
    createElement: () => ({ offsetWidth: 96, clientWidth: 81, remove: () => undefined }),
    body: { append: () => undefined },
    documentElement: {
      get clientHeight() {
        return state.clientHeight;
      },
      style: { setProperty: (name: string, value: string) => set.set(name, value) },
      getBoundingClientRect: () => ({ height: state.height }),
      toggleAttribute: (name: string, on: boolean) =>
        on ? attributes.add(name) : attributes.delete(name),
    },
  });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(act: () => void) {
        resized = act;
      }
      observe() {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const fire = (type: string, event: unknown = {}): void => {
  for (const act of listeners[type] ?? []) act(event);
};
const answer = (action: string): void =>
  fire('message', { source: host, data: { context: 'h5p', action } });
const greetings = () => said.filter(([, { action }]) => action === 'hello').map(([at]) => at);
const heights = () => said.filter(([, { type }]) => type).map(([, { height }]) => height);

it.each([7, 15, 61])('greets a resizer that comes after %s seconds', (seconds) => {
  tellHeight();
  vi.advanceTimersByTime(seconds * 1000);
  const before = greetings().length;
  // The resizer listens from now on.
  vi.advanceTimersByTime(5000);
  expect(greetings().length).toBeGreaterThan(before);
  answer('hello');
  expect(said.at(-1)?.[1]).toEqual({
    ...{ context: 'h5p', action: 'resize', scrollHeight: 5000, height: 5000 },
  });
  const answered = greetings().length;
  vi.advanceTimersByTime(600_000);
  expect(greetings()).toHaveLength(answered);
  // Until then each greeting told the same height again, and none after.
  expect(heights()).toEqual(Array.from({ length: answered }, () => 5000));
});

it('tells a host that listens late its height, by all names, until that has moved the frame', () => {
  tellHeight();
  vi.advanceTimersByTime(4000);
  const before = said.length;
  vi.advanceTimersByTime(5000);
  const late = said.slice(before).map(([, { type, subject, height }]) => [type ?? subject, height]);
  for (const name of ['attention-labs:height', 'lti.frameResize', 'org.imsglobal.lti.frameResize'])
    expect(late).toContainEqual([name, 5000]);
  // It gives no more than 450.
  page.clientHeight = 450;
  fire('resize');
  const told = heights().length;
  vi.advanceTimersByTime(60_000);
  expect(heights()).toHaveLength(told);
});

it('leaves a host alone that never answers, but for a word now and then', () => {
  tellHeight();
  vi.advanceTimersByTime(60_000);
  expect(greetings().length).toBeLessThan(20);
});

it('greets no longer once the page around has made room', () => {
  tellHeight();
  page.clientHeight = 4999;
  fire('resize');
  vi.advanceTimersByTime(60_000);
  expect(greetings()).toEqual([0]);
});

it.each([
  ['a pixel less', 4999, true],
  ['a border', 4996, true],
  ['rounded', 5000, true],
  ['held at 450', 450, false],
  ['at most 3,000', 3000, false],
])('scrolls itself in the frame of a host that gives %s: %s, %s', (_, given, whole) => {
  tellHeight();
  expect(page.attributes.has('data-grown')).toBe(true);
  expect([...set]).toEqual([
    ['--window-height', '900px'],
    ['--scroll-bar', '15px'],
  ]);
  page.clientHeight = given;
  fire('resize');
  vi.advanceTimersByTime(2000);
  expect(page.attributes.has('data-whole')).toBe(whole);
});

it('tells a height once, and no height of a frame that is not displayed', () => {
  tellHeight();
  resized();
  page.height = 0;
  resized();
  page.height = 5200.4;
  resized();
  expect(heights()).toEqual([5000, 5201]);
});
