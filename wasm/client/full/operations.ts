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
  scalingExperiment: inSteps((core: RawFull, input: never) => core.makeScalingExperiment(input), 1),
};

export const fullOperations = makeOperations(fullNames, fullSteps);
