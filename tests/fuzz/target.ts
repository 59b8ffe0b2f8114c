import type { Random } from './random';

/** Something that reads what others wrote, and what must hold whatever it is given. */
export interface Target {
  readonly name: string;
  /** Inputs to begin with, beside the corpus. */
  readonly seeds: readonly Uint8Array[];
  /** Words that mean something in this format. */
  readonly words: readonly string[];
  /** A change that knows the format; undefined where the input is too broken for it. */
  readonly change?: (
    input: Uint8Array,
    random: Random,
    other: Uint8Array,
  ) => Uint8Array | undefined;
  /**
   * Reads an input, and throws where anything but an answer or a refusal in words came out. Says
   * which of the two it was.
   */
  check(input: Uint8Array): Outcome | Promise<Outcome>;
  /** In the short run of `npm test`. */
  readonly rounds: number;
}

export type Outcome = 'read' | 'refused';

/** A property that does not hold. */
export class Finding extends Error {
  override name = 'Finding';
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const decoder = new TextDecoder();
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Finding(what);
}

/** Bit for bit, so that −0 is not 0. */
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

/** What `read` gives, or undefined where it refuses with an error of `kind` that has a sentence. */
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

/** What engines say of themselves when our code did not look: no sentence for a reader. */
const RAW = /Cannot read propert|is not a function|is not iterable|undefined \(|\[object /;

/** An error is said when it has a whole message, in which no slot of a phrase is left open. */
export function mustBeSaid({ message, name }: Error): void {
  must(message.length > 8, `a ${name} that says nothing: '${message}'`);
  must(!RAW.test(message), `a ${name} in the words of the engine: ${message}`);
}
