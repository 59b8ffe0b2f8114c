import type { Wording } from '#client/phrases';
import type { CaseOutcome, Language, RunError, RunJob, Runner, Value } from '../types';

export type RunnableLanguage = Exclude<Language, 'cpp'>;

/** The phases before the first call. The page shows the phase beside Run. */
export type Phase = 'fetching' | 'starting' | 'ready' | 'running';

export interface SandboxOptions {
  readonly onPhase?: (phase: Phase, language: RunnableLanguage) => void;
  /** The seconds that a run may take on a usual machine; slower machines get more. The default is 30. */
  readonly seconds?: number;
  /** The seconds until a script in JavaScript must be ready, likewise. The default is 10. */
  readonly scriptSeconds?: number;
  /** The array memory of one run, in bytes. The default is 512 MiB. */
  readonly memoryBytes?: number;
}

/** Code that stays loaded, for a figure that follows its knobs. */
export type LiveJob = Pick<RunJob, 'language' | 'code' | 'entry' | 'parameters' | 'draws'>;

export interface Sandbox {
  /**
   * Runs code in a fresh worker. It never rejects because of what the code does, which the result reports. It rejects
   * with `SandboxError` where this page cannot run code at all, and with the signal's reason when the run was aborted
   * before it began.
   */
  readonly run: Runner;
  /** Loads code for `call`; a newer `load` takes its place. */
  load(job: LiveJob): Promise<{ readonly loadError?: RunError; readonly prints: string }>;
  /**
   * Calls the loaded code. The newest call wins: a waiting call resolves to `undefined` when another arrives. A call
   * that takes too long is stopped and resolves to an error of type `TimeLimit`, and the code is loaded again before
   * the next call.
   */
  call(args: readonly Value[]): Promise<CaseOutcome | undefined>;
  /** Ends everything that runs. `run` resolves to the cases so far, with `stopped: 'user'`. */
  stop(): void;
  /** Stops whatever runs and begins anew: another frame, other workers. What was loaded stays loaded. */
  restart(): void;
  /** Fetches everything that a language needs, so that Run works offline afterwards. */
  prefetch(language: RunnableLanguage): Promise<void>;
  /** How many times slower this machine is than the one for which the limits were chosen; at least 1. */
  readonly slowness: number;
  dispose(): void;
}

/**
 * This page cannot run code, because files are missing or a policy forbids it. The message is written for the
 * visitor.
 */
export class SandboxError extends Error {
  override name = 'SandboxError';
  /** The message as data; undefined when the browser wrote it. */
  readonly said: Wording | undefined;

  constructor(
    readonly code: 'policy' | 'load' | 'unsupported' | 'memory',
    message: string | Wording,
  ) {
    super(typeof message === 'string' ? message : message.text);
    this.said = typeof message === 'string' ? undefined : message;
  }
}
