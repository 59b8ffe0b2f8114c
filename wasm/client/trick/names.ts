import { smallNames } from '../operation-names';
import type { Call } from '../types';
import type { TrickClient } from './types';

/** Every call of the module `trick`: client and worker are both made from this list. */
export const trickNames = [
  ...smallNames,
  'orderCosts',
  'associativityTrace',
  'recurrentTrace',
] as const satisfies readonly Call<TrickClient>[];
