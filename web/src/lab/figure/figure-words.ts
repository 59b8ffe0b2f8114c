/** The words that every figure of a lab needs. They belong to the first load. */
import { type LanguageId, language } from '../../strings/language.ts';

interface FigureWords {
  readonly figure: string;
  readonly tools: (heading: string) => string;
  readonly png: string;
  readonly svg: string;
  readonly csv: string;
  readonly json: string;
  readonly link: string;
  readonly reset: string;
  /** The button that opens the sheet with this many further knobs, of which a try has changed some. */
  readonly more: (count: number, changed: number) => string;
  /** The name of the sheet. */
  readonly sheet: (heading: string) => string;
  readonly closeSheet: string;
  readonly save: string;
  readonly linkShort: string;
  /** What a try has changed, and what it has left as it was. */
  readonly becomes: (label: string, before: string, now: string) => string;
  readonly stays: (label: string, value: string) => string;
  readonly guessOnAxis: string;
  readonly guessFirst: string;
  readonly answerAbove: string;
  readonly drawCurve: string;
  readonly yourGuess: string;
  readonly computed: string;
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
      `${count === 0 ? 'Details' : count === 1 ? 'One more knob, details' : `${count} more knobs, details`}${changed > 0 ? ` (${changed} changed)` : ''}`,
    sheet: (heading) => `All of it: ${heading}`,
    closeSheet: 'Close',
    save: 'Save',
    linkShort: 'Link',
    becomes: (label, before, now) => `${label}: ${before} → ${now}`,
    stays: (label, value) => `${label}: ${value}, as before`,
    guessOnAxis: 'Drag on this line to where you expect it, then commit.',
    guessFirst: 'Choose what you expect, then commit; the answer is shown here.',
    answerAbove: 'This would answer the question further up. It waits for your answer there.',
    drawCurve: 'Draw here what you expect, from left to right, then commit.',
    yourGuess: 'Your answer',
    computed: 'Computed',
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
      `${count === 0 ? 'Einzelheiten' : count === 1 ? 'Ein weiterer Regler, Einzelheiten' : `${count} weitere Regler, Einzelheiten`}${changed > 0 ? ` (${changed} geändert)` : ''}`,
    sheet: (heading) => `Alles davon: ${heading}`,
    closeSheet: 'Schließen',
    save: 'Sichern',
    linkShort: 'Link',
    becomes: (label, before, now) => `${label}: ${before} → ${now}`,
    stays: (label, value) => `${label}: ${value}, wie zuvor`,
    guessOnAxis: 'Zieh auf dieser Linie dahin, wo du es erwartest, und leg dich fest.',
    guessFirst: 'Wähle, was du erwartest, und leg dich fest; dann steht die Antwort hier.',
    answerAbove: 'Das würde die Frage weiter oben beantworten und wartet auf deine Antwort dort.',
    drawCurve: 'Zeichne hier von links nach rechts, was du erwartest, und leg dich fest.',
    yourGuess: 'Deine Antwort',
    computed: 'Berechnet',
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
