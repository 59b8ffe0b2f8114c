/** The newest query's scores for what a cache still keeps, beside those in a cache of all tokens. */
import type { Client, EvictedScores } from '#client';

/** As the core has it, its vectors as lists. */
export interface Evicted extends Pick<EvictedScores, 'largestDifference' | 'moved'> {
  readonly positions: readonly number[];
  readonly whole: readonly number[];
  readonly kept: readonly number[];
}

export const STORED = ['turned', 'bare', 'alibi'] as const;
export type Stored = (typeof STORED)[number];
const POSITIONS = { turned: 'rotaryInText', bare: 'rotaryByPlace', alibi: 'alibi' } as const;

/** The width of the head. */
export const D = 16;
/** First tokens that stay, where some do. */
export const SINKS = 4;

export interface EvictedSetting {
  readonly stored: Stored;
  /** Tokens of the text so far, and those in the cache. */
  readonly n: number;
  readonly size: number;
  /** Whether the first tokens stay, and what lies between them and the window is evicted. */
  readonly sinks: boolean;
  /** Whether the query takes the number of kept tokens for its position. */
  readonly counted: boolean;
  readonly seed: number;
}

export async function evicted(
  client: Client,
  { stored, n, size, sinks, counted, seed }: EvictedSetting,
  signal: AbortSignal,
): Promise<Evicted> {
  const { q, k } = await client.gaussianQkv({ n, dK: D, dV: 1, seed }, { signal });
  const first = sinks ? SINKS : 0;
  const query = { rows: 1, cols: D, data: q.data.slice((n - 1) * D) };
  const { positions, whole, kept, largestDifference, moved } = await client.evictedScores(
    {
      ...{ q: query, k, sinks: first, window: size - first },
      ...{ positions: POSITIONS[stored], countKept: counted },
    },
    { signal },
  );
  return {
    ...{ positions: [...positions], whole: [...whole.data], kept: [...kept.data] },
    ...{ largestDifference, moved },
  };
}

/** Scores of float32 that differ by less are the same but for rounding. */
const ROUNDING = 1e-4;
export const areEqual = ({ largestDifference }: Evicted): boolean => largestDifference < ROUNDING;
/** Softmax takes away what is added to all scores alike, so that scores may differ and weights not. */
export const attendAlike = ({ moved }: Evicted): boolean => moved < ROUNDING;
