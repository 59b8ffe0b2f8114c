import { operationNames } from '../operation-names';
import type { Call } from '../types';
import type { FullCalls } from './types';

/** Every call of the full module: client and worker are both made from this list. */
export const fullNames = [
  ...operationNames,

  'softmax',
  'softmaxJacobian',
  'softmaxJacobianNorm',
  'entropy',
  'dropoutKeep',
  'attentionWithDropout',
  'attentionBackward',
  'batchedAttention',
  'batchedAttentionBackward',
  'attentionVariants',
  'attentionVariant',
  'additiveMaskBackward',

  'flashAttention',
  'flashAttentionBackward',

  'patterns',
  'makePattern',
  'patternMatrix',
  'sparseAttention',
  'sparseAttentionBackward',
  'hierarchicalAttention',
  'hierarchicalWeightsReference',

  'roundNumber',
  'numberFromBits',
  'roundMatrix',
  'quantizeInt8',
  'precisionError',
  'attentionRounded',
  'attentionInt8Kv',

  // Analysis.
  'singularValues',
  'analyzeAttentionPatterns',
  'analyzeFeatureMapQuality',
  'gradientQuantiles',
  'scalingExperiment',

  // Cost.
  'mechanisms',
  'costOf',
  'countedCost',
  'linearMultiplyAdds',
  'linearCrossover',
  'bandCells',
  'taylorDimension',
  'stateFloats',
  'predictedNanoseconds',
  'crossover',
  'crossoverTime',
  'memoryTable',
  'fitSlope',

  // Heads and decoding.
  'countParameters',
  'groupedQueryAttention',
  'groupedQueryAttentionBackward',
  'kvCacheAppend',
  'kvCacheAttend',
  'kvCacheBytes',
  'kvCacheDecode',
  'kvCacheDelete',
  'kvCacheInfo',
  'kvCacheKeys',
  'kvCacheMake',
  'kvCacheReset',
  'kvCacheValues',
  'multiHeadAttention',
  'multiHeadAttentionBackward',
  'multiHeadLinearAttention',
  'randomProjection',
] as const satisfies readonly Call<FullCalls>[];
