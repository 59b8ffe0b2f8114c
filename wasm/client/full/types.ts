/** Types of the calls that only the full module has. Conventions are those of `../types.ts`. */
import type { CoreClient } from '../types';
import type { FlashCalls } from './types/flash';
import type { PatternCalls } from './types/pattern';
import type { PrecisionCalls } from './types/precision';
import type { TrainingCalls } from './types/training';

export type * from './types/flash';
export type * from './types/pattern';
export type * from './types/precision';
export type * from './types/training';

/** Every call of the core. All results are fresh arrays that belong to the caller. */
export interface FullClient
  extends CoreClient,
    TrainingCalls,
    FlashCalls,
    PatternCalls,
    PrecisionCalls {}
