import type { OpeningWords } from '../../../src/lab/types.ts';
import type { LanguageId } from '../../../src/strings/language.ts';

export const opening: Record<LanguageId, OpeningWords> = {
  en: {
    title: 'The kernel trick',
    question: 'What changes when you move the brackets?',
    lead: 'Three small matrices, multiplied in two orders on the same clock: one multiply-add a tick. The results agree. The way there does not.',
    teaches: [
      'Why moving the brackets makes attention linear in the number of tokens',
      'What softmax does that keeps the brackets where they are',
      'How a feature map gives the brackets back, and what it costs',
      'Linear attention as a state that grows by one token at a time',
    ],
    description:
      'Multiply Q, K and V in both orders, cell by cell: associativity, rounding, kernels, feature maps and the recurrent form of linear attention, computed live in your browser.',
  },
  de: {
    title: 'Der Kern-Trick',
    question: 'Was ändert sich, wenn du die Klammern versetzt?',
    lead: 'Drei kleine Matrizen, in zwei Reihenfolgen multipliziert, im selben Takt: eine Multiplikation mit Addition je Tick. Die Ergebnisse stimmen überein. Der Weg dorthin nicht.',
    teaches: [
      'Warum versetzte Klammern Attention linear in der Zahl der Tokens machen',
      'Was Softmax tut, damit die Klammern stehen bleiben müssen',
      'Wie eine Feature Map die Klammern wieder frei macht und was das kostet',
      'Lineare Attention als Zustand, der Token für Token wächst',
    ],
    description:
      'Multipliziere Q, K und V in beiden Reihenfolgen, Zelle für Zelle: Assoziativität, Rundung, Kerne, Feature Maps und die rekurrente Form linearer Attention, live in deinem Browser berechnet.',
  },
};
