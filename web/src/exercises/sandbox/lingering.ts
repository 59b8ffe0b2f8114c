/**
 * Whether a student's code may have left something running: timers, ports, promises and whatever else calls
 * back once the call they were made in has returned.
 */

/** The names of the language itself, and of what cannot begin anything that goes on by itself. */
const harmless: ReadonlySet<string> = new Set([
  ...['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date'],
  ...['RegExp', 'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError'],
  ...['SyntaxError', 'TypeError', 'URIError', 'DOMException', 'JSON', 'Math', 'Intl', 'Reflect'],
  ...['Proxy', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Iterator', 'constructor'],
  ...['ArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array'],
  ...['Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array'],
  ...['BigInt64Array', 'BigUint64Array', 'Infinity', 'NaN', 'undefined', 'isNaN', 'isFinite'],
  ...['parseFloat', 'parseInt', 'globalThis', 'self', 'console', 'performance', 'TextDecoder'],
  ...['TextEncoder', 'clearTimeout', 'Event', 'MessageEvent'],
  // The build gives the worker's own script this global name.
  '__attentionLabsWorker',
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
      if (harmless.has(name) || !property.configurable) continue;
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
