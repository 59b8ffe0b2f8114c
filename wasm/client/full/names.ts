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
  'multiHeadLinearAttention',
  'randomProjection',
] as const satisfies readonly Call<FullCalls>[];
