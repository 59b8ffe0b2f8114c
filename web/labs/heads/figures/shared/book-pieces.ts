/** Pieces of chapters that the training of the reader never saw, in two halves. */
import { book } from 'virtual:book';
import type { Tokenizer } from '#client';
import { logOf } from './models.ts';

/** As many tokens has a piece. */
export const PIECE = 64;

export interface Piece {
  readonly tokens: Int32Array;
  /** What each token stands for. */
  readonly texts: readonly string[];
}

export interface Halves {
  readonly choosing: readonly Piece[];
  readonly deciding: readonly Piece[];
}

let file: Promise<string> | undefined;

async function heldOutChapters(signal: AbortSignal): Promise<readonly string[]> {
  file ??= fetch(book.address).then((answer) => answer.text());
  file.catch(() => {
    file = undefined;
  });
  const [text, log] = await Promise.all([file, logOf('reader')]);
  signal.throwIfAborted();
  const kept = new Set(log.texts.flatMap(({ heldOut }) => heldOut));
  return text.split('\f').flatMap((part) => {
    const end = part.indexOf('\n');
    return kept.has(part.slice(0, end)) ? [part.slice(end + 1)] : [];
  });
}

/** One piece of each chapter in turn; the halves come from different chapters. */
export async function piecesOf(
  tokenizer: Tokenizer,
  each: number,
  signal: AbortSignal,
): Promise<Halves> {
  const chapters = await heldOutChapters(signal);
  const half = Math.ceil(chapters.length / 2);
  const from = async (some: readonly string[]): Promise<readonly Piece[]> => {
    const pieces: Piece[] = [];
    for (let i = 0; i < each; i++) {
      const chapter = some[i % some.length] ?? '';
      const turn = Math.floor(i / some.length);
      // Pieces begin at a space, far enough apart that they do not overlap.
      const at = chapter.indexOf(' ', 200 + 600 * turn) + 1;
      const all = await tokenizer.encode(chapter.slice(at, at + 500), { signal });
      const tokens = all.slice(0, PIECE);
      const texts = await Promise.all(
        Array.from(tokens, (token) => tokenizer.decode([token], { signal })),
      );
      pieces.push({ tokens, texts });
    }
    return pieces;
  };
  return {
    choosing: await from(chapters.slice(0, half)),
    deciding: await from(chapters.slice(half)),
  };
}
