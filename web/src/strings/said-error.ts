import type { Wording } from '#client/phrases';

/** An error whose message is a phrase of ours, which other languages say by its id. */
export class SaidError extends Error {
  override name = 'SaidError';

  constructor(readonly said: Wording) {
    super(said.text);
  }
}
