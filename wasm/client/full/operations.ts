import { coreSteps, inSteps, makeOperations, type Operations } from '../operations';
import { fullNames } from './names';
import type { RawFull } from './raw';
import { timingSteps } from './timing';

const fullSteps: Operations<RawFull> = {
  ...coreSteps,
  ...timingSteps,
  analyzeFeatureMapQuality: inSteps(
    (core: RawFull, input: never) => core.makeFeatureMapQuality(input),
    16,
  ),
  // Up to so many rows it is one call, whose bits are those of `linear_attention`.
  linearAttention: inSteps((core: RawFull, input: never) => core.makeLinearAttention(input), 1024),
  kernelCurve: inSteps((core: RawFull, input: never) => core.makeKernelCurve(input), 1),
  randomFeatureErrors: inSteps(
    (core: RawFull, input: never) => core.makeRandomFeatureErrors(input),
    1,
  ),
  associativityPrecision: inSteps(
    (core: RawFull, input: never) => core.makeAssociativityPrecision(input),
    1,
  ),
  scalingExperiment: inSteps((core: RawFull, input: never) => core.makeScalingExperiment(input), 1),
};

export const fullOperations = makeOperations(fullNames, fullSteps);
