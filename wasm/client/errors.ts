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
  | 'superseded'
  | 'cancelled';

/** A failure of the core or of its worker. */
export class CoreError extends Error {
  override name = 'CoreError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /**
     * The argument at fault, as the call names it (`q`, `featureMap`, `dK`, `text`, …), or the name
     * of a feature map's parameter; empty when none is.
     */
    readonly argument = '',
    /** What was seen and what is wanted, in words; empty when not about one argument. */
    readonly seen = '',
    readonly wanted = '',
  ) {
    super(message);
  }
}

/** A newer call with the same key took this one's place. */
export class SupersededError extends CoreError {
  override name = 'SupersededError';

  constructor() {
    super('superseded', 'a newer request took the place of this one');
  }
}

/** The caller's signal, or `dispose()`, ended this call. */
export class CancelledError extends CoreError {
  override name = 'CancelledError';

  constructor() {
    super('cancelled', 'the request was cancelled');
  }
}
