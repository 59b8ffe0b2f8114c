/** Text that the reader never saw while it was trained: a chapter of Moby-Dick, in pieces of one length. */
import { book } from 'virtual:book';
import type { Tokenizer } from '#client';

/** One of those that its log names as held out. */
const CHAPTER = /^Chapter 6\. The Street/i;

export interface Pieces {
  readonly tokens: Int32Array;
  readonly targets: Int32Array;
  readonly batch: number;
}

/** `batch` pieces of n tokens; the target of each token is the one after it. */
export async function heldOutPieces(
  tokenizer: Tokenizer,
  n: number,
  batch: number,
  signal: AbortSignal,
): Promise<Pieces> {
  const answer = await fetch(book.address, { signal });
  if (!answer.ok) throw new Error(`${book.address}: ${answer.status}`);
  const chapter = (await answer.text()).split('\f').find((text) => CHAPTER.test(text)) ?? '';
  const all = await tokenizer.encode(chapter.slice(chapter.indexOf('\n') + 1), { signal });
  const pieces = Math.min(batch, Math.floor((all.length - 1) / n));
  return {
    tokens: all.slice(0, pieces * n),
    targets: all.slice(1, pieces * n + 1),
    batch: pieces,
  };
}
