/** How far each head of the reader, and of a model of random weights, follows what is claimed of it. */
import type { Client, LanguageModel, RelationScore, RelationText } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { textOf, withBoth } from '../names/named.ts';
import type { Piece } from '../shared/book-pieces.ts';
import { type Relation, relationOf } from './word-classes.ts';

export const KINDS = ['positional', 'syntactic', 'semantic', 'content'] as const;
export type Kind = (typeof KINDS)[number];

/** Voita et al. 2019 call a head positional from here on. */
export const POSITIONAL = 0.9;
/** What a relation has to gain over equal distance, as for names. */
export const GAIN = 0.1;

export interface Half {
  readonly choosing: readonly RelationScore[];
  readonly deciding: readonly RelationScore[];
}

export type Tested = Readonly<Record<'reader' | 'untrained', Half>>;

/** The number of a head that decides: a share of rows, or what it gains over equal distance. */
export const heightOf = (kind: Kind, { score, elsewhere, offsetShare }: RelationScore): number =>
  kind === 'positional' ? offsetShare : score - elsewhere;

export const wantedOf = (kind: Kind): number => (kind === 'positional' ? POSITIONAL : GAIN);

const largest = (values: readonly number[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...values.filter(Number.isFinite));

/** What the best head of random weights reaches on the text that decides. */
export const controlOf = (kind: Kind, { untrained }: Tested): number =>
  largest(untrained.deciding.map((one) => heightOf(kind, one)));

/** The heads that reach what is wanted in both halves, and more than any head of random weights. */
export function passing(kind: Kind, tested: Tested): readonly number[] {
  const least = Math.max(wantedOf(kind), controlOf(kind, tested));
  const { choosing, deciding } = tested.reader;
  return deciding.flatMap((one, i) => {
    const other = choosing[i];
    const chosen = other ? heightOf(kind, other) : Number.NaN;
    return heightOf(kind, one) >= least && chosen >= wantedOf(kind) ? [i] : [];
  });
}

export async function testKind(
  client: Client,
  { kind, ...how }: { readonly kind: Kind; readonly pieces: number; readonly seed: number },
  ask: Ask,
): Promise<Tested> {
  const { signal, onProgress } = ask;
  // Where the largest weight is does not depend on a relation; any will do.
  const relation: Relation = kind === 'positional' ? 'content' : kind;
  return withBoth(client, how, ask, async (models, halves) => {
    const scores = async (model: LanguageModel, pieces: readonly Piece[]) => {
      const texts: RelationText[] = [];
      for (const piece of pieces) {
        const { weights } = await textOf(model, piece, signal);
        texts.push({ weights, relation: relationOf(relation, piece) });
      }
      return client.relationScores({ texts }, { signal });
    };
    const of = async (model: LanguageModel, done: number): Promise<Half> => {
      const choosing = await scores(model, halves.choosing);
      onProgress(done + 0.125);
      const deciding = await scores(model, halves.deciding);
      onProgress(done + 0.25);
      return { choosing, deciding };
    };
    return {
      reader: await of(models.reader, 0.5),
      untrained: await of(models.untrained, 0.75),
    };
  });
}
