/**
 * Text inside a link, packed as `pack-matrices.ts` packs matrices: base64url of deflated bytes, which are `AT`,
 * version 1, a zero, FNV-1a of what follows, and the text as UTF-8.
 */
import {
  fnv1a,
  fromBase64Url,
  MAX_PACKED_CHARS,
  PackError,
  pump,
  toBase64Url,
} from './pack-matrices.ts';
import { say } from './phrases.ts';

const HEADER_BYTES = 8;
const MAX_BYTES = 200_000;
const DAMAGED = say('damaged_text');

/** Returns the packed text, or undefined if it would be too long for a link. */
export async function packText(text: string): Promise<string | undefined> {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length + HEADER_BYTES > MAX_BYTES) return undefined;
  const bytes = new Uint8Array(HEADER_BYTES + encoded.length);
  bytes.set([0x41, 0x54, 1, 0]);
  bytes.set(encoded, HEADER_BYTES);
  new DataView(bytes.buffer).setUint32(4, fnv1a(encoded), true);
  const packed = toBase64Url(await pump(bytes, new CompressionStream('deflate-raw'), MAX_BYTES));
  return packed.length <= MAX_PACKED_CHARS ? packed : undefined;
}

/** Returns the text that `packText` packed. Rejects with `PackError` for anything else. */
export async function unpackText(packed: string): Promise<string> {
  if (packed.length > MAX_PACKED_CHARS || packed.length % 4 === 1 || !/^[\w-]+$/.test(packed)) {
    throw new PackError(DAMAGED);
  }
  let bytes: Uint8Array;
  try {
    bytes = await pump(fromBase64Url(packed), new DecompressionStream('deflate-raw'), MAX_BYTES);
  } catch (error) {
    throw error instanceof PackError ? error : new PackError(DAMAGED);
  }
  const body = bytes.subarray(HEADER_BYTES);
  const [a, t, version] = bytes;
  if (bytes.length < HEADER_BYTES || a !== 0x41 || t !== 0x54 || version !== 1) {
    throw new PackError(DAMAGED);
  }
  const sum = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  if (sum !== fnv1a(body)) throw new PackError(DAMAGED);
  // A byte order mark that the student's text begins with is part of the text.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
}
