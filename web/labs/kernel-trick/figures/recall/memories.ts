/** The memories that the figure of the fading fact compares, and what is asked of the core about each. */
import type { Client, FactRecallResult } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const MEMORIES = ['softmax', 'elu', 'taylor', 'random'] as const;
export type Memory = (typeof MEMORIES)[number];

export interface Stream {
  /** How many random features there are. */
  readonly features: number;
  readonly n: number;
  readonly d: number;
  readonly scale: number;
  readonly draws: number;
  readonly seed: number;
}

/** The map of a memory; softmax has none. Only the random features have a number to choose. */
const mapOf = (memory: Memory, features: number) =>
  ({
    softmax: undefined,
    elu: { id: 'elu_plus_one' },
    taylor: { id: 'taylor_compact' },
    // A state is carried from token to token, which a stabiliser over all keys would forbid.
    random: { id: 'softmax_kernel', parameters: { features, stabilize: 0 } },
  })[memory];

export function recall(
  client: Client,
  memory: Memory,
  { features, n, d, scale, draws, seed }: Stream,
  ask: Partial<Ask>,
): Promise<FactRecallResult> {
  const featureMap = mapOf(memory, features);
  const stream = { n, dK: d, dV: d, keyScale: scale, draws, seed };
  return client.factRecall(featureMap ? { ...stream, featureMap } : stream, ask);
}

/** How many signs of the answer after `since` tokens are not those of the fact. */
export function wrongSigns({ fact, answers }: FactRecallResult, since: number): number {
  let wrong = 0;
  for (let j = 0; j < fact.cols; j++) {
    const answer = answers.data[since * fact.cols + j] as number;
    if (!(answer * (fact.data[j] as number) > 0)) wrong++;
  }
  return wrong;
}
