/**
 * Die Fehler, die eine Seite sagen kann, bevor ein Katalog nachgeladen ist: was ein Link falsch sagt, was der
 * Speicher nicht annimmt und warum der Rechenkern nicht ankam. Alle anderen stehen in phrases.ts.
 */
import type { Templates } from '../problem.ts';
import { clientErrors } from './client-errors.ts';
import { stateErrors } from './link-and-storage-errors.ts';

export const firstTemplates: Templates = { client: clientErrors, state: stateErrors };

export const argumentInGerman = (argument: string, seen: string, wanted: string): string =>
  `${argument}: gefunden: ${seen}; erwartet: ${wanted}`;
