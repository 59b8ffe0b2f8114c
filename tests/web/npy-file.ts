/** Writes `.npy` files for the tests, as numpy.lib.format describes them. */

export interface NpyFile {
  readonly descr?: string;
  readonly shape?: string;
  readonly fortranOrder?: boolean;
  readonly data?: Uint8Array;
  readonly version?: 1 | 2 | 3;
  /** The header, used in place of the dictionary made from the fields above. */
  readonly header?: string;
}

export function npyFile(file: NpyFile): Uint8Array {
  const { descr = '<f4', shape = '(2, 3)', fortranOrder = false, version = 1 } = file;
  const data = file.data ?? new Uint8Array(24);
  const prefix = version === 1 ? 10 : 12;
  const order = fortranOrder ? 'True' : 'False';
  const dictionary =
    file.header ?? `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const length = Math.ceil((prefix + dictionary.length + 1) / 64) * 64 - prefix;
  const bytes = new Uint8Array(prefix + length + data.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  if (version === 1) view.setUint16(8, length, true);
  else view.setUint32(8, length, true);
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(length - 1)}\n`), prefix);
  bytes.set(data, prefix + length);
  return bytes;
}

/** Writes numbers as raw elements with a setter of DataView. */
export function raw(
  values: readonly number[],
  size: number,
  write: (view: DataView, at: number, value: number) => void,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * size));
  values.forEach((value, i) => {
    write(view, i * size, value);
  });
  return new Uint8Array(view.buffer);
}

export const float32 = (values: readonly number[]): Uint8Array =>
  raw(values, 4, (view, at, value) => view.setFloat32(at, value, true));
