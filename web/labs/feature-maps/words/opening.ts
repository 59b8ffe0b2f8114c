import type { OpeningWords } from '../../../src/lab/types.ts';
import type { EnglishFirst } from '../../../src/strings/language.ts';

export const opening: EnglishFirst<OpeningWords> = {
  en: {
    title: 'Feature maps',
    question: 'Can a feature map stand in for softmax?',
    lead: 'First, how much each query attends to each key under softmax. Then the same with a feature map φ in place of the exponential. Last, what that costs. Turn any knob.',
    teaches: [
      'say what a feature map must do before its weights are an average',
      'measure how far a map is from softmax, and know which numbers are possible at all',
      'say when random features and the Taylor map come close, and when they do not',
      'find dead rows and vanishing gradients before they find you',
      'choose a map by quality, width and time measured on your own machine',
    ],
    description:
      'Softmax attention, the implicit attention of a feature map, and their difference, computed live in your browser.',
  },
  de: {
    title: 'Feature Maps',
    question: 'Kann eine Feature Map Softmax ersetzen?',
    lead: 'Zuerst: wie viel Gewicht jede Query unter Softmax jedem Key gibt. Dann dasselbe mit einer Feature Map φ statt der Exponentialfunktion. Zuletzt: was das kostet. Dreh an jedem Regler.',
    teaches: [
      'sagen, was eine Feature Map leisten muss, damit ihre Gewichte ein Mittelwert sind',
      'messen, wie weit eine Map von Softmax entfernt ist, und wissen, welche Zahlen überhaupt möglich sind',
      'sagen, wann Zufallsfeatures und die Taylor-Map nah herankommen und wann nicht',
      'tote Zeilen und verschwindende Gradienten finden, bevor sie dich finden',
      'eine Map nach Güte, Breite und der auf deinem Rechner gemessenen Zeit wählen',
    ],
    description:
      'Softmax-Attention, die implizite Attention einer Feature Map und ihre Differenz, live in deinem Browser berechnet.',
  },
};
