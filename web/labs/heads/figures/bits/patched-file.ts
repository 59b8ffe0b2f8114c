/** A model's file with other numbers in some of its matrices: what the weights of fewer bits are tried in. */
import type { Matrix } from '#client';

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** A .safetensors file begins with the length of its header, 8 bytes. */
const LENGTH_BYTES = 8;

/**
 * The file with these matrices in place of its own, of the same shapes and in float32.
 * @throws Error for a name that the file does not have, or a matrix of another shape
 */
export function withMatrices(file: Uint8Array, matrices: ReadonlyMap<string, Matrix>): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const begin = LENGTH_BYTES + length;
  const header = JSON.parse(
    new TextDecoder().decode(file.subarray(LENGTH_BYTES, begin)),
  ) as Readonly<Record<string, Entry>>;
  const patched = file.slice();
  for (const [name, { data }] of matrices) {
    const entry = header[name];
    const [from = 0, to = 0] = entry?.data_offsets ?? [];
    if (entry?.dtype !== 'F32' || to - from !== data.byteLength) {
      throw new Error(`${name}: no matrix of ${data.length} numbers in this file`);
    }
    patched.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), begin + from);
  }
  return patched;
}
