/** A text that the trained models have never read, as tokens of the reader. */
import type { Client } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { chapters } from '../../../../src/models/held-out.ts';
import { logOf, trained } from '../../../../src/models/on-page.ts';
import type { Trained, TrainedName } from '../../../../src/models/trained.ts';

/** A model that all figures of the page ask. Its arrival is half of what there is to do. */
export const modelNamed = (
  client: Client,
  name: TrainedName,
  { signal, onProgress }: Ask,
): Promise<Trained> =>
  trained(client, name, { signal, onProgress: (share) => onProgress(share / 2) });

const unread = new WeakMap<Client, Int32Array>();

/** The tokens of the first chapter that was kept from the training; they are found once for a page. */
export async function unreadTokens(client: Client, ask: Ask): Promise<Int32Array> {
  const { tokenizer } = await modelNamed(client, 'reader', ask);
  const known = unread.get(client);
  if (known) return known;
  const { heldOut } = await chapters(await logOf('reader'), ask.signal);
  const tokens = await tokenizer.encode(heldOut, { signal: ask.signal });
  unread.set(client, tokens);
  return tokens;
}

export interface Passages {
  readonly tokens: Int32Array;
  /** The token after each of them. */
  readonly targets: Int32Array;
  readonly batch: number;
}

/** Passages of n tokens of that chapter, one after the other: as many as it has, and no more than `most`. */
export async function unreadPassages(
  client: Client,
  n: number,
  most: number,
  ask: Ask,
): Promise<Passages> {
  const all = await unreadTokens(client, ask);
  const batch = Math.min(most, Math.floor((all.length - 1) / n));
  return { tokens: all.slice(0, batch * n), targets: all.slice(1, batch * n + 1), batch };
}

/** The mean of losses, in nats a token. */
export async function meanOf(
  client: Client,
  losses: Iterable<number>,
  signal: AbortSignal,
): Promise<number> {
  return (await client.summarize({ values: [...losses] }, { signal })).mean;
}
