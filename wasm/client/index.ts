export type { ClientOptions, WorkerLike } from './client';
export { createClient, withCore } from './client';
export * from './errors';
export type { Build } from './protocol';
export type * from './types';
