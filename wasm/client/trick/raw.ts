import type { RawCore } from '../raw';
import type { Call, SmallClient } from '../types';
import type { KernelTrickCalls, TrickClient } from './types';

/** The module as its glue exports it. */
export type RawTrick = Pick<RawCore, Call<SmallClient>> & {
  [Name in Call<TrickClient> & keyof KernelTrickCalls]: (
    input: Parameters<KernelTrickCalls[Name]>[0],
  ) => Awaited<ReturnType<KernelTrickCalls[Name]>>;
};
