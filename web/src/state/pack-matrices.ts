/**
 * Small matrices inside a link: base64url of deflated bytes. Larger ones stay out of links (a mail
 * client cuts them), and the page offers a file instead.
 *
 * Bytes, little endian, before deflating: `AL`, version 1, a zero; FNV-1a of all that follows;
 * rows and columns of q, k, v; then the float32 entries of all three, split into four planes of
 * equal byte significance, because signs and exponents repeat and deflate finds that only when they
 * stand together.
 */

import type { Matrix, Qkv } from '#client';
import { SaidError } from '../strings/said-error.ts';
import { say } from './phrases.ts';

/** The matrices in a link are damaged or cut off, or this site did not write them. */
export class PackError extends SaidError {
  override name = 'PackError';
}

/** The most characters of packed matrices that are read. A new link has less room: `MAX_ADDRESS` is for all of it. */
export const MAX_PACKED_CHARS = 6000;
/**
 * The most entries that are unpacked, 3 × 1024×128, more than a lab shows. A longer stream was made to fill the
 * memory.
 */
const MAX_ENTRIES = 3 * 1024 * 128;
const HEADER_BYTES = 8 + 3 * 8;
const MAX_BYTES = HEADER_BYTES + 4 * MAX_ENTRIES;

/** Returns the matrices as text for a URL, or undefined when the text would be longer than `most` characters. */
export async function packMatrices(qkv: Qkv, most = MAX_PACKED_CHARS): Promise<string | undefined> {
  const matrices = [qkv.q, qkv.k, qkv.v];
  const entries = matrices.reduce((sum, matrix) => sum + matrix.data.length, 0);
  if (entries > MAX_ENTRIES) return undefined;

  const bytes = new Uint8Array(HEADER_BYTES + 4 * entries);
  const view = new DataView(bytes.buffer);
  bytes.set([0x41, 0x4c, 1, 0]);
  matrices.forEach((matrix, i) => {
    view.setUint32(8 + 8 * i, matrix.rows, true);
    view.setUint32(12 + 8 * i, matrix.cols, true);
  });
  const word = new DataView(new ArrayBuffer(4));
  let entry = 0;
  for (const { data } of matrices) {
    for (const value of data) {
      word.setFloat32(0, value, true);
      for (let plane = 0; plane < 4; plane++) {
        bytes[HEADER_BYTES + plane * entries + entry] = word.getUint8(plane);
      }
      entry++;
    }
  }
  view.setUint32(4, fnv1a(bytes.subarray(8)), true);

  const packed = await pump(bytes, new CompressionStream('deflate-raw'), MAX_BYTES);
  const text = toBase64Url(packed);
  return text.length <= most ? text : undefined;
}

/** Returns the matrices that `packMatrices` packed, bit for bit. Rejects with `PackError` for any other text. */
export async function unpackMatrices(packed: string): Promise<Qkv> {
  if (packed.length > MAX_PACKED_CHARS) {
    throw new PackError(say('long_matrices', { n: packed.length, most: MAX_PACKED_CHARS }));
  }
  if (packed.length % 4 === 1 || !/^[\w-]+$/.test(packed)) {
    throw new PackError(say('odd_characters'));
  }
  const bytes = await inflate(fromBase64Url(packed));
  if (bytes.length < HEADER_BYTES || bytes[0] !== 0x41 || bytes[1] !== 0x4c) {
    throw new PackError(say('odd_start'));
  }
  if (bytes[2] !== 1 || bytes[3] !== 0) {
    throw new PackError(say('other_version', { version: Number(bytes[2]) }));
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shapes = [0, 1, 2].map((i) => ({
    rows: view.getUint32(8 + 8 * i, true),
    cols: view.getUint32(12 + 8 * i, true),
  }));
  const entries = shapes.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
  const damaged = new PackError(say('damaged_matrices'));
  if (bytes.length !== HEADER_BYTES + 4 * entries || shapes.some((s) => s.rows * s.cols === 0)) {
    throw damaged;
  }
  if (view.getUint32(4, true) !== fnv1a(bytes.subarray(8))) throw damaged;

  const word = new DataView(new ArrayBuffer(4));
  let entry = 0;
  const matrices = shapes.map(({ rows, cols }): Matrix => {
    const data = new Float32Array(rows * cols);
    for (let i = 0; i < data.length; i++, entry++) {
      for (let plane = 0; plane < 4; plane++) {
        word.setUint8(plane, bytes[HEADER_BYTES + plane * entries + entry] as number);
      }
      data[i] = word.getFloat32(0, true);
    }
    return { rows, cols, data };
  });
  const [q, k, v] = matrices as [Matrix, Matrix, Matrix];
  return { q, k, v };
}

async function inflate(deflated: Uint8Array): Promise<Uint8Array> {
  try {
    return await pump(deflated, new DecompressionStream('deflate-raw'), MAX_BYTES);
  } catch (error) {
    if (error instanceof PackError) throw error;
    throw new PackError(say('packed_wrong'));
  }
}

/** Runs bytes through a stream, and stops as soon as more than `limit` come out. */
export async function pump(
  input: Uint8Array,
  through: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array> {
  const writer = through.writable.getWriter();
  // A broken input fails both ends of the stream; the reading end below reports it.
  const written = writer
    .write(input as Uint8Array<ArrayBuffer>)
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = through.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel().catch(() => undefined);
      throw new PackError(say('too_large', { most: limit }));
    }
    chunks.push(value);
  }
  await written;
  const output = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    output.set(chunk, offset);
    offset += chunk.length;
  }
  return output;
}

/** The FNV-1a checksum of the bytes. Deflate without a container has no checksum of its own. */
export function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
