/** Pieces of chapters that the training of the reader never saw, in two halves. */
import type { Tokenizer } from '#client';
import { chapters } from '../../../../src/models/held-out.ts';
import { logOf } from '../../../../src/models/on-page.ts';

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

/** One piece of each chapter in turn; the halves come from different chapters. */
export async function piecesOf(
  tokenizer: Tokenizer,
  each: number,
  signal: AbortSignal,
): Promise<Halves> {
  const { allHeldOut } = await chapters(await logOf('reader'), signal);
  const half = Math.ceil(allHeldOut.length / 2);
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
    choosing: await from(allHeldOut.slice(0, half)),
    deciding: await from(allHeldOut.slice(half)),
  };
}
