import type { Call, CoreClient, SmallClient } from './types';

/** Every call of `SmallClient`. */
export const smallNames = [
  'featureMaps',
  'applyFeatureMap',
  'gaussianQkv',
  'textQkv',
] as const satisfies readonly Call<SmallClient>[];

/** Every call of `CoreClient`: client and worker are both made from this list. */
export const operationNames = [
  ...smallNames,
  'compareToSoftmax',
  'explainCell',
  'attention',
] as const satisfies readonly Call<CoreClient>[];
