export type { ClientOptions, WorkerLike } from './client';
export { createClient } from './client';
export * from './errors';
export type * from './types';
