/**
 * Values that stay in the worker. The page holds their shape and a name; the name stands wherever the
 * value would stand in the input of a later call, so that the numbers need not travel again.
 */
import { refused } from './errors';
import { say } from './phrases';

interface Numbers {
  readonly data: Float32Array;
}

/** The same value with its numbers left in the worker: `kept` is their name there. */
export type Kept<T> = T extends Numbers
  ? Omit<T, 'data'> & { readonly kept: string }
  : T extends object
    ? { readonly [Key in keyof T]: Kept<T[Key]> }
    : T;

/** A value any of whose matrices may be kept ones. */
export type OrKept<T> = T extends Numbers
  ? T | Kept<T>
  : T extends object
    ? { readonly [Key in keyof T]: OrKept<T[Key]> }
    : T;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isKept = (value: object): value is { readonly kept: string } =>
  typeof (value as { kept?: unknown }).kept === 'string';

/** The parts of a plain object or list; long lists of numbers or words have none. */
export function partsOf(value: object): readonly [string, unknown][] {
  if (ArrayBuffer.isView(value)) return [];
  if (Array.isArray(value) && !isObject(value[0])) return [];
  return Object.entries(value);
}

/** Every part of `value` whose numbers are in the worker; each once, also where it refers to itself. */
export function keptParts(value: unknown): { readonly kept: string }[] {
  const found: { readonly kept: string }[] = [];
  const seen = new Set<unknown>();
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (!isObject(one) || seen.has(one)) continue;
    seen.add(one);
    if (isKept(one)) found.push(one);
    else for (const [, part] of partsOf(one)) open.push(part);
  }
  return found;
}

/** `value` with `change` applied to the parts that it knows; everything else in it stays as it is. */
function changed(
  value: unknown,
  change: (part: object, name: string) => unknown,
  name = '',
  done = new Map<object, unknown>(),
): unknown {
  if (!isObject(value)) return value;
  const before = done.get(value);
  if (before !== undefined) return before;
  const made = change(value, name);
  // Not noted: an array that is there twice is kept twice, so that each can be released.
  if (made !== undefined) return made;
  const parts = partsOf(value);
  if (parts.length === 0) return value;
  const all: object = Array.isArray(value) ? [] : {};
  // Before its parts, which may refer to it.
  done.set(value, all);
  for (const [key, part] of parts) {
    const to = changed(part, change, key, done);
    if (Array.isArray(all)) all.push(to);
    else {
      const field = { value: to, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(all, key, field);
    }
  }
  return all;
}

/** How much one page may keep. */
export const keptLimits = { bytes: 2 ** 28, values: 4096 } as const;

/** A kept value on its way from one worker to the next. */
export interface KeptEntry {
  readonly name: string;
  readonly value: Numbers;
}

/** The worker's side: what is kept, by name. */
export class KeptValues {
  readonly #values = new Map<string, Numbers>();
  #bytes = 0;

  get entries(): readonly KeptEntry[] {
    return [...this.#values].map(([name, value]) => ({ name, value }));
  }

  /** Takes what another worker has kept, under the same names. */
  take(entries: readonly KeptEntry[]): void {
    for (const { name, value } of entries) {
      this.#values.set(name, value);
      this.#bytes += value.data.byteLength;
    }
  }

  /**
   * Keeps every matrix in `value`.
   * @param name a name that was never used before
   * @returns what the page gets instead
   * @throws CoreError (`capacity`) when there is more than a page may keep; nothing is kept then.
   */
  keep(value: unknown, name: string): unknown {
    const found: [string, Numbers][] = [];
    const left = changed(value, (part) => {
      const { data, ...shape } = part as Partial<Numbers>;
      if (!(data instanceof Float32Array)) return undefined;
      const kept = `${name}.${found.length}`;
      found.push([kept, part as Numbers]);
      return { ...shape, kept };
    });
    const bytes = found.reduce((sum, [, { data }]) => sum + data.byteLength, this.#bytes);
    const values = found.length + this.#values.size;
    if (bytes > keptLimits.bytes || values > keptLimits.values) {
      throw refused(
        'capacity',
        'keep',
        say('values_kept', { n: values, bytes }),
        say('release_some', { n: keptLimits.values, bytes: keptLimits.bytes }),
      );
    }
    for (const [kept, part] of found) this.#values.set(kept, part);
    this.#bytes = bytes;
    return left;
  }

  /**
   * `input` with the values themselves in the place of their names.
   * @throws CoreError (`gone`) for a name from before a restart or one that was released.
   */
  resolve(input: unknown): unknown {
    if (keptParts(input).length === 0) return input;
    return changed(input, (part, argument) => {
      if (!isKept(part)) return undefined;
      const value = this.#values.get(part.kept);
      if (value) return value;
      throw refused('gone', argument || 'input', say('kept_gone'), say('make_again'));
    });
  }

  release(names: readonly string[]): void {
    for (const name of names) {
      this.#bytes -= this.#values.get(name)?.data.byteLength ?? 0;
      this.#values.delete(name);
    }
  }
}
