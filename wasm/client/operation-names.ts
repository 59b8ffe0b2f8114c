import type { Call, CoreClient } from './types';

/** Every call of `CoreClient`: client and worker are both made from this list. */
export const operationNames = [
  'featureMaps',
  'applyFeatureMap',
  'gaussianQkv',
  'textQkv',
  'compareToSoftmax',
  'explainCell',
  'attention',
] as const satisfies readonly Call<CoreClient>[];
