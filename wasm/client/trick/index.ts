import { type ClientOptions, connect, type WorkerLike } from '../client';
import type { CoreClient } from '../types';
import { trickNames } from './names';
import type { TrickClient } from './types';

export type * from './types';

const makeModuleWorker = (): WorkerLike =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'kernel trick' });

/**
 * Starts the core with the calls of the kernel trick in a worker of its own: for pages that open
 * with them. A few KB more than the core, a third of everything.
 */
export const createTrickClient = (options: ClientOptions = {}): TrickClient =>
  connect<TrickClient>(trickNames, { makeWorker: makeModuleWorker, ...options });

/**
 * The same client, known to have these calls: what figures get is typed as the core's.
 * @throws TypeError where the page started another
 */
export function withTrick(client: CoreClient): TrickClient {
  if ('orderCosts' in client) return client as TrickClient;
  throw new TypeError('this page has to start with createTrickClient');
}
