import { operationNames } from '../operation-names';
import type { Call } from '../types';
import type { FullCalls } from './types';

/** Every call of the full module: client and worker are both made from this list. */
export const fullNames = [
  ...operationNames,
  'attentionBackward',
  // Heads and decoding.
  'countParameters',
  'describeFeatureMap',
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
  'linearDecoderAppend',
  'linearDecoderDecode',
  'linearDecoderDelete',
  'linearDecoderInfo',
  'linearDecoderMake',
  'linearDecoderReset',
  'linearDecoderRestore',
  'linearDecoderSnapshot',
  'multiHeadAttention',
  'multiHeadAttentionBackward',
  'multiHeadLinearAttention',
  'randomProjection',
  'redrawSeed',
] as const satisfies readonly Call<FullCalls>[];
