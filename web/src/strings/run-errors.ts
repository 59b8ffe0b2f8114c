/** What a student's code raised, in the page's language where it is a phrase of ours. */
import type { RunError } from '../exercises/types.ts';
import { runErrors as german } from './de/run-errors.ts';
import { byLanguage } from './language.ts';
import { type Templates, worded } from './problem.ts';

const templates = byLanguage<Templates | undefined>({ en: undefined, de: german });

export const runErrorText = ({ message, said }: RunError): string =>
  said ? worded(said, templates) : message;
