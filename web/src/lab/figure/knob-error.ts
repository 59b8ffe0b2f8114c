/** Thrown by a figure that knows beside which of its controls the sentence belongs. */
export class KnobError extends Error {
  constructor(
    readonly at: string,
    message: string,
  ) {
    super(message);
  }
}
