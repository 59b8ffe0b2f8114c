/** The visitor's own matrices: what a link brings, what the browser keeps. */
import type { NamedMatrix } from '../../src/components/matrix-input/matrix-input.ts';
import { unpackMatrices } from '../../src/state/pack.ts';
import { savedWork } from '../../src/state/saved.ts';
import { later } from '../../src/strings/later.ts';
import { problemText } from '../../src/strings/problem.ts';

export type Letter = 'q' | 'k' | 'v';
export type Own = Readonly<Partial<Record<Letter, NamedMatrix>>>;

const KEY = 'feature-maps/own';
const saved = savedWork();

/** The matrices packed into a link, or why they cannot be used. */
export async function ownOfLink(
  packed: string,
): Promise<{ own: Own; problem?: never } | { own?: never; problem: string }> {
  try {
    const { q, k, v } = await unpackMatrices(packed);
    const name = later.files.linkMatrices;
    return { own: { q: { name, matrix: q }, k: { name, matrix: k }, v: { name, matrix: v } } };
  } catch (error) {
    return {
      problem: later.files.linkBroken(problemText(error)),
    };
  }
}

/** What an earlier visit kept; another version may have kept something else. */
export async function keptOwn(): Promise<Own> {
  const kept = await saved.load(KEY);
  const value = kept.ok ? kept.value : undefined;
  if (typeof value !== 'object' || value === null) return {};
  const fits = ([, named]: [string, NamedMatrix | undefined]): boolean =>
    typeof named?.name === 'string' &&
    named.matrix?.data instanceof Float32Array &&
    named.matrix.data.length === named.matrix.rows * named.matrix.cols;
  return Object.fromEntries(Object.entries(value as Own).filter(fits));
}

/** Empty, or why they will be gone. */
export async function keepOwn(own: Own): Promise<string> {
  const kept = await saved.save(KEY, own);
  return kept.ok ? '' : kept.reason;
}
