import { byLanguage } from '../../strings/language.ts';

const en = {
  words: (heading: string, count: number) => `${heading}: ${count} words`,
  attends: (word: string, list: string) => `${word} attends to: ${list}`,
  /** For what is no weight, such as a difference. */
  has: (word: string, quantity: string, list: string) => `${word}, ${quantity}: ${list}`,
  nothing: (word: string) => `${word} attends to no word`,
  weaker: (count: number) => `${count} weaker`,
  held: 'held',
  hint: 'Point at a word to see its lines alone, click to hold it.',
  hintTouch: 'Tap a word to see its lines alone, tap again to let go.',
  oneLine: 'Above the words: what each takes from earlier words and, as a loop, from itself.',
  below: 'Below them: what it takes from later words.',
  order: 'Words stand from left to right in the order of the text, in every script.',
  twoLines: 'The words above look at the words below.',
  thick: 'The thicker a line, the larger its weight.',
  dashed: 'Dashed lines are negative.',
  thinned: (kept: number, all: number) =>
    `Of ${all} lines, each word shows its ${kept === 1 ? 'strongest' : `${kept} strongest`}; alone it shows all.`,
  keys: 'Left and right arrow keys move from word to word, Home and End go to the first and the last, Enter holds a word, Escape lets go.',
};

const de: typeof en = {
  words: (heading, count) => `${heading}: ${count} Wörter`,
  attends: (word, list) => `${word} achtet auf: ${list}`,
  has: (word, quantity, list) => `${word}, ${quantity}: ${list}`,
  nothing: (word) => `${word} achtet auf kein Wort`,
  weaker: (count) => `${count} schwächere`,
  held: 'festgehalten',
  hint: 'Zeig auf ein Wort, um nur seine Linien zu sehen; ein Klick hält es fest.',
  hintTouch:
    'Tipp auf ein Wort, um nur seine Linien zu sehen; tipp noch einmal, um es loszulassen.',
  oneLine: 'Über den Wörtern: was jedes von früheren nimmt und, als Schleife, von sich selbst.',
  below: 'Darunter: was es von späteren nimmt.',
  order: 'Wörter jeder Schrift stehen in der Reihenfolge des Textes von links nach rechts.',
  twoLines: 'Die Wörter oben sehen auf die Wörter unten.',
  thick: 'Je dicker eine Linie, desto größer ihr Gewicht.',
  dashed: 'Gestrichelte Linien sind negativ.',
  thinned: (kept, all) =>
    `Von ${all} Linien zeigt jedes Wort ${kept === 1 ? 'seine stärkste' : `seine ${kept} stärksten`}; allein zeigt es alle.`,
  keys: 'Mit den Pfeiltasten links und rechts gehst du von Wort zu Wort, mit Pos 1 und Ende zum ersten und zum letzten; die Eingabetaste hält ein Wort fest, Escape lässt es los.',
};

export const arcsWords = byLanguage({ en, de });
