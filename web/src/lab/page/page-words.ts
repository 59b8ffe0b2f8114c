/** The words of a lab's HTML page that are the same in every lab. The build writes them into the page in every language. */
import type { LanguageId } from '../../strings/language.ts';

export interface PageWords {
  readonly skip: string;
  readonly all: string;
  readonly exercises: string;
  readonly speed: string;
  readonly outline: string;
  readonly sources: string;
  readonly summary: string;
  readonly noscript: string;
}

export const pageWords: Readonly<Record<LanguageId, PageWords>> = {
  en: {
    skip: 'Skip to the figure',
    all: 'All labs',
    exercises: 'Exercises',
    speed: 'How fast is this?',
    outline: 'In this lab',
    sources: 'Where it came from, where it goes',
    summary: 'Summary to take along',
    noscript:
      'The pictures are computed in your browser, and that needs JavaScript and WebAssembly. Allow both for this page and reload it.',
  },
  de: {
    skip: 'Zur Abbildung springen',
    all: 'Alle Labs',
    exercises: 'Übungen',
    speed: 'Wie schnell ist das?',
    outline: 'In diesem Lab',
    sources: 'Woher es kommt, wohin es geht',
    summary: 'Zusammenfassung zum Mitnehmen',
    noscript:
      'Die Bilder werden in deinem Browser berechnet, und das braucht JavaScript und WebAssembly. Erlaube beides für diese Seite und lade sie neu.',
  },
};

/** The sections after the steps; no step may have these ids. */
export const closing = ['sources', 'summary'] as const;
