/** What the engine refuses. `type` is the Python exception that NumPy raises; the message is NumPy's. */
export class ArrayError extends Error {
  override name = 'ArrayError';

  constructor(
    /** "ValueError", "IndexError", "TypeError", "AxisError", "MemoryError", "LinAlgError", … */
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}
