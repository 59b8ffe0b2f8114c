/**
 * Fehler auf Deutsch, je Id ein Satzteil: vom Rechenkern, von Dateien, Links, Speicher und Sandbox. Die
 * Kataloge sind nach dem Englischen getippt: Was fehlt oder zu viel ist, übersetzt tsc nicht. Was der
 * Code von Lernenden wirft, steht in run-errors.ts, das erst mit den Übungen kommt.
 */
import type { Phrases } from '../problem.ts';
import { clientErrors } from './client-errors.ts';
import { coreErrors } from './core-errors.ts';
import { exerciseErrors, importErrors, stateErrors } from './file-and-link-errors.ts';

export const phrases: Phrases = {
  templates: {
    client: clientErrors,
    core: coreErrors,
    exercise: exerciseErrors,
    import: importErrors,
    state: stateErrors,
  },
  argument: (argument, seen, wanted) => `${argument}: gefunden: ${seen}; erwartet: ${wanted}`,
};
