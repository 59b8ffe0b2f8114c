/** What a token of the small model costs beside one of the reader, measured in this page. */
import type { Client } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import type { Trained } from '../../../../src/models/trained.ts';

/** So many tokens are made, and their mean counts: one alone is shorter than the clock's step. */
const MADE = 32;
/** A difference of fewer milliseconds than two steps of the coarsest clock is the clock's, and not the tokens'. */
const LEAST_MS = 2;
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
  /** Milliseconds of so many texts, each with so many tokens. */
  const timed = async ({ model }: Trained, tokens: number, texts: number): Promise<number> => {
    const begun = performance.now();
    for (let i = 0; i < texts; i++) await model.generate({ prompt, count: tokens }, { signal });
    return performance.now() - begun;
  };
  let alone = Number.POSITIVE_INFINITY;
  /** Of each model the milliseconds of `MADE` tokens, `texts` times: reading the prompt, and asking, is taken off. */
  const turns = async (texts: number): Promise<readonly [big: number, little: number]> => {
    const one = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const many = [...one];
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [i, model] of [reader, small].entries()) {
        one[i] = Math.min(one[i] ?? 0, await timed(model, 1, texts));
        many[i] = Math.min(many[i] ?? 0, await timed(model, 1 + MADE, texts));
      }
      alone = Math.min(alone, await timed(reader, count, 1));
    }
    const [big = 0, little = 0] = many.map((time, i) => time - (one[i] ?? 0));
    return [big, little];
  };
  let texts = 1;
  let [big, little] = await turns(texts);
  // On a busy machine every short run may have been held up, and then more tokens seem to take less than one.
  while (Math.min(big, little) < LEAST_MS) {
    texts *= 2;
    [big, little] = await turns(texts);
  }
  const tokens = texts * MADE;
  const cost = { reader: big / tokens, small: little / tokens, ratio: little / big, alone };
  measured.set(client, cost);
  return cost;
}
