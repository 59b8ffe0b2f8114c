/** Any file a visitor may drop on the page, as a matrix. */
import type { Matrix } from '#client';
import { MAX_TEXT_BYTES, parseCsv } from './csv.js';
import { ImportError } from './error.js';
import { isNpy, MAX_ENTRIES, parseNpy } from './npy.js';
import { runSliced } from './sliced.js';

export { ImportError } from './error.js';

export interface ImportedMatrix extends Matrix {
  /** Sentences on what was done to the file's content; show them beside the control. */
  readonly notes: readonly string[];
  readonly rowLabels?: readonly string[];
  readonly colLabels?: readonly string[];
}

export interface ImportOptions {
  readonly signal?: AbortSignal;
}

/** The largest file worth opening: 4 Mi float64 entries and a header. */
const MAX_FILE_BYTES = Math.max(MAX_TEXT_BYTES, 8 * MAX_ENTRIES + 16_384);
const WANTED = 'a NumPy .npy file or a table of numbers (.csv, .tsv, .txt)';

/** What else people drop, told by its first bytes, and what to do with it. */
const STRANGERS: readonly (readonly [magic: string, seen: string, advice: string])[] = [
  [
    'PK\x03\x04',
    'a zip archive (.npz, .xlsx or .pt)',
    'one array saved with np.save, or a CSV file',
  ],
  ['\x1f\x8b', 'a gzip file', 'the same file unpacked'],
  ['\x89HDF', 'an HDF5 file', 'one array saved with np.save'],
  ['%PDF', 'a PDF file', WANTED],
  ['\x89PNG', 'a PNG picture', WANTED],
  ['\xff\xd8\xff', 'a JPEG picture', WANTED],
  ['\x80\x02', 'a Python pickle', 'one array saved with np.save'],
  ['\x80\x03', 'a Python pickle', 'one array saved with np.save'],
  ['\x80\x04', 'a Python pickle', 'one array saved with np.save'],
  ['\x80\x05', 'a Python pickle', 'one array saved with np.save'],
  ['MATLAB 5.0', 'a MATLAB file', 'a CSV file: writematrix(A, "a.csv")'],
];

/** Reads a file's bytes by what they are, whatever the name says. Rejects with `ImportError`. */
export async function parseMatrixFile(
  file: { readonly name: string; readonly bytes: Uint8Array },
  { signal }: ImportOptions = {},
): Promise<ImportedMatrix> {
  const { name, bytes } = file;
  if (bytes.length === 0) throw new ImportError('an empty file', WANTED);
  if (isNpy(bytes)) return runSliced(parseNpy(bytes), { signal });
  for (const [magic, seen, advice] of STRANGERS) {
    if ([...magic].every((char, i) => bytes[i] === char.charCodeAt(0))) {
      throw new ImportError(seen, advice);
    }
  }
  if (/\.npy$/i.test(name)) {
    throw new ImportError("a .npy file that does not start with NumPy's magic bytes", WANTED);
  }
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) {
    throw new ImportError(
      bytes[0] === 0x7b ? 'a JSON object' : 'a list in brackets (JSON, or a printed array)',
      WANTED,
    );
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
      `a file of ${Math.ceil(file.size / 2 ** 20)} MiB`,
      `at most ${MAX_FILE_BYTES / 2 ** 20} MiB`,
    );
  }
  let buffer: ArrayBuffer;
  try {
    buffer = await file.arrayBuffer();
  } catch {
    // A folder, or a file that was moved since it was chosen.
    throw new ImportError(`'${file.name}', which the browser cannot open`, WANTED);
  }
  return parseMatrixFile({ name: file.name, bytes: new Uint8Array(buffer) }, options);
}
