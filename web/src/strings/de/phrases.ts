/**
 * Fehler auf Deutsch, je Id ein Satzteil: vom Rechenkern, von Dateien, Links, Speicher und Sandbox. Die
 * Kataloge sind nach dem Englischen getippt: Was fehlt oder zu viel ist, übersetzt tsc nicht. Was der
 * Code von Lernenden wirft, steht in run-errors.ts, das erst mit den Übungen kommt.
 */
import type { Templates } from '../problem.ts';
import { coreErrors } from './core-errors.ts';
import { exerciseErrors, importErrors } from './file-errors.ts';
import { firstTemplates } from './first-phrases.ts';

export const templates: Templates = {
  ...firstTemplates,
  core: coreErrors,
  exercise: exerciseErrors,
  import: importErrors,
};
