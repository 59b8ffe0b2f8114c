import { coreSteps, makeOperations, type Operations } from '../operations';
import { fullNames } from './names';
import type { RawFull } from './raw';

const fullSteps: Operations<RawFull> = {
  ...coreSteps,
};

export const fullOperations = makeOperations(fullNames, fullSteps);
