/**
 * Holds the plain lists that a run made, until they are measured. Lists grow after they are made, so they are
 * measured when the call ends, or when many have gathered. After a measurement only the oldest and the largest lists
 * are held on, because they are the most likely to grow further. The others are released, so that their memory can be
 * freed.
 */

const most = 256;
const kept = 32;

// These functions are taken before a student's file, which shares them, can replace them: one that returned 2·10⁸
// holes here would take all the memory that the page has.
const { apply } = Reflect;
const { getPrototypeOf, values } = Object;
const { isArray } = Array;
const { toString: tagFrom } = Object.prototype;
const { add: insert, forEach: eachOfSet, has } = Set.prototype;
const { forEach: eachOfArray } = Array.prototype;
const { forEach: eachOfMap } = Map.prototype;
const NativeSet = Set;

export class Held {
  #lists = new NativeSet<object>();
  #count = 0;
  /** Lists that the file made while it loaded: every call can fill them. */
  #standing = new NativeSet<object>();

  constructor(private readonly entriesOf: (value: object) => number | undefined) {}

  /** Notes a value if it is a list. Returns the measured size if this call caused a measurement. */
  add(value: unknown): number {
    if (!isList(value) || apply(has, this.#lists, [value])) return 0;
    this.#keep(value);
    return this.#count >= most ? this.#measure() : 0;
  }

  /** What was noted until now stays for all calls. */
  stand(): void {
    this.#standing = this.#lists;
    this.#forget();
  }

  /** Returns the number of entries of the largest list, and releases all lists that a call has made. */
  take(): number {
    let largest = this.#measure();
    this.#forget();
    const measure = (list: object): void => {
      const size = this.#sizeOf(list);
      if (size > largest) largest = size;
    };
    apply(eachOfSet, this.#standing, [measure]);
    return largest;
  }

  #sizeOf(list: object): number {
    try {
      return this.#entries(list, new NativeSet());
    } catch {
      // A student's proxy or getter may throw when it is read, and lists may be nested too deeply.
      return 0;
    }
  }

  #keep(list: object): void {
    if (apply(has, this.#lists, [list])) return;
    apply(insert, this.#lists, [list]);
    this.#count++;
  }

  #forget(): void {
    this.#lists = new NativeSet();
    this.#count = 0;
  }

  #measure(): number {
    const lists: object[] = [];
    const sizes: number[] = [];
    let count = 0;
    const measure = (list: object): void => {
      lists[count] = list;
      sizes[count] = this.#sizeOf(list);
      count++;
    };
    apply(eachOfSet, this.#lists, [measure]);
    this.#forget();
    for (let i = 0; i < Math.min(count, kept); i++) this.#keep(lists[i] as object);
    let largest = 0;
    for (let nth = 0; nth < Math.min(count, kept); nth++) {
      let at = 0;
      for (let i = 1; i < count; i++) if ((sizes[i] as number) > (sizes[at] as number)) at = i;
      if (nth === 0) largest = sizes[at] as number;
      this.#keep(lists[at] as object);
      sizes[at] = -1;
    }
    return largest;
  }

  /** The number of numbers in a list and in everything it holds. An array that occurs twice counts once. */
  #entries(value: unknown, seen: Set<unknown>): number {
    if (typeof value !== 'object' || value === null) return 1;
    if (apply(has, seen, [value])) return 0;
    apply(insert, seen, [value]);
    const own = this.entriesOf(value);
    if (own !== undefined) return own;
    if (!isList(value)) return 1;
    // The list may be `new Array(10 ** 9)`, and walking through its holes would take too long.
    if (isArray(value) && value.length > 1e6) return value.length;
    let sum = 0;
    const add = (one: unknown): void => {
      sum += this.#entries(one, seen);
    };
    const tag = tagOf(value);
    if (isArray(value)) apply(eachOfArray, value, [add]);
    else if (tag === '[object Map]') apply(eachOfMap, value, [add]);
    else if (tag === '[object Set]') apply(eachOfSet, value, [add]);
    else apply(eachOfArray, values(value), [add]);
    return sum;
  }
}

/**
 * Reads the kind of a value from its tag. `instanceof` would miss lists that a student's file makes with globals of
 * its own.
 */
const tagOf = (value: object): string => apply(tagFrom, value, []);

function isList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const tag = tagOf(value);
  if (tag !== '[object Object]') return tag === '[object Array]' || isKeyed(tag);
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}
const isKeyed = (tag: string): boolean => tag === '[object Map]' || tag === '[object Set]';
