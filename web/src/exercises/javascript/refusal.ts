/** Errors of ours that a student's code meets, with their phrases: thrown things carry only text. */

import type { Wording } from '#client/phrases';

const phrases = new WeakMap<object, Wording>();

export function refusal(kind: new (message: string) => Error, said: Wording): Error {
  const error = new kind(said.text);
  phrases.set(error, said);
  return error;
}

/** The phrase of an error that `refusal` made. */
export const phraseOf = (thrown: unknown): Wording | undefined =>
  typeof thrown === 'object' && thrown !== null ? phrases.get(thrown) : undefined;
