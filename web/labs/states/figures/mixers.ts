/** What figures of this lab ask the core about mixers. */
import type { Client, SequenceMixerInfo } from '#client';
import type { Ask } from '../../../src/lab/types.ts';

let infos: Promise<readonly SequenceMixerInfo[]> | undefined;

/** The registry, asked once. */
export function mixersOf(client: Client): Promise<readonly SequenceMixerInfo[]> {
  infos ??= client.sequenceMixers().catch((error: unknown) => {
    infos = undefined;
    throw error;
  });
  return infos;
}

export interface Layer {
  readonly id: string;
  readonly dModel: number;
  readonly heads: number;
  readonly length: number;
}

/** Two texts whose words have nothing in common, to see what depends on the input. */
const TEXT = [0, 1, 2, 3, 0, 4, 5, 1, 6, 2, 7, 0, 8, 3, 9, 1];
const OTHER = [20, 21, 22, 20, 23, 24, 21, 25, 26, 20, 27, 22, 28, 29, 21, 30];

/** Whether the filter of a layer's first head or channel stays the same when the text changes. */
export async function filterOf(
  client: Client,
  mixer: Layer,
  seed: number,
  ask: Pick<Ask, 'signal'>,
) {
  const rows = (ids: readonly number[]) =>
    client.mixerTokens({ ids, d: mixer.dModel, seed }, { signal: ask.signal });
  const [x, other] = await Promise.all([rows(TEXT), rows(OTHER)]);
  return client.probeFilter({ mixer, x, other, seed, which: 0 }, { signal: ask.signal });
}
