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

/** Two hashes of 32 bits as hexadecimal digits: a name, and a check that what is found under it is the same. */
export function idOf(data: Uint8Array | string): string {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export const isId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);
