/**
 * Measuring what runs here: the clock is read in the worker, around calls whose inputs lie in wasm
 * memory and whose results stay there.
 */

import type { FullCalls, TrialChoice } from '../../../build/wasm/client/calls';
import type { timedMechanisms } from '../../../build/wasm/client/constants';
import { type CoreError, refused } from '../errors';
import type { Operations, Turn } from '../operations';
import { say, type Wording } from '../phrases';
import type { CallOptions } from '../primitives';
import type { RawFull } from '../raw';
import { nextHandle } from './handles';

/** What is timed. */
export type TrialMechanism = (typeof timedMechanisms)[number];

/** One call to be timed, on N(0, 1) inputs. */
export interface Trial extends TrialChoice {
  readonly mechanism: TrialMechanism;
}

export interface TrialSample {
  /** Of one call. */
  readonly milliseconds: number;
  /** Calls between two looks at the clock. */
  readonly calls: number;
}

export interface TimedRound {
  /** One sample a trial, in their order. */
  readonly samples: readonly TrialSample[];
  /** What one call of the peak does; undefined where no trial is the peak. */
  readonly peakMultiplyAdds?: number;
  /** The smallest step of the worker's clock, in milliseconds. */
  readonly clockStep: number;
}

/** What a call costs beside its work. */
export interface CallOverhead {
  /** Page to worker and back, with nothing in between. */
  readonly roundTripMilliseconds: number;
  /** A matrix on its way into wasm memory, and one on its way out, for each MB (10⁶ bytes). */
  readonly copyInMillisecondsPerMB: number;
  readonly copyOutMillisecondsPerMB: number;
  /** How often each was measured; the figures are medians. */
  readonly rounds: number;
}

/** Calls that the worker answers by itself. */
export interface TimingCalls {
  /** What this client's worker fetched so far, the binary among it. */
  workerDownloads(input?: undefined, options?: CallOptions): Promise<readonly WorkerDownload[]>;
  /**
   * Times each trial once, one after another: as many calls as take `milliseconds` (0.1 … 1000; and
   * 50 steps of the clock) or more. A trial that was not timed before is made and warmed up first.
   * Inputs stay in the worker for the next round; a call without trials gives their memory back.
   */
  timeRound(
    input: { readonly trials: readonly Trial[]; readonly milliseconds: number },
    options?: CallOptions,
  ): Promise<TimedRound>;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** What a call of this client costs beside its work. Measured on the caller's side, in about 0.3 s. */
export async function callOverhead(
  client: Pick<FullCalls, 'copyIn' | 'copyOut'>,
  { signal }: CallOptions = {},
): Promise<CallOverhead> {
  const rounds = 9;
  const [rows, cols] = [1000, 1000];
  const megabytes = (4 * rows * cols) / 1e6;
  const x = { rows, cols, data: new Float32Array(rows * cols) };
  const options = signal ? { signal } : {};
  const time = async (call: () => Promise<unknown>, times = 1): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < times; i++) await call();
    return (performance.now() - start) / times;
  };
  const empty = () => client.copyOut({ rows: 0, cols: 0 }, options);
  await time(empty, 50);
  const [trips, into, out]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    trips.push(await time(empty, 25));
    into.push(await time(() => client.copyIn({ x }, options)));
    out.push(await time(() => client.copyOut({ rows, cols }, options)));
  }
  const trip = median(trips);
  return {
    roundTripMilliseconds: trip,
    copyInMillisecondsPerMB: Math.max(0, median(into) - trip) / megabytes,
    copyOutMillisecondsPerMB: Math.max(0, median(out) - trip) / megabytes,
    rounds,
  };
}

/** A file that the worker fetched. */
export interface WorkerDownload {
  readonly url: string;
  /** As it came over the network, and unpacked. */
  readonly encodedBytes: number;
  readonly decodedBytes: number;
  /** With headers; 0 where the browser had it already. */
  readonly transferredBytes: number;
}

const MOST_TRIALS = 128;
/** How samples are taken. */
export const timing = {
  /** Engines take up their better code some time after a function was first called. */
  warmMilliseconds: 30,
  /** A sample lasts at least so many steps of the clock. */
  clockSteps: 50,
} as const;

const refuse = (argument: string, value: number | string, wanted: Wording): CoreError =>
  refused('value', argument, say('value_seen', { value }), wanted);

interface Kept {
  readonly core: RawFull;
  /** Its number there. */
  readonly handle: number;
  /** What one call of the peak does; 0 for the others. */
  readonly multiplyAdds: number;
  /** How many calls were enough the last time. */
  calls: number;
}

/** The trials of one module by what they are; a module that is gone takes them along. */
const kept = new WeakMap<RawFull, Map<string, Kept>>();

/** The smallest difference between two looks at the clock that is not 0, of several. */
function clockStep(): number {
  let least = Infinity;
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}

let step: number | undefined;

function sample(trial: Kept, milliseconds: number): TrialSample {
  for (;;) {
    const start = performance.now();
    trial.core.trialRun({ handle: trial.handle, times: trial.calls });
    const spent = performance.now() - start;
    const { calls } = trial;
    if (spent >= milliseconds) {
      // Next time as many as are needed, with a little to spare.
      trial.calls = Math.max(1, Math.ceil((calls * milliseconds * 1.1) / spent));
      return { milliseconds: spent / calls, calls };
    }
    const wanted = spent > 0 ? (calls * milliseconds * 1.2) / spent : calls * 8;
    trial.calls = Math.max(calls + 1, Math.ceil(Math.min(wanted, calls * 8)));
  }
}

const timeTrials = async (core: RawFull, input: unknown, turn: Turn): Promise<TimedRound> => {
  const { trials, milliseconds } = (input ?? {}) as {
    trials?: readonly Trial[];
    milliseconds?: number;
  };
  if (!Array.isArray(trials) || trials.length > MOST_TRIALS) {
    throw refuse(
      'trials',
      Array.isArray(trials) ? trials.length : typeof trials,
      say('trials', { most: MOST_TRIALS }),
    );
  }
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0.1 && milliseconds <= 1000)) {
    const seen = typeof milliseconds === 'number' ? milliseconds : typeof milliseconds;
    throw refuse('milliseconds', String(seen), say('milliseconds'));
  }
  const before = kept.get(core) ?? new Map<string, Kept>();
  kept.set(core, before);
  const keys = trials.map((trial) => {
    try {
      return JSON.stringify(trial);
    } catch {
      throw refuse('trials', typeof trial, say('trial'));
    }
  });
  if (trials.length === 0 || before.size > MOST_TRIALS) {
    for (const { handle } of before.values()) core.trialDelete({ handle });
    before.clear();
  }
  step ??= clockStep();
  const enough = Math.max(milliseconds, timing.clockSteps * step);
  const samples: TrialSample[] = [];
  let peakMultiplyAdds: number | undefined;
  for (const [i, trial] of (trials as readonly Trial[]).entries()) {
    const key = keys[i] as string;
    let one = before.get(key);
    if (!one) {
      const handle = nextHandle();
      const multiplyAdds = core.trialMake({ ...trial, handle });
      one = { core, handle, multiplyAdds, calls: 1 };
      before.set(key, one);
      const end = performance.now() + timing.warmMilliseconds;
      do sample(one, Math.min(enough, timing.warmMilliseconds / 4));
      while (performance.now() < end);
    }
    if (trial.mechanism === 'multiply_add_peak') peakMultiplyAdds = one.multiplyAdds;
    samples.push(sample(one, enough));
    await turn.breathe((i + 1) / trials.length);
  }
  return {
    samples,
    clockStep: step,
    ...(peakMultiplyAdds === undefined ? {} : { peakMultiplyAdds }),
  };
};

const timeRound = /* @__PURE__ */ Object.assign(timeTrials, { takesTurns: true } as const);

function workerDownloads(): readonly WorkerDownload[] {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return entries.map((entry) => ({
    url: entry.name,
    encodedBytes: entry.encodedBodySize,
    decodedBytes: entry.decodedBodySize,
    transferredBytes: entry.transferSize,
  }));
}

export const timingSteps: Operations<RawFull> = { timeRound, workerDownloads };
