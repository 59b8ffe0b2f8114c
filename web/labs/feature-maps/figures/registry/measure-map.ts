/** Measures one map over several draws: the numbers behind the stars of the handout. This module needs no page. */
import type { Client, FeatureMapChoice, FeatureMapInfo, FeatureMapQuality } from '#client';
import type { Draw } from '../shared/source.ts';

/** Numerical problems; each value is the largest share over the draws. */
export interface Trouble {
  readonly nonFinite: number;
  readonly underflow: number;
  readonly deadQueries: number;
  readonly deadKeys: number;
  readonly negativeDenominators: number;
  readonly smallDenominators: number;
}

/** Medians over the draws; NaN where a draw has none. */
export interface MapRow {
  readonly map: string;
  readonly label: string;
  readonly dimension: number;
  readonly draws: number;
  readonly correlation: number;
  readonly mse: number;
  readonly uniformMse: number;
  readonly mseBound: number;
  readonly outputError: number;
  /** The smallest weight of all draws, and the largest share of negative weights. */
  readonly minWeight: number;
  readonly negativeWeights: number;
  readonly trouble: Trouble;
  /** Times of linear attention and of softmax attention, which is timed in turn with it; NaN if they were not timed. */
  readonly milliseconds: number;
  readonly softmaxMilliseconds: number;
}

export type Quality = Omit<MapRow, 'milliseconds' | 'softmaxMilliseconds'>;

/** The number of features, for a map that has a parameter for it. */
export const choose = (
  { id, parameters }: FeatureMapInfo,
  features: number | undefined,
  seed: number,
): FeatureMapChoice => {
  const knob = parameters.find(({ name }) => name === 'features');
  return knob && features !== undefined
    ? { id, seed, parameters: { features: Math.max(knob.min, Math.min(knob.max, features)) } }
    : { id, seed };
};

export async function medianOf(
  client: Pick<Client, 'quantiles'>,
  values: readonly number[],
): Promise<number> {
  // If one draw gives no number, there is no median.
  if (values.length === 0 || values.some(Number.isNaN)) return Number.NaN;
  const [median = Number.NaN] = await client.quantiles({ values, probabilities: [0.5] });
  return median;
}

const largest = (values: readonly number[]): number =>
  Math.max(0, ...values.filter((value) => !Number.isNaN(value)));

export async function measureQuality(
  client: Pick<Client, 'analyzeFeatureMapQuality' | 'quantiles'>,
  info: FeatureMapInfo,
  draws: AsyncIterable<Draw>,
  { features, scaled, signal }: { features?: number; scaled: boolean; signal?: AbortSignal },
): Promise<Quality> {
  const found: FeatureMapQuality[] = [];
  for await (const { qkv, seed, causal, scale } of draws) {
    const factor = scaled ? scale : 1;
    const quality = await client.analyzeFeatureMapQuality(
      {
        ...qkv,
        featureMap: choose(info, features, seed),
        mask: { kind: causal ? 'causal' : 'full' },
        spectrum: false,
        ...(factor === undefined ? {} : { scale: factor }),
      },
      signal ? { signal } : {},
    );
    found.push(quality);
  }
  const all = (pick: (quality: FeatureMapQuality) => number): number[] => found.map(pick);
  const median = (pick: (quality: FeatureMapQuality) => number) => medianOf(client, all(pick));
  return {
    map: info.id,
    label: info.label,
    draws: found.length,
    dimension: found[0]?.featureDimension ?? Number.NaN,
    correlation: await median((q) => q.correlation),
    mse: await median((q) => q.mse),
    uniformMse: await median((q) => q.uniformMse),
    mseBound: await median((q) => q.mseBound),
    outputError: await median((q) => q.outputError),
    minWeight: Math.min(...all((q) => q.minWeight)),
    negativeWeights: largest(all((q) => q.negativeWeights)),
    trouble: {
      nonFinite: largest(all((q) => Math.max(q.nonFiniteFeatures, q.nonFiniteDenominators))),
      underflow: largest(all((q) => q.underflow)),
      deadQueries: largest(all((q) => q.deadQueries)),
      deadKeys: largest(all((q) => q.deadKeys)),
      negativeDenominators: largest(all((q) => q.negativeDenominators)),
      smallDenominators: largest(
        all((q) => q.zeroDenominators + q.cancelledDenominators + q.epsilonDenominators),
      ),
    },
  };
}

/** The largest of the shares, for sorting. */
export const troubleOf = ({ trouble }: Pick<MapRow, 'trouble'>): number =>
  Math.max(...Object.values(trouble));

/** Rounds that are timed: softmax and the map in turn, so that a slow moment hits both. */
const ROUNDS = 5;
const SAMPLE_MS = 4;

export async function measureTime(
  client: Pick<Client, 'timeRound' | 'quantiles'>,
  featureMap: FeatureMapChoice,
  { n, dK, dV }: { readonly n: number; readonly dK: number; readonly dV: number },
  signal?: AbortSignal,
): Promise<Pick<MapRow, 'milliseconds' | 'softmaxMilliseconds'>> {
  const trials = [
    { mechanism: 'linear', featureMap, n, dK, dV },
    { mechanism: 'fused', n, dK, dV },
  ] as const;
  const options = signal ? { signal } : {};
  const [linear, softmax]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const { samples } = await client.timeRound({ trials, milliseconds: SAMPLE_MS }, options);
      linear.push(samples[0]?.milliseconds ?? Number.NaN);
      softmax.push(samples[1]?.milliseconds ?? Number.NaN);
    }
  } finally {
    // The inputs are released, because they would stay in the worker.
    await client.timeRound({ trials: [], milliseconds: SAMPLE_MS }).catch(() => undefined);
  }
  return {
    milliseconds: await medianOf(client, linear),
    softmaxMilliseconds: await medianOf(client, softmax),
  };
}
