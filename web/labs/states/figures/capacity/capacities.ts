/** Recall without training: which memories are tried, and where one of them breaks. */
import type { Client, RecallCapacityResult } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const PAIRS = [2, 4, 8, 16, 32, 64, 128, 256] as const;

export const SETS = {
  rules: [
    'softmax',
    'linear_sum',
    'retention',
    'gla',
    'mamba2',
    'delta_rule',
    'gated_delta_rule',
    'rwkv4',
  ],
  maps: [
    'softmax',
    'taylor_compact',
    'elu_plus_one',
    'relu',
    'squared_relu',
    'identity',
    'softmax_kernel',
  ],
} as const;
export type MemorySet = keyof typeof SETS;

export interface Trials {
  readonly dK: number;
  readonly dV: number;
  readonly decay: number;
  readonly draws: number;
  readonly seed: number;
}

export const capacityOf = (
  client: Client,
  memory: string,
  trials: Trials,
  ask: Partial<Ask>,
  pairs: readonly number[] = PAIRS,
): Promise<RecallCapacityResult> => client.recallCapacity({ memory, pairs, ...trials }, ask);
