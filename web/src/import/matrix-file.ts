/** Any file a visitor may drop on the page, as a matrix. */

import type { Matrix } from '#client';
import type { Wording } from '#client/phrases';
import { MAX_TEXT_BYTES, parseCsv } from './csv.js';
import { ImportError } from './error.js';
import { isNpy, MAX_ENTRIES, parseNpy } from './npy.js';
import { say } from './phrases.js';
import { runSliced } from './run-in-slices.js';

export { ImportError } from './error.js';

export interface ImportedMatrix extends Matrix {
  /** Sentences on what was done to the file's content; show them beside the control. */
  readonly notes: readonly Wording[];
  readonly rowLabels?: readonly string[];
  readonly colLabels?: readonly string[];
}

export interface ImportOptions {
  readonly signal?: AbortSignal;
}

/** The largest file worth opening: 4 Mi float64 entries and a header. */
const MAX_FILE_BYTES = Math.max(MAX_TEXT_BYTES, 8 * MAX_ENTRIES + 16_384);
const WANTED = say('file');

/** What else people drop, told by its first bytes, and what to do with it. */
const STRANGERS: readonly (readonly [magic: string, seen: Wording, advice: Wording])[] = [
  ['PK\x03\x04', say('zip'), say('saved_or_csv')],
  ['\x1f\x8b', say('gzip'), say('unpacked')],
  ['\x89HDF', say('hdf5'), say('saved')],
  ['%PDF', say('pdf'), WANTED],
  ['\x89PNG', say('png'), WANTED],
  ['\xff\xd8\xff', say('jpeg'), WANTED],
  ['\x80\x02', say('pickle'), say('saved')],
  ['\x80\x03', say('pickle'), say('saved')],
  ['\x80\x04', say('pickle'), say('saved')],
  ['\x80\x05', say('pickle'), say('saved')],
  ['MATLAB 5.0', say('matlab'), say('written_csv')],
];

/** Reads a file's bytes by what they are, whatever the name says. Rejects with `ImportError`. */
export async function parseMatrixFile(
  file: { readonly name: string; readonly bytes: Uint8Array },
  { signal }: ImportOptions = {},
): Promise<ImportedMatrix> {
  const { name, bytes } = file;
  if (bytes.length === 0) throw new ImportError(say('empty_file'), WANTED);
  if (isNpy(bytes)) return runSliced(parseNpy(bytes), { signal });
  for (const [magic, seen, advice] of STRANGERS) {
    if ([...magic].every((char, i) => bytes[i] === char.charCodeAt(0))) {
      throw new ImportError(seen, advice);
    }
  }
  if (/\.npy$/i.test(name)) {
    throw new ImportError(say('no_magic'), WANTED);
  }
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) {
    throw new ImportError(say(bytes[0] === 0x7b ? 'json_object' : 'list_in_brackets'), WANTED);
  }
  return runSliced(parseCsv(bytes), { signal });
}

/** The same from a file input or a drop, refusing by size before a byte is read. */
export async function readMatrixFile(
  file: File,
  options: ImportOptions = {},
): Promise<ImportedMatrix> {
  if (file.size > MAX_FILE_BYTES) {
    throw new ImportError(
      say('file_of', { n: Math.ceil(file.size / 2 ** 20) }),
      say('at_most_mib', { most: MAX_FILE_BYTES / 2 ** 20 }),
    );
  }
  let buffer: ArrayBuffer;
  try {
    buffer = await file.arrayBuffer();
  } catch {
    // A folder, or a file that was moved since it was chosen.
    throw new ImportError(say('cannot_open', { name: file.name }), WANTED);
  }
  return parseMatrixFile({ name: file.name, bytes: new Uint8Array(buffer) }, options);
}
