/**
 * Plain lists grow after they were made, so they are measured later: when the call is over, or when
 * many have come together. What is oldest or largest may still grow; the rest is let go then, or
 * nothing would ever be free.
 */

const most = 256;
const kept = 32;

export class Held {
  #lists = new Set<object>();

  constructor(private readonly entriesOf: (value: object) => number | undefined) {}

  /** Whatever is no list is passed over. Answers what was measured, where there was cause to. */
  add(value: unknown): number {
    if (!isList(value)) return 0;
    this.#lists.add(value);
    return this.#lists.size >= most ? this.#measure() : 0;
  }

  /** Entries of the largest; afterwards nothing is held. */
  take(): number {
    const largest = this.#measure();
    this.#lists.clear();
    return largest;
  }

  #measure(): number {
    const sizes = [...this.#lists].map((list) => ({ list, size: this.#entries(list, new Set()) }));
    const ordered = [...sizes].sort((a, b) => b.size - a.size);
    this.#lists = new Set(
      [...sizes.slice(0, kept), ...ordered.slice(0, kept)].map((one) => one.list),
    );
    return ordered[0]?.size ?? 0;
  }

  /** Numbers in it and in what it holds; one array in two places is one. */
  #entries(value: unknown, seen: Set<unknown>): number {
    if (typeof value !== 'object' || value === null) return 1;
    if (seen.has(value)) return 0;
    seen.add(value);
    const own = this.entriesOf(value);
    if (own !== undefined) return own;
    if (!isList(value)) return 1;
    // Holes of `new Array(10 ** 9)` are not walked through.
    if (Array.isArray(value) && value.length > 1e6) return value.length;
    let sum = 0;
    const add = (one: unknown): void => {
      sum += this.#entries(one, seen);
    };
    if (Array.isArray(value) || isKeyed(tagOf(value))) (value as unknown[]).forEach(add);
    else Object.values(value).forEach(add);
    return sum;
  }
}

/** By its tag: a student's file may have globals of its own, and lists made by them. */
const tagOf = (value: object): string => Object.prototype.toString.call(value);

function isList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const tag = tagOf(value);
  if (tag !== '[object Object]') return tag === '[object Array]' || isKeyed(tag);
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
const isKeyed = (tag: string): boolean => tag === '[object Map]' || tag === '[object Set]';
