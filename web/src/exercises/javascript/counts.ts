import type { RunCounts } from '../types';

/** What the matrices did since the last `take`. */
export class Counter {
  #multiplyAdds = 0;
  #touched = 0;
  #bytes = 0;
  #largest = 0;

  multiplied(products: number): void {
    this.#multiplyAdds += products;
  }

  touched(entries: number): void {
    this.#touched += entries;
  }

  /** An array of float32 was made. */
  made(entries: number): void {
    this.#bytes += 4 * entries;
    this.#largest = Math.max(this.#largest, entries);
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

/**
 * `data` as the student sees it in a run that counts: each entry read or written counts one, each
 * method of the typed array counts the whole array.
 */
export function countingView(data: Float32Array, counter: Counter): Float32Array {
  return new Proxy(data, {
    get(target, key) {
      // Typed arrays have no other keys that begin with a digit.
      if (typeof key === 'string' && key.charCodeAt(0) <= 57) {
        counter.touched(1);
        return target[key as unknown as number];
      }
      const found = Reflect.get(target, key, target);
      if (typeof found !== 'function' || key === 'constructor') return found;
      return (...args: unknown[]) => {
        // A view costs nothing until it is read.
        if (key !== 'subarray') counter.touched(target.length);
        const result = Reflect.apply(found, target, args);
        if (result === target) return countingView(target, counter);
        return result instanceof Float32Array ? countingView(result, counter) : result;
      };
    },
    set(target, key, value) {
      if (typeof key === 'string' && key.charCodeAt(0) <= 57) counter.touched(1);
      return Reflect.set(target, key, value, target);
    },
  });
}
