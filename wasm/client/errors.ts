import { say, type Wording } from './phrases';

/** What a failed call rejects with. `code` is stable; `message` is for people. */
export type ErrorCode =
  /** An argument has the wrong shape. */
  | 'shape'
  /** An argument has a value outside its range, or is not finite. */
  | 'value'
  /** More memory or capacity is asked for than there is. */
  | 'capacity'
  /** The core failed in a way it should not; the worker has been restarted. */
  | 'trap'
  /** The core could not be started (no WebAssembly, blocked by a policy, file not found). */
  | 'load'
  /** A kept value was released, or the core was restarted since: make it again. */
  | 'gone'
  | 'superseded'
  | 'cancelled';

/** A failure of the core or of its worker. */
export class CoreError extends Error {
  override name = 'CoreError';

  /** The message as data; undefined when it is about an argument, or not a phrase of ours. */
  readonly said: Wording | undefined;

  constructor(
    readonly code: ErrorCode,
    /** In English, or the phrase that says it. */
    message: string | Wording,
    /**
     * The argument at fault, as the call names it (`q`, `featureMap`, `dK`, `text`, …), or the name
     * of a feature map's parameter; empty when none is.
     */
    readonly argument = '',
    /** What was seen and what is wanted; undefined when not about one argument. */
    readonly seen?: Wording,
    readonly wanted?: Wording,
  ) {
    super(typeof message === 'string' ? message : message.text);
    this.said = typeof message === 'string' ? undefined : message;
  }
}

/** An argument that is refused here, as the core refuses its own. */
export const refused = (
  code: ErrorCode,
  argument: string,
  seen: Wording,
  wanted: Wording,
): CoreError =>
  new CoreError(
    code,
    `${argument} is ${seen.text}; wanted: ${wanted.text}`,
    argument,
    seen,
    wanted,
  );

/** A newer call with the same key took this one's place. */
export class SupersededError extends CoreError {
  override name = 'SupersededError';

  constructor() {
    super('superseded', say('superseded'));
  }
}

/** The caller's signal, or `dispose()`, ended this call. */
export class CancelledError extends CoreError {
  override name = 'CancelledError';

  constructor() {
    super('cancelled', say('cancelled'));
  }
}
