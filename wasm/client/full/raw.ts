import type { RawCore, RawWork } from '../raw';
import type { RawTrick } from '../trick/raw';
import type { KvCacheCalls } from './kv-cache';
import type { LinearDecoderCalls } from './linear-decoder';
import type { CopyCalls, RawTrial, TimingCalls, Trial } from './timing';
import type {
  AnalysisCalls,
  CostCalls,
  DecodingCalls,
  FeatureCurveCalls,
  FlashCalls,
  LinearCalls,
  MultiHeadCalls,
  PatternCalls,
  PrecisionCalls,
  RandomCalls,
  TrainingCalls,
} from './types';

/** Calls of a client as the module has them: synchronous, without call options. */
type Synchronous<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (
    input: infer Input,
    ...rest: never[]
  ) => Promise<infer Result>
    ? (input: Input) => Result
    : never;
};

/** The full module as its glue exports it: everything of the core, and the rest. */
export interface RawFull
  extends RawCore,
    RawTrick,
    Synchronous<TrainingCalls & FlashCalls & PatternCalls & PrecisionCalls>,
    Synchronous<MultiHeadCalls & KvCacheCalls & LinearDecoderCalls & DecodingCalls & RandomCalls>,
    Synchronous<Omit<AnalysisCalls & FeatureCurveCalls, keyof Steps> & CostCalls & LinearCalls>,
    Synchronous<Omit<TimingCalls, 'timeRound' | 'workerDownloads'> & CopyCalls> {
  makeTrial(input: Trial): RawTrial;
  makeFeatureMapQuality(input: Input<'analyzeFeatureMapQuality'>): RawWork<object>;
  makeScalingExperiment(input: Input<'scalingExperiment'>): RawWork<object>;
  makeKernelCurve(input: Input<'kernelCurve'>): RawWork<object>;
  makeRandomFeatureErrors(input: Input<'randomFeatureErrors'>): RawWork<object>;
  makeAssociativityPrecision(input: Input<'associativityPrecision'>): RawWork<object>;
  makeLinearAttention(input: Parameters<LinearCalls['linearAttention']>[0]): RawWork<object>;
}

/** Calls that the module makes in steps. */
type Steps = Pick<
  AnalysisCalls & FeatureCurveCalls,
  | 'analyzeFeatureMapQuality'
  | 'scalingExperiment'
  | 'kernelCurve'
  | 'randomFeatureErrors'
  | 'associativityPrecision'
>;
type Input<Name extends keyof Steps> = Parameters<Steps[Name]>[0];
