/**
 * Values that are too long for the address of a page. The address names such a value by an id made of its content,
 * `text~=` and the id, and the browser's storage keeps the value under that id.
 */

/** No address of a page is longer, in characters. Mail clients and chat programs cut longer ones. */
export const MAX_ADDRESS = 4096;
/** The characters that are left for an anchor. */
const ANCHOR = 96;

/** The characters that a query string may have on this page. */
export const roomForSearch = (): number =>
  MAX_ADDRESS -
  ANCHOR -
  (typeof location === 'object' ? `${location.origin}${location.pathname}`.length : 200);

const MARK = '~';
/** The key that names a value by its id. */
export const markedKey = (key: string): string => `${key}${MARK}`;
/** The key whose value is named by its id; undefined for a key with a value of its own. */
export const keyMarked = (key: string): string | undefined =>
  key.endsWith(MARK) ? key.slice(0, -MARK.length) : undefined;

/** Whether an address names a value that only the browser's storage has. */
export const namesKeptValue = (address: string): boolean =>
  [...new URL(address).searchParams.keys()].some((key) => keyMarked(key) !== undefined);

/** The length of every id. */
export const ID_LENGTH = 16;

/** Two hashes of 32 bits, of bytes that come in parts. */
class Hash {
  private a = 0x811c9dc5;
  private b = 0x9e3779b9;

  add(bytes: Uint8Array): void {
    let { a, b } = this;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x85ebca6b);
      b ^= b >>> 13;
    }
    this.a = a;
    this.b = b;
  }

  get digits(): string {
    return [this.a, this.b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** The hashes as hexadecimal digits: a name, and a check that what is found under it is the same. */
export function idOf(data: Uint8Array | string): string {
  const hash = new Hash();
  hash.add(typeof data === 'string' ? new TextEncoder().encode(data) : data);
  return hash.digits;
}

/** So many bytes are hashed before the page may do something else: a few milliseconds. */
const AT_ONCE = 2 ** 20;

/** As `idOf` of all parts together, in slices: of 50 MB it would be a task of a second. */
export async function idOfParts(parts: readonly Uint8Array[]): Promise<string> {
  const hash = new Hash();
  let since = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += AT_ONCE) {
      const slice = part.subarray(at, at + AT_ONCE);
      since += slice.length;
      if (since > AT_ONCE) {
        await new Promise((resolve) => setTimeout(resolve));
        since = slice.length;
      }
      hash.add(slice);
    }
  }
  return hash.digits;
}

export const isId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);
