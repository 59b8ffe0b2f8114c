import { operationNames } from '../operation-names';
import type { Call } from '../types';
import type { FullClient } from './types';

/** Every call of `FullClient`: client and worker are both made from this list. */
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
  'hierarchicalAttentionBackward',
  'hierarchicalWeightsReference',

  'roundNumber',
  'numberFromBits',
  'roundMatrix',
  'quantizeInt8',
  'precisionError',
  'attentionRounded',
  'attentionInt8Kv',
] as const satisfies readonly Call<FullClient>[];
