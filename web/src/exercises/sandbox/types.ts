import type { Wording } from '#client/phrases';
import type { CaseOutcome, Language, RunError, RunJob, Runner, Value } from '../types';

export type RunnableLanguage = Exclude<Language, 'cpp'>;

/** What happens before the first call: shown beside Run while it lasts. */
export type Phase = 'fetching' | 'starting' | 'ready' | 'running';

export interface SandboxOptions {
  readonly onPhase?: (phase: Phase, language: RunnableLanguage) => void;
  /** Seconds that a run may take on a usual machine; slower ones get more. Default 30. */
  readonly seconds?: number;
  /** Array memory of one run. Default 512 MiB. */
  readonly memoryBytes?: number;
  /**
   * Asked where a policy forbids the frame: whether what is to run was typed by this visitor, and so may
   * run in the site's own origin instead (Python only). Code from a link or a file may not.
   */
  readonly isTyped?: () => boolean;
}

/** Code that stays loaded, for a figure that follows its knobs. */
export type LiveJob = Pick<RunJob, 'language' | 'code' | 'entry' | 'parameters'>;

export interface Sandbox {
  /**
   * Runs in a fresh worker. Never rejects for what the code does: that is in the result. Rejects
   * with `SandboxError` where this page cannot run code at all, and with the signal's reason when
   * it was aborted before it began.
   */
  readonly run: Runner;
  /** Loads code for `call`; a newer `load` takes its place. */
  load(job: LiveJob): Promise<{ readonly loadError?: RunError; readonly prints: string }>;
  /**
   * Calls what was loaded. The newest call wins: one that waits is answered `undefined` when another
   * comes. A call that takes too long is stopped, answered with an error of type `TimeLimit`, and
   * the code is loaded anew before the next.
   */
  call(args: readonly Value[]): Promise<CaseOutcome | undefined>;
  /** Ends whatever runs: `run` answers with what it has and `stopped: 'user'`. */
  stop(): void;
  /** Fetches all that a language needs, so that Run works offline afterwards. */
  prefetch(language: RunnableLanguage): Promise<void>;
  /** How many times slower than the machine that the limits were written for; 1 at least. */
  readonly slowness: number;
  dispose(): void;
}

/** This page cannot run code: files are missing or a policy forbids it. The message is for people. */
export class SandboxError extends Error {
  override name = 'SandboxError';
  /** The message as data; undefined when it is the browser's. */
  readonly said: Wording | undefined;

  constructor(
    readonly code: 'policy' | 'load' | 'unsupported',
    message: string | Wording,
  ) {
    super(typeof message === 'string' ? message : message.text);
    this.said = typeof message === 'string' ? undefined : message;
  }
}
