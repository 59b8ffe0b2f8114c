import { operationNames } from '../operation-names';
import type { Call } from '../types';
import type { FullClient } from './types';

/** Every call of `FullClient`: client and worker are both made from this list. */
export const fullNames = [
  ...operationNames,
  'attentionBackward',
] as const satisfies readonly Call<FullClient>[];
