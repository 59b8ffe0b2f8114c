/** Writes ZIP archives for the tests, in the forms that Python's zipfile and NumPy write. */

export interface Member {
  readonly name: string;
  readonly data: Uint8Array;
  /** Packs it by method 8; it is stored otherwise. */
  readonly deflated?: ((data: Uint8Array) => Uint8Array) | undefined;
  /**
   * Sizes of 64 bits: `beside` in an extra field of the local header beside true ones of 32 bits (np.savez), `instead` of
   * them (np.savez_compressed of newer Pythons), `everywhere` also in the central directory.
   */
  readonly wide?: 'beside' | 'instead' | 'everywhere';
  readonly flags?: number;
  readonly method?: number;
}

export interface ZipOptions {
  /** The record and the locator of 64 bits in front of the end. */
  readonly wide?: boolean;
  readonly comment?: string;
}

const LONG = 0xffffffff;

/** Bit by bit, as the format says, and not as the reader does it. */
function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

export function zipFile(members: readonly Member[], options: ZipOptions = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  const put = (bytes: Uint8Array): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  const record = (length: number, fill: (view: DataView) => void): Uint8Array => {
    const bytes = new Uint8Array(length);
    fill(new DataView(bytes.buffer));
    return bytes;
  };
  const wideField = (...values: readonly number[]): Uint8Array =>
    record(4 + 8 * values.length, (view) => {
      view.setUint16(0, 1, true);
      view.setUint16(2, 8 * values.length, true);
      values.forEach((value, i) => {
        view.setBigUint64(4 + 8 * i, BigInt(value), true);
      });
    });
  const directory: Uint8Array[] = [];
  for (const { name, data, deflated, wide, flags = 0, ...member } of members) {
    const title = new TextEncoder().encode(name);
    const packed = deflated?.(data) ?? data;
    const method = member.method ?? (deflated ? 8 : 0);
    const crc = crc32(data);
    const place = at;
    const local = wide ? wideField(data.length, packed.length) : new Uint8Array(0);
    const hidden = wide === 'instead' || wide === 'everywhere';
    put(
      record(30, (view) => {
        view.setUint32(0, 0x04034b50, true);
        view.setUint16(4, wide ? 45 : 20, true);
        view.setUint16(6, flags, true);
        view.setUint16(8, method, true);
        view.setUint32(14, crc, true);
        view.setUint32(18, hidden ? LONG : packed.length, true);
        view.setUint32(22, hidden ? LONG : data.length, true);
        view.setUint16(26, title.length, true);
        view.setUint16(28, local.length, true);
      }),
    );
    put(title);
    put(local);
    put(packed);
    const everywhere = wide === 'everywhere';
    // Another field first: a reader looks for the one of 64 bits.
    const other = Uint8Array.of(0x55, 0x54, 1, 0, 0);
    const wideEntry = everywhere ? wideField(data.length, packed.length, place) : new Uint8Array(0);
    directory.push(
      record(46, (view) => {
        view.setUint32(0, 0x02014b50, true);
        view.setUint16(8, flags, true);
        view.setUint16(10, method, true);
        view.setUint32(16, crc, true);
        view.setUint32(20, everywhere ? LONG : packed.length, true);
        view.setUint32(24, everywhere ? LONG : data.length, true);
        view.setUint16(28, title.length, true);
        view.setUint16(30, other.length + wideEntry.length, true);
        view.setUint32(42, everywhere ? LONG : place, true);
      }),
      title,
      other,
      wideEntry,
    );
  }
  const start = at;
  for (const bytes of directory) put(bytes);
  const length = at - start;
  if (options.wide) {
    const wideEnd = at;
    put(
      record(56, (view) => {
        view.setUint32(0, 0x06064b50, true);
        view.setBigUint64(4, 44n, true);
        view.setBigUint64(24, BigInt(members.length), true);
        view.setBigUint64(32, BigInt(members.length), true);
        view.setBigUint64(40, BigInt(length), true);
        view.setBigUint64(48, BigInt(start), true);
      }),
    );
    put(
      record(20, (view) => {
        view.setUint32(0, 0x07064b50, true);
        view.setBigUint64(8, BigInt(wideEnd), true);
        view.setUint32(16, 1, true);
      }),
    );
  }
  const comment = new TextEncoder().encode(options.comment ?? '');
  put(
    record(22, (view) => {
      view.setUint32(0, 0x06054b50, true);
      view.setUint16(8, options.wide ? 0xffff : members.length, true);
      view.setUint16(10, options.wide ? 0xffff : members.length, true);
      view.setUint32(12, options.wide ? LONG : length, true);
      view.setUint32(16, options.wide ? LONG : start, true);
      view.setUint16(20, comment.length, true);
    }),
  );
  put(comment);
  const bytes = new Uint8Array(at);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
