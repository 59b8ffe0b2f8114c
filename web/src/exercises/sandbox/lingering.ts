/**
 * Whether a student's code may have left something running: timers, ports, promises and whatever else calls
 * back once the call they were made in has returned.
 */

import { namesOfOwnOrigin } from './own-origin';

/** Of those names, what begins something that goes on by itself. */
const beginners = new Set([
  ...['Promise', 'setTimeout', 'queueMicrotask', 'FinalizationRegistry', 'WebAssembly', 'Atomics'],
  ...['EventTarget', 'MessagePort', 'onmessage'],
]);

/**
 * Notices when code reads a global name other than the language's own. New interfaces of browsers are
 * noticed too, because the list is of what cannot go on.
 * @returns whether any was read since the last question
 */
export function noticeLingering(scope: object): () => boolean {
  let read = false;
  for (let at: object = scope; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      const harmless = namesOfOwnOrigin.has(name) && !beginners.has(name);
      if (harmless || !property.configurable) continue;
      const { get, set } = property;
      let { value } = property;
      Object.defineProperty(at, name, {
        configurable: true,
        enumerable: property.enumerable ?? false,
        get() {
          read = true;
          return get ? get.call(this) : value;
        },
        set(given: unknown) {
          read = true;
          if (set) set.call(this, given);
          else value = given;
        },
      });
    }
  }
  return () => {
    const was = read;
    read = false;
    return was;
  };
}

/** In JavaScript, promises need no name: their syntax does, and it cannot be put together while code runs. */
export const hasAsyncSyntax = (code: string): boolean => /\b(?:async|import)\b/.test(code);
