import { type ClientOptions, connect, type WorkerLike } from '../client';
import type { CallOptions } from '../types';
import { KvCache } from './kv-cache';
import { LinearDecoder } from './linear-decoder';
import { fullNames } from './names';
import { callOverhead } from './timing';
import type { FullCalls, FullClient } from './types';

export { probes } from '../capabilities';
export * from '../errors';
export { builds } from '../protocol';
export { timing } from './timing';
export type * from './types';

const makeModuleWorker = (): WorkerLike =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'full core' });

/**
 * Starts the full core in a worker of its own: every call of `CoreClient` and the rest. For pages
 * that need more than the first lab; about twice the download.
 */
export function createFullClient(options: ClientOptions = {}): FullClient {
  const calls = connect<FullCalls>(fullNames, { makeWorker: makeModuleWorker, ...options });
  return Object.assign(calls, {
    callOverhead: (options?: CallOptions) => callOverhead(calls, options),
    createKvCache: KvCache.create.bind(undefined, calls),
    createLinearDecoder: LinearDecoder.create.bind(undefined, calls),
  });
}
