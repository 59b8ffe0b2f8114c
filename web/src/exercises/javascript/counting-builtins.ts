/**
 * For runs that count: the language's own methods that walk through lists say how far they walk. What calls
 * them does not matter (a method taken by another name, a spread, a default argument), and the methods
 * that say nothing are no longer to be had.
 */

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Table = Record<PropertyKey, unknown>;

const { apply, construct, getOwnPropertyDescriptor, defineProperty, getPrototypeOf, ownKeys } =
  Reflect;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { toString: tagFrom } = Object.prototype;
const NativeProxy = Proxy;

/** Methods that do the same however long the list is. */
const short = new Set<PropertyKey>([
  ...['constructor', 'at', 'pop', 'push', 'subarray', 'values', 'keys', 'entries', 'length'],
  ...[Symbol.iterator, 'get', 'set', 'has', 'add', 'delete', 'charAt', 'charCodeAt', 'codePointAt'],
]);

/** Entries of a value that a method walks through. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (isArray(value) || isView(value)) return (value as ArrayLike<unknown>).length || 0;
  const tag = apply(tagFrom, value, []) as string;
  if (tag === '[object Map]' || tag === '[object Set]') return (value as Set<unknown>).size;
  return 0;
}

/**
 * @param realm the global object that the student's file sees
 * @param touched told how many entries were walked through
 * @param made told of what a constructor or a method answered
 */
export function countBuiltins(
  realm: object,
  touched: (entries: number) => void,
  made: (value: unknown) => void,
): void {
  const global = realm as Table;
  const wrap = (table: object, key: PropertyKey, counted: (of: Method) => Method): void => {
    const found = getOwnPropertyDescriptor(table, key);
    if (!found?.configurable || typeof found.value !== 'function') return;
    defineProperty(table, key, { ...found, value: counted(found.value as Method) });
  };
  /** A proxy keeps the function's name, its properties and what `new` makes of it. */
  const walking = (method: Method): Method =>
    new NativeProxy(method, {
      apply(target, self, args) {
        let entries = lengthOf(self);
        for (let at = 0; at < args.length; ++at) entries += 1 + lengthOf(args[at]);
        touched(entries);
        const result = apply(target, self, args);
        if (result !== self) {
          // `Array.from({ length })` and `fill` of a new list are as long as what they answer.
          touched(lengthOf(result));
          made(result);
        }
        return result;
      },
    });
  const making = (maker: Method): Method =>
    new NativeProxy(maker, {
      apply(target, self, args) {
        const result = apply(target, self, args);
        touched(lengthOf(result));
        made(result);
        return result;
      },
      construct(target, args, newTarget) {
        const result = construct(target, args, newTarget) as object;
        touched(lengthOf(result));
        made(result);
        return result;
      },
    });
  const all = (table: unknown, counted = walking): void => {
    if ((typeof table !== 'object' && typeof table !== 'function') || table === null) return;
    for (const key of ownKeys(table)) if (!short.has(key)) wrap(table, key, counted);
  };

  const named = (name: string) => global[name] as (Table & { prototype: object }) | undefined;
  const typed = getPrototypeOf(named('Float64Array') as object) as Table & { prototype: object };
  for (const owner of ['Array', 'String', 'Map', 'Set'].map(named)) {
    all(owner?.prototype);
    for (const key of ['from', 'of', 'groupBy', 'raw']) if (owner) wrap(owner, key, walking);
  }
  all(typed.prototype);
  // `set` of a typed array copies; `set` of a Map does not.
  wrap(typed.prototype, 'set', walking);
  for (const key of ['from', 'of']) wrap(typed, key, walking);
  for (const name of ['Object', 'JSON', 'Reflect']) {
    const table = named(name);
    const long = ['keys', 'values', 'entries', 'fromEntries', 'assign', 'groupBy', 'parse'];
    for (const key of [...long, 'stringify', 'apply', 'construct']) {
      if (table) wrap(table, key, walking);
    }
  }
  for (const key of ['max', 'min', 'hypot', 'sumPrecise']) {
    const math = named('Math');
    if (math) wrap(math, key, walking);
  }
  wrap(global, 'structuredClone', walking);
  // What a spread, a pattern, `for of` and many constructors take entries from.
  const one = (method: Method): Method =>
    new NativeProxy(method, {
      apply(target, self, args) {
        touched(1);
        return apply(target, self, args);
      },
    });
  for (const name of ['Array', 'String', 'Map', 'Set']) {
    const make = named(name) as unknown as (new () => Iterable<unknown>) | undefined;
    if (!make) continue;
    const empty = new make();
    wrap(getPrototypeOf(empty[Symbol.iterator]()) as object, 'next', one);
  }
  const constructors = ['Array', 'Map', 'Set'];
  for (const kind of ['Int', 'Uint']) {
    for (const bits of [8, 16, 32]) constructors.push(`${kind}${bits}Array`);
  }
  constructors.push('Uint8ClampedArray', 'Float16Array', 'Float32Array', 'Float64Array');
  constructors.push('BigInt64Array', 'BigUint64Array');
  for (const name of constructors) {
    const maker = named(name);
    // Under Node the matrices' Float32Array is another realm's, which is not to be changed.
    if (!maker || (/(Int|Uint|Float|Clamped)/.test(name) && getPrototypeOf(maker) !== typed))
      continue;
    const { prototype } = maker;
    wrap(global, name, making);
    wrap(prototype, 'constructor', () => global[name] as Method);
  }
}
