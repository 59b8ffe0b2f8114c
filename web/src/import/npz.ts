/**
 * NumPy's `.npz` files: a ZIP archive whose members are `.npy` files. One of them is the matrix; which one may be
 * chosen. What is none is named.
 */
import type { Wording } from '#client/phrases';
import { ImportError } from './error.js';
import type { Choice, ImportedMatrix, ImportOptions } from './matrix-file.js';
import { HEADER_BYTES, isNpy, type NpyArray, npyHeader, parseNpy, textsOf } from './npy.js';
import { say } from './phrases.js';
import { arrayReading, memberFor, readingOfArray } from './reading.js';
import { runSliced } from './run-in-slices.js';
import { type ZipMember, zipMembers } from './zip.js';

/** So many names a sentence lists. */
const MOST_NAMES = 5;

export interface NpzArray extends NpyArray {
  readonly name: string;
  readonly member: ZipMember;
}

export interface Archive {
  readonly arrays: readonly NpzArray[];
  /** Arrays that cannot be read, and why. */
  readonly refused: readonly { readonly name: string; readonly error: ImportError }[];
  /** Members that are no arrays. */
  readonly others: readonly string[];
}

/** What an archive holds. Rejects with `ImportError` for one that is none. */
export async function readArchive(bytes: Uint8Array): Promise<Archive> {
  const members = zipMembers(bytes);
  const names = members.map(({ name }) => name);
  if (names.some((name) => /(?:^|\/)data\.pkl$/.test(name))) {
    throw new ImportError(say('pytorch'), say('saved_from_torch'));
  }
  if (names.includes('[Content_Types].xml')) {
    const excel = names.some((name) => name.startsWith('xl/'));
    throw new ImportError(say(excel ? 'excel' : 'office'), say('csv_utf8'));
  }
  const arrays: NpzArray[] = [];
  const refused: { name: string; error: ImportError }[] = [];
  const others: string[] = [];
  for (const member of members) {
    const name = member.name.replace(/\.npy$/, '');
    try {
      const head = await member.first(HEADER_BYTES);
      if (isNpy(head)) arrays.push({ ...npyHeader(head), name, member });
      else if (name === member.name) others.push(name);
      else refused.push({ name, error: new ImportError(say('no_magic'), say('saved')) });
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      refused.push({ name, error });
    }
  }
  return { arrays, refused, others };
}

/** The matrix of an archive. Rejects with `ImportError`. */
export async function parseNpz(
  bytes: Uint8Array,
  { reading = '', letter = '', signal }: ImportOptions = {},
): Promise<ImportedMatrix> {
  const { arrays, refused, others } = await readArchive(bytes);
  const numbers = arrays.filter(({ kind }) => kind === 'numbers');
  if (numbers.length === 0) {
    const [first] = refused;
    if (first) throw new ImportError(inMember(first.name, first.error.seen), first.error.wanted);
    const names = listed([...others, ...arrays.map(({ name }) => name)]);
    throw new ImportError(
      names === '' ? say('zip_empty') : say('zip_of', { names }),
      say('saved_or_csv'),
    );
  }
  const wanted = arrayReading(reading);
  const called = memberFor(
    numbers.map(({ name }) => name),
    letter,
  );
  const chosen =
    numbers.find(({ name }) => name === wanted.member) ??
    numbers.find(({ name }) => name === called) ??
    numbers.find(({ shape }) => shape.length > 1) ??
    (numbers[0] as NpzArray);
  const { name: member } = chosen;
  const at = wanted.member === member ? wanted.at : [];
  let matrix: ImportedMatrix;
  try {
    matrix = await runSliced(parseNpy(await chosen.member.all(), { member, at }), { signal });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(inMember(member, error.seen), error.wanted);
  }
  const notes: Wording[] = [say('member_read', { name: member }), ...matrix.notes];
  for (const { name, error } of refused.slice(0, MOST_NAMES)) {
    notes.push(say('member_refused', { name, seen: error.seen, wanted: error.wanted }));
  }
  if (others.length > 0) notes.push(say('members_left_out', { names: listed(others) }));
  const labels = await tokensFor(arrays, matrix);
  if (labels) notes.push(say('names_of_member', { name: labels.name }));
  const choices: Choice[] = [
    ...(numbers.length > 1
      ? [{ kind: 'member' as const, members: numbers.map(({ name }) => name), member }]
      : []),
    ...(matrix.choices ?? []),
  ];
  return {
    ...matrix,
    notes,
    ...(labels && {
      rowLabels: labels.texts,
      ...(matrix.rows === matrix.cols && { colLabels: labels.texts }),
    }),
    ...(choices.length > 0 && {
      choices,
      reading: matrix.reading ?? readingOfArray({ member, at: [] }),
    }),
  };
}

/** The only array of texts that has one for each row. */
async function tokensFor(arrays: readonly NpzArray[], { rows }: ImportedMatrix) {
  const texts = arrays.filter(
    ({ kind, shape }) => kind === 'text' && shape.reduce((all, size) => all * size, 1) === rows,
  );
  const [only, another] = texts;
  if (!only || another) return undefined;
  try {
    return { name: only.name, texts: textsOf(await only.member.all(), only) };
  } catch (error) {
    // Names that cannot be read keep nobody from the numbers.
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}

const inMember = (name: string, what: Wording): Wording => say('in_member', { name, what });

const listed = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? `${names.slice(0, MOST_NAMES).join(', ')} … (${names.length})`
    : names.join(', ');
