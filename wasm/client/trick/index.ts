import { type ClientOptions, connect, type WorkerLike } from '../client';
import type { SmallClient } from '../types';
import { trickNames } from './names';
import type { TrickClient } from './types';

export type * from './types';

const makeModuleWorker = (): WorkerLike =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'kernel trick' });

/**
 * Starts the module of the kernel trick in a worker of its own, for pages that open with it: smaller
 * than the core, which compares pictures of attention.
 */
export const createTrickClient = (options: ClientOptions = {}): TrickClient =>
  connect<TrickClient>(trickNames, { makeWorker: makeModuleWorker, ...options });

/**
 * The same client, known to have these calls: figures share one whose type leaves that open.
 * @throws TypeError where the page started another
 */
export function withTrick(client: SmallClient): TrickClient {
  if ('orderCosts' in client) return client as TrickClient;
  throw new TypeError('this page has to start with createTrickClient');
}
