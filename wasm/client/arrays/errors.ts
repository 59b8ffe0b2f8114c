/** What the engine refuses. `type` is the Python exception that NumPy raises; the message is NumPy's. */
export class ArrayError extends Error {
  override name = 'ArrayError';

  constructor(
    /** "ValueError", "IndexError", "TypeError", "AxisError", "MemoryError", "LinAlgError", … */
    readonly type: string,
    message: string,
    /**
     * An id and parts of the message, with \x1f between them, for a page that explains it in its own
     * words; empty where NumPy's do.
     */
    readonly explained = '',
  ) {
    super(message);
  }
}
