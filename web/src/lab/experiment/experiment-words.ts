import { type LanguageId, language } from '../../strings/language.ts';
import type { RunTimes } from '../types';

/** How long one run took, and where. */
type Measured = Omit<RunTimes, 'seconds'> & { readonly seconds: number };

interface ExperimentWords {
  readonly run: string;
  readonly again: string;
  readonly running: string;
  /** Nothing has been run; how long a run took, where that was measured. */
  readonly none: (measured: Measured | undefined) => string;
  readonly other: string;
  readonly stopped: (rows: number) => string;
  readonly done: (rows: number) => string;
  readonly kept: string;
  readonly show: string;
  readonly compare: string;
  readonly remove: string;
  readonly removed: string;
  readonly undo: string;
  readonly unfinished: string;
  readonly link: string;
  readonly rows: (rows: number) => string;
  readonly notKept: (reason: string) => string;
}

const both: Readonly<Record<LanguageId, ExperimentWords>> = {
  en: {
    run: 'Run experiment',
    again: 'Run again',
    running: 'Running …',
    none: (measured) => {
      const draws = 'Nothing has been run yet. “Run experiment” above draws the result here.';
      if (!measured) return draws;
      const { seconds, cpu, browser } = measured;
      const long =
        seconds < 1.5
          ? `${seconds < 0.5 ? 'less than' : 'about'} a second`
          : `about ${Math.round(seconds)} seconds`;
      return `${draws} On ${cpu} in ${browser} it took ${long}.`;
    },
    other: 'The knobs have moved since: what is shown belongs to the settings in the caption.',
    stopped: (rows) => `Stopped. What was measured stays: ${rows} ${rows === 1 ? 'row' : 'rows'}.`,
    done: (rows) => `Done: ${rows} ${rows === 1 ? 'row' : 'rows'}.`,
    kept: 'Kept runs',
    show: 'Show',
    compare: 'Compare',
    remove: 'Remove',
    removed: 'The run is removed.',
    undo: 'Undo',
    unfinished: 'stopped early',
    link: 'Link',
    rows: (rows) => `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    notKept: (reason) => `${reason} CSV or JSON takes the run along.`,
  },
  de: {
    run: 'Experiment ausführen',
    again: 'Noch einmal ausführen',
    running: 'Läuft …',
    none: (measured) => {
      const draws =
        'Noch nichts ausgeführt. „Experiment ausführen“ darüber zeichnet das Ergebnis hier.';
      if (!measured) return draws;
      const { seconds, cpu, browser } = measured;
      const long =
        seconds < 1.5
          ? `${seconds < 0.5 ? 'weniger als' : 'etwa'} eine Sekunde`
          : `etwa ${Math.round(seconds)} Sekunden`;
      return `${draws} Auf ${cpu} in ${browser} dauerte es ${long}.`;
    },
    other:
      'Die Regler stehen inzwischen anders: Gezeigt wird, was zu den Einstellungen in der Bildunterschrift gehört.',
    stopped: (rows) =>
      `Angehalten. Was gemessen ist, bleibt: ${rows} ${rows === 1 ? 'Zeile' : 'Zeilen'}.`,
    done: (rows) => `Fertig: ${rows} ${rows === 1 ? 'Zeile' : 'Zeilen'}.`,
    kept: 'Aufbewahrte Läufe',
    show: 'Zeigen',
    compare: 'Vergleichen',
    remove: 'Entfernen',
    removed: 'Der Lauf ist entfernt.',
    undo: 'Rückgängig',
    unfinished: 'vorzeitig angehalten',
    link: 'Link',
    rows: (rows) => `${rows} ${rows === 1 ? 'Zeile' : 'Zeilen'}`,
    notKept: (reason) => `${reason} Mit CSV oder JSON nimmst du den Lauf mit.`,
  },
};

export const experimentWords = both[language];
