/** In how many draws random keys connect all tokens, as the figure and its question ask for it. */
import type { Client } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { randomScores } from './patterns.ts';

/** e⁵ rounded, so that ln n is a whole number of keys. */
export const FIRST_N = 148;
export const FIRST_DRAWS = 100;

export interface DrawsOptions {
  readonly n: number;
  readonly draws: number;
  readonly seed: number;
  /** From the least on. */
  readonly keys: readonly number[];
}

/**
 * For each number of keys how many of the draws connect every token with every other. A draw's keys with k are those
 * with k − 1 and one more, because both are the largest of the same scores.
 */
export async function connectedDraws(
  client: Client,
  { n, draws, seed, keys }: DrawsOptions,
  { signal, onProgress }: Ask,
): Promise<readonly number[]> {
  const counts = keys.map(() => 0);
  for (let draw = 0; draw < draws; draw++) {
    const cells = await randomScores(client, n, seed + draw, (i, j) => i === j, { signal });
    const connects = async (k: number): Promise<boolean> => {
      const pattern = { id: 'top_k', parameters: { k }, cells };
      const { layersToConnect } = await client.patternReach(
        { n, m: n, pattern, causal: false, layers: 0 },
        { signal },
      );
      return layersToConnect >= 0;
    };
    // More keys connect whatever fewer of them do, so the least number is found by halves.
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (await connects(keys[middle] as number)) high = middle;
      else low = middle + 1;
    }
    for (let at = low; at < keys.length; at++) counts[at] = (counts[at] ?? 0) + 1;
    onProgress((draw + 1) / draws);
  }
  return counts;
}
