/** Layers of equal size that learn to find the nearest key, for the figure and for the question about it. */
import type { Client, NearestKeyResult } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const D_MODEL = 8;
export const HEADS = [1, 2, 4, 8] as const;
export const FIRST = { keys: 16, steps: 300, seed: 0 } as const;

/** As many queries a step as one passage of the layer can answer at once. */
const HOW = { queries: 32, batch: 4, learningRate: 0.03 } as const;

export type Found = readonly NearestKeyResult[];

export async function foundBy(
  client: Client,
  { keys, steps, seed }: { readonly keys: number; readonly steps: number; readonly seed: number },
  { signal, onProgress }: Ask,
): Promise<Found> {
  const found: NearestKeyResult[] = [];
  for (const [i, heads] of HEADS.entries()) {
    const asked = { ...HOW, dModel: D_MODEL, heads, keys, steps, seed };
    found.push(
      await client.learnNearestKey(asked, {
        signal,
        onProgress: (part) => onProgress((i + part) / HEADS.length),
      }),
    );
  }
  return found;
}
