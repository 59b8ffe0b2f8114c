/** The words that every figure of a lab needs. They belong to the first load. */
import { type LanguageId, language } from '../../strings/language.ts';

interface FigureWords {
  readonly figure: string;
  readonly reset: string;
  /** The button that opens the sheet with this many further knobs, of which a try has changed some. */
  readonly more: (count: number, changed: number) => string;
  /** The name of the sheet. */
  readonly sheet: (heading: string) => string;
  readonly closeSheet: string;
  readonly save: string;
  /** What a try has changed, and what it has left as it was. */
  readonly becomes: (label: string, before: string, now: string) => string;
  readonly stays: (label: string, value: string) => string;
  readonly trying: string;
  /** Ends a try. */
  readonly mine: string;
  readonly on: string;
  readonly off: string;
  /** Beside a knob that the author of the link has locked. */
  readonly locked: string;
  /** Somebody tried to change knobs that the author of the link has fixed; their keys. */
  readonly fixed: (keys: readonly string[]) => string;
  readonly version: (version: string) => string;
}

const both: Readonly<Record<LanguageId, FigureWords>> = {
  en: {
    figure: 'Figure',
    reset: 'Reset',
    more: (count, changed) =>
      `${count === 0 ? 'Details' : count === 1 ? 'One more knob, details' : `${count} more knobs, details`}${changed > 0 ? ` (${changed} changed)` : ''}`,
    sheet: (heading) => `All of it: ${heading}`,
    closeSheet: 'Close',
    save: 'Save',
    becomes: (label, before, now) => `${label}: ${before} → ${now}`,
    stays: (label, value) => `${label}: ${value}, as before`,
    trying: 'Try',
    mine: 'Back to my knobs',
    on: 'on',
    off: 'off',
    locked: 'Locked by the author of this page',
    fixed: (keys) => `Locked by the author of this page: ${keys.join(', ')}.`,
    version: (version) => `Attention Labs ${version}.`,
  },
  de: {
    figure: 'Abbildung',
    reset: 'Zurücksetzen',
    more: (count, changed) =>
      `${count === 0 ? 'Einzelheiten' : count === 1 ? 'Ein weiterer Regler, Einzelheiten' : `${count} weitere Regler, Einzelheiten`}${changed > 0 ? ` (${changed} geändert)` : ''}`,
    sheet: (heading) => `Alles davon: ${heading}`,
    closeSheet: 'Schließen',
    save: 'Sichern',
    becomes: (label, before, now) => `${label}: ${before} → ${now}`,
    stays: (label, value) => `${label}: ${value}, wie zuvor`,
    trying: 'Versuch',
    mine: 'Zurück zu meinen Reglern',
    on: 'an',
    off: 'aus',
    locked: 'Festgelegt von der Person, die den Link gemacht hat',
    fixed: (keys) => `Festgelegt von der Person, die den Link gemacht hat: ${keys.join(', ')}.`,
    version: (version) => `Attention Labs ${version}.`,
  },
};

export const figureWords = both[language];
