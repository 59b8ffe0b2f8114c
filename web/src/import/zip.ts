/**
 * The members of a ZIP archive: stored or deflated, with sizes of 32 bits or of 64 (ZIP64). The central directory at the
 * end says what there is and how long it is; the header before a member says only where its bytes begin, because
 * writers leave the sizes out there (`np.savez_compressed`). Format: PKWARE APPNOTE 4.3 and 4.5.
 */
import { ImportError } from './error.js';
import { say } from './phrases.js';
import { runSliced } from './run-in-slices.js';

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const LONG = 0xffffffff;
/** A comment of 65,535 bytes may follow the record at the end. */
const MOST_AFTER_END = 22 + 65_535;
/** More members than anybody's arrays. */
const MAX_MEMBERS = 65_536;

export interface ZipMember {
  readonly name: string;
  readonly size: number;
  /** The first bytes of it, `most` or fewer. Rejects with `ImportError`. */
  first(most: number): Promise<Uint8Array>;
  /** All bytes, checked against the checksum of the archive. Rejects with `ImportError`. */
  all(): Promise<Uint8Array>;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/** What is in an archive. Throws `ImportError` for one that is cut off or damaged. */
export function zipMembers(bytes: Uint8Array): readonly ZipMember[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cutOff = new ImportError(say('zip_cut_off'), say('whole_file'));
  let end = -1;
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - MOST_AFTER_END); at--) {
    if (view.getUint32(at, true) === END) {
      end = at;
      break;
    }
  }
  if (end < 0) throw cutOff;
  const damaged = new ImportError(say('zip_damaged'), say('whole_file'));
  try {
    let count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    const locator = end - 20;
    if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64) {
      const record = Number(view.getBigUint64(locator + 8, true));
      if (view.getUint32(record, true) !== END_64) throw damaged;
      count = Number(view.getBigUint64(record + 32, true));
      at = Number(view.getBigUint64(record + 48, true));
    }
    if (count > MAX_MEMBERS) throw damaged;
    const members: ZipMember[] = [];
    for (let i = 0; i < count; i++) {
      if (view.getUint32(at, true) !== DIRECTORY) throw damaged;
      const nameLength = view.getUint16(at + 28, true);
      const extraLength = view.getUint16(at + 30, true);
      const commentLength = view.getUint16(at + 32, true);
      const flags = view.getUint16(at + 8, true);
      const nameBytes = bytes.subarray(at + 46, at + 46 + nameLength);
      const entry = wide(view, at + 46 + nameLength, extraLength, {
        name: nameOf(nameBytes),
        method: view.getUint16(at + 10, true),
        encrypted: (flags & 1) !== 0,
        crc: view.getUint32(at + 16, true),
        packed: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        at: view.getUint32(at + 42, true),
      });
      // A folder is no member.
      if (!entry.name.endsWith('/')) members.push(memberOf(bytes, entry));
      at += 46 + nameLength + extraLength + commentLength;
    }
    return members;
  } catch (error) {
    // A place behind the end of the file.
    throw error instanceof RangeError ? damaged : error;
  }
}

/** Python marks names that are not ASCII as UTF-8; others may be of any code page. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Puts in the sizes and the place that did not fit into 32 bits; the extra field has those only, in this order. */
function wide(view: DataView, from: number, length: number, entry: Entry): Entry {
  for (let at = from; at + 4 <= from + length; ) {
    const id = view.getUint16(at, true);
    const size = view.getUint16(at + 2, true);
    if (id === 1) {
      let next = at + 4;
      const take = (value: number): number => {
        if (value !== LONG || next + 8 > at + 4 + size) return value;
        next += 8;
        return Number(view.getBigUint64(next - 8, true));
      };
      const whole = take(entry.size);
      const packed = take(entry.packed);
      return { ...entry, size: whole, packed, at: take(entry.at) };
    }
    at += 4 + size;
  }
  return entry;
}

function memberOf(archive: Uint8Array, entry: Entry): ZipMember {
  const { name, method, encrypted, crc, packed, size, at } = entry;
  const bad = (): ImportError =>
    new ImportError(say('zip_member_damaged', { name }), say('whole_file'));
  const bytes = (): Uint8Array => {
    if (encrypted) throw new ImportError(say('zip_encrypted', { name }), say('no_password'));
    if (method !== 0 && method !== 8) {
      throw new ImportError(say('zip_method', { name, method }), say('saved_by_numpy'));
    }
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    if (at + 30 > archive.length || view.getUint32(at, true) !== LOCAL) throw bad();
    const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    if (start + packed > archive.length) throw bad();
    return archive.subarray(start, start + packed);
  };
  const read = async (most: number): Promise<Uint8Array> => {
    const raw = bytes();
    if (method === 0) return raw.subarray(0, most);
    try {
      return await inflate(raw, most);
    } catch {
      throw bad();
    }
  };
  return {
    name,
    size,
    first: (most) => read(Math.min(most, size)),
    async all() {
      if (size > MAX_MEMBER_BYTES) {
        throw new ImportError(
          say('zip_member_large', { name, n: Math.ceil(size / 2 ** 20) }),
          say('at_most_mib', { most: MAX_MEMBER_BYTES / 2 ** 20 }),
        );
      }
      const whole = await read(size);
      if (whole.length !== size || (await runSliced(crc32(whole))) !== crc) throw bad();
      return whole;
    },
  };
}

/** What is unpacked is kept in memory. */
export const MAX_MEMBER_BYTES = 512 * 1024 * 1024;

/** Unpacks no more than `most` bytes: an archive may claim anything. */
async function inflate(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const through = new DecompressionStream('deflate-raw');
  const writer = through.writable.getWriter();
  // A broken input fails both ends of the stream; the reading end below reports it.
  void writer
    .write(packed as Uint8Array<ArrayBuffer>)
    .then(
      () => writer.close(),
      () => undefined,
    )
    .catch(() => undefined);
  const reader = (through.readable as ReadableStream<Uint8Array>).getReader();
  const output = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    output.set(value.subarray(0, most - length), length);
    length += value.length;
  }
  if (length >= most) await reader.cancel().catch(() => undefined);
  return output.subarray(0, Math.min(length, most));
}

const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function* crc32(bytes: Uint8Array): Generator<void, number> {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    crc = (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
    if ((i & 0xfffff) === 0xfffff) yield;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
