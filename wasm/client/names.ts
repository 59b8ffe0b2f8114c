/** The names of the calls: client and worker are both made from them. */
import { callsWithoutInput, fullNames } from '../../build/wasm/client/calls';
import type { FullCalls } from './types';

export { firstSteps, startNames } from '../../build/wasm/client/calls';

/** Calls that take nothing. */
export const withoutInput: ReadonlySet<string> = new Set(callsWithoutInput);

/** Every call of a client: the core's, and those that the worker answers by itself. */
export const callNames = [
  ...fullNames,
  'timeRound',
  'workerDownloads',
] as const satisfies readonly (keyof FullCalls)[];
