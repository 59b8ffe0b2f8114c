/** The visitor's own matrices: reads them from a link, and keeps them in the browser. */
import type { Matrix } from '#client';
import { type NamedMatrix, namedMatrix } from '../../src/components/matrix-input/named-matrix.ts';
import { keptValues } from '../../src/state/kept-values.ts';
import { idOfParts } from '../../src/state/long-values.ts';
import { unpackMatrices } from '../../src/state/pack-matrices.ts';
import { pageStorage } from '../../src/state/page-host.ts';
import { say } from '../../src/state/phrases.ts';
import { laterWords } from '../../src/strings/later.ts';
import { inWords, problemText } from '../../src/strings/problem.ts';
import { LETTERS } from './link-state.ts';

export type Letter = (typeof LETTERS)[number];
export type Own = Readonly<Partial<Record<Letter, NamedMatrix>>>;

const KEY = 'feature-maps/own';
const saved = pageStorage();
/** What addresses name: the newest sets, each of at most 3 MB. */
const sets = keptValues(KEY, 12);

/** The matrices packed into a link, or why they cannot be used. */
export async function ownOfLink(
  packed: string,
): Promise<{ own: Own; problem?: never } | { own?: never; problem: string }> {
  try {
    const { q, k, v } = await unpackMatrices(packed);
    const name = laterWords.files.linkMatrices;
    return { own: { q: { name, matrix: q }, k: { name, matrix: k }, v: { name, matrix: v } } };
  } catch (error) {
    return {
      problem: laterWords.files.linkBroken(await problemText(error)),
    };
  }
}

/** An id made of the matrices, or of the files that they are from: the address names them by it. Empty where there are none. */
export async function idOfOwn(own: Own): Promise<string> {
  const parts = LETTERS.flatMap((letter) => {
    const named = own[letter];
    if (!named) return [];
    if (named.id) return [new TextEncoder().encode(`${letter}:${named.id};`)];
    const { rows, cols, data } = named.matrix;
    const head = new TextEncoder().encode(`${letter}${rows},${cols};`);
    return [head, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
  });
  if (parts.length === 0) return '';
  return idOfParts(parts);
}

/** How the files were read, as the address has it: `q:Q@0.3;k:K@0.3`. Empty where no file leaves a choice. */
export const pickOf = (own: Own): string =>
  LETTERS.flatMap((letter) => {
    const reading = own[letter]?.reading;
    return reading ? [`${letter}:${reading}`] : [];
  }).join(';');

/** The matrices, each read as the address says; undefined where a file is missing that would have to be read again. */
export async function picked(own: Own, pick: string): Promise<Own | undefined> {
  const readings = new Map(pick.split(';').map((one) => [one.slice(0, 1), one.slice(2)]));
  let now: Own = own;
  for (const letter of LETTERS) {
    const named = own[letter];
    const reading = readings.get(letter) ?? '';
    if (!named || reading === (named.reading ?? '')) continue;
    // No file that is kept leaves a choice, so nothing could be read in another way.
    if (!named.source) {
      if (reading === '') continue;
      return undefined;
    }
    now = { ...now, [letter]: await namedMatrix(named.source, named.name, { reading, letter }) };
  }
  return now;
}

/** What is kept of a matrix: many numbers as a file, because the browser copies those beside the page. */
type KeptMatrix = Omit<NamedMatrix, 'matrix'> & {
  readonly matrix: Omit<Matrix, 'data'> & { readonly data: Float32Array | Blob };
};
/** From so many entries on. */
const MANY = 64 * 1024;
/** A file that leaves a choice is kept up to this size; a larger one is chosen once more after a reload. */
const MOST_SOURCE = 128 * 1024 * 1024;

const asFiles = new WeakMap<Float32Array, Blob>();

async function toKeep(own: Own): Promise<Readonly<Record<string, KeptMatrix>>> {
  const kept: Record<string, KeptMatrix> = {};
  for (const letter of LETTERS) {
    const named = own[letter];
    if (!named) continue;
    const { matrix, source, ...about } = named;
    const { data } = matrix;
    let file: Blob | undefined;
    if (data.length >= MANY) {
      file = asFiles.get(data);
      if (!file) {
        // The browser copies the numbers: one matrix in a task.
        await new Promise((resolve) => setTimeout(resolve));
        file = new Blob([data as Float32Array<ArrayBuffer>]);
        asFiles.set(data, file);
      }
    }
    kept[letter] = {
      ...about,
      matrix: { ...matrix, data: file ?? data },
      ...(source && source.size <= MOST_SOURCE && { source }),
    };
  }
  return kept;
}

async function fromKept(value: unknown): Promise<Own> {
  const own: Partial<Record<Letter, NamedMatrix>> = {};
  for (const letter of LETTERS) {
    const named = (value as Partial<Record<Letter, KeptMatrix>>)[letter];
    const stored = named?.matrix?.data;
    const data = stored instanceof Blob ? new Float32Array(await stored.arrayBuffer()) : stored;
    const fits =
      typeof named?.name === 'string' &&
      data instanceof Float32Array &&
      data.length === named.matrix.rows * named.matrix.cols;
    if (fits) own[letter] = { ...named, matrix: { ...named.matrix, data } };
  }
  return own;
}

/**
 * The matrices that this browser keeps under an id, undefined if it does not have them; for no id those that were
 * kept last. Another version of this page may have kept something else, so they are checked.
 */
export async function keptOwn(id: string): Promise<Own | undefined> {
  const kept = id ? undefined : await saved.load(KEY);
  const value = kept ? kept.ok && kept.value : await sets.find(id);
  if (typeof value !== 'object' || value === null) return id ? undefined : {};
  const own = await fromKept(value).catch(() => undefined);
  if (!own) return id ? undefined : {};
  return id && (await idOfOwn(own)) !== id ? undefined : own;
}

/** Empty, or the reason why the matrices cannot be kept. */
export async function keepOwn(id: string, own: Own): Promise<string> {
  const record = await toKeep(own);
  const kept = await saved.save(KEY, record);
  if (!kept.ok) return kept.reason;
  return id ? sets.keep(id, record) : '';
}

export const lost = (): string => inWords(say('matrices_lost'));
