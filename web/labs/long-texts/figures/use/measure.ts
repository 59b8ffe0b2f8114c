/** What the reader's losses say of a planted fact. The losses are the core's. */
import type { Client } from '#client';
import type { Trained } from '../../../../src/models/trained.ts';
import { LENGTH, NAMES, type Planted, plant } from './reader.ts';

const mean = async (client: Client, values: readonly number[], signal: AbortSignal) =>
  (await client.summarize({ values }, { signal })).mean;

/** Tokens that are said before the cache is cut to its last `kept` tokens again. */
export const RUN = 8;
/** The most tokens that can be kept, with a run after them. */
export const MOST_KEPT = LENGTH - RUN;

/** The losses of the name's tokens: the first is given the last `kept` tokens, the others those and the name so far. */
async function nameLosses(
  { model }: Trained,
  { tokens, name, count }: Planted,
  kept: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const from = Math.max(0, name - kept);
  const input = tokens.slice(from, name + count - 1);
  const targets = tokens.slice(from + 1, name + count).fill(-100, 0, name - from - 1);
  const all = await model.losses({ tokens: input, targets }, { signal });
  return [...all.slice(-count)];
}

export interface Saved {
  /** Mean loss of a token of the name, where it was told and where another was. */
  readonly told: number;
  readonly other: number;
}

/** Over all names, each against the next one. */
export async function savedByFact(
  client: Client,
  trained: Trained,
  gap: number,
  kept: number,
  signal: AbortSignal,
): Promise<Saved> {
  const [told, other]: [number[], number[]] = [[], []];
  for (const [i, name] of NAMES.entries()) {
    const instead = NAMES[(i + 1) % NAMES.length] ?? name;
    const own = await plant(trained, name, name, gap);
    const swapped = await plant(trained, instead, name, gap);
    told.push(...(await nameLosses(trained, own, Math.min(kept, LENGTH), signal)));
    other.push(...(await nameLosses(trained, swapped, Math.min(kept, LENGTH), signal)));
  }
  return { told: await mean(client, told, signal), other: await mean(client, other, signal) };
}

/** How many tokens at the end of the ordinary text are said. */
const SAID = 6 * RUN;

/** The mean loss of a token of ordinary text, said in runs, each of which begins with the last `kept` tokens. */
export async function ordinaryLoss(
  client: Client,
  { model }: Trained,
  text: Int32Array,
  kept: number,
  signal: AbortSignal,
): Promise<number> {
  const runs = SAID / RUN;
  const length = kept + RUN - 1;
  const tokens = new Int32Array(runs * length);
  const targets = new Int32Array(tokens.length).fill(-100);
  for (let run = 0; run < runs; run++) {
    const first = text.length - SAID + run * RUN;
    tokens.set(text.slice(first - kept, first - kept + length), run * length);
    targets.set(text.slice(first, first + RUN), run * length + kept - 1);
  }
  const losses = await model.losses({ tokens, targets, batch: runs }, { signal });
  return mean(
    client,
    [...losses].filter((_, i) => (targets[i] ?? -100) >= 0),
    signal,
  );
}
