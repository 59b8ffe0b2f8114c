/** What a token of the small model costs beside one of the reader, measured in this page. */
import type { Client } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import type { Trained } from '../../../../src/models/trained.ts';

/** So many tokens are made, and their mean counts: one alone is shorter than the clock's step. */
const MADE = 32;
/** The models take turns, and the fastest of so many turns counts: what else the machine does then slows both alike. */
const TURNS = 4;

export interface TokenCost {
  /** Milliseconds a token, with a cache. */
  readonly reader: number;
  readonly small: number;
  /** The second over the first: c of the formula. */
  readonly ratio: number;
  /** Milliseconds of the reader alone for as many tokens after the prompt as were asked for. */
  readonly alone: number;
}

const measured = new WeakMap<Client, TokenCost>();

/** Measured once a page: otherwise every knob would move what it does not change. */
export async function tokenCost(
  client: Client,
  { reader, small }: { readonly reader: Trained; readonly small: Trained },
  { prompt, count }: { readonly prompt: Int32Array; readonly count: number },
  { signal }: Ask,
): Promise<TokenCost> {
  const before = measured.get(client);
  if (before) return before;
  const timed = async ({ model }: Trained, tokens: number): Promise<number> => {
    const begun = performance.now();
    await model.generate({ prompt, count: tokens }, { signal });
    return performance.now() - begun;
  };
  const models = [reader, small];
  const one = models.map(() => Number.POSITIVE_INFINITY);
  const many = models.map(() => Number.POSITIVE_INFINITY);
  let alone = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, model] of models.entries()) {
      one[i] = Math.min(one[i] ?? 0, await timed(model, 1));
      many[i] = Math.min(many[i] ?? 0, await timed(model, 1 + MADE));
    }
    alone = Math.min(alone, await timed(reader, count));
  }
  // What reading the prompt takes, and asking, is taken off.
  const [big = 0, little = 0] = many.map((time, i) => (time - (one[i] ?? 0)) / MADE);
  const cost = { reader: big, small: little, ratio: little / big, alone };
  measured.set(client, cost);
  return cost;
}
