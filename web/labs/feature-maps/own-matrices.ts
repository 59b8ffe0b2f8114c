/** The visitor's own matrices: reads them from a link, and keeps them in the browser. */
import type { NamedMatrix } from '../../src/components/matrix-input/matrix-input.ts';
import { keptValues } from '../../src/state/kept-values.ts';
import { idOfParts } from '../../src/state/long-values.ts';
import { unpackMatrices } from '../../src/state/pack-matrices.ts';
import { pageStorage } from '../../src/state/page-host.ts';
import { say } from '../../src/state/phrases.ts';
import { laterWords } from '../../src/strings/later.ts';
import { inWords, problemText } from '../../src/strings/problem.ts';

export type Letter = 'q' | 'k' | 'v';
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

/** An id made of the matrices: the address names them by it. Empty where there are none. */
export async function idOfOwn(own: Own): Promise<string> {
  const parts = (['q', 'k', 'v'] as const).flatMap((letter) => {
    const matrix = own[letter]?.matrix;
    if (!matrix) return [];
    const { rows, cols, data } = matrix;
    const head = new TextEncoder().encode(`${letter}${rows},${cols};`);
    return [head, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
  });
  if (parts.length === 0) return '';
  return idOfParts(parts);
}

/**
 * The matrices that this browser keeps under an id, undefined if it does not have them; for no id those that were
 * kept last. Another version of this page may have kept something else, so they are checked.
 */
export async function keptOwn(id: string): Promise<Own | undefined> {
  const kept = id ? undefined : await saved.load(KEY);
  const value = kept ? kept.ok && kept.value : await sets.find(id);
  if (typeof value !== 'object' || value === null) return id ? undefined : {};
  const fits = ([, named]: [string, NamedMatrix | undefined]): boolean =>
    typeof named?.name === 'string' &&
    named.matrix?.data instanceof Float32Array &&
    named.matrix.data.length === named.matrix.rows * named.matrix.cols;
  const own: Own = Object.fromEntries(Object.entries(value as Own).filter(fits));
  return id && (await idOfOwn(own)) !== id ? undefined : own;
}

/** Empty, or the reason why the matrices cannot be kept. */
export async function keepOwn(id: string, own: Own): Promise<string> {
  const kept = await saved.save(KEY, own);
  if (!kept.ok) return kept.reason;
  return id ? sets.keep(id, own) : '';
}

export const lost = (): string => inWords(say('matrices_lost'));
