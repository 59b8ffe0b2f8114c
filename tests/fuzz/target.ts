import type { Random } from './random';

/** A function that reads untrusted input, and the properties that must hold for every input. */
export interface Target {
  readonly name: string;
  /** Inputs to begin with, in addition to the corpus. */
  readonly seeds: readonly Uint8Array[];
  /** Words with a meaning in this format. */
  readonly words: readonly string[];
  /** Makes a change that follows the format; undefined where the input is too broken for that. */
  readonly change?: (
    input: Uint8Array,
    random: Random,
    other: Uint8Array,
  ) => Uint8Array | undefined;
  /** Set where a single change of bytes nearly always breaks the format: most inputs are made by one `change`. */
  readonly mostly?: boolean;
  /** Reads an input, and returns whether it was answered or refused with a sentence. Throws for any other outcome. */
  check(input: Uint8Array): Outcome | Promise<Outcome>;
  /** The number of changed inputs in the short run of `npm test`. */
  readonly rounds: number;
}

export type Outcome = 'read' | 'refused';

/** A property does not hold. */
export class Finding extends Error {
  override name = 'Finding';
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const decoder = new TextDecoder();
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** `value` as JSON carries it: −0 becomes 0, and a number too large for a double, which was read as ∞, becomes null. */
export const inJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Finding(what);
}

/** Checks that two values are equal bit for bit, so that −0 differs from 0. */
export function mustBeEqual(seen: unknown, wanted: unknown, what: string): void {
  if (same(seen, wanted)) return;
  const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 300) ?? String(value);
  throw new Finding(`${what}: ${shown(seen)} in place of ${shown(wanted)}`);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    const [x, y] = [a, b] as unknown as [Float32Array, Float32Array];
    return x.length === y.length && x.every((value, i) => Object.is(value, y[i]));
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [x, y] = [a, b] as Record<string, unknown>[];
  return names.every((name) => Object.hasOwn(y ?? {}, name) && same(x?.[name], y?.[name]));
}

/** Returns what `read` returns, or undefined where it refuses with an error of `kind` that has a sentence. */
export function readOrRefused<T>(
  read: () => T,
  kind: new (...given: never[]) => Error,
): { readonly value: T } | undefined {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof kind)) throw error;
    mustBeSaid(error);
    return undefined;
  }
}

/** Messages of JavaScript engines about errors that our code did not catch, which are no sentences for a reader. */
const RAW = /Cannot read propert|is not a function|is not iterable|undefined \(|\[object /;

/** Checks that an error has a complete message, without an open slot of a phrase. */
export function mustBeSaid({ message, name }: Error): void {
  must(message.length > 8, `a ${name} that says nothing: '${message}'`);
  must(!RAW.test(message), `a ${name} in the words of the engine: ${message}`);
}
