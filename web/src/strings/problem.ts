/**
 * What goes wrong, in the page's language. The core, links and files say in English what was seen and
 * what is wanted; their phrases are put into other languages here, and left as they are when unknown.
 */
import { translation } from './translation.ts';

export interface Phrases {
  /** A part of a message, or a whole one; undefined for one that is not known. */
  readonly phrase: (english: string) => string | undefined;
  readonly argument: (argument: string, seen: string, wanted: string) => string;
  readonly link: (name: string, seen: string, wanted: string) => string;
}

/** The phrase in the page's language, where it is known. */
export const inWords = (english: string): string =>
  translation?.phrases?.phrase(english) ?? english;

/** What a student's code raised, in the page's language where it is one of our sentences. */
export const runErrorText = (english: string): string =>
  translation?.runErrors?.(english) ?? english;

interface Refused {
  readonly argument: string;
  readonly seen: string;
  readonly wanted: string;
}

/** Anything thrown, as words for people. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { argument = '', seen = '', wanted = '' } = error as Partial<Refused>;
  return argument && wanted && translation?.phrases
    ? translation.phrases.argument(argument, inWords(seen), inWords(wanted))
    : inWords(error.message);
}

/** A value in the address that is not used. */
export const linkProblem = (name: string, seen: string, wanted: string): string =>
  translation?.phrases?.link(name, inWords(seen), inWords(wanted)) ??
  `The link says ${name} = ${seen}; wanted ${wanted}.`;
