import type { RawCore } from '../raw';
import type { Call } from '../types';
import type { KernelTrickCalls, TrickClient } from './types';

/** The module as its glue exports it: everything of the core, and the kernel trick. */
export type RawTrick = RawCore & {
  [Name in Call<TrickClient> & keyof KernelTrickCalls]: (
    input: Parameters<KernelTrickCalls[Name]>[0],
  ) => Awaited<ReturnType<KernelTrickCalls[Name]>>;
};
