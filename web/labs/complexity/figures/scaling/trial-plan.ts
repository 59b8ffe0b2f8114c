/** What is timed: the contenders of each variant, and how often each length. Pure. */
import type { CostShape, Trial } from '#client';

export const variants = ['full', 'causal', 'normaliser', 'taylor'] as const;
export type VariantId = (typeof variants)[number];

export interface Contender {
  /** The id of its line and of its entry in the words. */
  readonly id: string;
  readonly kind: 'softmax' | 'linear';
  /** The trial; the widths are filled in later. */
  readonly trial: Omit<Trial, 'n' | 'dK' | 'dV'>;
  /** Its entry in the cost model. */
  readonly mechanism: string;
  readonly shape?: CostShape;
  /** The kind of column products that are its features; without it, there are as many features as columns. */
  readonly taylor?: 'compact' | 'all';
  /** The case of the recorded run that times the same thing at d = 64. */
  readonly recorded?: string;
}

const softmax: Contender = {
  id: 'softmax',
  kind: 'softmax',
  trial: { mechanism: 'fused' },
  mechanism: 'fused',
  recorded: 'attention',
};
const linear: Contender = {
  id: 'linear',
  kind: 'linear',
  trial: { mechanism: 'fused_linear' },
  mechanism: 'fused_linear',
  recorded: 'linear_elu',
};

/** The first of each kind is the pair whose crossing is asked for. */
export const contenders: Readonly<Record<VariantId, readonly Contender[]>> = {
  full: [
    softmax,
    linear,
    {
      id: 'weights',
      kind: 'softmax',
      trial: { mechanism: 'fused_weights' },
      mechanism: 'fused_weights',
      recorded: 'attention_weights',
    },
  ],
  causal: [
    {
      id: 'softmaxCausal',
      kind: 'softmax',
      trial: { mechanism: 'fused_causal' },
      mechanism: 'fused_causal',
      recorded: 'attention_causal',
    },
    {
      id: 'linearCausal',
      kind: 'linear',
      trial: { mechanism: 'fused_linear_causal' },
      mechanism: 'fused_linear_causal',
      recorded: 'linear_elu_causal',
    },
  ],
  normaliser: [
    softmax,
    {
      id: 'linearPlain',
      kind: 'linear',
      trial: { mechanism: 'linear', featureMap: { id: 'elu_plus_one' }, normalize: false },
      mechanism: 'linear_unnormalized',
      shape: { featureMap: 'elu_plus_one' },
    },
    {
      id: 'linearNormalised',
      kind: 'linear',
      trial: { mechanism: 'linear', featureMap: { id: 'elu_plus_one' } },
      mechanism: 'fused_linear',
    },
  ],
  taylor: [
    softmax,
    {
      id: 'taylorCompact',
      kind: 'linear',
      trial: { mechanism: 'taylor_compact' },
      mechanism: 'taylor_compact',
      taylor: 'compact',
      recorded: 'linear_taylor',
    },
    {
      id: 'taylor',
      kind: 'linear',
      trial: { mechanism: 'linear', featureMap: { id: 'taylor' } },
      mechanism: 'taylor',
      taylor: 'all',
    },
  ],
};

export interface Plan {
  readonly variant: VariantId;
  readonly largest: number;
  readonly rounds: number;
  readonly d: number;
  readonly dV: number;
}

export const SHORTEST = 16;

export function lengthsTo(largest: number): number[] {
  const all: number[] = [];
  for (let n = SHORTEST; n <= largest; n *= 2) all.push(n);
  return all;
}

/** A call that takes longer than this has little relative noise, so fewer rounds suffice. */
const LONG = 4096;
export const roundsAt = (n: number, rounds: number): number =>
  n > LONG ? Math.min(2, rounds) : rounds;

/** The inputs and results of such calls are not kept, because the next call needs their memory. */
export const isLarge = (n: number): boolean => n >= LONG;

export const trialOf = ({ trial }: Contender, n: number, { d, dV }: Plan): Trial => ({
  ...trial,
  ...{ n, dK: d, dV },
});

export const shapeOf = ({ shape = {} }: Contender, n: number, { d, dV }: Plan): CostShape => ({
  ...shape,
  ...{ n, dK: d, dV },
});
