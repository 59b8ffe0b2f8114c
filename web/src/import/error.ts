import type { Wording } from '#client/phrases';

/** A file that cannot be read as a matrix: what was in it, and what the page wants. */
export class ImportError extends Error {
  override name = 'ImportError';

  constructor(
    readonly seen: Wording,
    readonly wanted: Wording,
  ) {
    super(`Seen: ${seen.text}. Wanted: ${wanted.text}.`);
  }
}
