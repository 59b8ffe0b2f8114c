import { operationNames } from '../operation-names';
import type { Call } from '../types';
import type { FullCalls } from './types';

/** Every call of the full module: client and worker are both made from this list. */
export const fullNames = [
  ...operationNames,
  'attentionBackward',
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
