/** Names for the heads of the reader, and of a model of its shape that has learned nothing. */
import type { Client, HeadText, LanguageModel, NamedHead } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { ofModel, trained, untrained } from '../../../../src/models/on-page.ts';
import { layersOf } from '../opening/model-heads.ts';
import { type Halves, type Piece, piecesOf } from '../shared/book-pieces.ts';

export interface Named {
  readonly heads: readonly NamedHead[];
  /** What each head would be called for its largest score alone, baselines or not. */
  readonly largest: readonly NamedHead['role'][];
}

export interface BothNamed {
  readonly reader: Named;
  readonly untrained: Named;
}

export type ModelsOfHeads = Readonly<Record<'reader' | 'untrained', LanguageModel>>;

/** The heads of all layers on a piece, in the order of the layers. */
export async function textOf(
  model: LanguageModel,
  { tokens }: Piece,
  signal: AbortSignal,
): Promise<HeadText> {
  const layers = await layersOf(model, tokens, signal);
  return { weights: layers.flat(), tokens };
}

/** Calls `use` with both models and the pieces of text; the random one is disposed of afterwards. */
export async function withBoth<T>(
  client: Client,
  { pieces, seed }: { readonly pieces: number; readonly seed: number },
  ask: Ask,
  use: (models: ModelsOfHeads, halves: Halves) => Promise<T>,
): Promise<T> {
  const { signal } = ask;
  const { model: reader, tokenizer } = await trained(client, 'reader', {
    signal,
    onProgress: (share) => ask.onProgress(share / 2),
  });
  return ofModel(client, 'reader', async () => {
    const halves = await piecesOf(tokenizer, pieces, signal);
    const random = await untrained(client, 'reader', seed, signal);
    try {
      return await use({ reader, untrained: random }, halves);
    } finally {
      await random.dispose();
    }
  });
}

const ROLES = [
  'previousToken',
  'currentToken',
  'firstToken',
  'duplicateToken',
  'induction',
] as const;

export async function namesOf(
  client: Client,
  how: { readonly gain: number; readonly pieces: number; readonly seed: number },
  ask: Ask,
): Promise<BothNamed> {
  const { signal, onProgress } = ask;
  return withBoth(client, how, ask, async (models, halves) => {
    const of = async (model: LanguageModel, done: number): Promise<Named> => {
      const texts = async (pieces: readonly Piece[]): Promise<HeadText[]> => {
        const made: HeadText[] = [];
        for (const piece of pieces) made.push(await textOf(model, piece, signal));
        return made;
      };
      const [choosing, heldOut] = [await texts(halves.choosing), await texts(halves.deciding)];
      onProgress(done + 0.1);
      const heads = await client.nameHeads(
        { choosing, heldOut, leastGain: how.gain, shuffles: 10, seed: how.seed },
        { signal },
      );
      const [first] = choosing;
      const scored = first
        ? (await client.headScores({ ...first, shuffles: 0 }, { signal })).heads
        : [];
      onProgress(done + 0.25);
      return {
        heads,
        largest: scored.map(({ scores }) =>
          ROLES.reduce((best, role) => (scores[role] > scores[best] ? role : best), ROLES[0]),
        ),
      };
    };
    return {
      reader: await of(models.reader, 0.5),
      untrained: await of(models.untrained, 0.75),
    };
  });
}
