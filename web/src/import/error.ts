/** A file that cannot be read as a matrix: what was in it, and what the page wants. */
export class ImportError extends Error {
  override name = 'ImportError';

  constructor(
    readonly seen: string,
    readonly wanted: string,
  ) {
    super(`Seen: ${seen}. Wanted: ${wanted}.`);
  }
}
