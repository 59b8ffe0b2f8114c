/**
 * What the tests ask of a browser. Both browsers do it by their own protocol: Firefox by WebDriver BiDi, WebKitGTK by
 * W3C WebDriver.
 */

/** A function that runs in the page. It is sent as text, so it may use nothing but its arguments and the page. */
export type Script<A extends readonly unknown[], T> = (...args: A) => T | Promise<T>;

/** Runs in the page and returns the element that a key or the mouse is for; it may lie in a shadow root. */
export type Find = () => Element | null | undefined;

/** The keys that the tests press, by the names of `KeyboardEvent.key`, and Ctrl or Command with A. */
export type Key = 'ArrowRight' | 'ArrowDown' | 'Enter' | 'SelectAll';

/** A page, or a frame in it. */
export interface Place {
  run<A extends readonly unknown[], T>(script: Script<A, T>, ...args: A): Promise<T>;
  /** Clicks the middle of an element with the mouse. */
  click(find: Find): Promise<void>;
  /** Puts the focus on an element and presses a key of the keyboard. */
  press(find: Find, key: Key): Promise<void>;
}

export interface Tab extends Place {
  /** Opens a page, and resolves once it has loaded. */
  open(url: string): Promise<void>;
  /** Works in a frame of the page. */
  inFrame<T>(find: Find, work: (frame: Place) => Promise<T>): Promise<T>;
  /** What the open page and its frames complained about. Ask before the next page is opened. */
  problems(): Promise<readonly string[]>;
  /** The name and version of the browser. */
  readonly version: string;
  close(): Promise<void>;
}

/** Runs in a page: what `collector.js` has noted there. */
export const collected = (): string[] | undefined =>
  (window as typeof window & { problems?: string[] }).problems;

/** Runs in a page: brings an element to the middle of the window, and resolves once it stands still there. */
export async function comeTo(one: Element): Promise<void> {
  one.scrollIntoView({ block: 'center', behavior: 'instant' });
  const end = performance.now() + 10_000;
  let before = '';
  for (;;) {
    const { x, y } = one.getBoundingClientRect();
    if (`${x} ${y}` === before) return;
    if (performance.now() > end) throw new Error('an element that does not come to rest');
    before = `${x} ${y}`;
    await new Promise((done) => setTimeout(done, 100));
  }
}
