/** Texts as the reader is asked about them: sequences of its whole length, and what comes next at each place. */
import type { Tokenizer } from '#client';

/** Tokens of a sequence, as the reader was trained, and sequences of a batch. */
export const LENGTH = 128;
export const BATCH = 4;

/** No target: after the last token of a sequence nothing is known. */
const NONE = -100;

export interface Batch {
  readonly tokens: Int32Array;
  readonly targets: Int32Array;
  readonly batch: number;
}

export async function batchOf(
  tokenizer: Tokenizer,
  text: string,
  signal: AbortSignal,
  batch = BATCH,
): Promise<Batch> {
  const all = await tokenizer.encode(text, { signal });
  const tokens = all.slice(0, batch * LENGTH);
  if (tokens.length < batch * LENGTH) throw new Error('the text is too short for these sequences');
  const targets = Int32Array.from(tokens, (_, i) =>
    i % LENGTH === LENGTH - 1 ? NONE : (tokens[i + 1] as number),
  );
  return { tokens, targets, batch };
}
