/** The steps about what comes after the pattern: decoding, smaller caches, two models, time against memory. */
import type { Step } from '../../src/lab/types.ts';

export const laterSteps: readonly Step[] = [];
