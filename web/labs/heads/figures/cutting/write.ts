/** What the reader writes with some of its heads cut, a piece at a time, so that a moved knob is felt. */
import type { Client, HeadPlace, Matrix } from '#client';
import { ofModel, trained } from '../../../../src/models/on-page.ts';

export const PROMPT = 'And the captain of the ship looked at the sea, and said';
const TOKENS = 40;
const PIECE = 8;
export const SAMPLING = { temperature: 0.7, topK: 20 } as const;

const texts = new WeakMap<Client, Map<string, string>>();

/** Calls `onPiece` with all that is written so far; ends early once `stop` says so. */
export async function written(
  client: Client,
  heads: readonly HeadPlace[],
  instead: readonly Matrix[] | undefined,
  seed: number,
  {
    signal,
    onPiece,
    stop,
  }: {
    readonly signal: AbortSignal;
    readonly onPiece: (text: string) => void;
    readonly stop: () => boolean;
  },
): Promise<string> {
  const known = texts.get(client) ?? new Map<string, string>();
  texts.set(client, known);
  const key = JSON.stringify([heads, instead !== undefined, seed]);
  const there = known.get(key);
  if (there !== undefined) return there;
  const { model, tokenizer } = await trained(client, 'reader', {
    signal,
    onProgress: () => undefined,
  });
  return ofModel(client, 'reader', async () => {
    const gates = {
      heads: heads.map((head) => ({ ...head, gate: 0 })),
      ...(instead && { instead }),
    };
    let tokens = await tokenizer.encode(PROMPT, { signal });
    const begun = tokens.length;
    let text = '';
    while (tokens.length < begun + TOKENS && !stop()) {
      const more = await model.generate(
        { prompt: tokens, count: PIECE, ...SAMPLING, seed: seed + tokens.length, gates },
        { signal },
      );
      tokens = Int32Array.of(...tokens, ...more);
      text = await tokenizer.decode(tokens.slice(begun), { signal });
      onPiece(text);
    }
    if (tokens.length >= begun + TOKENS) known.set(key, text);
    return text;
  });
}
