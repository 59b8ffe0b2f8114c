/** The words that every figure of a lab needs. They belong to the first load. */
import { type LanguageId, language } from '../strings/language.ts';

interface FigureWords {
  readonly figure: string;
  readonly tools: (heading: string) => string;
  readonly png: string;
  readonly svg: string;
  readonly csv: string;
  readonly json: string;
  readonly link: string;
  readonly reset: string;
  /** The button that unfolds this many further knobs, of which a try has changed some. */
  readonly more: (count: number, changed: number) => string;
  readonly fewer: string;
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
    tools: (heading) => `Save and share: ${heading}`,
    png: 'Save the picture as PNG',
    svg: 'Save the picture as SVG',
    csv: 'Save the numbers as CSV',
    json: 'Save the numbers as JSON',
    link: 'Copy a link to this view',
    reset: 'Reset',
    more: (count, changed) =>
      `${count === 1 ? 'One more knob' : `${count} more knobs`}${changed > 0 ? ` (${changed} changed)` : ''}`,
    fewer: 'Fewer knobs',
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
    tools: (heading) => `Sichern und teilen: ${heading}`,
    png: 'Das Bild als PNG sichern',
    svg: 'Das Bild als SVG sichern',
    csv: 'Die Zahlen als CSV sichern',
    json: 'Die Zahlen als JSON sichern',
    link: 'Einen Link auf diese Ansicht kopieren',
    reset: 'Zurücksetzen',
    more: (count, changed) =>
      `${count === 1 ? 'Ein weiterer Regler' : `${count} weitere Regler`}${changed > 0 ? ` (${changed} geändert)` : ''}`,
    fewer: 'Weniger Regler',
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
