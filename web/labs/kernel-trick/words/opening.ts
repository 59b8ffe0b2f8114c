import type { OpeningWords } from '../../../src/lab/types.ts';
import type { EnglishFirst } from '../../../src/strings/language.ts';

export const opening: EnglishFirst<OpeningWords> = {
  en: {
    title: 'The kernel trick',
    question: 'What changes when you move the brackets?',
    lead: 'Three small matrices, multiplied in two orders on the same clock: one multiply-add a tick. The results agree. The way there does not.',
    teaches: [
      'say why moving the brackets makes attention linear in the number of tokens',
      'tell what in softmax keeps the brackets where they are',
      'choose a feature map that frees them, and name its price',
      'write linear attention as a state that takes in one token at a time',
    ],
    description:
      'Multiply Q, K and V in both orders, cell by cell: associativity, rounding, kernels, feature maps and the recurrent form of linear attention, computed live in your browser.',
  },
  de: {
    title: 'Der Kern-Trick',
    question: 'Was ändert sich, wenn du die Klammern versetzt?',
    lead: 'Drei kleine Matrizen, in zwei Reihenfolgen multipliziert, im selben Takt: ein Multiply-Add je Tick. Die Ergebnisse stimmen überein. Der Weg dorthin nicht.',
    teaches: [
      'sagen, warum versetzte Klammern Attention linear in der Zahl der Token machen',
      'erklären, was an Softmax die Klammern festhält',
      'eine Feature Map wählen, die sie frei macht, und ihren Preis nennen',
      'lineare Attention als Zustand schreiben, der ein Token nach dem anderen aufnimmt',
    ],
    description:
      'Multipliziere Q, K und V in beiden Reihenfolgen, Zelle für Zelle: Assoziativität, Rundung, Kerne, Feature Maps und die rekurrente Form linearer Attention, live in deinem Browser berechnet.',
  },
};
