import type { RunCounts } from '../types';

// A student's file shares these; they are taken before it can put something else in their place.
const { apply, get: read, set: write } = Reflect;
const { trunc } = Math;
const NativeFloat32Array = Float32Array;
const NativeProxy = Proxy;

/** What the matrices did since the last `take`. Nothing that is told can make it less. */
export class Counter {
  #multiplyAdds = 0;
  #touched = 0;
  #bytes = 0;
  #largest = 0;

  multiplied(products: number): void {
    if (products > 0) this.#multiplyAdds += products;
  }

  touched(entries: number): void {
    if (entries > 0) this.#touched += entries;
  }

  /** Notes a new array. Its entries are float32 unless `bytesEach` says otherwise. */
  made(entries: number, bytesEach = 4): void {
    if (entries > 0) this.#bytes += bytesEach * entries;
    this.held(entries);
  }

  /** Notes how many numbers the lists hold in total. */
  held(entries: number): void {
    if (entries > this.#largest) this.#largest = entries;
  }

  take(): RunCounts {
    const counts = {
      multiplyAdds: this.#multiplyAdds,
      touched: this.#touched,
      bytes: this.#bytes,
      largest: this.#largest,
    };
    this.#multiplyAdds = 0;
    this.#touched = 0;
    this.#bytes = 0;
    this.#largest = 0;
    return counts;
  }
}

/** The number of entries that a method of a typed array of that length reads or writes. */
function touchedBy(name: string | symbol, args: readonly unknown[], length: number): number {
  const place = (at: unknown, otherwise: number): number => {
    const index = at === undefined ? otherwise : trunc(Number(at)) || 0;
    const from = index < 0 ? length + index : index;
    if (from < 0) return 0;
    if (from > length) return length;
    return from;
  };
  const range = (from: unknown, to: unknown): number => place(to, length) - place(from, 0);
  switch (name) {
    // A view costs nothing until its entries are read.
    case 'subarray':
      return 0;
    case 'at':
      return 1;
    case 'slice':
      return 2 * range(args[0], args[1]);
    case 'fill':
      return range(args[1], args[2]);
    case 'copyWithin':
      return 2 * range(args[1], args[2]);
    case 'set':
      return Number((args[0] as ArrayLike<number> | undefined)?.length ?? 0);
    default:
      return length;
  }
}

/**
 * The `data` that a student sees in a run that counts: each entry that is read or written counts one, and a method
 * counts the entries that it moves.
 */
export function countingView(data: Float32Array, counter: Counter): Float32Array {
  return new NativeProxy(data, {
    get(target, key) {
      // Typed arrays have no other keys that begin with a digit.
      if (typeof key === 'string' && key.charCodeAt(0) <= 57) {
        counter.touched(1);
        return target[key as unknown as number];
      }
      const found = read(target, key, target);
      if (typeof found !== 'function' || key === 'constructor') return found;
      return (...args: unknown[]) => {
        counter.touched(touchedBy(key, args, target.length));
        const result = apply(found, target, args);
        if (result === target) return countingView(target, counter);
        return result instanceof NativeFloat32Array ? countingView(result, counter) : result;
      };
    },
    set(target, key, value) {
      if (typeof key === 'string' && key.charCodeAt(0) <= 57) counter.touched(1);
      return write(target, key, value, target);
    },
  });
}
