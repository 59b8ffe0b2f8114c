/** What a visitor brings: a matrix, its names, and the file that it is from. */
import type { Matrix } from '#client';
import type { Wording } from '#client/phrases';
import type { Choice } from '../../import/matrix-file.ts';
import { readFile } from '../../import/read-file.ts';

/** A matrix and where it came from. */
export interface NamedMatrix {
  readonly name: string;
  readonly matrix: Matrix;
  /** What was done to the file's content. */
  readonly notes?: readonly Wording[];
  readonly rowLabels?: readonly string[];
  readonly colLabels?: readonly string[];
  /** What the file leaves open; `source` is the file then, and `reading` what was chosen. */
  readonly choices?: readonly Choice[];
  readonly reading?: string;
  readonly source?: Blob;
  /** Names the content of the file. */
  readonly id?: string;
}

/** Reads a file as the matrix of a letter. Rejects with `ImportError`. */
export async function namedMatrix(
  file: Blob,
  name: string,
  options: { readonly reading?: string | undefined; readonly letter?: string | undefined } = {},
): Promise<NamedMatrix> {
  const { rows, cols, data, ...about } = await readFile(file, name, options);
  return { name, matrix: { rows, cols, data }, ...about, ...(about.choices && { source: file }) };
}
