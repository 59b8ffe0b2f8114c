/** The visitor's own matrices: reads them from a link, and keeps them in the browser. */
import type { NamedMatrix } from '../../src/components/matrix-input/matrix-input.ts';
import { unpackMatrices } from '../../src/state/pack-matrices.ts';
import { pageStorage } from '../../src/state/page-host.ts';
import { strings } from '../../src/strings/index.ts';
import { problemText } from '../../src/strings/problem.ts';

export type Letter = 'q' | 'k' | 'v';
export type Own = Readonly<Partial<Record<Letter, NamedMatrix>>>;

const KEY = 'feature-maps/own';
const saved = pageStorage();

/** The matrices packed into a link, or why they cannot be used. */
export async function ownOfLink(
  packed: string,
): Promise<{ own: Own; problem?: never } | { own?: never; problem: string }> {
  try {
    const { q, k, v } = await unpackMatrices(packed);
    const name = strings.files.linkMatrices;
    return { own: { q: { name, matrix: q }, k: { name, matrix: k }, v: { name, matrix: v } } };
  } catch (error) {
    return {
      problem: strings.files.linkBroken(problemText(error)),
    };
  }
}

/** The matrices that an earlier visit kept. Another version of this page may have kept something else, so they are checked. */
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

/** Empty, or the reason why the matrices cannot be kept. */
export async function keepOwn(own: Own): Promise<string> {
  const kept = await saved.save(KEY, own);
  return kept.ok ? '' : kept.reason;
}
