import type { OpeningWords } from '../../../src/lab/types.ts';
import type { EnglishFirst } from '../../../src/strings/language.ts';

export const opening: EnglishFirst<OpeningWords> = {
  en: {
    title: 'Complexity',
    question: 'What does a longer text cost?',
    lead: 'Attention multiplies three matrices, and you may choose which two come first. The result is the same, the work is not. Each box is one product, each of its unit cubes one multiply-add: drag an edge and see which box explodes.',
    teaches: [
      'count the multiply-adds and bytes of both orders, and find where they cross',
      'measure time over length, fit a slope and say what it proves',
      'tell the limits apart: time, memory, and what a variant adds',
    ],
    description:
      'Count, then measure what attention costs over the length of a text: both orders of multiplying as boxes, slopes, the crossover and the memory wall of your browser.',
  },
  de: {
    title: 'Aufwand',
    question: 'Was kostet ein längerer Text?',
    lead: 'Attention multipliziert drei Matrizen, und du darfst wählen, welche zwei zuerst. Heraus kommt dasselbe, die Arbeit ist nicht dieselbe. Jeder Quader ist ein Produkt, jeder seiner Einheitswürfel ein Multiply-Add: Zieh an einer Kante und sieh, welcher Quader explodiert.',
    teaches: [
      'Multiply-Adds und Bytes beider Reihenfolgen zählen und finden, wo sie sich kreuzen',
      'Zeit über der Länge messen, eine Steigung anpassen und sagen, was sie beweist',
      'Grenzen auseinanderhalten: Zeit, Speicher und was eine Variante dazutut',
    ],
    description:
      'Zähle und miss, was Attention über der Länge eines Textes kostet: beide Reihenfolgen als Quader, Steigungen, die Kreuzung und die Speichergrenze deines Browsers.',
  },
};
