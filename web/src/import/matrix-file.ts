/** Any file a visitor may drop on the page, as a matrix. */

import type { Matrix } from '#client';
import type { Wording } from '#client/phrases';
import { idOfParts } from '../state/long-values.js';
import { parseCsv } from './csv.js';
import { ImportError } from './error.js';
import { isNpy, parseNpy } from './npy.js';
import { parseNpz } from './npz.js';
import { say } from './phrases.js';
import { arrayReading, tableReading } from './reading.js';
import { runSliced } from './run-in-slices.js';

export { ImportError } from './error.js';

/** What a file leaves open, beside what was chosen. */
export type Choice =
  /** One sentence says how it was read, and one click reads it in the other way. */
  | {
      readonly kind: 'other';
      readonly about: Wording;
      /** What the button says. */
      readonly other: Wording;
      readonly reading: string;
    }
  /** Which array of an archive. */
  | { readonly kind: 'member'; readonly members: readonly string[]; readonly member: string }
  /** Which matrix along one axis in front of it; `place` is its index in the reading. */
  | {
      readonly kind: 'axis';
      readonly axis: Wording;
      readonly place: number;
      readonly length: number;
      readonly index: number;
    };

export interface ImportedMatrix extends Matrix {
  /** Sentences on what was done to the file's content; show them beside the control. */
  readonly notes: readonly Wording[];
  readonly rowLabels?: readonly string[];
  readonly colLabels?: readonly string[];
  readonly choices?: readonly Choice[];
  /** What was chosen; empty or missing for what the file decides by itself. See `reading.ts`. */
  readonly reading?: string;
}

export interface ImportOptions {
  /** What to read where there is a choice; see `reading.ts`. */
  readonly reading?: string | undefined;
  /** Whose place it is: of an archive, the array of that name is read first. */
  readonly letter?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The largest file worth opening: all layers and heads of a text, as float16. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
const WANTED = say('file');

/** What else people drop, told by its first bytes, and what to do with it. */
const STRANGERS: readonly (readonly [magic: string, seen: Wording, advice: Wording])[] = [
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
  options: ImportOptions = {},
): Promise<ImportedMatrix> {
  const { name, bytes } = file;
  const { reading = '', signal } = options;
  if (bytes.length === 0) throw new ImportError(say('empty_file'), WANTED);
  if (isNpy(bytes)) return runSliced(parseNpy(bytes, arrayReading(reading)), { signal });
  if (isZip(bytes)) return parseNpz(bytes, options);
  for (const [magic, seen, advice] of STRANGERS) {
    if ([...magic].every((char, i) => bytes[i] === char.charCodeAt(0))) {
      throw new ImportError(seen, advice);
    }
  }
  if (/\.np[yz]$/i.test(name)) {
    throw new ImportError(say('no_magic'), WANTED);
  }
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) {
    throw new ImportError(say(bytes[0] === 0x7b ? 'json_object' : 'list_in_brackets'), WANTED);
  }
  const table = await runSliced(parseCsv(bytes, tableReading(reading)), { signal });
  return reading === '' ? table : { ...table, reading };
}

/** A member at the beginning, or the end of an archive that has none. */
const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 &&
  bytes[1] === 0x4b &&
  (bytes[2] === 3 || bytes[2] === 5) &&
  bytes[3] === bytes[2] + 1;

/** A matrix, and what names the content of its file. */
export interface ReadMatrix extends ImportedMatrix {
  readonly id: string;
}

/** The same from a file input or a drop, refusing by size before a byte is read. */
export async function readMatrixFile(
  file: Blob,
  name: string,
  options: ImportOptions = {},
): Promise<ReadMatrix> {
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
    throw new ImportError(say('cannot_open', { name }), WANTED);
  }
  const bytes = new Uint8Array(buffer);
  const read = await parseMatrixFile({ name, bytes }, options);
  return { ...read, id: await idOfParts([bytes]) };
}
